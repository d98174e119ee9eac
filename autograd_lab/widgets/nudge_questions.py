"""The questions of the nudge lens: does f rise or fall, how steep is it, and which h comes closest to the slope.

Right and wrong answers are computed from the same curve.
"""

from __future__ import annotations

from autograd_lab.course.prompt import Choice, Question
from autograd_lab.course.wrong_answers import WrongAnswer, kept
from autograd_lab.view.texts import number_text
from autograd_lab.widgets.nudge_curve import Curve, rounded
from autograd_lab.widgets.plot import tick_text

FLAT = 1e-9


def sign_question(curve: Curve) -> Question:
    """Does f rise or fall?"""
    right = "It is level" if abs(curve.slope) < FLAT else "It rises" if curve.slope > 0 else "It falls"
    after = curve.value(curve.x + 1e-3, "float64")
    moved = f"a step of 0.001 to the right changes f from {curve.y:.6g} to {after:.6g}"
    reasons = {
        "It rises": f"Not here: {moved}. Rising means that f grows when x grows.",
        "It falls": f"Not here: {moved}. Falling means that f gets smaller when x grows.",
        "It is level": f"Not here: {moved}. Level means a slope of zero.",
    }
    return Question(
        id=f"nudge-lens/sign/{curve.x:g}/{curve.y:.6g}",
        label="Sign",
        text=f"At x = {curve.x:g}: does f rise, fall, or is it level when x grows a little?",
        shown=right,
        because=f"{moved[0].upper()}{moved[1:]}.",
        choices=tuple(Choice(c, c == right, "" if c == right else reasons[c], "sign.flipped") for c in reasons),
    )


def size_question(curve: Curve) -> Question:
    """How steep is it?"""
    x, y, slope = curve.x, curve.y, curve.slope
    wide, near = curve.secant(1.0, "float64"), curve.secant(1e-4, "float64")
    wrong = [
        WrongAnswer(
            y, f"{number_text(y)} is the value f(x). The slope says how fast f changes.", "returned.value-not-gradient"
        ),
        WrongAnswer(-slope, "The size is right, the sign is not: does f grow or shrink when x grows?", "sign.flipped"),
        WrongAnswer(
            wide,
            "That is the slope of the secant with h = 1. The curve bends within such a long step: take a smaller h.",
            "truncation",
        ),
        WrongAnswer(slope / 2, "Half of the slope: is a factor from an exponent missing?", "power.factor-lost"),
        WrongAnswer(x, f"{number_text(x)} is where you are, not how steep it is there.", "returned.input-value"),
    ]
    if x:
        wrong.append(
            WrongAnswer(y / x, "f(x) / x is the slope of the line from the origin to the point.", "from-origin")
        )
    return Question(
        id=f"nudge-lens/size/{x:g}/{y:.6g}/{slope:.6g}",
        label="Size",
        text=f"How large is the slope df/dx at x = {x:g}?",
        answer=slope,
        shown=number_text(slope),
        because=f"With h = 1e-4 the secant gives {number_text(near)}; backward gives {number_text(slope)}.",
        wrong=kept(slope, wrong),
        otherwise="Not this number. Move f by a small step: (f(x + 0.001) - f(x)) / 0.001.",
        nudge=f"f({x:g}) = {y:.6g} and f({x + 0.001:g}) = {curve.value(x + 0.001, 'float64'):.6g}.",
    )


def best_question(curve: Curve, precision: str) -> Question:
    """Which h gives the smallest error?"""
    best = curve.best(precision)
    digits = {"float32": 7, "float64": 16}[precision]
    small = max(best - 4, -15)
    offered: dict[int, str] = {}
    for power in (-1, best + 2, small, -16):
        if power in offered or power == best or not -16 <= power <= 0:
            continue
        error = rounded(curve.error(power, precision))
        if power > best:
            offered[power] = f"Too large: the curve bends within the step. The typical error is {error} (truncation)."
        elif curve.secant(10.0**power, precision) == 0.0 != curve.slope:
            offered[power] = (
                f"Far too small: in {precision} x + h is x itself, or f does not change, and the secant is 0."
            )
        else:
            offered[power] = (
                f"Too small: f(x + h) and f(x) agree in nearly all of their {digits} digits. The difference is mostly "
                f"rounding. The typical error is {error}."
            )
    choices = [Choice(tick_text(10.0**best), right=True)]
    choices += [Choice(tick_text(10.0**power), reason=why, rule="M11") for power, why in offered.items()]
    order = sorted(choices, key=lambda choice: -float(choice.text))
    return Question(
        id=f"nudge-lens/best/{precision}/{curve.x:g}/{curve.y:.6g}/{best}",
        label="Best h",
        text=f"In {precision}: with which of these h is the secant slope closest to the true slope?",
        shown=tick_text(10.0**best),
        because=f"There the typical error is {rounded(curve.error(best, precision))}. {why_best(best)}",
        choices=tuple(order),
    )


def why_best(power: int) -> str:
    """Why the error is smallest there."""
    if power == 0:
        return "Nothing bends here, so only rounding counts, and a large step rounds least."
    if power < -14:
        return "Here f(x) leaves no digits to round, so the smaller the step the better."
    return "A larger h bends more (truncation), a smaller h rounds more."
