"""A question about `grad_fn`: the name of the node that made a tensor, as text."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograd_lab.view.texts import number_text

from . import rules
from .answers import Raised, Unusable, is_node, number, short
from .questions import Case, Question
from .reference import Reference
from .verdict import Criterion, Reason, Verdict, judged


@dataclass(frozen=True)
class NodeName(Question):
    """The name of the node that made a tensor, as text."""

    of: str = ""

    @property
    def asks(self) -> str:
        return f"the name of {self.of}.grad_fn"

    def find(self, case: Case, given: tuple[Any, ...], space: Mapping[str, Any]) -> Verdict:
        answer, right = given[0], case.reference.node(self.of)
        name = node_name(answer)
        stem = re.sub(r"\d*$", "", right).lower()
        same_op = name is not None and re.sub(r"\d*$", "", name).lower() == stem
        criteria = (
            Criterion(f"the op that made {self.of}", same_op, self.points // 2),
            Criterion("the node's whole name", name == right, self.points - self.points // 2),
        )
        return judged(self.id, criteria, short(answer), self._reason(case, answer, name, same_op))

    def _reason(self, case: Case, answer: Any, name: str | None, same_op: bool) -> Reason:
        reference = case.reference
        line = reference.line(self.of)
        if name is None:
            return self._no_name(reference, answer)
        if same_op:
            return Reason(
                "name.incomplete",
                f"{name} is the right op. The whole name is written exactly as print({self.of}.grad_fn) "
                "shows it, "
                "with its capital letters and the number at its end.",
            )
        others = [other for other in reference.computed() if reference.node(other).lower() == name.lower()]
        if others:
            return Reason(
                "name.other-node",
                f"{name} made {others[0]}, at {reference.line(others[0])}. {self.of} was made at {line}: "
                "look for "
                "the sign between the operands there.",
            )
        if name.lower() == "accumulategrad":
            return Reason(
                "name.accumulate-grad",
                f"AccumulateGrad stands at the end of the way, where a leaf collects its gradient. {self.of} "
                "is no "
                f"leaf: it was computed at {line}, and its node is named after that op.",
            )
        if name.lower() in ("none", "no grad_fn", "leaf"):
            return as_leaf(self.of, line)
        return Reason(
            "name.operation",
            f"{short(answer)} is not the name of a node. A node is named after the op that was recorded, "
            "then the "
            f"word Backward and a number. Which op made {self.of}, at {line}?",
        )

    def _no_name(self, reference: Reference, answer: Any) -> Reason:
        if answer is None:
            return as_leaf(self.of, reference.line(self.of))
        try:
            value = number(answer)
        except (Unusable, Raised):
            text = f"A name is asked for, as text in quotes; {short(answer)} is a {type(answer).__name__}."
            return Reason("none.wrong-type", text)
        if any(rules.equals(value, reference.value(other)) for other in reference.tensors):
            return Reason(
                "returned.value-not-gradient",
                f"{number_text(value)} is a value. grad_fn is neither a value nor a gradient: it is the node "
                "that "
                f"made {self.of}. Give its name, as text in quotes.",
            )
        text = f"{number_text(value)} is a number. grad_fn is a node: give its name, as text in quotes."
        return Reason("none.wrong-type", text)

    def solution(self, case: Case) -> str:
        return f'"{case.reference.node(self.of)}": the node recorded at {case.reference.line(self.of)}'

    nudge = "Which sign stands between the operands in the line that makes the tensor?"

    def part(self, reference: Reference) -> str:
        return (
            f"{self.of} was made by this line:\n\n    {reference.line(self.of)}\n\nIts node is named after "
            "the op "
            "in that line, then the word Backward, then a number that counts the op's variants from 0."
        )

    def worked(self, sibling: Reference) -> str:
        other = Reference("a = torch.tensor(6.0, requires_grad=True)\nb = -a\nc = b.exp()\nd = c.sqrt()")
        rows = "\n".join(f"    {other.line(name):10} # {name}.grad_fn is {other.node(name)}" for name in "bcd")
        return f"With other ops:\n\n{rows}"


def node_name(answer: Any) -> str | None:
    """The name in an answer: text, the node itself, or its printed form. None for anything else."""
    if is_node(answer):
        return type(answer).__name__
    if not isinstance(answer, str):
        return None
    printed = re.match(r"\s*<?\s*([\w: ]*?)\s*(?:object at 0x[0-9a-fA-F]+)?\s*>?\s*$", answer)
    name = printed[1] if printed else answer.strip()
    return name.rpartition("::")[2]


def as_leaf(name: str, line: str) -> Reason:
    return Reason(
        "name.leaf",
        f"Only a leaf has no grad_fn. {name} was computed at {line} from a tensor that tracks, so a node was "
        "recorded for it.",
    )
