"""A long chain of operations, placed in one straight line: what Graphviz would do, in a fraction of the time.

A chain is a graph in which each operation takes the result of the one before; its leaves, constants and references
hang below the line, and what skips some operations (a residual connection) goes over them. Deep networks and unrolled
recurrent ones look like that once far uses are small references. Anything else goes to a real layout engine
(`render.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

from autograd_lab.view.boxes import NOTHING, Widest
from autograd_lab.view.layout import Layout, Point, straight
from autograd_lab.view.parts import Picture
from autograd_lab.view.units import Unit, boxes_of, heads, units_of

LONG = 15  # operations; shorter graphs carry texts beside their edges
GAP, BELOW, STACKED = 26.0, 12.0, 8.0  # between operations, under the line, between boxes under each other
OVER, LANE, BEND = 16.0, 20.0, 18.0  # of what skips: above the boxes, from lane to lane, where it turns
LANES = 3  # with more above each other, a real engine finds a clearer way
ON_THE_LINE = ("op", "fold")


@dataclass(frozen=True)
class Chain:
    """The units on the line, what hangs at each, and the edges: by id, from, to; those that skip, with their lane."""

    line: tuple[str, ...]
    hanging: dict[str, list[str]]
    edges: tuple[tuple[str, str, str], ...]
    skips: tuple[tuple[str, str, str, int], ...] = ()


def chain_in(picture: Picture) -> Chain | None:
    """The picture as a chain, if it is a long one without frames and without texts beside its edges.

    >>> import autograd_lab as torch
    >>> from autograd_lab.view.picture import read_graph
    >>> y = torch.tensor(0.5, requires_grad=True)
    >>> for _ in range(50):
    ...     y = y * 2
    >>> len(chain_in(read_graph(y)).line), chain_in(read_graph(y * y + y))
    (50, None)
    """
    if picture.clusters or picture.links:
        return None
    by_key, head = picture.by_key, heads(picture)
    line = [key for key in dict.fromkeys(head.values()) if by_key[key].kind in ON_THE_LINE]
    place = {key: i for i, key in enumerate(line)}
    if len(line) <= LONG:
        return None
    hangs_at: dict[str, str] = {}
    edges: list[tuple[str, str, str]] = []
    skips: list[tuple[str, str, str]] = []
    fed: set[str] = set()
    for edge in picture.edges:
        a, b = head[edge.source], head[edge.target]
        if a == b:
            continue
        if b not in place or edge.labelled or edge.rule or edge.summed or edge.kind != "use":
            return None
        if a not in place and not hangs_at and b == line[0]:
            place[a] = -1  # where the line begins
        if a in place and place[a] + 1 < place[b]:
            skips.append((edge.forward_id, a, b))
            continue
        if a not in place or place[a] < 0:
            if hangs_at.setdefault(a, b) != b:
                return None
        elif place[a] + 1 == place[b]:
            fed.add(b)
        else:
            return None
        edges.append((edge.forward_id, a, b))
    if len(fed) + 1 != len(line) or len(hangs_at) + len(line) != len(set(head.values())):
        return None
    lanes = lanes_of([(place[a], place[b]) for _, a, b in skips])
    if lanes is None:
        return None
    hanging: dict[str, list[str]] = {}
    for key, at in hangs_at.items():
        hanging.setdefault(at, []).append(key)
    with_lanes = tuple((*skip, lane) for skip, lane in zip(skips, lanes, strict=True))
    return Chain(tuple(line), hanging, tuple(edges), with_lanes)


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


def in_one_line(picture: Picture, chain: Chain, widest: Widest = NOTHING) -> Layout:
    """Place a chain. Along the line and across it: from top to bottom the two change places."""
    down = picture.rankdir == "TB"
    units = units_of(picture, boxes_of(picture, widest))
    sizes = {key: (u.height, u.width) if down else (u.width, u.height) for key, u in units.items()}
    starts: dict[str, Point] = {}  # of each unit, along and across; the line is at 0
    free = 0.0  # from where on there is room below the line
    at = 0.0
    first, *hanging = chain.hanging.get(chain.line[0], [""])
    if first:
        starts[first] = 0.0, -port_of(units[first], down)
        at = sizes[first][0] + GAP
    for i, key in enumerate(chain.line):
        width, height = sizes[key]
        below = hanging if i == 0 else chain.hanging.get(key, ())
        wide = max((sizes[k][0] for k in below), default=0.0)
        if below:
            at = max(at, free + wide + GAP / 2 - width / 2)
        starts[key] = at, -height / 2
        depth = max(height, sizes[chain.line[max(0, i - 1)]][1]) / 2 + BELOW
        if i == 0 and first:
            depth = max(depth, starts[first][1] + sizes[first][1] + STACKED)
        for hung in below:
            starts[hung] = at + width / 2 - GAP / 2 - sizes[hung][0], depth
            depth += sizes[hung][1] + STACKED
        free = at + width / 2 if below else free
        at += width + GAP
    roofs = roofs_of(chain, first, starts)
    top = min(*(across for _, across in starts.values()), *(roof - LANE / 2 for roof in roofs))
    bottom = max(across + sizes[key][1] for key, (_, across) in starts.items())

    def placed(along: float, across: float) -> Point:
        x, y = round(along, 2), round(across - top, 2)
        return (y, x) if down else (x, y)

    centres = {key: placed(a + sizes[key][0] / 2, b + sizes[key][1] / 2) for key, (a, b) in starts.items()}
    routes: dict[str, tuple[Point, ...]] = {}
    used: dict[str, int] = {}  # edges that arrive at an operation already, on the line or from below
    for name, a, b in chain.edges:
        side = b if a in chain.hanging or a == first or starts[a][1] <= 0 else f"below {b}"
        count = used[side] = used.get(side, -1) + 1
        end = sizes[a][0] + starts[a][0], starts[a][1] + port_of(units[a], down)
        if side == b:
            shift = count * 7.0
            start, goal = placed(end[0], end[1] + shift), placed(starts[b][0], shift)
            routes[name] = (start, *straight(start, goal))
        else:
            to = starts[b][0] + sizes[b][0] / 2 - 8.0 * count, sizes[b][1] / 2
            over = end[0] + (to[0] - end[0]) * 0.7
            routes[name] = (
                placed(*end),
                placed(over, end[1]),
                placed(to[0], to[1] + (end[1] - to[1]) * 0.5),
                placed(*to),
            )
    leaving: dict[str, int] = {}
    for (name, a, b, _), roof in zip(chain.skips, roofs, strict=True):
        out = leaving[a] = leaving.get(a, -1) + 1
        into = used[f"over {b}"] = used.get(f"over {b}", -1) + 1
        here = starts[a][0] + sizes[a][0] / 2 + 8.0 * (out + 1), starts[a][1]
        there = starts[b][0] + sizes[b][0] / 2 - 8.0 * (into + 1), starts[b][1]
        turn, end = placed(here[0] + BEND, roof), placed(there[0] - BEND, roof)
        up, down_again = placed(here[0], roof), placed(there[0], roof)
        routes[name] = (placed(*here), up, up, turn, *straight(turn, end), down_again, down_again, placed(*there))
    length = max(along + sizes[key][0] for key, (along, _) in starts.items())
    width, height = (bottom - top, length) if down else (length, bottom - top)
    return Layout(round(width, 2), round(height, 2), centres, routes, {}, "layered")


def roofs_of(chain: Chain, first: str, starts: dict[str, Point]) -> list[float]:
    """Where each edge that skips runs, across the line: above all that it begins at, passes and ends at."""
    line = [first, *chain.line] if first else list(chain.line)
    place = {key: i for i, key in enumerate(line)}
    return [
        min(starts[key][1] for key in line[place[a] : place[b] + 1]) - OVER - LANE * lane
        for _, a, b, lane in chain.skips
    ]


def port_of(unit: Unit, down: bool) -> float:
    """Where the lines of a unit leave, across the line."""
    port = unit.port or (unit.width / 2, unit.height / 2)
    return port[0] if down else port[1]
