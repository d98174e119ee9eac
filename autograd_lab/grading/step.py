"""A question for two numbers: the parameters after one step against their gradients."""

from collections.abc import Iterator
from dataclasses import dataclass

from autograd_lab.view.texts import number_text

from .pair import NumberPair, Two, WrongPair
from .questions import Case
from .reference import Reference
from .verdict import Reason

SMALLEST = 0.05  # nearer to 0, rounding in single precision would look like a mistake


@dataclass(frozen=True)
class Step(NumberPair):
    """The leaves `wrts` after one step of gradient descent on `of`; `rate` is the name of the learning rate."""

    of: str = ""
    wrts: tuple[str, str] = ("", "")
    rate: str = "rate"

    @property
    def asks(self) -> str:
        return f"{self.wrts[0]} and {self.wrts[1]} after one step"

    def rights(self, case: Case) -> Two:
        (a, b), (grad_a, grad_b), rate = self._state(case.reference), self._grads(case), self._rate(case)
        return a - rate * grad_a, b - rate * grad_b

    def wrongs(self, case: Case) -> Iterator[WrongPair]:
        (a, b), (grad_a, grad_b), rate = self._state(case.reference), self._grads(case), self._rate(case)
        for values, belief, text in (
            ((a, b), "update.not-made", "This is the old value: the step is not made yet."),
            (
                (a + rate * grad_a, b + rate * grad_b),
                "update.wrong-way",
                f"You added the step, which makes {self.of} larger. The gradient points uphill: subtract it.",
            ),
            (
                (a - grad_a, b - grad_b),
                "update.rate-forgotten",
                "You subtracted the whole gradient. A step is the learning rate times the gradient.",
            ),
            (
                (rate * grad_a, rate * grad_b),
                "update.step-only",
                "This is the step alone. The new value is the old value minus the step.",
            ),
            (
                (-rate * grad_a, -rate * grad_b),
                "update.step-only",
                "This is what is added to the old values. The question asks for the new values.",
            ),
            ((grad_a, grad_b), "update.gradient-only", "These are the gradients. What does a step do with them?"),
            (
                (a - rate * grad_b, b - rate * grad_a),
                "returned.swapped",
                f"Each parameter takes the step of the other: {self.wrts[0]} moves by its own gradient.",
            ),
            (
                (a - rate, b - rate),
                "update.no-gradient",
                "You subtracted the learning rate. A step is the learning rate times the gradient.",
            ),
            (
                (rate * (a - grad_a), rate * (b - grad_b)),
                "update.rate-on-all",
                "The learning rate belongs to the gradient only, not to the old value: multiply first, then subtract.",
            ),
        ):
            yield WrongPair(values, Reason(belief, text), typical=belief != "update.rate-on-all")

    def collides(self, case: Case) -> bool:
        return super().collides(case) or min(map(abs, self.rights(case))) < SMALLEST

    def alone(self, case: Case, position: int, value: float) -> Reason:
        for wrong in self.wrongs(case):
            if abs(value - wrong.values[position]) <= 1e-4 * max(abs(value), 1e-3):
                return Reason(wrong.reason.id, f"For {self.wrts[position]}: {wrong.reason.text}")
        return Reason(
            "unknown",
            f"No usual mistake gives {number_text(value)} for {self.wrts[position]}. Write down three numbers: the old "
            f"value, the gradient d{self.of}/d{self.wrts[position]}, and the learning rate. How do they make the new "
            "value?",
        )

    def solution(self, case: Case) -> str:
        return self._sum(case.reference, self._rate(case))

    nudge = "Which way does the gradient point: where {result} grows, or where it falls?"

    def between(self, reference: Reference) -> tuple[str, str]:
        return self.of, self.wrts[0]

    def part(self, reference: Reference) -> str:
        first, second = self.wrts
        return (
            "The rule is the same for every parameter:\n\n    new value = old value - learning rate * gradient\n\n"
            f"The old values stand in your program; the gradients are your answer for {first} and {second} in part 1."
        )

    def worked(self, sibling: Reference) -> str:
        return f"With other numbers, and a learning rate of 0.5:\n\n{self._sum(sibling, 0.5, '    ')}"

    def _sum(self, reference: Reference, rate: float, indent: str = "") -> str:
        rows = []
        for wrt, value in zip(self.wrts, self._state(reference), strict=True):
            slope = reference.slope(self.of, wrt)
            new = number_text(value - rate * slope)
            gradient = f"({number_text(slope)})" if slope < 0 else number_text(slope)
            rows.append(f"{indent}new_{wrt} = {number_text(value)} - {number_text(rate)} * {gradient} = {new}")
        return "\n".join(rows)

    def _state(self, reference: Reference) -> Two:
        return reference.value(self.wrts[0]), reference.value(self.wrts[1])

    def _grads(self, case: Case) -> Two:
        return case.reference.slope(self.of, self.wrts[0]), case.reference.slope(self.of, self.wrts[1])

    def _rate(self, case: Case) -> float:
        return float(case.numbers[self.rate])
