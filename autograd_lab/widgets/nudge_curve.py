"""What the nudge lens knows of a function around one x: its slope by backward, and secants in both precisions.

Read next: `nudge_questions.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import autograd_lab as torch
from autograd_lab.widgets.plot import tick_text

HALF_DECADES = 33  # from h = 1 down to h = 1e-16
STEPS = tuple(10.0 ** (-place / 2) for place in range(HALF_DECADES))
STEP_TEXTS = tuple(
    tick_text(step) if i % 2 == 0 else f"{step:.1e}".replace("e-0", "e-") for i, step in enumerate(STEPS)
)
PRECISIONS = ("float32", "float64")
AROUND = (0.72, 0.83, 0.94, 1.0, 1.07, 1.19, 1.31)  # one error is luck; the middle one of several is not


class Curve:
    """What is known of `f` around one x: its value, its slope by backward, and secants in both precisions."""

    def __init__(self, f: Callable[[Any], Any], x: float) -> None:
        self.f, self.x = f, x
        at = torch.tensor(x, dtype=torch.float64, requires_grad=True)
        y = f(at)
        if getattr(y, "numel", lambda: 0)() != 1 or not y.requires_grad:
            raise ValueError("f must compute one number from x, with operations that autograd records.")
        (slope,) = torch.autograd.grad(y, at)
        self.y, self.slope = y.item(), slope.item()
        if not (math.isfinite(self.y) and math.isfinite(self.slope)):
            raise ValueError(f"f has no finite value and slope at x = {x:g}: f(x) = {self.y}, slope {self.slope}.")
        self.points = [(a, self.value(a, "float64")) for a in (x - 1.25 + i / 16 for i in range(41))]
        self.errors = {p: [self.typical_error(step, p) for step in STEPS] for p in PRECISIONS}

    def value(self, x: float, precision: str) -> float:
        with torch.no_grad():
            return float(self.f(torch.tensor(x, dtype=getattr(torch, precision))))

    def secant(self, h: float, precision: str) -> float:
        """(f(x + h) - f(x)) / h, every operation in this precision."""
        with torch.no_grad():
            x, step = (torch.tensor(v, dtype=getattr(torch, precision)) for v in (self.x, h))
            return float((self.f(x + step) - self.f(x)) / step)

    def through_lens(self, h: float, precision: str) -> list[tuple[float, float]]:
        """What a lens sees that makes h as long as 1: (u, (f(x + u h) - f(x)) / h), in this precision."""
        middle = self.value(self.x, precision)
        places = (i / 16 for i in range(-32, 33))
        return [(u, (self.value(self.x + u * h, precision) - middle) / h) for u in places]

    def typical_error(self, h: float, precision: str) -> float:
        """The middle one of the errors at a few steps near h."""
        errors = sorted(abs(self.secant(h * factor, precision) - self.slope) for factor in AROUND)
        return errors[len(errors) // 2]

    def best(self, precision: str) -> int:
        """The exponent of the power of ten that gives the smallest error."""
        errors = self.errors[precision][::2]
        return -min(range(len(errors)), key=lambda i: (errors[i], i))

    def error(self, power: int, precision: str) -> float:
        return self.errors[precision][-2 * power]


def rounded(error: float) -> str:
    """An error to one digit."""
    return tick_text(float(f"{error:.0e}")) if math.isfinite(error) else str(error)
