"""The recorded program runs again with other inputs, on tensors of its own.

The engine computes everything anew, forward and backward; nothing is estimated and no code of the learner runs. The
learner's tensors stay as they are. Read next: `trial.py`, which changes inputs and shows what came of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from autograd_lab import recorder
from autograd_lab._tensor import Tensor, bare
from autograd_lab.generators import left_alone
from autograd_lab.grad_mode import enable_grad
from autograd_lab.nn.parameter import Parameter
from autograd_lab.view.names import Names
from autograd_lab.view.program import Input, Program, Result, Several, Start
from autograd_lab.view.recording import Recording

Changed = dict[int, np.ndarray]


class Run:
    """One run: the inputs as new tensors, and the value of each call.

    >>> import autograd_lab as torch
    >>> from autograd_lab.view.program import program_of
    >>> from autograd_lab.view.tape import record
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> with record():
    ...     y = x * 3
    >>> program = program_of(y, Names([("x", x)]))
    >>> Run(program, {0: np.array(5.0, np.float32)}).result.item()
    15.0
    """

    def __init__(self, program: Program, changed: Changed) -> None:
        self.program = program
        self.inputs = [tensor_for(start, changed.get(i)) for i, start in enumerate(program.inputs)]
        self.values: list[Any] = []
        for call in program.calls:
            made = call.card.function(*(self.value(argument) for argument in call.arguments))
            if call.retains:
                (made[0] if isinstance(made, tuple) else made).retain_grad()
            self.values.append(made)
        self.result: Any = self.value(program.result)

    def value(self, argument: Any) -> Any:
        """An argument as the op gets it."""
        if isinstance(argument, Input):
            return self.inputs[argument.number]
        if isinstance(argument, Result):
            made = self.values[argument.call]
            return made[argument.output] if isinstance(made, tuple) else made
        if isinstance(argument, Several):
            return [self.value(member) for member in argument.members]
        return argument

    def names(self) -> Names:
        """The new tensors under the names of the old ones."""
        return Names(self._named())

    def _named(self) -> Iterator[tuple[str, Tensor]]:
        for start, tensor in zip(self.program.inputs, self.inputs, strict=True):
            if start.name:
                yield start.name, tensor
        for call, made in zip(self.program.calls, self.values, strict=True):
            for output, name in call.names:
                yield name, made[output] if isinstance(made, tuple) else made


@contextmanager
def apart(told: bool = False) -> Iterator[None]:
    """Run away from the learner's session: its recorders hear nothing, its grad mode does not matter, and its random
    numbers are those it would have had.

    With `told`, a recorder of our own listens, so that a walk can show every constant and value.
    """
    before = recorder.watchers[:]
    recorder.watchers[:] = [Recording()] if told else []
    try:
        with enable_grad(), left_alone():
            yield
    finally:
        recorder.watchers[:] = before


def tensor_for(start: Start, data: np.ndarray | None) -> Tensor:
    """A new tensor with the value of an input, or with another one."""
    value = bare(np.array(start.data if data is None else data)[()])
    if start.kind == "frozen":
        return value
    made: Tensor = Parameter(value) if start.kind == "param" else value.requires_grad_()
    if start.grad is not None:
        made.grad = bare(np.array(start.grad)[()])
    return made
