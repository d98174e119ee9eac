"""Where everything is: the plain data between a layout engine and the SVG.

Points are in pixels from the top left corner. A route is a chain of cubic Bezier curves from the border
of one box to the border of another: 3 n + 1 points.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Point = tuple[float, float]


@dataclass(frozen=True)
class Layout:
    """Centres of units by the key of their first box, routes and label places of edges by their forward id.

    `engine` says who made it, `frames` where the frames of clusters are.
    """

    width: float
    height: float
    centres: dict[str, Point]
    routes: dict[str, tuple[Point, ...]]
    labels: dict[str, Point]
    engine: str
    frames: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)  # left, top, width, height


def straight(start: Point, end: Point) -> tuple[Point, Point, Point]:
    """A straight line as the last three points of a Bezier curve that begins at `start`."""
    (x0, y0), (x1, y1) = start, end
    return ((2 * x0 + x1) / 3, (2 * y0 + y1) / 3), ((x0 + 2 * x1) / 3, (y0 + 2 * y1) / 3), end
