"""A small layered layout of our own, for when no Graphviz can be run (or when it would take too long).

The textbook method in four steps: a column for each box (longest path), helper cells where an edge passes
a column, an order in each column (mean place of the neighbours, swept back and forth), then coordinates.
It uses plain Python only and takes time in proportion to boxes plus helper cells. Less beautiful than
Graphviz, but it cannot be missing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from autograd_lab.view.boxes import NOTHING, Widest, label_size
from autograd_lab.view.layout import Layout, Point
from autograd_lab.view.parts import Picture, PictureEdge
from autograd_lab.view.units import boxes_of, heads, units_of

GAP_X, GAP_Y = 24.0, 14.0
FRAME, FRAME_HEAD = 8.0, 18.0  # around the boxes of a cluster, and above them for its title
SWEEPS = 8
Sizes = dict[str, tuple[float, float]]
MOST_HELPERS = 20_000  # beyond this, long edges go straight


@dataclass(eq=False)
class Cell:
    """A box, the label of an edge, or a helper where an edge passes a column."""

    width: float
    height: float
    port: float  # where edges attach, from the top
    column: int = 0
    before: list[Cell] = field(default_factory=list)
    after: list[Cell] = field(default_factory=list)
    x: float = 0.0  # centre
    y: float = 0.0

    @property
    def port_y(self) -> float:
        return self.y - self.height / 2 + self.port


def layered(picture: Picture, widest: Widest = NOTHING) -> Layout:
    """Place a picture without any help."""
    down = picture.rankdir == "TB"
    cells = make_cells(picture, widest, down)
    if not cells:
        return Layout(0, 0, {}, {}, {}, "layered")
    edges = between_units(picture)
    sizes = {edge.forward_id: turned(label_size(edge, widest, picture.rankdir), down) for edge, _, _ in edges}
    set_columns(cells, edges, sizes)
    chains = {edge.forward_id: chain_of(cells[a], cells[b], sizes[edge.forward_id]) for edge, a, b in edges}
    add_helpers(chains)
    columns = ordered_columns(cells, chains)
    place(columns)
    placed = [cell for column in columns for cell in column]
    places = {key: (cell.x, cell.y) for key, cell in cells.items()}
    routes = {name: route(chain) for name, chain in chains.items()}
    labels = {name: (cell.x, cell.y - 6 * down) for name, chain in chains.items() for cell in chain[1:-1] if cell.width}
    width = max(cell.x + cell.width / 2 for cell in placed)
    height = max(cell.y + cell.height / 2 for cell in placed)
    if down:  # columns become rows
        width, height = height, width
        places = {key: (y, x) for key, (x, y) in places.items()}
        labels = {key: (y, x) for key, (x, y) in labels.items()}
        routes = {key: tuple((y, x) for x, y in points) for key, points in routes.items()}
    made = Layout(
        width=round(width, 2),
        height=round(height, 2),
        centres={key: (round(x, 2), round(y, 2)) for key, (x, y) in places.items()},
        routes={key: tuple((round(x, 2), round(y, 2)) for x, y in points) for key, points in routes.items()},
        labels={key: (round(x, 2), round(y, 2)) for key, (x, y) in labels.items()},
        engine="layered",
    )
    return with_frames(made, picture, widest) if picture.clusters else made


def turned(size: tuple[float, float], down: bool) -> tuple[float, float]:
    return (size[1], size[0]) if down else size


def with_frames(made: Layout, picture: Picture, widest: Widest) -> Layout:
    """The same layout with a rectangle around the boxes of each cluster, inner ones first."""
    units = units_of(picture, boxes_of(picture, widest))
    ends: dict[str, list[tuple[float, float, float, float]]] = {}
    for key, unit in units.items():
        x, y = made.centres[key]
        area = (x - unit.width / 2, y - unit.height / 2, x + unit.width / 2, y + unit.height / 2)
        ends.setdefault(picture.by_key[key].cluster, []).append(area)
    frames = {}
    for cluster in reversed(picture.clusters):
        areas = ends.get(cluster.key)
        if areas:
            x0, y0 = min(a[0] for a in areas) - FRAME, min(a[1] for a in areas) - FRAME_HEAD
            x1, y1 = max(a[2] for a in areas) + FRAME, max(a[3] for a in areas) + FRAME
            frames[cluster.key] = (x0, y0, x1 - x0, y1 - y0)
            ends.setdefault(cluster.parent, []).append((x0, y0, x1, y1))
    left = min(0.0, *(f[0] for f in frames.values()))
    top = min(0.0, *(f[1] for f in frames.values()))

    def move(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((round(x - left, 2), round(y - top, 2)) for x, y in points)

    return Layout(
        round(max(made.width, *(f[0] + f[2] for f in frames.values())) - left, 2),
        round(max(made.height, *(f[1] + f[3] for f in frames.values())) - top, 2),
        {key: move((point,))[0] for key, point in made.centres.items()},
        {key: move(points) for key, points in made.routes.items()},
        {key: move((point,))[0] for key, point in made.labels.items()},
        made.engine,
        {key: (*move((f[:2],))[0], round(f[2], 2), round(f[3], 2)) for key, f in frames.items()},
    )


def make_cells(picture: Picture, widest: Widest, down: bool) -> dict[str, Cell]:
    """One cell for boxes that stand together. A cell's width goes along the way of the columns."""
    cells = {}
    for key, unit in units_of(picture, boxes_of(picture, widest)).items():
        port = unit.port or (unit.width / 2 if down else unit.width, unit.height if down else unit.height / 2)
        along, across = turned((unit.width, unit.height), down)
        cells[key] = Cell(along, across, port[0] if down else port[1])
    return cells


