"""Curves and arrow heads: the little geometry that the SVG needs."""

from __future__ import annotations

from functools import cache
from itertools import chain
from math import hypot

from autograd_lab.view.layout import Point

APART = 4.0  # from the middle of a route to its forward and its backward line
HEAD_LENGTH, HEAD_WIDTH = 7.0, 5.0
HEAD = "M%.1f %.1fL%.1f %.1fL%.1f %.1f"  # one form for all its numbers: several times as fast as one each

Points = tuple[Point, ...]


def path(points: Points) -> str:
    """The `d` of a chain of cubic curves."""
    return curves(len(points)) % tuple(chain.from_iterable(points))


@cache
def curves(count: int) -> str:
    """The form of a path through that many points, with room for their numbers."""
    place = "%.1f %.1f"
    pieces = ["C" + " ".join([place] * min(3, count - at)) for at in range(1, count, 3)]
    return f"M{place}" + "".join(pieces)


def both_ways(points: Points) -> tuple[Points, Points]:
    """Two parallel lines along one route: on its left for forward, on its right for backward."""
    left, right = [], []
    lasts, nexts = (points[0], *points[:-1]), (*points[1:], points[-1])
    for (x, y), (x0, y0), (x1, y1) in zip(points, lasts, nexts, strict=True):
        scale = APART / (hypot(x1 - x0, y1 - y0) or 1.0)
        aside = (y1 - y0) * scale, (x1 - x0) * scale
        left.append((x + aside[0], y - aside[1]))
        right.append((x - aside[0], y + aside[1]))
    return tuple(left), tuple(right)


def head(points: Points) -> str:
    """The `d` of the two sides of an arrow head at the end of a route."""
    tip = points[-1]
    tail = next((p for p in reversed(points[:-1]) if hypot(p[0] - tip[0], p[1] - tip[1]) > 1), points[0])
    dx, dy = direction(tail, tip)
    back = tip[0] - dx * HEAD_LENGTH, tip[1] - dy * HEAD_LENGTH
    side = -dy * HEAD_WIDTH / 2, dx * HEAD_WIDTH / 2
    corners = (back[0] + side[0], back[1] + side[1], *tip, back[0] - side[0], back[1] - side[1])
    return HEAD % corners


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
