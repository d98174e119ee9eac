"""The numbers of a walk by node: what a question may be answered with. Read next: `beliefs.py`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lab.view.recording import Snapshot
from autograd_lab.view.steps import ForwardStep, Operand, Tape


class Known:
    """The first element of each value and gradient of a tape, where it is known; `names` says whose they are."""

    def __init__(self, tape: Tape, names: list[str]) -> None:
        self.tape, self.names = tape, names
        self.values = {step.node: number_of(step.result) for step in tape.forward}
        self.values |= {i: number_of(leaf) for i, leaf in enumerate(tape.leaves) if leaf is not None}
        self.slopes = {back.node: number_of(back.incoming) for back in tape.backward}
        self.forward_of = {step.node: step for step in tape.forward}
        self.root = names[tape.root]

    def node(self, step: ForwardStep) -> Any:
        """The graph's node of a step, while the graph is there."""
        return self.tape.nodes[step.node] if step.node < len(self.tape.nodes) else None


def operand_number(operand: Operand) -> float | None:
    """An operand as a number: a constant as written, or the first element of a tensor."""
    if not operand.text:
        return number_of(operand.value)
    try:
        return float(operand.text)
    except ValueError:
        return None


def elements(step: ForwardStep) -> int:
    """How many elements the first operand has."""
    value = step.operands[0].value if step.operands else None
    return math.prod(value.shape) if value is not None else 1


def number_of(snapshot: Snapshot | None) -> float | None:
    """The first element as a number; None if it is not known or no finite number."""
    if snapshot is None or snapshot.values is None or snapshot.values.size == 0:
        return None
    value = snapshot.values.reshape(-1)[0]
    return float(value) if snapshot.values.dtype.kind in "fiub" and np.isfinite(value) else None
