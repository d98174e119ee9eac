"""What stands around the operations of a picture: cuts, views, and links to what an op saved.

Functions that add to a `Draft`. A cut is where a gradient cannot pass: at `detach()`, or at an op
that ran under no_grad. Where the recorder was off, a tensor that shares its memory with a tracked one is known to be
detached; nothing else is guessed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from autograd_lab.view import cuts
from autograd_lab.view.draft import Draft
from autograd_lab.view.names import is_tensor
from autograd_lab.view.one_op import Op
from autograd_lab.view.parts import PictureEdge, PictureNode, SavedLink
from autograd_lab.view.reading import Reading
from autograd_lab.view.saved import Saved
from autograd_lab.view.texts import clean, symbol_of

BLOCKS = ("no_grad", "inference_mode")
SAVED_FROM = 100  # numbers of links, higher than those of inputs
MOST_UNTRACKED = 20  # operations of no_grad blocks that are drawn


def add_cuts(draft: Draft, reading: Reading) -> None:
    """An edge without a way back from a tracked tensor to each tensor that was detached from it."""
    if not draft.frozen or reading.folds:
        return
    at_hand = {id(tensor): tensor for tensor in reading.names.kept if is_tensor(tensor)}
    shared = {memory_of(t): t for t in at_hand.values() if t.requires_grad and memory_of(t) is not None}
    drawn: dict[int, str] = {}
    for key, constant, node in draft.frozen:
        cut = cuts.feeds(node).get(constant.argument)
        tensor = constant.tensor if is_tensor(constant.tensor) else at_hand.get(constant.tensor_id or 0)
        twin = shared.get(memory_of(tensor)) if tensor is not None and not tensor.requires_grad else None
        if cut is not None and any(step.kind in BLOCKS for step in cuts.before([cut])):
            add_untracked(draft, key, cut, drawn)
        elif (twin is not None and tensor is not None and tuple(twin.shape) == tuple(tensor.shape)) or (
            cut is not None and cut.kind in ("detach", "data")
        ):
            retag(draft, key, "detached")
            sources = [box_of_tensor(draft, twin)] if twin is not None else sources_of(draft, cut)
            for source in sources[:1]:
                if source:
                    draft.edges.append(PictureEdge(source, key, 0, "detach", kind="cut"))


def memory_of(tensor: Any) -> Any:
    """What tells whether two tensors share their memory: address and shape; None if there is none."""
    try:
        return (tensor.data_ptr(), tuple(tensor.shape)) if tensor is not None and tensor.numel() else None
    except (RuntimeError, AttributeError):
        return None


def box_of_tensor(draft: Draft, tensor: Any) -> str:
    """The key of the box of a tensor, if it has one."""
    if tensor.grad_fn is None:
        return str(draft.places.keys.get(id(tensor), ""))
    places = draft.places.keys
    return str(places.get((id(tensor.grad_fn), getattr(tensor, "output_nr", 0))) or places.get(id(tensor.grad_fn), ""))


def sources_of(draft: Draft, cut: cuts.Cut) -> list[str]:
    """Boxes of what an untracked op got: results first, else leaves."""
    places = draft.places.keys
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


def add_untracked(draft: Draft, key: str, cut: cuts.Cut, drawn: dict[int, str]) -> None:
    """The operations of a no_grad block before this tensor, without a grad_fn, inside a frame of their own."""
    retag(draft, key, "no grad")
    draft.frames.no_grad.add(key)
    target = key
    for step in cuts.before([cut]):
        if step.kind not in (*BLOCKS, "untracked") or len(drawn) >= MOST_UNTRACKED:
            continue
        if step.number in drawn:
            draft.edges.append(PictureEdge(drawn[step.number], target, len(drawn), kind="cut"))
            break
        line = f"It ran in the line `{clean(step.line)}`." if step.line else ""
        op = draft.new("untracked", name=clean(symbol_of(step.op), 40), title="no grad_fn", why=line)
        drawn[step.number] = op
        draft.frames.no_grad.add(op)
        draft.edges.append(PictureEdge(op, target, 0, kind="cut"))
        for number, source in enumerate(sources_of(draft, step)):
            draft.edges.append(PictureEdge(source, op, number, "no_grad", kind="cut"))
        target = op


def retag(draft: Draft, key: str, tag: str) -> None:
    draft.nodes[int(key[1:])] = replace(draft.box(key), tags=(tag,))


# Views and saved tensors


def add_views(draft: Draft, reading: Reading) -> None:
    """A dotted line from each named view to the tensor whose memory it shares."""
    for tensor in list(reading.names.results.values()):
        base = getattr(tensor, "_base", None)
        if base is None:
            continue
        key, base_key = box_of_tensor(draft, tensor), box_of_tensor(draft, base)
        if key and base_key and key != base_key and draft.box(key).kind == "result":
            draft.edges.append(PictureEdge(base_key, key, len(draft.edges), "view of", kind="view"))


def add_saved(draft: Draft, key: str, op: Op, node: Any, sources: dict[str, str]) -> None:
    """A link from an op to each tensor that it keeps for backward; a small box for what is drawn nowhere else."""
    known: dict[tuple[str, str], int] = {}
    lines = []
    for saved in op.saved:
        target = saved_box_key(draft, node, saved, sources)
        text = words_of(saved)
        if not target or target == key:
            name = "its result" if target else saved.name
            lines.append(clean(text.replace("saved", name, 1) if name.startswith("saved") else f"{name} {text}", 40))
            continue
        if draft.box(target).of == key:  # its own result, on which it stands
            lines.append(text)
        if (target, text) in known:
            at = known[target, text]
            draft.links[at] = replace(draft.links[at], argument=f"{draft.links[at].argument}, {saved.name}")
        else:
            known[target, text] = len(draft.links)
            number = SAVED_FROM + len(known) - 1
            draft.links.append(SavedLink(key, target, number, saved.name, text, saved.state))
    if lines:
        states = {saved.state for saved in op.saved}
        state = "changed" if "changed" in states else "freed" if "freed" in states else ""
        draft.new("saved", name="saved", title=state, of=key, tags=tuple(lines))


def saved_box_key(draft: Draft, node: Any, saved: Saved, sources: dict[str, str]) -> str:
    """The box of a tensor that was saved: an input, the result, or what stands for this very tensor."""
    if saved.name == "result":
        return draft.key_at(node, 0)
    if saved.name in sources:
        return sources[saved.name]
    tensor = saved.tensor
    return box_of_tensor(draft, tensor) if tensor is not None else ""


def words_of(saved: Saved) -> str:
    """What a link says: the version; that it was freed; or the version then and now."""
    if saved.state == "changed":
        return f"saved v{saved.version}, now v{saved.now}" if saved.version is not None else "saved, changed since"
    if saved.state == "freed":
        return "saved, freed"
    return "saved" if saved.version is None else f"saved v{saved.version}"


# Views in the other sense: what is drawn of a graph

HIDDEN = {"both": (), "forward": ("accumulate", "saved"), "backward": ("number", "frozen", "untracked")}


def seen_from(
    nodes: list[PictureNode], edges: list[PictureEdge], links: list[SavedLink], view: str
) -> tuple[list[PictureNode], list[PictureEdge], list[SavedLink]]:
    """What belongs to the forward or the backward view; "both" leaves nothing out."""
    if view == "both":
        return nodes, edges, links
    gone = {node.key for node in nodes if node.kind in HIDDEN[view]}
    gone |= {node.key for node in nodes if node.kind == "ref" and node.of in gone}
    kept = [edge for edge in edges if edge.source not in gone and edge.target not in gone]
    if view == "forward":
        kept = [replace(edge, local=None, rule="", summed="", labelled=False) for edge in kept]
    links = [] if view == "forward" else [link for link in links if link.tensor not in gone]
    return [node for node in nodes if node.key not in gone], kept, links
