"""A question for a function: the slope as a formula, called by the judge with several inputs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograd_lab.view.names import is_tensor
from autograd_lab.view.texts import number_text

from . import rules
from .answers import Unusable, called, is_node, number, short
from .draw import Bits, key
from .questions import Case, Question
from .reference import Reference
from .slope import product_text, way_text, worked_text
from .verdict import Criterion, Reason, Verdict, judged


@dataclass(frozen=True)
class Function(Question):
    """A function that the judge calls with several inputs: the slope of a tensor as a formula.

    `of` and `wrt` are names of the program; the number named `wrt` is drawn anew for each call.
    """

    of: str = ""
    wrt: str = ""
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
        answers = [number(called(function, x)) for x in inputs]
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
        found = [
            rules.reason_for(answer, rules.wrong_answers(reference, self.of, self.wrt))
            for answer, reference in zip(answers, cases, strict=True)
        ]
        ids = {reason.id if reason else "" for reason in found}
        x, answer = min((x, answer) for x, answer, good in zip(inputs, answers, agree, strict=True) if not good)
        where = f"At {self.wrt} = {number_text(x)} your function returns {number_text(answer)}."
        if len(ids) == 1 and found[0] is not None:  # one belief explains every call
            at = inputs.index(x)
            return Reason(found[0].id, f"{where} {found[at].text if found[at] else ''}")
        return Reason("unknown", f"{where} Work out the slope there by hand, and compare.")

    def solution(self, case: Case) -> str:
        return f"d{self.of}/d{self.wrt}, for your numbers: {product_text(case.reference, self.of, self.wrt)}"

    nudge = "Take the slope of {result} at one value of {leaf} by hand. Which parts change with {leaf}?"

    def between(self, reference: Reference) -> tuple[str, str]:
        return self.of, self.wrt

    def part(self, reference: Reference) -> str:
        return f"From {self.of} back to {self.wrt}, multiply:\n\n{way_text(reference, self.of, self.wrt)}"

    def worked(self, sibling: Reference) -> str:
        return worked_text(sibling, self.of, self.wrt)