def between_units(picture: Picture) -> list[tuple[PictureEdge, str, str]]:
    """The edges that need a way, each with the units at its ends."""
    head = heads(picture)
    ends = [(edge, head[edge.source], head[edge.target]) for edge in picture.edges if edge.kind != "view"]
    return [(edge, a, b) for edge, a, b in ends if a != b]


def set_columns(cells: dict[str, Cell], edges: list[tuple[PictureEdge, str, str]], sizes: Sizes) -> None:
    """The longest path from the left; what nothing feeds moves right, next to its first use."""
    incoming: dict[str, list[tuple[str, int]]] = {}
    outgoing: dict[str, list[tuple[str, int]]] = {}
    for edge, a, b in edges:
        step = 1 + bool(sizes[edge.forward_id][0])
        incoming.setdefault(b, []).append((a, step))
        outgoing.setdefault(a, []).append((b, step))
    for key in in_order(cells, incoming, outgoing):
        cells[key].column = max((cells[a].column + step for a, step in incoming.get(key, ())), default=0)
    for key, cell in cells.items():
        if key not in incoming and key in outgoing:
            cell.column = max(0, min(cells[b].column - step for b, step in outgoing[key]))


def in_order(
    cells: dict[str, Cell], incoming: dict[str, list[tuple[str, int]]], outgoing: dict[str, list[tuple[str, int]]]
) -> list[str]:
    """Keys so that every edge goes from an earlier to a later one; what lies on a cycle is left out."""
    waiting = {key: len(incoming.get(key, ())) for key in cells}
    ready = [key for key, count in waiting.items() if not count]
    for key in ready:
        for target, _ in outgoing.get(key, ()):
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    return ready


def chain_of(source: Cell, target: Cell, size: tuple[float, float]) -> list[Cell]:
    """The cells an edge goes through: its ends, and its label in the column before the target."""
    if not size[0] or target.column - source.column < 2:
        return [source, target]
    return [source, Cell(size[0], size[1], size[1] - 4, target.column - 1), target]


def add_helpers(chains: dict[str, list[Cell]]) -> None:
    """A helper cell in each column that an edge passes, then the neighbours of every cell."""
    total = sum(chain[-1].column - chain[0].column for chain in chains.values())
    for chain in chains.values():
        if total <= MOST_HELPERS:
            first, rest = chain[0], chain[1:]
            passed = range(first.column + 1, rest[0].column)
            chain[1:1] = [Cell(0, 8, 4, column) for column in passed]
        for left, right in pairwise(chain):
            left.after.append(right)
            right.before.append(left)


def ordered_columns(cells: dict[str, Cell], chains: dict[str, list[Cell]]) -> list[list[Cell]]:
    """The cells of each column from top to bottom, with few crossings."""
    everything = list(dict.fromkeys([*cells.values(), *(c for chain in chains.values() for c in chain)]))
    columns: list[list[Cell]] = [[] for _ in range(max(cell.column for cell in everything) + 1)]
    for cell in everything:
        columns[cell.column].append(cell)
    for column in columns:
        number(column)
    for sweep in range(SWEEPS):
        forward = sweep % 2 == 0
        for column in columns if forward else reversed(columns):
            column.sort(key=lambda cell: mean([c.y for c in (cell.before if forward else cell.after)], cell.y))
            number(column)
    return columns


def number(column: list[Cell]) -> None:
    for i, cell in enumerate(column):
        cell.y = float(i)


def mean(values: list[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def place(columns: list[list[Cell]]) -> None:
    """Columns side by side; in each, cells as near to their neighbours as their order and size allow."""
    left = 0.0
    for column in columns:
        width = max(cell.width for cell in column)
        for cell in column:
            cell.x = left + width / 2
        left += width + GAP_X
        stack(column, [0.0] * len(column))
    for sweep in range(SWEEPS):
        for column in columns if sweep % 2 else reversed(columns):
            wishes = [
                mean([c.port_y for c in (*cell.before, *cell.after)], cell.port_y) - cell.port + cell.height / 2
                for cell in column
            ]
            stack(column, wishes)
    top = min(cell.y - cell.height / 2 for column in columns for cell in column)
    for column in columns:
        for cell in column:
            cell.y -= top


def stack(column: list[Cell], wishes: list[float]) -> None:
    """Give each cell the place it wishes; those that collide move apart around their common wish."""
    groups: list[tuple[list[Cell], float, float]] = []  # cells that touch, their common top, their height
    for cell, wish in zip(column, wishes, strict=True):
        group, top, tall = [cell], wish - cell.height / 2, cell.height
        while groups and groups[-1][1] + groups[-1][2] + GAP_Y > top:
            above, above_top, above_tall = groups.pop()
            shift = above_tall + GAP_Y
            top = (above_top * len(above) + (top - shift) * len(group)) / (len(above) + len(group))
            above += group
            group, tall = above, shift + tall
        groups.append((group, top, tall))
    for group, top, _ in groups:
        for cell in group:
            cell.y = top + cell.height / 2
            top += cell.height + GAP_Y


def route(chain: list[Cell]) -> tuple[Point, ...]:
    """Curves through the ports of a chain of cells, flat where they meet a column."""
    first, last = chain[0], chain[-1]
    stops: list[Point] = [(first.x + first.width / 2, first.port_y)]
    for cell in chain[1:-1]:
        stops.append((cell.x - cell.width / 2, cell.port_y))
        if cell.width:
            stops.append((cell.x + cell.width / 2, cell.port_y))
    stops.append((last.x - last.width / 2, last.port_y))
    points = [stops[0]]
    for (x0, y0), (x1, y1) in pairwise(stops):
        middle = (x0 + x1) / 2
        points += [(middle, y0), (middle, y1), (x1, y1)]
    return tuple((round(x, 2), round(y, 2)) for x, y in points)
