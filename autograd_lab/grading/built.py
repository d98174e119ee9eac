"""A question for a graph: the learner writes the program of a diagram, and its graph must have that shape."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograd_lab.view.names import is_tensor
from autograd_lab.view.texts import number_text

from . import rules, tensors
from .answers import number, short
from .graph_shape import difference, shape_of_tensor
from .questions import Case, Question
from .reference import Reference
from .verdict import Criterion, Reason, Verdict, judged


@dataclass(frozen=True)
class Built(Question):
    """A program written from a diagram. `entries` are the variables of the leaf and of the result.

    A quarter of the points is for the leaf, a quarter for the result's number, half for the ops in their order.
    """

    @property
    def asks(self) -> str:
        return f"the graph of your diagram, from {self.entries[0]} to {self.entries[1]}"

    def find(self, case: Case, given: tuple[Any, ...], space: Mapping[str, Any]) -> Verdict:
        (leaf_name, result_name), (leaf, result) = self.entries, given
        reference = case.reference
        tracked = is_tensor(result) and result.grad_fn is not None
        starts = tracked and is_tensor(leaf) and any(found is leaf for found in tensors.leaves_of(result))
        unlike = (
            difference(shape_of_tensor(result), shape_of_tensor(reference.tensors[result_name]), "Your graph")
            if tracked
            else None
        )
        computed = is_tensor(result) and rules.equals(number(result), reference.value(result_name), 1e-5)
        quarter = self.points // 4
        criteria = (
            Criterion(f"{leaf_name} is a leaf that tracks, and {result_name} comes from it", starts, quarter),
            Criterion("the ops are those of your diagram, in its order", tracked and unlike is None, 2 * quarter),
            Criterion(f"{result_name} holds the right number", computed, self.points - 3 * quarter),
        )
        text = f"{leaf_name} = {short(leaf)}, {result_name} = {short(result)}"
        everything = {**space, leaf_name: leaf, result_name: result}
        reason = _broken(self.entries, leaf, result) or unlike or tensors.other_program(reference, everything, False)
        return judged(self.id, criteria, text, reason)

    def solution(self, case: Case) -> str:
        return case.reference.program

    nudge = "Read your diagram from top to bottom. Which arrow comes first, and what does it take?"

    def between(self, reference: Reference) -> tuple[str, str]:
        return self.entries[1], self.entries[0]

    def part(self, reference: Reference) -> str:
        leaf, first = self.entries[0], reference.computed()[0]
        return (
            f"One line for each arrow. The first two lines are:\n\n    {reference.line(leaf)}\n    "
            f"{reference.line(first)}\n\nThe next line starts from {first}, no longer from {leaf}."
        )

    def worked(self, sibling: Reference) -> str:
        program = "\n".join(f"    {line}" for line in sibling.program.splitlines())
        return f"With other numbers:\n\n{program}\n\nIts last result is {number_text(sibling.value(self.entries[1]))}."


def _broken(entries: tuple[str, ...], leaf: Any, result: Any) -> Reason | None:
    """Why no graph leads from the result to the leaf; None if one does."""
    for name, thing in zip(entries, (leaf, result), strict=True):
        if found := tensors.no_tensor(name, thing):
            return found
    if result.grad_fn is not None and any(found is leaf for found in tensors.leaves_of(result)):
        return None
    return tensors.no_gradient(entries[0], leaf, entries[1], result)
