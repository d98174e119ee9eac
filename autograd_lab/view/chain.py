"""Whether a picture is a long chain of operations, which needs no layout engine: what hangs where, and what skips.

A chain is a graph in which each operation on the line takes the result of the one before. Leaves, constants and
references hang below the line, also with an operation between (`weight.t()` in a linear layer); what skips some
operations (a residual connection) goes over them. Deep networks and unrolled recurrent ones look like that once far
uses are small references. Read next: `one_line.py`, which places it.
"""

from __future__ import annotations

from dataclasses import dataclass

from autograd_lab.view.parts import Picture
from autograd_lab.view.units import heads

LONG = 15  # operations; shorter graphs carry texts beside their edges
LANES = 3  # of what skips; with more above each other, a real engine finds a clearer way
BRANCH = 3  # units of a branch that hangs at the line
ON_THE_LINE = ("op", "fold")
Edge = tuple[str, str, str]  # id, from, to


@dataclass(frozen=True)
class Chain:
    """The units on the line, what hangs at each, the edges, and those that skip, with their lane.

    What hangs is a branch of one or more units, the one that feeds the line last. `start` is the unit before the first
    operation, if there is one.
    """

    line: tuple[str, ...]
    start: str
    hanging: dict[str, list[tuple[str, ...]]]
    edges: tuple[Edge, ...]
    skips: tuple[tuple[str, str, str, int], ...] = ()


def chain_in(picture: Picture) -> Chain | None:
    """The picture as a chain, if it is a long one without frames and without texts beside its edges.

    >>> import autograd_lab as torch
    >>> from autograd_lab.view.picture import read_graph
    >>> y = torch.tensor(0.5, requires_grad=True)
    >>> for _ in range(50):
    ...     y = y * 2
    >>> len(chain_in(read_graph(y)).line), chain_in(read_graph(torch.tanh(y) + torch.exp(y)))
    (50, None)
    """
    if picture.clusters or picture.links:
        return None
    head = heads(picture)
    units = list(dict.fromkeys(head.values()))
    operations = {key for key in units if picture.by_key[key].kind in ON_THE_LINE}
    if len(operations) <= LONG:
        return None
    edges: list[Edge] = []
    for edge in picture.edges:
        a, b = head[edge.source], head[edge.target]
        if a == b:
            continue
        if b not in operations or edge.labelled or edge.ordered or edge.rule or edge.summed or edge.kind != "use":
            return None
        edges.append((edge.forward_id, a, b))
    line = longest_path(units, operations, edges)
    place = {key: i for i, key in enumerate(line)}
    start = next((a for _, a, b in edges if b == line[0]), "")
    if start:
        place[start] = -1
    skips = [edge for edge in edges if edge[1] in place and edge[2] in place and place[edge[1]] + 1 < place[edge[2]]]
    kept = [edge for edge in edges if edge not in set(skips)] if skips else edges
    hanging = hanging_at(kept, place)
    if hanging is None or sum(len(b) for all_ in hanging.values() for b in all_) + len(place) != len(units):
        return None
    lanes = lanes_of([(place[a], place[b]) for _, a, b in skips])
    if lanes is None:
        return None
    with_lanes = tuple((*skip, lane) for skip, lane in zip(skips, lanes, strict=True))
    return Chain(line, start, hanging, tuple(kept), with_lanes)


def longest_path(units: list[str], operations: set[str], edges: list[Edge]) -> tuple[str, ...]:
    """The operations on the longest way to the last one; `units` stand before what uses them."""
    into: dict[str, list[str]] = {}
    for _, a, b in edges:
        if a in operations:
            into.setdefault(b, []).append(a)
    depth: dict[str, int] = {}
    for key in units:
        if key in operations:
            depth[key] = 1 + max((depth.get(a, 0) for a in into.get(key, ())), default=0)
    path = [max(depth, key=lambda key: depth[key])]
    while path[-1] in into:
        path.append(max(into[path[-1]], key=lambda key: depth.get(key, 0)))
    return tuple(reversed(path))


def hanging_at(edges: list[Edge], place: dict[str, int]) -> dict[str, list[tuple[str, ...]]] | None:
    """The branches below each operation of the line; None if something else than a short branch hangs there."""
    feeds: dict[str, str] = {}
    source: dict[str, list[str]] = {}
    for _, a, b in edges:
        if a in place and b in place:
            if place[a] + 1 != place[b]:
                return None
        elif a in place or feeds.setdefault(a, b) != b:  # from the line to a branch, or used in two places
            return None
        elif b not in place:
            source.setdefault(b, []).append(a)
    hanging: dict[str, list[tuple[str, ...]]] = {}
    for last, at in feeds.items():
        if at not in place:
            continue
        branch = [last]
        while branch[-1] in source:
            if len(set(source[branch[-1]])) > 1 or len(branch) == BRANCH:
                return None
            branch.append(source[branch[-1]][0])
        hanging.setdefault(at, []).append(tuple(reversed(branch)))
    return hanging


def lanes_of(spans: list[tuple[int, int]]) -> list[int] | None:
    """A lane for each span, the inner ones below; None if two spans cross or it would be too many lanes.

    >>> lanes_of([(0, 3), (3, 6), (0, 6)]), lanes_of([(0, 3), (1, 5)])
    ([0, 0, 1], None)
    """
    lanes = [0] * len(spans)
    open_now: list[int] = []  # the spans around this place, the widest first
    for number in sorted(range(len(spans)), key=lambda n: (spans[n][0], -spans[n][1])):
        start, end = spans[number]
        while open_now and spans[open_now[-1]][1] <= start:
            open_now.pop()
        if open_now and spans[open_now[-1]][1] < end:
            return None
        open_now.append(number)
        if len(open_now) > LANES:
            return None
        for above, around in enumerate(reversed(open_now)):
            lanes[around] = max(lanes[around], above)
    return lanes
