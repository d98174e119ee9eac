"""A question for None: what a tensor in the middle of the graph holds in `.grad` after `backward()`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import nan
from typing import Any

from autograd_lab.course.wrong_answers import WrongAnswer, kept, near
from autograd_lab.view.texts import number_text

from . import rules
from .answers import number, short
from .questions import Case, Question
from .reference import Reference
from .verdict import Criterion, Reason, Verdict, judged


@dataclass(frozen=True)
class MiddleGrad(Question):
    """What `of.grad` is after `result.backward()`: None, since `of` was computed and was not asked to keep it."""

    of: str = ""
    result: str = ""
    leaf: str = ""

    @property
    def asks(self) -> str:
        return f"what {self.of}.grad is after {self.result}.backward()"

    def find(self, case: Case, given: tuple[Any, ...], space: Mapping[str, Any]) -> Verdict:
        answer = given[0]
        nothing = answer is None or (isinstance(answer, str) and answer.strip().lower() == "none")
        criteria = (Criterion(self.asks, nothing, self.points),)
        reason = None if nothing else self._reason(case.reference, number(answer))
        return judged(self.id, criteria, short(answer), reason)

    def _reason(self, reference: Reference, value: float) -> Reason:
        if found := rules.reason_for(value, kept(nan, self.wrongs(reference))):
            return found
        if value == 0:
            text = (
                f"0 would be a gradient, one that says: {self.result} does not change with {self.of}. But nothing at "
                f"all was written into {self.of}.grad. Python has a word for nothing."
            )
            return Reason("none.zero", text)
        text = (
            f"No usual mistake gives {number_text(value)}. But before you compute a number: is {self.of} a tensor that "
            "keeps its .grad?"
        )
        return Reason("unknown", text)

    def wrongs(self, reference: Reference) -> Iterator[WrongAnswer]:
        """The numbers that beliefs give; the right answer is no number."""
        of, result, leaf = self.of, self.result, self.leaf
        yield WrongAnswer(
            reference.slope(result, of),
            f"That is d{result}/d{of}. It did pass through {of} on its way back, but {of} was computed, and a computed "
            "tensor does not keep it.",
            "none.non-leaf",
        )
        yield WrongAnswer(
            reference.slope(of, leaf),
            f"That is d{of}/d{leaf}, the slope of {of} itself. A .grad holds the slope of {result}, with respect to "
            "the tensor that has the .grad. And does a computed tensor keep one?",
            "chain.wrong-pair",
        )
        yield WrongAnswer(
            reference.slope(result, leaf),
            f"That is d{result}/d{leaf}: it is written into {leaf}.grad, not into {of}.grad.",
            "returned.swapped",
        )
        yield WrongAnswer(
            reference.value(of),
            f"{number_text(reference.value(of))} is the value of {of}. .grad is another attribute.",
            "returned.value-not-gradient",
        )
        yield WrongAnswer(
            reference.value(result),
            f"{number_text(reference.value(result))} is the value of {result}.",
            "value.of-result",
            rare=True,
        )
        yield WrongAnswer(
            1.0,
            f"1 is where backward starts, at {result}. What is kept at {of}?",
            "chain.only-the-start",
            rare=True,
        )

    def collides(self, case: Case) -> bool:
        values = [wrong.value for wrong in self.wrongs(case.reference) if not wrong.rare]
        return any(near(a, b) for i, a in enumerate(values) for b in (*values[:i], 0.0))

    def solution(self, case: Case) -> str:
        line = case.reference.line(self.of)
        return f"None: {self.of} was computed, by the line {line}, and only leaves keep their .grad unless asked to."

    nudge = "Gradients pass many tensors on their way back. Which of them keep what passes?"

    def between(self, reference: Reference) -> tuple[str, str]:
        return self.result, self.leaf

    def part(self, reference: Reference) -> str:
        rows = "\n".join(f"    {reference.line(name)}" for name in reference.tensors)
        return (
            f"The way back starts at {self.result}:\n\n{rows}\n\n"
            "Which of these tensors are leaves? Only they keep .grad."
        )

    def worked(self, sibling: Reference) -> str:
        return (
            "In another program:\n\n    p = torch.tensor(3.0, requires_grad=True)\n    q = p * p\n    r = q + 1\n"
            "    r.backward()\n\nAfterwards p.grad is 6: p is a leaf. q.grad and r.grad are as they were before: "
            "nothing was written there."
        )
