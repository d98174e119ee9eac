"""`nudge_lens(f, x)`: the slope of a curve, seen through a step h that one makes smaller and smaller.

A secant through x and x + h comes close to the tangent, until rounding takes over: how close, and at which h, depends
on the precision. Values come from `f` itself, run by the engine in the chosen precision; the slope it is compared with
is backward's, in float64. Read next: `nudge_curve.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from autograd_lab.view.texts import number_text
from autograd_lab.widgets.bench import Bench, Values
from autograd_lab.widgets.bench_parts import Field, Figure, Output, Table, Text
from autograd_lab.widgets.nudge_curve import HALF_DECADES, PRECISIONS, STEP_TEXTS, STEPS, Curve, rounded
from autograd_lab.widgets.nudge_questions import best_question, sign_question, size_question
from autograd_lab.widgets.plot import Axis, Line, Mark, line_plot, tick_text


def nudge_lens(f: Callable[[Any], Any], x: float, h: float = 1.0, precision: str = "float32", **options: Any) -> Bench:
    """The slope of `f` at `x`: curve, tangent, and the secant through x and x + h, for any h and two precisions.

    `f` takes and returns a tensor with one element. `h` is where the slider begins. `options` are those of `Bench`.

    Raises ValueError for an `h` outside 1e-16 to 1, for another precision, and for an `f` without a slope at `x`.

    >>> lens = nudge_lens(lambda x: x ** 2, 5.0)
    >>> [(question.label, question.shown) for question in lens.questions]
    [('Sign', 'It rises'), ('Size', '10'), ('Best h', '1e-3')]
    """
    if not (isinstance(h, int | float) and 1e-16 <= h <= 1):
        raise ValueError(f"h must be between 1e-16 and 1, got {h!r}.")
    if precision not in PRECISIONS:
        raise ValueError(f'precision must be "float32" or "float64", got {precision!r}.')
    place = min(range(HALF_DECADES), key=lambda i: abs(math.log10(STEPS[i] / h)))
    fields = (
        Field("x", "x", "number"),
        Field("h", "step h", "slider", STEP_TEXTS),
        Field("precision", "precision", "choice", PRECISIONS),
    )
    values: Values = {"x": float(x), "h": place, "precision": precision}
    study = lru_cache(16)(lambda at: Curve(f, at))
    return Bench(
        "Nudge lens: the slope through a small step",
        fields,
        values,
        lambda now, action: shown(study(float(now["x"])), now["h"], now["precision"]),
        intro="Nudge x by h and see how much f moves. Make h smaller: does the answer get better and better?",
        ready=[{**values, "h": i, "precision": p} for p in PRECISIONS for i in range(HALF_DECADES)],
        **options,
    )


def shown(curve: Curve, place: int, precision: str) -> Output:
    """Everything for one x, one h, one precision."""
    h = STEPS[place]
    secant = curve.secant(h, precision)
    questions = (sign_question(curve), size_question(curve), best_question(curve, precision))
    sign, size, best = (question.id for question in questions)
    numbers = Table(
        ("at x", "number"),
        (
            ("f(x)", number_text(curve.y)),
            (f"secant slope, h = {STEP_TEXTS[place]}, {precision}", number_text(secant)),
            ("slope by backward", number_text(curve.slope)),
            ("error of the secant", rounded(abs(secant - curve.slope))),
        ),
        hides=(sign, size),
    )
    said = f"h = {STEP_TEXTS[place]}, {precision}."
    blocks = (
        bare_figure(curve, (sign, size)),
        curve_figure(curve, h, STEP_TEXTS[place], secant, precision, (sign, size)),
        numbers,
        lens_figure(curve, place, secant, precision, (sign, size)),
        error_figure(curve, place, precision, (best,)),
        Text(
            "To the right h is too large: the curve bends within the step (truncation). To the left h is too small: "
            "`f(x + h)` and `f(x)` agree in almost all digits, and the difference keeps only rounding. Backward takes "
            "no step at all, so it has neither error.",
            hides=(best,),
        ),
    )
    return Output(blocks, questions, said)


def window(curve: Curve) -> tuple[Axis, Axis]:
    """The part of the plane that is drawn."""
    heights = [y for _, y in curve.points if math.isfinite(y)]
    low, high = min(heights), max(heights)
    room = 0.08 * (high - low) or 1.0
    return Axis("x", curve.x - 1.25, curve.x + 1.25), Axis("f(x)", low - room, high + room)


def bare_figure(curve: Curve, until: tuple[str, ...]) -> Figure:
    """The curve alone, which gives no slope away in numbers."""
    across, up = window(curve)
    svg = line_plot("The curve", across, up, [Line("f", curve.points)], [Mark(curve.x, curve.y, "here", "leaf")])
    rows = tuple((f"{a:g}", number_text(b)) for a, b in curve.points[::8])
    table = Table(("x", "f(x)"), rows)
    return Figure(svg, f"The curve of f around x = {curve.x:g}.", table, until=until)


def curve_figure(curve: Curve, h: float, text: str, secant: float, precision: str, hides: tuple[str, ...]) -> Figure:
    """Curve, tangent and secant."""
    across, up = window(curve)
    ends = (across.low, across.high)
    tangent, through = (clipped(curve.x, curve.y, slope, ends, up) for slope in (curve.slope, secant))
    lines = [
        Line("f", curve.points),
        Line("tangent", tangent, "acc"),
        Line(f"secant, h = {text}", through, "leaf"),
    ]
    there = curve.value(curve.x + h, "float64")
    marks = [Mark(curve.x, curve.y, "", "leaf")]
    if math.isfinite(there) and up.low <= there <= up.high:
        marks.append(Mark(curve.x + h, there, "", "leaf"))
    alt = (
        f"The curve of f with its tangent at x = {curve.x:g}, slope {number_text(curve.slope)}, and the secant to "
        f"x + {text}, slope {number_text(secant)} in {precision}."
    )
    rows = (("tangent", number_text(curve.slope)), (f"secant, h = {text}, {precision}", number_text(secant)))
    return Figure(
        line_plot("Curve, tangent, secant", across, up, lines, marks), alt, Table(("line", "slope"), rows), hides
    )


def lens_figure(curve: Curve, place: int, secant: float, precision: str, hides: tuple[str, ...]) -> Figure:
    """The same through a lens that makes h as long as 1. A smooth curve looks straight; rounding makes stairs."""
    text = STEP_TEXTS[place]
    points = curve.through_lens(STEPS[place], precision)
    steep = max(abs(curve.slope), abs(secant) if math.isfinite(secant) else 0.0, 0.5)
    across, up = (
        Axis(f"steps of h = {text} from x = {curve.x:g}", -2.0, 2.0),
        Axis("f moved by, in h", -2.4 * steep, 2.4 * steep),
    )
    lines = [
        Line(f"f in {precision}", points),
        Line("tangent", clipped(0.0, 0.0, curve.slope, (-2.0, 2.0), up), "acc"),
        Line("secant", clipped(0.0, 0.0, secant, (-2.0, 2.0), up), "leaf"),
    ]
    marks = [Mark(0.0, 0.0, "", "leaf")] + ([Mark(1.0, secant, "", "leaf")] if math.isfinite(secant) else [])
    levels = len({height for _, height in points})
    look = (
        "is flat"
        if levels == 1
        else f"has only {levels} levels, like stairs"
        if levels < len(points) / 2
        else "is smooth"
    )
    alt = f"Through a lens that makes h = {text} as long as 1: f in {precision} {look} between x - 2h and x + 2h."
    rows = tuple((f"x {'-' if u < 0 else '+'} {abs(u):g} h", number_text(moved)) for u, moved in points[::8])
    svg = line_plot("Through the lens", across, up, lines, marks)
    return Figure(svg, alt, Table(("at", "f moved by, in h"), rows), hides)


def clipped(x: float, y: float, slope: float, ends: tuple[float, float], up: Axis) -> list[tuple[float, float]]:
    """A straight line through a point, as far as the frame shows it."""
    if not math.isfinite(slope):
        return []
    low, high = ends
    if slope:
        cuts = sorted(x + (edge - y) / slope for edge in (up.low, up.high))
        low, high = max(low, cuts[0]), min(high, cuts[1])
    inside = [min(max(y + slope * (a - x), up.low), up.high) for a in (low, high)]
    return [(low, inside[0]), (high, inside[1])]


def error_figure(curve: Curve, place: int, precision: str, hides: tuple[str, ...]) -> Figure:
    """The error against h for both precisions, each on a logarithmic axis."""
    positive = [e for errors in curve.errors.values() for e in errors if e > 0 and math.isfinite(e)] or [1.0]
    low = 10.0 ** math.floor(math.log10(min(positive)))
    high = 10.0 ** math.ceil(math.log10(max(positive)) + 1e-9)
    if high <= low:
        high = low * 10
    lines = [
        Line(p, list(zip(STEPS, curve.errors[p], strict=True)), role)
        for p, role in zip(PRECISIONS, ("leaf", "op"), strict=True)
    ]
    now = curve.errors[precision][place]
    marks = [Mark(STEPS[place], max(now, low), f"h = {STEP_TEXTS[place]}")]
    svg = line_plot(
        "Error of the secant slope against h",
        Axis("step h", 1e-16, 1.0, log=True),
        Axis("error", low, high, log=True),
        lines,
        marks,
    )
    best = ", ".join(f"h = {tick_text(10.0 ** curve.best(p))} in {p}" for p in PRECISIONS)
    rows = tuple((STEP_TEXTS[i], *(rounded(curve.errors[p][i]) for p in PRECISIONS)) for i in range(0, HALF_DECADES, 2))
    alt = f"The typical error of the secant slope against h. It is smallest at {best}."
    table = Table(("h", *PRECISIONS), rows)
    return Figure(svg, alt, table, hides)
