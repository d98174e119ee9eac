"""A small layered layout of our own, for when no Graphviz can be run (or when it would take too long).

The textbook method in four steps: a column for each box (longest path), helper cells where an edge passes
a column, an order in each column (mean place of the neighbours, swept back and forth), then coordinates.
It uses plain Python only and takes time in proportion to boxes plus helper cells. Less beautiful than
Graphviz, but it cannot be missing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from autograd_lab.view.boxes import NOTHING, Widest, boxes_of, label_size
from autograd_lab.view.layout import Layout, Point
from autograd_lab.view.parts import Picture, PictureEdge

GAP_X, GAP_Y = 26.0, 16.0
SWEEPS = 8
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
    cells = make_cells(picture, widest)
    set_columns(picture, cells)
    chains = {edge.forward_id: chain_of(edge, cells, widest) for edge in picture.edges}
    add_helpers(chains)
    columns = ordered_columns(cells, chains)
    place(columns)
    placed = [cell for column in columns for cell in column]
    height = max(cell.y + cell.height / 2 for cell in placed)
    return Layout(
        width=round(max(cell.x + cell.width / 2 for cell in placed), 2),
        height=round(height, 2),
        centres={key: (round(cell.x, 2), round(cell.y, 2)) for key, cell in cells.items()},
        routes={name: route(chain) for name, chain in chains.items()},
        labels={
            name: (round(cell.x, 2), round(cell.y, 2))
            for name, chain in chains.items()
            for cell in chain[1:-1]
            if cell.width
        },
        engine="layered",
    )


def make_cells(picture: Picture, widest: Widest) -> dict[str, Cell]:
    """One cell a box; a leaf and its AccumulateGrad share one."""
    boxes = boxes_of(picture, widest)
    cells = {
        node.key: Cell(boxes[node.key].width, boxes[node.key].height, boxes[node.key].height / 2)
        for node in picture.nodes
        if node.kind != "accumulate"
    }
    for node in picture.nodes:
        if node.kind == "accumulate":
            cells[node.of].port = cells[node.of].height
            cells[node.of].height += boxes[node.key].height
    return cells


def set_columns(picture: Picture, cells: dict[str, Cell]) -> None:
    """The longest path from the left; what nothing feeds moves right, next to its first use."""
    incoming: dict[str, list[PictureEdge]] = {}
    outgoing: dict[str, list[PictureEdge]] = {}
    for edge in picture.edges:
        incoming.setdefault(edge.target, []).append(edge)
        outgoing.setdefault(edge.source, []).append(edge)
    for key in in_order(picture, incoming, outgoing):
        cells[key].column = max((cells[e.source].column + 1 + e.labelled for e in incoming.get(key, ())), default=0)
    for key, cell in cells.items():
        if key not in incoming and key in outgoing:
            cell.column = min(cells[e.target].column - 1 - e.labelled for e in outgoing[key])


def in_order(
    picture: Picture, incoming: dict[str, list[PictureEdge]], outgoing: dict[str, list[PictureEdge]]
) -> list[str]:
    """Keys so that every edge goes from an earlier to a later one."""
    waiting = {node.key: len(incoming.get(node.key, ())) for node in picture.nodes if node.kind != "accumulate"}
    ready = [key for key, count in waiting.items() if not count]
    for key in ready:
        for edge in outgoing.get(key, ()):
            waiting[edge.target] -= 1
            if not waiting[edge.target]:
                ready.append(edge.target)
    return ready


def chain_of(edge: PictureEdge, cells: dict[str, Cell], widest: Widest) -> list[Cell]:
    """The cells an edge goes through: its ends, and its label in the column before the target."""
    source, target = cells[edge.source], cells[edge.target]
    if not edge.labelled:
        return [source, target]
    width, height = label_size(edge, widest)
    return [source, Cell(width, height, height - 4, target.column - 1), target]


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
    groups: list[tuple[list[Cell], float]] = []  # cells that touch, and the wish for their common top
    for cell, wish in zip(column, wishes, strict=True):
        group, top = [cell], wish - cell.height / 2
        while groups and groups[-1][1] + tall(groups[-1][0]) + GAP_Y > top:
            above, above_top = groups.pop()
            shift = tall(above) + GAP_Y
            top = (above_top * len(above) + (top - shift) * len(group)) / (len(above) + len(group))
            group = above + group
        groups.append((group, top))
    for group, top in groups:
        for cell in group:
            cell.y = top + cell.height / 2
            top += cell.height + GAP_Y


def tall(group: list[Cell]) -> float:
    return sum(cell.height for cell in group) + GAP_Y * (len(group) - 1)


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
