"""Two pictures compared: what was added, removed or changed.

Picture x Picture -> Picture. Operations are lined up as a text comparison lines up lines, in the order of the
formula; leaves and results follow their names and their operations. What was removed is drawn too, so that one drawing
tells the whole difference; marks are words as well as colours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import replace
from difflib import SequenceMatcher

from autograd_lab.view.parts import Picture, PictureEdge, PictureNode
from autograd_lab.view.texts import NOT_RECORDED, fit, shape_text

ADDED, REMOVED = "+ added", "− removed"
LONGEST = 40  # characters of what changed


def compared(old: Picture, new: Picture) -> Picture:
    """The new picture with everything marked that differs from the old one.

    >>> import autograd_lab as torch
    >>> from autograd_lab.view.picture import read_graph
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> marked = compared(read_graph(x * 3), read_graph(torch.exp(x * 3)))
    >>> [(node.name, node.change) for node in marked.nodes if node.change and node.kind == "op"]
    [('exp', 'added')]
    >>> marked.notes[-1]
    'Compared: 1 operation added, 0 removed, 0 boxes changed.'
    """
    partner = lined_up(old, new)  # key in new: key in old
    unboxed = {n.key for n in new.nodes if n.kind == "result" and n.key not in partner and n.of in partner}
    nodes = [
        node if node.key in unboxed else marked(node, old.by_key[partner[node.key]] if node.key in partner else None)
        for node in new.nodes
    ]
    start = 1 + max((int(node.key[1:]) for node in new.nodes), default=-1)
    key_of = {there: here for here, there in partner.items()}
    # an op that stayed may have had a box for its result, and now has none, or the other way round
    gone = [node for node in old.nodes if node.key not in key_of and not (node.kind == "result" and node.of in key_of)]
    key_of |= {node.key: f"n{start + i}" for i, node in enumerate(gone)}
    for node in gone:
        nodes.append(
            replace(
                node,
                key=key_of[node.key],
                of=key_of.get(node.of, ""),
                cluster="",
                change="removed",
                tags=(*node.tags, REMOVED),
            )
        )
    edges = tuple(
        replace(edge, change="") if edge.change == "added" and edge.target in unboxed else edge
        for edge in edges_of(old, new, key_of)
    )
    return replace(new, nodes=tuple(nodes), edges=edges, notes=(*new.notes, summary(nodes)))


def lined_up(old: Picture, new: Picture) -> dict[str, str]:
    """Which box of the old picture each box of the new one was: ops by order, the rest by name and by use."""
    found: dict[str, str] = {}
    here, there = operations(new), operations(old)
    for i, j in alike([token(node) for node in here], [token(node) for node in there]):
        found[here[i].key] = there[j].key
    taken: set[str] = set(found.values())

    def pair(key: str, other: str) -> None:
        if key not in found and other not in taken and new.by_key[key].kind == old.by_key[other].kind:
            found[key] = other
            taken.add(other)

    by_name = {(n.kind, n.name): n.key for n in reversed(old.nodes) if n.name and n.kind in ("leaf", "param", "frozen")}
    for node in new.nodes:
        if (node.kind, node.name) in by_name:
            pair(node.key, by_name[node.kind, node.name])
    inputs, outputs = ends(old)
    for edge in new.edges:
        op = found.get(edge.target)
        if op is not None and (op, edge.number) in inputs and new.by_key[edge.source].kind != "result":
            source, name = edge.source, new.by_key[edge.source].name
            other = inputs[op, edge.number]
            if not (name and old.by_key[other].name) or new.by_key[source].kind in ("number", "ref"):
                pair(source, other)
    for edge in new.edges:
        op = found.get(edge.source)
        if op is not None and (op, edge.number) in outputs:
            pair(edge.target, outputs[op, edge.number])
    beside = {node.of: node.key for node in old.nodes if node.kind == "accumulate"}
    for node in new.nodes:
        if node.kind == "accumulate" and found.get(node.of) in beside:
            pair(node.key, beside[found[node.of]])
    return found


def operations(picture: Picture) -> list[PictureNode]:
    return [node for node in picture.nodes if node.kind in ("op", "fold", "module")]


def token(node: PictureNode) -> Hashable:
    """What makes two operations the same kind of line."""
    return node.kind, node.title or node.name


def alike(here: list[Hashable], there: list[Hashable]) -> list[tuple[int, int]]:
    """Pairs of places in the two lists that correspond. Equal ends are paired first: they are most of a long list."""
    first = 0
    while first < min(len(here), len(there)) and here[first] == there[first]:
        first += 1
    last = 0
    while last < min(len(here), len(there)) - first and here[-1 - last] == there[-1 - last]:
        last += 1
    pairs = [(i, i) for i in range(first)]
    middle = SequenceMatcher(None, here[first : len(here) - last], there[first : len(there) - last], autojunk=False)
    for block in middle.get_matching_blocks():
        pairs += [(first + block.a + i, first + block.b + i) for i in range(block.size)]
    return pairs + [(len(here) - i, len(there) - i) for i in range(last, 0, -1)]


def ends(picture: Picture) -> tuple[dict[tuple[str, int], str], dict[tuple[str, int], str]]:
    """The source of each input and the box of each output, by op and number."""
    inputs, outputs = {}, {}
    for edge in picture.edges:
        if picture.by_key[edge.target].kind == "result":
            outputs[edge.source, edge.number] = edge.target
        else:
            inputs[edge.target, edge.number] = edge.source
    return inputs, outputs


def marked(node: PictureNode, before: PictureNode | None) -> PictureNode:
    """One box of the new picture, and what it was before if it was there."""
    if before is None:
        return replace(node, change="added", tags=(*node.tags, ADDED))
    told = difference(node, before)
    return replace(node, change="changed", tags=(*node.tags, fit(told, LONGEST))) if told else node


def difference(node: PictureNode, before: PictureNode) -> str:
    """What differs between a box and what it was, in words; nothing if nothing does."""
    if node.name != before.name:
        return f"~ was {before.name or 'without a name'}"
    if node.shape != before.shape and None not in (node.shape, before.shape):
        return f"~ shape was {shape_text(before.shape)}"
    if node.dtype != before.dtype and None not in (node.dtype, before.dtype):
        return f"~ was {before.dtype}"
    for field in ("value", "grad"):
        now, then = getattr(node, field), getattr(before, field)
        if now != then:
            return f"~ {field} was {NOT_RECORDED if then is None else then}"
    if node.tags != before.tags:
        return f"~ was {' '.join(before.tags) or 'without marks'}"
    return ""


def edges_of(old: Picture, new: Picture, key_of: dict[str, str]) -> tuple[PictureEdge, ...]:
    """The edges of the new picture, marked, and those that are gone."""
    drawn = [e for e in old.edges if e.source in key_of and e.target in key_of]
    before = {(key_of[e.source], key_of[e.target], e.number): e for e in drawn}
    now = {(e.source, e.target, e.number) for e in new.edges}
    edges = [e if (e.source, e.target, e.number) in before else replace(e, change="added") for e in new.edges]
    for (source, target, number), edge in before.items():
        if (source, target, number) not in now:
            number = free_number(number, source, target, now)
            edges.append(replace(edge, source=source, target=target, number=number, labelled=False, change="removed"))
    return tuple(edges)


def free_number(number: int, source: str, target: str, now: set[tuple[str, str, int]]) -> int:
    """A number that no other edge between the two boxes has, so that each edge keeps an id of its own."""
    while (source, target, number) in now or (target, source, number) in now:
        number += 100
    now.add((source, target, number))
    return number


def summary(nodes: list[PictureNode]) -> str:
    """How much differs, in one sentence."""
    counts = Counter(node.change for node in nodes if node.kind in ("op", "fold", "module"))
    changed = sum(node.change == "changed" for node in nodes)
    if not any(node.change for node in nodes):
        return "Compared: no difference."
    added, removed = counts["added"], counts["removed"]
    boxes = f"{changed} box{'es' * (changed != 1)} changed"
    return f"Compared: {added} operation{'s' * (added != 1)} added, {removed} removed, {boxes}."
