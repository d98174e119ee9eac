"""Plots as small SVG texts: lines over linear or logarithmic axes, and bars. Numbers in, text out.

Colours are the roles of the drawings' palette, so light and dark pages work; lines differ by dashes as well as by
colour, and each carries its name. Coordinates have one decimal, so the same numbers give the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 460, 270
LEFT, RIGHT, TOP, BOTTOM = 58, 16, 30, 44
EDGE = 6  # above the first bar
DASHES = {"op": "", "leaf": "7 4", "acc": "2 3", "saved": "9 3 2 3", "back": "4 3", "frozen": "1 4"}


@dataclass(frozen=True)
class Line:
    """Points joined by a line. `role` is a colour of the palette, and with it the kind of dashes."""

    name: str
    points: Sequence[tuple[float, float]]
    role: str = "op"


@dataclass(frozen=True)
class Mark:
    """One point with a word beside it."""

    x: float
    y: float
    text: str
    role: str = "saved"


@dataclass(frozen=True)
class Axis:
    """What an axis shows, from `low` to `high`."""

    label: str
    low: float
    high: float
    log: bool = False

    def place(self, value: float, start: float, end: float) -> float:
        """Where a value stands between two coordinates; what lies outside stands at the edge."""
        low, high, at = self.low, self.high, value
        if self.log:
            low, high, at = math.log10(low), math.log10(high), math.log10(max(value, 1e-300))
        share = (min(max(at, low), high) - low) / (high - low)
        return start + share * (end - start)

    def ticks(self) -> list[float]:
        return log_ticks(self.low, self.high) if self.log else even_ticks(self.low, self.high)


def line_plot(title: str, x: Axis, y: Axis, lines: Sequence[Line], marks: Sequence[Mark] = ()) -> str:
    """Lines with their names in a legend below the title; marks on top."""
    across, up = _scales(x, y)
    parts = [*_frame(title, x, y, across, up)]
    for line in lines:
        for run in _runs(line.points, x, y):
            points = " ".join(f"{across(a):.1f},{up(b):.1f}" for a, b in run)
            parts.append(
                f'<polyline points="{points}" fill="none" stroke="var(--ag-{line.role})" stroke-width="2" '
                f'stroke-dasharray="{DASHES[line.role]}"/>'
            )
    for mark in marks:
        left, top = across(mark.x), up(mark.y)
        end = left > WIDTH * 0.7
        parts.append(f'<circle cx="{left:.1f}" cy="{top:.1f}" r="4.5" fill="var(--ag-{mark.role})"/>')
        parts.append(text(left + (-8 if end else 8), top - 8, mark.text, "end" if end else "start"))
    named = [line for line in lines if line.name]
    at = float(LEFT)
    for line in named:
        parts.append(
            f'<line x1="{at:.1f}" y1="{TOP - 8}" x2="{at + 22:.1f}" y2="{TOP - 8}" stroke="var(--ag-{line.role})" '
            f'stroke-width="2" stroke-dasharray="{DASHES[line.role]}"/>'
        )
        parts.append(text(at + 27, TOP - 4, line.name))
        at += 40 + 6.9 * len(line.name)
    return svg(title, parts)


@dataclass(frozen=True)
class Bar:
    """One bar: its name, its value, the text at its end, and its colour as a CSS value."""

    name: str
    value: float
    text: str
    fill: str = "var(--ag-op-fill)"
    stroke: str = "var(--ag-op)"


def bar_plot(title: str, axis: Axis, bars: Sequence[Bar], row: float = 22) -> str:
    """Bars that lie, one below the other, so that names and numbers are read without turning the head."""
    room = max(len(bar.name) for bar in bars) * 7.2 + 14
    tail = max(len(bar.text) for bar in bars) * 7.0 + 12
    height = EDGE + row * len(bars) + BOTTOM
    floor, end = EDGE + row * len(bars), WIDTH - tail

    def across(value: float) -> float:
        return axis.place(value, room, end)

    parts = []
    for tick in axis.ticks():
        at = across(tick)
        parts.append(f'<line x1="{at:.1f}" y1="{EDGE}" x2="{at:.1f}" y2="{floor:.1f}" stroke="var(--ag-frozen-fill)"/>')
        parts.append(text(at, floor + 16, tick_text(tick), "middle", quiet=True))
    parts.append(text((room + end) / 2, floor + 34, axis.label, "middle", quiet=True))
    for i, bar in enumerate(bars):
        top = EDGE + row * i
        length = max(across(bar.value) - room, 0.0) if bar.value == bar.value else 0.0
        parts.append(
            f'<rect x="{room:.1f}" y="{top + 2:.1f}" width="{length:.1f}" height="{row - 5:.1f}" '
            f'fill="{bar.fill}" stroke="{bar.stroke}"/>'
        )
        middle = top + row / 2 + 4
        parts.append(text(room - 8, middle, bar.name, "end"))
        parts.append(text(room + length + 6, middle, bar.text))
    return svg(title, parts, height)


def svg(title: str, parts: Sequence[str], height: float = HEIGHT, width: float = WIDTH) -> str:
    """The drawing around its parts. It takes the width it is given and no more than its own."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ag-auto" role="img" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-family="system-ui, sans-serif" font-size="13">'
        f"<title>{escape(title)}</title>"
        f'<rect width="{width:g}" height="{height:g}" fill="var(--ag-paper)"/>{"".join(parts)}</svg>'
    )


