"""Parts of a picture: the boxes around one box, a picture with a cut added, a picture with the op that failed.

Picture in, Picture out; keys stay what they were. `reason.py` and `traceback.py` show these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autograd_lab.view.cuts import WORDS, Cut
from autograd_lab.view.facts import Facts
from autograd_lab.view.parts import Picture, PictureEdge, PictureNode
from autograd_lab.view.texts import clean, fit, symbol_of

NEAR = 4  # edges from the box one asks about
MOST = 40  # boxes of a part


def around(picture: Picture, key: str, near: int = NEAR, most: int = MOST) -> Picture:
    """The boxes at most `near` edges away from `key`, without the objects they stand for; all of a small picture.

    >>> import autograd_lab as torch
    >>> from autograd_lab.view.picture import read_graph
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> y = x
    >>> for _ in range(20):
    ...     y = y * 2
    >>> part = around(read_graph(y), "n3", near=1)
    >>> [node.key for node in part.nodes]
    ['n0', 'n1', 'n2', 'n3', 'n5']
    """
    if len(picture.nodes) <= most:
        return picture.without_places()
    ties: dict[str, list[str]] = {}
    for edge in picture.edges:
        ties.setdefault(edge.source, []).append(edge.target)
        ties.setdefault(edge.target, []).append(edge.source)
    found, ring = {key: None}, [key]
    for _ in range(near):
        ring = [k for one in ring for k in ties.get(one, ()) if k not in found]
        found.update(dict.fromkeys(ring[: max(0, most - len(found))]))
    kept = set(found)
    kept |= {node.key for node in picture.nodes if node.kind == "accumulate" and node.of in kept}
    kept |= {node.of for node in picture.nodes if node.kind == "ref" and node.key in kept}
    nodes = tuple(node for node in picture.nodes if node.key in kept)
    frames = {node.cluster for node in nodes}
    return replace(
        picture.without_places(),
        nodes=nodes,
        edges=tuple(e for e in picture.edges if e.source in kept and e.target in kept),
        links=tuple(link for link in picture.links if link.op in kept and link.tensor in kept),
        roots=tuple(root for root in picture.roots if root in kept),
        notes=(*picture.notes, f"Only the boxes nearest to the one in question: {len(nodes)} of {len(picture.nodes)}."),
        clusters=tuple(c for c in picture.clusters if c.key in frames or any(f.startswith(c.key) for f in frames)),
    )


def with_cut(
    picture: Picture | None, cut: Cut, inputs: Sequence[tuple[str, Facts]], result: tuple[str, Facts], says: str
) -> Picture:
    """The picture with the op that cut the history marked, or drawn with its result as a small graph of its own.

    `inputs` are names and facts of what the op took, `result` those of what it made.
    """
    nodes = list(picture.nodes) if picture else []
    for i, node in enumerate(nodes):
        if node.kind == "untracked" and cut.line and f"`{clean(cut.line)}`" in node.why:
            nodes[i] = replace(node, why=says, tags=("cut here", *node.tags))
            return replace(picture, nodes=tuple(nodes)) if picture else Picture((), (), ())
    edges = list(picture.edges) if picture else []
    number = 1 + max((int(n.key[1:]) for n in nodes), default=-1)
    op, end = f"n{number + len(inputs)}", f"n{number + len(inputs) + 1}"
    for i, ((text, facts), kind) in enumerate(zip(inputs, cut.inputs, strict=True)):
        key = f"n{number + i}"
        kind = {"a leaf": "leaf", "untracked": "frozen"}.get(kind, "result")
        nodes.append(PictureNode(key, kind, name=clean(text, 32), **facts.as_fields()))
        edges.append(PictureEdge(key, op, i, kind="cut"))
    title = clean(cut.line, 44) or "line not recorded"
    nodes.append(PictureNode(op, "op", name=clean(cut.op, 32), title=title, tags=("cut here",), why=says))
    name, facts = result
    nodes.append(PictureNode(end, "frozen", name=clean(name, 60), tags=("no grad",), **facts.as_fields()))
    edges.append(PictureEdge(op, end, 0, kind="cut"))
    notes = (*(picture.notes if picture else ()), f"{cut.op}: {WORDS[cut.kind]}.")
    if picture is None:
        return Picture(tuple(nodes), tuple(edges), (end,), notes)
    return replace(picture, nodes=tuple(nodes), edges=tuple(edges), notes=notes)


def with_failure(picture: Picture, title: str, inputs: Sequence[tuple[str, str]], says: str) -> Picture:
    """The picture with an op that failed before it left a node. `inputs`: key of the box, name of the argument."""
    number = 1 + max((int(n.key[1:]) for n in picture.nodes), default=-1)
    key = f"n{number}"
    failed = PictureNode(key, "op", name=symbol_of(title), title=title, tags=("failed here",), failed=True, why=says)
    edges = tuple(PictureEdge(source, key, i, argument) for i, (source, argument) in enumerate(inputs))
    return replace(
        picture.without_places(),
        nodes=(*picture.nodes, failed),
        edges=(*picture.edges, *edges),
        roots=(key,),
        notes=(*picture.notes, fit(says, 400)),
    )


def marked_failed(picture: Picture, key: str, says: str) -> Picture:
    """The picture with one of its boxes marked as the place of the error."""
    nodes = tuple(
        replace(node, failed=True, why=says, tags=("failed here", *node.tags)) if node.key == key else node
        for node in picture.nodes
    )
    return replace(picture, nodes=nodes, notes=(*picture.notes, fit(says, 400)))
