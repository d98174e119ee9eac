"""`second_graph(y, x)`: the backward pass drawn as a graph of its own, and differentiated again.

With `create_graph` on, PyTorch's formulas run as ops and leave nodes behind. Here they are drawn beside the ops of the
forward pass, in a frame of their own, and one steps through them: forward, backward as recorded, and the backward of
the gradient. Plain data makes the steps: see `view/second.py`.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cached_property
from typing import Any

from autograd_lab.view.draw import names_for
from autograd_lab.view.frames import PREDICT
from autograd_lab.view.names import Names
from autograd_lab.view.second import differentiated
from autograd_lab.view.snapshots import snapshot
from autograd_lab.view.starting import node_of, started
from autograd_lab.view.stepper import Walk, walk_of
from autograd_lab.view.symbols import shown
from autograd_lab.view.tape import written


def second_graph(y: Any, x: Any, *, predict: str = "none") -> SecondGraph:
    """Draw the graph that `autograd.grad(y, x, create_graph=True)` leaves behind, and walk back through it.

    `y` is a result of one element, `x` the tensor to differentiate by, twice; of ours or of PyTorch. A gradient of
    several elements is summed first. `predict` asks for numbers before they are shown, as in `step_through`.
    `again()` differentiates once more. No `.grad` changes, and the graph of `y` stays whole.

    Raises PyTorch's errors for a result that is not tracked, is no scalar, or does not depend on `x`, and for a
    gradient that depends on nothing.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> y = x ** 3
    >>> twice = second_graph(y, x)
    >>> print("\\n".join(twice.text().splitlines()[:3]))
    y = 8
    first derivative: x_grad = 12, recorded as 3 ops
    second derivative: 12
    >>> twice.again().second
    6.0
    """
    if predict not in PREDICT:
        raise ValueError(f"predict must be one of {', '.join(map(repr, PREDICT))}, got {predict!r}.")
    return SecondGraph(y, x, names_for(None, sys._getframe(1)), predict)


class SecondGraph:
    """A gradient with its history, and the walk back from it. A cell shows the walk, a terminal its table."""

    def __init__(self, y: Any, x: Any, names: Names, predict: str = "none", order: int = 2) -> None:
        self.order = order
        self._x, self._names, self._predict = x, names, predict
        start = differentiated(started(y, None, x), names)
        self.gradient = start.root
        self._tape = written(start, (y,), names, first=node_of(y))
        self._value = snapshot(y)

    @cached_property
    def walk(self) -> Walk:
        """The steps: forward, backward as recorded ops, and the backward of the gradient."""
        made = walk_of(self._tape, self._names, self._predict)
        made.tape = replace(made.tape, nodes=(), outputs=())
        return made

    @property
    def second(self) -> Any:
        """The second derivative by `x`: a number, or nested lists of the shape of `x`."""
        last = next(step for step in reversed(self._tape.backward) if step.wanted)
        values = last.incoming.values if last.incoming is not None else None
        return None if values is None else values.tolist()

    def again(self) -> SecondGraph:
        """Differentiate the gradient in the same way: its own gradient is recorded, and walked."""
        return SecondGraph(self.gradient, self._x, self._names, self._predict, self.order + 1)

    def text(self) -> str:
        """The derivatives in words, and every step as a line of a table."""
        recorded = [step for step in self._tape.forward if step.order > 1]
        name = self._names.of(self._tape.outputs[0])
        hidden = self._predict != "none"
        slopes = ["?" if hidden else shown(snapshot(self.gradient)), "?" if hidden else str(as_text(self.second))]
        words = ORDINALS.get(self.order - 1, f"{self.order - 1}th"), ORDINALS.get(self.order, f"{self.order}th")
        lines = [
            f"{name or 'the result'} = {shown(self._value)}",
            f"{words[0]} derivative: {self._names.of(self.gradient)} = {slopes[0]}, recorded as {len(recorded)} ops",
            f"{words[1]} derivative: {slopes[1]}",
        ]
        return "\n".join([*lines, "", self.walk.text()])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return self.walk._repr_mimebundle_(include, exclude)

    def __repr__(self) -> str:
        return self.text()


ORDINALS = {1: "first", 2: "second", 3: "third"}


def as_text(value: Any) -> str:
    """A number without a trailing `.0`, anything else as it is."""
    return f"{value:g}" if isinstance(value, float) else str(value)