def _scales(x: Axis, y: Axis) -> tuple[Callable[[float], float], Callable[[float], float]]:
    return (
        lambda value: x.place(value, LEFT, WIDTH - RIGHT),
        lambda value: y.place(value, HEIGHT - BOTTOM, TOP + 6),
    )


def _frame(title: str, x: Axis, y: Axis, across: Callable[[float], float], up: Callable[[float], float]) -> list[str]:
    """Axes with their ticks and labels."""
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    parts = []
    for tick in x.ticks():
        at = across(tick)
        parts.append(f'<line x1="{at:.1f}" y1="{TOP}" x2="{at:.1f}" y2="{bottom}" stroke="var(--ag-frozen-fill)"/>')
        parts.append(text(at, bottom + 16, tick_text(tick), "middle", quiet=True))
    for tick in y.ticks():
        at = up(tick)
        parts.append(f'<line x1="{LEFT}" y1="{at:.1f}" x2="{right}" y2="{at:.1f}" stroke="var(--ag-frozen-fill)"/>')
        parts.append(text(LEFT - 6, at + 4, tick_text(tick), "end", quiet=True))
    parts.append(f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="var(--ag-line)"/>')
    parts.append(text((LEFT + right) / 2, bottom + 36, x.label, "middle", quiet=True))
    parts.append(text(4, TOP - 18, y.label, quiet=True))
    return parts


def _runs(points: Sequence[tuple[float, float]], x: Axis, y: Axis) -> list[list[tuple[float, float]]]:
    """The points that can be drawn, as runs: a line breaks where it leaves the frame or is no number."""
    runs: list[list[tuple[float, float]]] = [[]]
    for a, b in points:
        inside = math.isfinite(b) and x.low <= a <= x.high and (y.log or y.low <= b <= y.high)
        if inside and not (y.log and b <= 0):
            runs[-1].append((a, b))
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def text(x: float, y: float, word: str, anchor: str = "start", quiet: bool = False) -> str:
    ink = "quiet" if quiet else "text"
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="var(--ag-{ink})">{escape(word)}</text>'


def even_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers in even steps.

    >>> even_ticks(0, 23)
    [0.0, 5.0, 10.0, 15.0, 20.0]
    """
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [round(step * i, 12) + 0.0 for i in range(first, math.floor(high / step + 1e-9) + 1)]


def log_ticks(low: float, high: float, most: int = 7) -> list[float]:
    """Powers of ten.

    >>> log_ticks(1e-3, 1)
    [0.001, 0.01, 0.1, 1.0]
    """
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    step = max(1, math.ceil((last - first + 1) / most))
    return [float(f"1e{power}") for power in range(first, last + 1, step)]


def tick_text(value: float) -> str:
    """
    >>> tick_text(1e-5), tick_text(0.25), tick_text(100.0), tick_text(1e6)
    ('1e-5', '0.25', '100', '1e6')
    """
    if value and not 1e-2 <= abs(value) < 1e5:
        digits, exponent = f"{value:.0e}".split("e")
        return f"{digits}e{int(exponent)}"
    return f"{value:g}"
