"""Boxes in columns: the steps of our own layout, on cells that know nothing of pictures.

The textbook method in four steps: a column for each cell (longest path), helper cells where a line passes a column,
an order in each column (mean place of the neighbours, swept back and forth), then coordinates. Plain Python only;
it takes time in proportion to cells plus helpers, and gives the same numbers on every machine. Read next:
`layered.py`, which places a picture with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from autograd_lab.view.layout import Point

GAP_X, GAP_Y = 24.0, 14.0
SWEEPS = 8
MOST_HELPERS = 20_000  # beyond this, long lines go straight


@dataclass(eq=False, slots=True)
class Cell:
    """A box, a frame with all in it, the label of a line, or a helper where a line passes a column."""

    width: float
    height: float
    port: float  # where lines attach, from the top
    side: str = ""  # "in" and "out": it stays in the first or goes to the last column
    column: int = 0
    before: list[tuple[Cell, float, float]] = field(default_factory=list)  # neighbour, its port less this one's, weight
    after: list[tuple[Cell, float, float]] = field(default_factory=list)
    x: float = 0.0  # left
    y: float = 0.0  # top; while columns are ordered, the place in the column


@dataclass(eq=False, slots=True)
class Line:
    """A line from one cell to another. `out` and `into` say how far below the top of its ends it attaches."""

    source: Cell
    target: Cell
    out: float
    into: float
    weight: float = 1.0
    label: tuple[float, float] = (0.0, 0.0)  # space for texts
    chain: list[Cell] = field(default_factory=list)  # the cells it goes through


def arrange(cells: Sequence[Cell], lines: Sequence[Line]) -> tuple[float, float]:
    """Give every cell its place, and every line its chain of cells; the width and height of it all."""
    set_columns(cells, lines)
    helpers = add_helpers(lines)
    columns = columns_of([*cells, *helpers])
    order(columns)
    place(columns)
    return columns[-1][0].x + max(cell.width for cell in columns[-1]), max(
        cell.y + cell.height for column in columns for cell in column
    )


def set_columns(cells: Sequence[Cell], lines: Sequence[Line]) -> None:
    """The longest path from the left; what nothing feeds moves right, next to its first use."""
    incoming: dict[int, int] = {id(cell): 0 for cell in cells}
    outgoing: dict[int, list[tuple[Cell, int]]] = {}
    for line in lines:
        incoming[id(line.target)] += 1
        outgoing.setdefault(id(line.source), []).append((line.target, 1 + bool(line.label[0])))
    fed = {key for key, count in incoming.items() if count}
    ready = [cell for cell in cells if not incoming[id(cell)]]
    for cell in ready:  # grows as it is walked; what lies on a cycle never gets ready
        for target, step in outgoing.get(id(cell), ()):
            target.column = max(target.column, cell.column + step)
            incoming[id(target)] -= 1
            if not incoming[id(target)]:
                ready.append(target)
    last = 1 + max(cell.column for cell in cells)
    for cell in cells:
        if cell.side == "out":
            cell.column = last
        elif id(cell) not in fed and id(cell) in outgoing and not cell.side:
            cell.column = max(0, min(target.column - step for target, step in outgoing[id(cell)]))


def add_helpers(lines: Sequence[Line]) -> list[Cell]:
    """The chain of each line: its ends, its label in the last column before its target, helpers in between."""
    total = sum(line.target.column - line.source.column for line in lines)
    made: list[Cell] = []
    for line in lines:
        first, last = line.source, line.target
        end = last.column
        label = []
        if line.label[0] and last.column - first.column >= 2:
            width, height = line.label
            end -= 1
            label = [Cell(width, height, height - 4, end)]
        between = [Cell(0, 8, 4, column) for column in range(first.column + 1, end)] if total <= MOST_HELPERS else []
        made += between + label
        line.chain = [first, *between, *label, last]
        for left, right in pairwise(line.chain):
            out = line.out if left is first else left.port
            into = line.into if right is last else right.port
            left.after.append((right, into - out, line.weight))
            right.before.append((left, out - into, line.weight))
    return made


def columns_of(cells: Sequence[Cell]) -> list[list[Cell]]:
    """The cells of each column, numbered from the top; columns without a cell are left out."""
    columns: dict[int, list[Cell]] = {}
    for cell in cells:
        columns.setdefault(cell.column, []).append(cell)
    for column in columns.values():
        number(column)
    return [columns[at] for at in sorted(columns)]


def order(columns: list[list[Cell]]) -> None:
    """Few crossings: each cell moves to the mean place of its neighbours, in sweeps to the right and to the left."""
    several = [column for column in columns if len(column) > 1]
    for sweep in range(SWEEPS):
        for column in several if sweep % 2 == 0 else reversed(several):
            wishes = [mean_place(cell, cell.before if sweep % 2 == 0 else cell.after) for cell in column]
            if any(a > b for a, b in pairwise(wishes)):
                column[:] = [cell for _, cell in sorted(zip(wishes, column, strict=True), key=first)]
                number(column)


def first(pair: tuple[float, Cell]) -> float:
    return pair[0]


def number(column: list[Cell]) -> None:
    for i, cell in enumerate(column):
        cell.y = float(i)


def mean_place(cell: Cell, neighbours: list[tuple[Cell, float, float]]) -> float:
    if not neighbours:
        return cell.y
    total = 0.0  # no sum(): newer Pythons round it in another way
    for other, _, _ in neighbours:
        total += other.y
    return total / len(neighbours)


def place(columns: list[list[Cell]]) -> None:
    """Columns side by side; in each, cells as near to their neighbours as their order and size allow."""
    left = 0.0
    for column in columns:
        width = max(cell.width for cell in column)
        for cell in column:
            cell.x = left + (width - cell.width) / 2
        left += width + GAP_X
        stack(column, [0.0] * len(column))
    for sweep in range(SWEEPS):
        for column in columns if sweep % 2 else reversed(columns):
            if len(column) == 1:
                column[0].y = wish(column[0])
            else:
                stack(column, [wish(cell) for cell in column])
    top = min(cell.y for column in columns for cell in column)
    for column in columns:
        for cell in column:
            cell.y -= top


def wish(cell: Cell) -> float:
    """The top at which the lines to its neighbours would be straight, in the mean."""
    total = weights = 0.0
    for other, down, weight in cell.before:
        total += (other.y + down) * weight
        weights += weight
    for other, down, weight in cell.after:
        total += (other.y + down) * weight
        weights += weight
    return total / weights if weights else cell.y


def stack(column: list[Cell], wishes: list[float]) -> None:
    """Give each cell the top it wishes; those that collide move apart around their common wish."""
    groups: list[tuple[list[Cell], float, float]] = []  # cells that touch, their common top, their height
    for cell, top in zip(column, wishes, strict=True):
        group, tall = [cell], cell.height
        while groups and groups[-1][1] + groups[-1][2] + GAP_Y > top:
            above, above_top, above_tall = groups.pop()
            shift = above_tall + GAP_Y
            top = (above_top * len(above) + (top - shift) * len(group)) / (len(above) + len(group))
            above += group
            group, tall = above, shift + tall
        groups.append((group, top, tall))
    for group, top, _ in groups:
        for cell in group:
            cell.y = top
            top += cell.height + GAP_Y


def route(line: Line) -> tuple[Point, ...]:
    """Curves through the cells of a line, flat where they meet a column."""
    start, *between, end = line.chain
    stops = [(start.x + start.width, start.y + line.out)]
    for cell in between:
        stops.append((cell.x, cell.y + cell.port))
        if cell.width:
            stops.append((cell.x + cell.width, cell.y + cell.port))
    stops.append((end.x, end.y + line.into))
    points = [stops[0]]
    for (x0, y0), (x1, y1) in pairwise(stops):
        middle = (x0 + x1) / 2
        points += [(middle, y0), (middle, y1), (x1, y1)]
    return tuple(points)
