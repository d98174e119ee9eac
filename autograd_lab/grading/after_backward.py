"""A question about the learner's own tensors after one backward(): what the result is, and what `.grad`
holds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograd_lab.view.names import is_tensor
from autograd_lab.view.texts import number_text

from . import rules, tensors
from .answers import number, short
from .questions import Case, Question
from .reference import Reference
from .slope import first_difference, slope_reason, way_text
from .verdict import Criterion, Reason, Verdict, judged


@dataclass(frozen=True)
class AfterBackward(Question):
    """The learner's own tensors after one backward(): the result's value, and what the leaf's `.grad` holds.

    `entries` are the variables of the leaf and of the result. `tells_line=False` keeps the lines of the program
    secret where they are the answer to another question.
    """

    tells_line: bool = True

    @property
    def asks(self) -> str:
        return f"{self.entries[0]}.grad after one backward()"

    def find(self, case: Case, given: tuple[Any, ...], space: Mapping[str, Any]) -> Verdict:
        (leaf_name, result_name), (leaf, result) = self.entries, given
        right = case.reference.slope(result_name, leaf_name)
        grad = getattr(leaf, "grad", None) if is_tensor(leaf) and leaf.is_leaf else None
        computed = is_tensor(result) and rules.equals(number(result), case.reference.value(result_name), 1e-5)
        arrived = grad is not None and rules.equals(number(grad), right, 1e-5)
        criteria = (
            Criterion(f"{result_name} is what your program computes", computed, self.points // 2),
            Criterion(f"{leaf_name}.grad is its slope", arrived, self.points - self.points // 2),
        )
        text = f"{leaf_name}.grad = {short(grad)}, {result_name} = {short(result)}"
        reason = None
        if not (computed and arrived):
            reason = self._reason(case, given, grad, space)
        return judged(self.id, criteria, text, reason)

    def _reason(self, case: Case, given: tuple[Any, ...], grad: Any, space: Mapping[str, Any]) -> Reason:
        (leaf_name, result_name), (leaf, result) = self.entries, given
        reference = case.reference
        found = tensors.no_tensor(leaf_name, leaf) or tensors.no_tensor(result_name, result)
        if found is None:
            everything = {**space, leaf_name: leaf, result_name: result}
            found = tensors.other_program(reference, everything, self.tells_line)
        if found is None and grad is None:
            found = tensors.no_gradient(leaf_name, leaf, result_name, result)
        if found is not None:
            return found
        value = number(grad)
        if value == 0:
            return Reason(
                "update.zeroed-too-early",
                f"{leaf_name}.grad is 0: it was cleared after backward() and before you looked.",
            )
        return slope_reason(case, result_name, leaf_name, value, self.id)

    def first_difference(self, case: Case, factors: tuple[Any, ...]) -> str:
        leaf, result = self.entries
        return first_difference(case, result, leaf, factors)

    def solution(self, case: Case) -> str:
        leaf, result = self.entries
        slope = number_text(case.reference.slope(result, leaf))
        return f"{case.reference.program}\n{result}.backward()\n\n{leaf}.grad is then {slope}."

    nudge = "Which line sends gradients back, and did it run exactly once since {leaf} was made?"

    def between(self, reference: Reference) -> tuple[str, str]:
        return self.entries[1], self.entries[0]

    def part(self, reference: Reference) -> str:
        leaf, result = self.entries
        way = way_text(reference, result, leaf)
        return f"backward() starts at {result} and ends at {leaf}, where .grad is kept. It passes:\n\n{way}"

    def worked(self, sibling: Reference) -> str:
        leaf, result = self.entries
        slope = number_text(sibling.slope(result, leaf))
        program = "\n".join(f"    {line}" for line in [*sibling.program.splitlines(), f"{result}.backward()"])
        return f"With other numbers:\n\n{program}\n\n{leaf}.grad is then {slope}; {result} is unchanged."
