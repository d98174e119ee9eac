"""A layout of our own, for when no Graphviz can be run or it would take too long, and for long plain chains.

Frames are placed from the inside out: what stands in a frame is arranged by itself (`columns.py`), then the frame is
one cell among those around it. A line that leaves a frame goes to a pin on its border, and on from there; so no box
stands in a frame it does not belong to, and no frame covers another. Less beautiful than Graphviz, but it cannot be
missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from autograd_lab.view.boxes import NOTHING, Widest, label_size, link_size
from autograd_lab.view.columns import Cell, Line, arrange, route
from autograd_lab.view.layout import Layout, Point, straight
from autograd_lab.view.parts import Picture
from autograd_lab.view.units import boxes_of, heads, units_of

FRAME, FRAME_HEAD = 8.0, 18.0  # around the boxes of a frame, and above them for its title
WEIGHTS = {"op": 8.0, "result": 8.0, "fold": 8.0}  # the way of the results stays straight
Name = tuple[str, str]  # of a pin: the unit where its line begins, and "in" or "out"


@dataclass(eq=False)
class Level:
    """What stands in one frame, or in none: its cells by the key of a unit or of a frame, its lines by their id."""

    cells: dict[str, Cell] = field(default_factory=dict)
    pins: dict[Name, Cell] = field(default_factory=dict)
    lines: dict[str, Line] = field(default_factory=dict)
    left: float = 0.0  # of its inside, in the whole drawing
    top: float = 0.0


def layered(picture: Picture, widest: Widest = NOTHING) -> Layout:
    """Place a picture without any help."""
    down = picture.rankdir == "TB"
    if not picture.nodes:
        return Layout(0, 0, {}, {}, {}, "layered")
    levels = {key: Level() for key in ("", *(cluster.key for cluster in picture.clusters))}
    within = frames_around(picture)
    for key, unit in units_of(picture, boxes_of(picture, widest)).items():
        port = unit.port or (unit.width / 2 if down else unit.width, unit.height if down else unit.height / 2)
        along, across = turned((unit.width, unit.height), down)
        levels[within[key][-1]].cells[key] = Cell(along, across, port[0] if down else port[1])
    ways = {name: way_of(within[a], within[b]) for name, a, b, _, _ in uses(picture, widest)}
    for cluster in picture.clusters:
        levels[cluster.parent].cells[cluster.key] = Cell(0, 0, 0)
    for name, a, b, weight, label in uses(picture, widest):
        add_lines(levels, ways[name], name, (a, b), (within[a], within[b]), weight, turned(label, down))
    before, after = turned((FRAME, FRAME_HEAD), down), (FRAME, FRAME)
    for cluster in reversed(picture.clusters):  # inner frames first
        level, cell = levels[cluster.key], levels[cluster.parent].cells[cluster.key]
        width, height = arrange_level(level)
        cell.width, cell.height = before[0] + width + after[0], before[1] + height + after[1]
        cell.port = cell.height / 2
        fit_ports(levels[cluster.parent], cell, level, before[1])
    width, height = arrange_level(levels[""])
    for cluster in picture.clusters:  # outer frames first
        cell, parent, level = levels[cluster.parent].cells[cluster.key], levels[cluster.parent], levels[cluster.key]
        level.left, level.top = parent.left + cell.x + before[0], parent.top + cell.y + before[1]
    return finished(picture, levels, within, ways, (width, height), down)


def turned(size: tuple[float, float], down: bool) -> tuple[float, float]:
    return (size[1], size[0]) if down else size


def frames_around(picture: Picture) -> dict[str, list[str]]:
    """The frames around each unit, from the outermost ("": the whole drawing) to its own."""
    parents = {cluster.key: cluster.parent for cluster in picture.clusters}
    chains = {"": [""]}
    for cluster in picture.clusters:
        chains[cluster.key] = [*chains[parents[cluster.key]], cluster.key]
    return {key: chains.get(picture.by_key[key].cluster, [""]) for key in set(heads(picture).values())}


def uses(picture: Picture, widest: Widest) -> Iterator[tuple[str, str, str, float, tuple[float, float]]]:
    """Every line to draw: its id, the units at its ends, its weight, and the size of its label."""
    head = heads(picture)
    for edge in picture.edges:
        a, b = head[edge.source], head[edge.target]
        if a != b and edge.kind != "view":
            weight = WEIGHTS.get(picture.by_key[edge.source].kind, 1.0)
            yield edge.forward_id, a, b, weight, label_size(edge, widest, picture.rankdir)
    for link in picture.links:
        a, b = (head[key] for key in link.ends(picture))
        if a != b:
            yield link.id, a, b, 0.5, link_size(link)


def way_of(around_source: list[str], around_target: list[str]) -> tuple[list[str], str, list[str]]:
    """The frames that a line leaves, from the inside; the frame in which it crosses; those it enters, from outside."""
    shared = 0
    while shared < min(len(around_source), len(around_target)) and around_source[shared] == around_target[shared]:
        shared += 1
    return around_source[shared:][::-1], around_source[shared - 1], around_target[shared:]


def add_lines(
    levels: dict[str, Level],
    way: tuple[list[str], str, list[str]],
    name: str,
    ends: tuple[str, str],
    around: tuple[list[str], list[str]],
    weight: float,
    label: tuple[float, float],
) -> None:
    """The pieces of one line: to a pin in each frame it leaves, across, and from a pin in each frame it enters."""
    leaves, across, enters = way
    source, target = ends
    for i, key in enumerate(leaves):
        start = levels[key].cells[source if i == 0 else leaves[i - 1]]
        levels[key].lines[name] = Line(start, pin(levels[key], source, "out"), start.port, 0.5, weight)
    start = levels[across].cells[leaves[-1] if leaves else source]
    end = levels[across].cells[enters[0] if enters else target]
    levels[across].lines[name] = Line(start, end, start.port, end.port, weight, label)
    for i, key in enumerate(enters):
        end = levels[key].cells[enters[i + 1] if i + 1 < len(enters) else target]
        levels[key].lines[name] = Line(pin(levels[key], source, "in"), end, 0.5, end.port, weight)


def pin(level: Level, source: str, side: str) -> Cell:
    """The pin of all lines that begin at this unit and leave, or enter, a frame."""
    return level.pins.setdefault((source, side), Cell(0, 1, 0.5, side))


def arrange_level(level: Level) -> tuple[float, float]:
    """Place what stands in one frame; its pins go to the border."""
    cells = [*level.cells.values(), *level.pins.values()]
    if not cells:
        return 0, 0
    width, height = arrange(cells, list(level.lines.values()))
    for (_, side), cell in level.pins.items():
        cell.x = width if side == "out" else 0.0
    return width, height


def fit_ports(outside: Level, frame: Cell, inside: Level, before: float) -> None:
    """Lines outside a frame attach where their pins stand inside."""
    by_line = {id(line): name for name, line in outside.lines.items()}
    for line in outside.lines.values():
        if line.source is frame:
            line.out = before + inside.lines[by_line[id(line)]].target.y + 0.5
        elif line.target is frame:
            line.into = before + inside.lines[by_line[id(line)]].source.y + 0.5


def finished(
    picture: Picture,
    levels: dict[str, Level],
    within: dict[str, list[str]],
    ways: dict[str, tuple[list[str], str, list[str]]],
    size: tuple[float, float],
    down: bool,
) -> Layout:
    """The places of everything in the whole drawing."""

    def at(point: Point, level: Level) -> Point:
        x, y = round(level.left + point[0], 2), round(level.top + point[1], 2)
        return (y, x) if down else (x, y)

    centres, labels, routes, frames = {}, {}, {}, {}
    for key, around in within.items():
        level = levels[around[-1]]
        cell = level.cells[key]
        centres[key] = at((cell.x + cell.width / 2, cell.y + cell.height / 2), level)
    for name, (leaves, across, enters) in ways.items():
        pieces = [
            tuple(at(p, levels[key]) for p in route(levels[key].lines[name])) for key in (*leaves, across, *enters)
        ]
        points = pieces[0]
        for piece in pieces[1:]:
            points = (*points, *straight(points[-1], piece[0]), *piece[1:])
        routes[name] = tuple((round(x, 2), round(y, 2)) for x, y in points)
        for cell in levels[across].lines[name].chain[1:-1]:
            if cell.width:
                middle = (cell.x + cell.width / 2, cell.y + cell.height / 2 - 6 * down)
                labels[name] = at(middle, levels[across])
    for cluster in picture.clusters:
        level, cell = levels[cluster.parent], levels[cluster.parent].cells[cluster.key]
        frames[cluster.key] = (*at((cell.x, cell.y), level), *map(two, turned((cell.width, cell.height), down)))
    width, height = map(two, turned(size, down))
    return Layout(width, height, centres, routes, labels, "layered", frames)


def two(value: float) -> float:
    return round(value, 2)
