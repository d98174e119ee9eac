"""Curves and arrow heads: the little geometry that the SVG needs."""

from __future__ import annotations

from math import hypot

from autograd_lab.view.layout import Point

APART = 4.0  # from the middle of a route to its forward and its backward line
HEAD_LENGTH, HEAD_WIDTH = 7.0, 5.0

Points = tuple[Point, ...]


def path(points: Points) -> str:
    """The `d` of a chain of cubic curves."""
    first, rest = points[0], points[1:]
    curves = "".join("C" + " ".join(place(p) for p in rest[i : i + 3]) for i in range(0, len(rest), 3))
    return f"M{place(first)}{curves}"


def both_ways(points: Points) -> tuple[Points, Points]:
    """Two parallel lines along one route: the one above for forward, the one below for backward."""
    return shifted(points, -APART), shifted(points, APART)


def shifted(points: Points, by: float) -> Points:
    """The route moved sideways: to the left of its direction if `by` is negative."""
    moved = []
    for i, (x, y) in enumerate(points):
        dx, dy = direction(points[max(0, i - 1)], points[min(len(points) - 1, i + 1)])
        moved.append((x - dy * by, y + dx * by))
    return tuple(moved)


def head(points: Points) -> str:
    """The `d` of the two sides of an arrow head at the end of a route."""
    tip = points[-1]
    tail = next((p for p in reversed(points[:-1]) if hypot(p[0] - tip[0], p[1] - tip[1]) > 1), points[0])
    dx, dy = direction(tail, tip)
    back = tip[0] - dx * HEAD_LENGTH, tip[1] - dy * HEAD_LENGTH
    side = -dy * HEAD_WIDTH / 2, dx * HEAD_WIDTH / 2
    left, right = (back[0] + side[0], back[1] + side[1]), (back[0] - side[0], back[1] - side[1])
    return f"M{place(left)}L{place(tip)}L{place(right)}"


def arc(start: Point, end: Point, depth: float) -> Points:
    """A curve that leaves downwards, passes below, and comes back up."""
    low = max(start[1], end[1]) + depth
    return start, (start[0], low), (end[0], low), end


def beside(start: Point, end: Point, out: float = 13.0) -> Points:
    """A curve on the right of two boxes that stand on each other."""
    (x0, y0), (x1, y1) = start, end
    return start, (x0 + out, y0), (x1 + out, y1), end


def slashes(points: Points) -> str:
    """The `d` of two short strokes across the middle of a route."""
    at = (len(points) - 1) // 6 * 3  # where one of its curves begins
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = points[at : at + 4]
    x, y = (x0 + 3 * x1 + 3 * x2 + x3) / 8, (y0 + 3 * y1 + 3 * y2 + y3) / 8
    dx, dy = direction((x1, y1), (x2, y2))
    strokes = []
    for shift in (-2.5, 2.5):
        a = x + dx * (shift + 2) - dy * 7, y + dy * (shift + 2) + dx * 7
        b = x + dx * (shift - 2) + dy * 7, y + dy * (shift - 2) - dx * 7
        strokes.append(f"M{place(a)}L{place(b)}")
    return "".join(strokes)


def direction(start: Point, end: Point) -> Point:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy) or 1.0
    return dx / length, dy / length


def place(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
