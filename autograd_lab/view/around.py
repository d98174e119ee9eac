"""What stands around the operations of a picture: frames of modules, of no_grad and of second order; cuts, views,
and what an op saved.

Functions that `picture.Reader` calls as it goes. A cut is where a gradient cannot pass: at `detach()`, or at an op
that ran under no_grad. Where the recorder was off, a tensor that shares its memory with a tracked one is known to be
detached; nothing else is guessed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from autograd_lab.view import cuts
from autograd_lab.view.facts import Constant, Op
from autograd_lab.view.folding import Fold
from autograd_lab.view.modules import Call
from autograd_lab.view.names import is_tensor
from autograd_lab.view.parts import LEAF_KINDS, Cluster, PictureEdge, PictureNode
from autograd_lab.view.texts import clean, symbol_of

NO_GRAD, ORDER = "no_grad", "order"
BLOCKS = ("no_grad", "inference_mode")
MOST_UNTRACKED = 20  # operations of no_grad blocks that are drawn


class Frames:
    """Which frame each box stands in, and from that the clusters."""

    def __init__(self, calls: dict[int, Call]) -> None:
        self.calls = calls
        self.of: dict[str, Call | None] = {}
        self.second: set[str] = set()
        self.no_grad: set[str] = set()

    def stands_in(self, key: str, call: Call | None, in_backward: bool = False) -> None:
        self.of[key] = call
        if in_backward:
            self.second.add(key)

    def put_around(self, nodes: list[PictureNode], edges: list[PictureEdge]) -> tuple[list[PictureNode], list[Cluster]]:
        """The boxes, each with the key of its frame, and the frames."""
        if not self.calls and not self.second and not self.no_grad:
            return nodes, []
        users: dict[str, list[str]] = {}
        for edge in edges:
            users.setdefault(edge.source, []).append(edge.target)
        clusters: dict[Any, Cluster] = {}
        framed: dict[str, str] = {}
        used = {id(call): call for node in nodes if (call := self.of.get(node.key)) is not None}
        for call in sorted(used.values(), key=lambda call: call.start):
            self.cluster(clusters, call)
        for node in nodes:
            if node.key in self.no_grad:
                framed[node.key] = self.cluster(clusters, NO_GRAD).key
                continue
            if node.key in self.second:
                framed[node.key] = self.cluster(clusters, ORDER).key
                continue
            call = self.of.get(node.key)
            if node.kind in (*LEAF_KINDS, "frozen"):
                call = common([self.of.get(key) for key in users.get(node.key, ()) if key in self.of])
            if call is not None:
                framed[node.key] = self.cluster(clusters, call).key
        for node in nodes:
            if node.kind == "accumulate" and node.of in framed:
                framed[node.key] = framed[node.of]
        ordered = sorted(clusters.values(), key=lambda cluster: int(cluster.key[1:]))
        return [replace(node, cluster=framed.get(node.key, "")) for node in nodes], ordered

    def cluster(self, clusters: dict[Any, Cluster], what: Any) -> Cluster:
        """The cluster of a call (or of a kind), made with those around it when first met."""
        identity = what if isinstance(what, str) else id(what)
        if identity in clusters:
            return clusters[identity]
        if what == NO_GRAD:
            made = Cluster(f"m{len(clusters)}", NO_GRAD, "no_grad: nothing here is recorded in the graph")
        elif what == ORDER:
            made = Cluster(f"m{len(clusters)}", ORDER, "order 2: made while a gradient was computed")
        else:
            parent = self.cluster(clusters, what.parent).key if what.parent is not None else ""
            made = Cluster(f"m{len(clusters)}", "module", clean(what.title, 60), parent, what.path)
        clusters[identity] = made
        return made


def common(calls: list[Call | None]) -> Call | None:
    """The innermost call around all of these."""
    if not calls or any(call is None for call in calls):
        return None
    chains = [chain_of(call) for call in calls]
    together = [level[0] for level in zip(*chains, strict=False) if all(c is level[0] for c in level)]
    return together[-1] if together else None


def chain_of(call: Call | None) -> list[Call]:
    chain: list[Call] = []
    while call is not None:
        chain.insert(0, call)
        call = call.parent
    return chain


def frame_of_fold(call: Call, fold: Fold) -> Call | None:
    """The call around a fold: outside the module that was folded."""
    if fold.kind != "module":
        return call
    inside: Call | None = call
    while inside is not None and inside.path != fold.path:
        inside = inside.parent
    return inside.parent if inside is not None else None


# Cuts


def note_frozen(reader: Any, key: str, constant: Constant, node: Any) -> None:
    """Remember a tensor without gradient, to look later where it was cut from the graph."""
    reader.__dict__.setdefault("frozen", []).append((key, constant, node))


def add_cuts(reader: Any) -> None:
    """An edge without a way back from a tracked tensor to each tensor that was detached from it."""
    frozen = reader.__dict__.get("frozen", ())
    if not frozen or reader.folds:
        return
    at_hand = {id(tensor): tensor for tensor in reader.names.kept if is_tensor(tensor)}
    shared = {memory_of(t): t for t in at_hand.values() if t.requires_grad and memory_of(t) is not None}
    drawn: dict[int, str] = {}
    for key, constant, node in frozen:
        cut = cuts.feeds(node).get(constant.argument)
        tensor = constant.tensor if is_tensor(constant.tensor) else at_hand.get(constant.tensor_id or 0)
        twin = shared.get(memory_of(tensor)) if tensor is not None and not tensor.requires_grad else None
        if cut is not None and any(step.kind in BLOCKS for step in cuts.before([cut])):
            add_untracked(reader, key, cut, drawn)
        elif (twin is not None and tensor is not None and tuple(twin.shape) == tuple(tensor.shape)) or (
            cut is not None and cut.kind in ("detach", "data")
        ):
            retag(reader, key, "detached")
            sources = [reader_key(reader, twin)] if twin is not None else sources_of(reader, cut)
            for source in sources[:1]:
                if source:
                    reader.edges.append(PictureEdge(source, key, 0, "detach", kind="cut"))


def memory_of(tensor: Any) -> Any:
    """What tells whether two tensors share their memory: address and shape; None if there is none."""
    try:
        return (tensor.data_ptr(), tuple(tensor.shape)) if tensor is not None and tensor.numel() else None
    except (RuntimeError, AttributeError):
        return None


def reader_key(reader: Any, tensor: Any) -> str:
    """The key of the box of a tensor, if it has one."""
    if tensor.grad_fn is None:
        return str(reader.places.keys.get(id(tensor), ""))
    places = reader.places.keys
    return str(places.get((id(tensor.grad_fn), getattr(tensor, "output_nr", 0))) or places.get(id(tensor.grad_fn), ""))


def sources_of(reader: Any, cut: cuts.Cut) -> list[str]:
    """Boxes of what an untracked op got: results first, else leaves."""
    places = reader.places.keys
    found = []
    for known in cut.nodes:
        node = known()
        if node is not None and (key := places.get((id(node), 0)) or places.get(id(node))):
            found.append(key)
    if not found:
        for known in cut.leaves:
            if (leaf := known()) is not None and (key := places.get(id(leaf))):
                found.append(key)
    return list(dict.fromkeys(found))


def add_untracked(reader: Any, key: str, cut: cuts.Cut, drawn: dict[int, str]) -> None:
    """The operations of a no_grad block before this tensor, without a grad_fn, inside a frame of their own."""
    retag(reader, key, "no grad")
    reader.frames.no_grad.add(key)
    target = key
    for step in cuts.before([cut]):
        if step.kind not in (*BLOCKS, "untracked") or len(drawn) >= MOST_UNTRACKED:
            continue
        if step.number in drawn:
            reader.edges.append(PictureEdge(drawn[step.number], target, len(drawn), kind="cut"))
            break
        line = f"It ran in the line `{clean(step.line)}`." if step.line else ""
        op = reader.new("untracked", name=clean(symbol_of(step.op), 40), title="no grad_fn", why=line)
        drawn[step.number] = op
        reader.frames.no_grad.add(op)
        reader.edges.append(PictureEdge(op, target, 0, kind="cut"))
        for number, source in enumerate(sources_of(reader, step)):
            reader.edges.append(PictureEdge(source, op, number, "no_grad", kind="cut"))
        target = op


def retag(reader: Any, key: str, tag: str) -> None:
    at = int(key[1:])
    reader.nodes[at] = replace(reader.nodes[at], tags=(tag,))


# Views and saved tensors


def add_views(reader: Any) -> None:
    """A dotted line from each named view to the tensor whose memory it shares."""
    for tensor in list(reader.names.results.values()):
        base = getattr(tensor, "_base", None)
        if base is None:
            continue
        key, base_key = reader_key(reader, tensor), reader_key(reader, base)
        if key and base_key and key != base_key and reader.nodes[int(key[1:])].kind == "result":
            reader.edges.append(PictureEdge(base_key, key, len(reader.edges), "view of", kind="view"))


def add_saved(reader: Any, key: str, op: Op, sources: dict[str, str]) -> None:
    """The small box below an op that lists what it keeps for backward."""
    result = next((n for n in reversed(reader.nodes) if n.kind == "result" and n.of == key), None)
    lines = []
    for saved in op.saved:
        if saved.name == "result":
            box = result
        else:
            box = reader.nodes[int(sources[saved.name][1:])] if saved.name in sources else None
        name = (box.name or box.symbol) if box is not None else ""
        text = f"{saved.name} = {name}" if name and name != saved.name else saved.name
        if saved.state == "changed":
            text += f": saved v{saved.version}, now v{saved.now}"
        elif saved.state == "freed":
            text += ": freed"
        elif saved.version is not None:
            text += f" v{saved.version}"
        lines.append(clean(text, 40))
    states = {saved.state for saved in op.saved}
    state = "changed" if "changed" in states else "freed" if "freed" in states else ""
    reader.new("saved", name="saved", title=state, of=key, tags=tuple(lines))


# Views in the other sense: what is drawn of a graph

HIDDEN = {"both": (), "forward": ("accumulate", "saved"), "backward": ("number", "frozen", "untracked")}


def seen_from(
    nodes: list[PictureNode], edges: list[PictureEdge], view: str
) -> tuple[list[PictureNode], list[PictureEdge]]:
    """The boxes and edges that belong to the forward or the backward view; "both" leaves nothing out."""
    if view == "both":
        return nodes, edges
    gone = {node.key for node in nodes if node.kind in HIDDEN[view]}
    gone |= {node.key for node in nodes if node.kind == "ref" and node.of in gone}
    kept = [edge for edge in edges if edge.source not in gone and edge.target not in gone]
    if view == "forward":
        kept = [replace(edge, local=None, rule="", summed="", labelled=False) for edge in kept]
    return [node for node in nodes if node.key not in gone], kept
