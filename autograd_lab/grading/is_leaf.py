"""A question for True or False: is this tensor a leaf?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograd_lab.view.names import is_tensor

from .answers import Unusable, short
from .questions import Case, Question
from .reference import Reference
from .verdict import Criterion, Reason, Verdict, judged


@dataclass(frozen=True)
class IsLeaf(Question):
    """True or False: what `of.is_leaf` is."""

    of: str = ""

    @property
    def asks(self) -> str:
        return f"True or False: {self.of} is a leaf"

    def find(self, case: Case, given: tuple[Any, ...], space: Mapping[str, Any]) -> Verdict:
        answer, right = truth(given[0]), bool(case.reference.tensors[self.of].is_leaf)
        criteria = (Criterion(f"whether {self.of} is a leaf", answer == right, self.points),)
        return judged(self.id, criteria, short(given[0]), self._reason(case.reference, right))

    def _reason(self, reference: Reference, leaf: bool) -> Reason:
        line = reference.line(self.of)
        if leaf:
            text = (
                f"{self.of} was made directly, by the line {line}; no recorded op made it. requires_grad=True does "
                "not change that. Where does such a tensor stand in the drawing?"
            )
            return Reason("leaf.tracked-is-no-leaf", text)
        text = (
            f"{self.of} was computed, by the line {line}, from a tensor that tracks: an op was recorded for it. A "
            "leaf is the place where the graph begins, not where your program ends."
        )
        return Reason("leaf.computed-is-leaf", text)

    def solution(self, case: Case) -> str:
        leaf, line = case.reference.tensors[self.of].is_leaf, case.reference.line(self.of)
        return f"{leaf}: {self.of} was {'made directly' if leaf else 'computed'}, by the line {line}"

    nudge = "Which tensors of your program did you make yourself, and which did an op make?"

    def part(self, reference: Reference) -> str:
        return (
            f"This line makes {self.of}:\n\n    {reference.line(self.of)}\n\nIs there an op on its right side that "
            "takes a tensor that tracks? Such an op is recorded, and what it returns is not a leaf."
        )

    def worked(self, sibling: Reference) -> str:
        other = Reference(
            "p = torch.tensor(4.0, requires_grad=True)\nq = torch.tensor(7.0)\nr = p - q\ns = q / 2\nt = r ** 2"
        )
        rows = "\n".join(
            f"    {other.line(name):44} # {name}.is_leaf is {tensor.is_leaf}" for name, tensor in other.tensors.items()
        )
        return f"In another program:\n\n{rows}\n\ns is a leaf too: q does not track, so nothing was recorded."


def truth(answer: Any) -> bool:
    """The answer as True or False. Raises Unusable with a sentence.

    >>> truth(True), truth(np.False_)
    (True, False)
    >>> truth("True")
    Traceback (most recent call last):
    autograd_lab.grading.answers.Unusable: True or False is asked for. 'True' is text: leave out the quotes.
    """
    if isinstance(answer, bool | np.bool_):
        return bool(answer)
    if isinstance(answer, str) and answer.strip().lower() in ("true", "false"):
        raise Unusable("none.wrong-type", f"True or False is asked for. {short(answer)} is text: leave out the quotes.")
    kind = "a tensor" if is_tensor(answer) else "text" if isinstance(answer, str) else f"a {type(answer).__name__}"
    raise Unusable("none.wrong-type", f"True or False is asked for, without quotes. {short(answer)} is {kind}.")
