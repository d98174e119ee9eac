"""A question for a function: the slope as a formula, called by the judge with several inputs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograd_lab.view.names import is_tensor
from autograd_lab.view.texts import number_text

from . import rules
from .answers import Unusable, attempted, called, is_node, number, short
from .draw import Bits, key
from .questions import Case, Question
from .reference import Reference
from .slope import part_text, product_text, worked_text
from .verdict import Criterion, Reason, Verdict, judged, not_attempted


@dataclass(frozen=True)
class Function(Question):
    """A function that the judge calls with several inputs: the slope of a tensor as a formula.

    `of` and `wrt` are names of the program; the number named `wrt` is drawn anew for each call. `formula` is
    the body of a right function, with {names} for the numbers, as the solution tells it.
    """

    of: str = ""
    wrt: str = ""
    formula: str = ""
    calls: int = 5

    @property
    def asks(self) -> str:
        return f"a function of {self.wrt} that returns d{self.of}/d{self.wrt}"

    def find(self, case: Case, given: tuple[Any, ...], space: Mapping[str, Any]) -> Verdict:
        function = given[0]
        if is_tensor(function) or is_node(function) or not callable(function):
            text = f"A function is asked for: def {self.entries[0]}({self.wrt}): ... You gave {short(function)}."
            raise Unusable("none.wrong-type", text)
        inputs = self.inputs(case)
        returned = [called(function, x) for x in inputs]
        if not all(map(attempted, returned)):
            return not_attempted(
                self.id, self.points, f"Replace the three dots in {self.entries[0]} and run that cell."
            )
        if any(answer is None for answer in returned):
            text = f"{self.entries[0]} returns None: the line with the result needs the word return in front."
            raise Unusable("none.no-return", text)
        answers = [number(answer) for answer in returned]
        cases = [case.again({**case.numbers, self.wrt: x}) for x in inputs]
        rights = [reference.slope(self.of, self.wrt) for reference in cases]
        agree = [rules.equals(answer, right) for answer, right in zip(answers, rights, strict=True)]
        criteria = (Criterion(f"agrees at {self.calls} inputs", all(agree), self.points),)
        reason = None if all(agree) else self._reason(inputs, answers, cases, agree)
        return judged(self.id, criteria, short(function), reason)

    def inputs(self, case: Case) -> list[float]:
        """Inputs between 0.5 and 9.5, drawn from the learner's numbers."""
        bits = Bits(key(self.id, "inputs", repr(sorted(case.numbers.items()))))
        found: list[float] = []
        while len(found) < self.calls:
            x = bits.integer(1, 19) / 2
            if x not in found:
                found.append(x)
        return found

    def _reason(self, inputs: list[float], answers: list[float], cases: list[Reference], agree: list[bool]) -> Reason:
        if len(set(answers)) == 1:
            constant = number_text(answers[0])
            text = f"Your function returns {constant} for every input. A slope depends on the place."
            return Reason("constant.answer", text)
        failed = sorted((x, i) for i, (x, good) in enumerate(zip(inputs, agree, strict=True)) if not good)
        beliefs = [rules.beliefs_at(answers[i], cases[i], self.of, self.wrt) for _, i in failed]
        x, answer = failed[0][0], answers[failed[0][1]]
        where = f"At {self.wrt} = {number_text(x)} your function returns {number_text(answer)}."
        for belief, text in beliefs[0].items():
            if all(belief in other for other in beliefs):  # one belief explains every call that fails
                return Reason(belief, f"{where} {text}")
        return Reason("unknown", f"{where} Work out the slope there by hand, and compare.")

    def solution(self, case: Case) -> str:
        known = {name: value for name, value in case.numbers.items() if name != self.wrt}
        body = (
            f"def {self.entries[0]}({self.wrt}):\n    return {self.formula.format(**known)}\n\n" if self.formula else ""
        )
        return f"{body}For your numbers: {product_text(case.reference, self.of, self.wrt)}"

    nudge = "Take the slope of {result} at one value of {leaf} by hand. Which parts change with {leaf}?"

    def between(self, reference: Reference) -> tuple[str, str]:
        return self.of, self.wrt

    def part(self, reference: Reference) -> str:
        return part_text(reference, self.of, self.wrt)

    def worked(self, sibling: Reference) -> str:
        return worked_text(sibling, self.of, self.wrt)
