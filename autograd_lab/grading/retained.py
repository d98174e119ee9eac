"""A question for code: after it ran, a tensor in the middle of the graph holds its gradient.

Marks come from the two gradients that must be there. Why one is missing is read from the tensors: was the tensor
asked, was it asked in time, was the graph kept in place of the gradient?
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import rules, tensors
from .answers import number, short
from .questions import Case, Question
from .reference import Reference
from .slope import slope_reason
from .verdict import Criterion, Reason, Verdict, judged


@dataclass(frozen=True)
class Retained(Question):
    """Code that leaves a computed tensor's `.grad` filled. `entries` are the leaf, that tensor, and the result."""

    @property
    def asks(self) -> str:
        return f"code after which {self.entries[1]}.grad holds its gradient"

    def find(self, case: Case, given: tuple[Any, ...], space: Mapping[str, Any]) -> Verdict:
        reference, (leaf_name, name, result_name), (leaf, tensor, _) = case.reference, self.entries, given
        grad, leaf_grad = tensors.grad_of(tensor), tensors.grad_of(leaf)
        filled = grad is not None and rules.equals(number(grad), reference.slope(result_name, name), 1e-5)
        arrived = leaf_grad is not None and rules.equals(
            number(leaf_grad), reference.slope(result_name, leaf_name), 1e-5
        )
        criteria = (
            Criterion(f"{name}.grad is d{result_name}/d{name}", filled, self.points // 2),
            Criterion(f"the gradient still reaches {leaf_name}", arrived, self.points - self.points // 2),
        )
        text = f"{name}.grad = {short(grad)}, {leaf_name}.grad = {short(leaf_grad)}"
        reason = None if filled and arrived else self._reason(case, given, space, grad, leaf_grad)
        return judged(self.id, criteria, text, reason)

    def _reason(
        self, case: Case, given: tuple[Any, ...], space: Mapping[str, Any], grad: Any, leaf_grad: Any
    ) -> Reason:
        (leaf_name, name, result_name), (leaf, tensor, result) = self.entries, given
        for entry, thing in zip(self.entries, given, strict=True):
            if found := tensors.no_tensor(entry, thing):
                return found
        everything = {**space, leaf_name: leaf, name: tensor, result_name: result}
        if found := tensors.other_program(case.reference, everything):
            return found
        if tensor.is_leaf and leaf.requires_grad and leaf.is_leaf:
            return Reason(
                "retain.made-leaf",
                f"{name} is now a leaf of its own, so it keeps .grad, but it no longer hangs on {leaf_name}: "
                f"nothing goes back further. Compute it as before, {case.reference.line(name)}, and ask it to keep its "
                "gradient.",
            )
        if leaf_grad is None:
            return tensors.no_gradient(leaf_name, leaf, result_name, result)
        if grad is None:
            return self._not_kept(case.reference, tensor, result)
        for of, kept in ((name, grad), (leaf_name, leaf_grad)):
            if not rules.equals(number(kept), case.reference.slope(result_name, of), 1e-5):
                return slope_reason(case, result_name, of, number(kept), self.id)
        return Reason("unknown", "Run all lines once more, from the first to the last.")

    def _not_kept(self, reference: Reference, tensor: Any, result: Any) -> Reason:
        """Backward ran and the leaf has its gradient, but the tensor in the middle has none."""
        _, name, result_name = self.entries
        if tensor.retains_grad:
            return Reason(
                "retain.too-late",
                f"{name} was asked to keep its gradient only after backward() had passed. Ask between the line that "
                f"makes {name} and {result_name}.backward(), and run all lines again.",
            )
        if tensors.still_saved(result):
            return Reason(
                "retain.graph-not-grad",
                f"The graph was kept (retain_graph=True): one may walk it once more. That is another thing than to "
                f"keep a gradient, and {name}.grad is still None. Ask {name} itself.",
            )
        return Reason(
            "none.non-leaf",
            f"{name}.grad is None: {name} was computed, and was not asked to keep its gradient. requires_grad does not "
            f"do it, {name} tracks already. There is a method for it; call it with its parentheses, before backward().",
        )

    def solution(self, case: Case) -> str:
        _, name, result_name = self.entries
        lines = []
        for line in case.reference.program.splitlines():
            lines.append(line)
            if line == case.reference.line(name):
                lines.append(f"{name}.retain_grad()")
        return "\n".join([*lines, f"{result_name}.backward()"])

    nudge = "Which attribute of the tensor in the middle is empty, and who could tell it, in time, to keep what passes?"

    def between(self, reference: Reference) -> tuple[str, str]:
        return self.entries[2], self.entries[0]

    def part(self, reference: Reference) -> str:
        _, name, result_name = self.entries
        return (
            f"One line is to be added, a method of {name}. Its place is after\n\n    {reference.line(name)}\n\n"
            f"and before\n\n    {result_name}.backward()\n\n"
            f"Look at the names that dir({name}) lists: one of them begins with retain."
        )

    def worked(self, sibling: Reference) -> str:
        return (
            "In another program:\n\n    p = torch.tensor(3.0, requires_grad=True)\n    q = p * p\n    q.retain_grad()\n"
            "    r = q * 5\n    r.backward()\n\n"
            "Afterwards p.grad is 30 and q.grad is 5."
        )
