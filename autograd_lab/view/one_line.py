"""A chain of operations, placed in one straight line: what Graphviz would do, in a fraction of the time.

Places are counted along the line and across it, with the line at 0; from top to bottom the two change places. Below the
line hangs what feeds it; over it goes what skips. Read next: `layout.py`.
"""

from __future__ import annotations

from autograd_lab.view.boxes import NOTHING, Widest
from autograd_lab.view.chain import Chain
from autograd_lab.view.layout import Layout, Point, straight
from autograd_lab.view.parts import Picture
from autograd_lab.view.units import Unit, boxes_of, units_of

GAP, BELOW, STACKED = 26.0, 12.0, 8.0  # between operations, under the line, between boxes under each other
OVER, LANE, BEND = 16.0, 20.0, 18.0  # of what skips: above the boxes, from lane to lane, where it turns
OFF = 8.0  # from the middle of a box to where a line that skips leaves or arrives
APART, ASIDE = 7.0, 15.0  # between lines from and to the same boxes, and between those that come from below
Starts = dict[str, Point]  # of each unit: its first corner, along and across


def in_one_line(picture: Picture, chain: Chain, widest: Widest = NOTHING) -> Layout:
    """Place a chain."""
    down = picture.rankdir == "TB"
    units = units_of(picture, boxes_of(picture, widest))
    sizes = {key: (u.height, u.width) if down else (u.width, u.height) for key, u in units.items()}
    ports = {key: port_of(unit, down) for key, unit in units.items()}
    starts = starts_of(chain, sizes, ports)
    roofs = roofs_of(chain, starts)
    top = min(*(across for _, across in starts.values()), *(roof - LANE / 2 for roof in roofs))
    bottom = max(across + sizes[key][1] for key, (_, across) in starts.items())

    def placed(point: Point) -> Point:
        x, y = round(point[0], 2), round(point[1] - top, 2)
        return (y, x) if down else (x, y)

    centres = {key: placed((a + sizes[key][0] / 2, b + sizes[key][1] / 2)) for key, (a, b) in starts.items()}
    routes = routes_of(chain, starts, sizes, ports) | skips_of(chain, starts, sizes, roofs)
    length = max(along + sizes[key][0] for key, (along, _) in starts.items())
    width, height = (bottom - top, length) if down else (length, bottom - top)
    placed_routes = {name: tuple(placed(point) for point in route) for name, route in routes.items()}
    return Layout(round(width, 2), round(height, 2), centres, placed_routes, {}, "layered")


def port_of(unit: Unit, down: bool) -> float:
    """Where the lines of a unit leave, across the line."""
    port = unit.port or (unit.width / 2, unit.height / 2)
    return port[0] if down else port[1]


def starts_of(chain: Chain, sizes: dict[str, Point], ports: dict[str, float]) -> Starts:
    """Where each unit begins: the line from left to right, and under each operation what hangs there."""
    starts: Starts = {}
    arriving = from_below(chain)
    free = at = 0.0  # from where on there is room below the line, and on it
    if chain.start:
        starts[chain.start] = 0.0, -ports[chain.start]
        at = sizes[chain.start][0] + GAP
    for i, key in enumerate(chain.line):
        width, height = sizes[key]
        below = chain.hanging.get(key, ())
        aside = (len(arriving.get(key, ())) - 1) * ASIDE / 2 + GAP / 2  # from the middle to the boxes below
        if below:
            wide = max(sum(sizes[k][0] + GAP for k in branch) - GAP for branch in below)
            at = max(at, free + wide + aside - width / 2)
        starts[key] = at, -height / 2
        depth = max(height, sizes[chain.line[max(0, i - 1)]][1]) / 2 + BELOW
        if i == 0 and chain.start:
            depth = max(depth, starts[chain.start][1] + sizes[chain.start][1] + STACKED)
        for branch in below:
            middle = depth + max(ports[k] for k in branch)
            end = at + width / 2 - aside
            for hung in reversed(branch):
                starts[hung] = end - sizes[hung][0], middle - ports[hung]
                end -= sizes[hung][0] + GAP
            depth = max(starts[k][1] + sizes[k][1] for k in branch) + STACKED
        free = at + width / 2 + aside if below else free
        at += width + GAP
    return starts


def from_below(chain: Chain) -> dict[str, list[str]]:
    """The edges that come up to each operation of the line, by target; those of what hangs highest first."""
    below = {branch[-1] for branches in chain.hanging.values() for branch in branches}
    found: dict[str, list[str]] = {}
    for name, a, b in chain.edges:
        if a in below:
            found.setdefault(b, []).append(name)
    return found


def roofs_of(chain: Chain, starts: Starts) -> list[float]:
    """Where each edge that skips runs, across the line: above all that it begins at, passes and ends at."""
    line = [chain.start, *chain.line] if chain.start else list(chain.line)
    place = {key: i for i, key in enumerate(line)}
    return [
        min(starts[key][1] for key in line[place[a] : place[b] + 1]) - OVER - LANE * lane
        for _, a, b, lane in chain.skips
    ]


def routes_of(
    chain: Chain, starts: Starts, sizes: dict[str, Point], ports: dict[str, float]
) -> dict[str, tuple[Point, ...]]:
    """The edges on the line, in a branch, and from a branch up to the line."""
    arriving = from_below(chain)
    routes: dict[str, tuple[Point, ...]] = {}
    used: dict[str, int] = {}  # edges that arrive at a unit already, from the left
    for name, a, b in chain.edges:
        end = starts[a][0] + sizes[a][0], starts[a][1] + ports[a]
        if name in arriving.get(b, ()):
            others = arriving[b]
            aside = (others.index(name) - (len(others) - 1) / 2) * ASIDE
            to = starts[b][0] + sizes[b][0] / 2 + aside, sizes[b][1] / 2
            over = end[0] + (to[0] - end[0]) * 0.7
            routes[name] = (end, (over, end[1]), (to[0], to[1] + (end[1] - to[1]) * 0.5), to)
        else:
            count = used[b] = used.get(b, -1) + 1
            start, goal = (end[0], end[1] + count * APART), (starts[b][0], end[1] + count * APART)
            routes[name] = (start, *straight(start, goal))
    return routes


def skips_of(chain: Chain, starts: Starts, sizes: dict[str, Point], roofs: list[float]) -> dict[str, tuple[Point, ...]]:
    """The edges that go over others: up, along their roof, and down again."""
    routes: dict[str, tuple[Point, ...]] = {}
    leaving: dict[str, int] = {}
    arriving: dict[str, int] = {}
    for (name, a, b, _), roof in zip(chain.skips, roofs, strict=True):
        leaving[a], arriving[b] = leaving.get(a, 0) + 1, arriving.get(b, 0) + 1
        here = starts[a][0] + sizes[a][0] / 2 + OFF * leaving[a], starts[a][1]
        there = starts[b][0] + sizes[b][0] / 2 - OFF * arriving[b], starts[b][1]
        turn, end = (here[0] + BEND, roof), (there[0] - BEND, roof)
        up, down_again = (here[0], roof), (there[0], roof)
        routes[name] = (here, up, up, turn, *straight(turn, end), down_again, down_again, there)
    return routes
