"""The recorded program: every op of a walk with its constants, so that it can run again with other inputs.

`program_of` reads it from a graph and the recorder's notes, before the graph is let go. It holds arrays, cards and
names, no tensor and no node: the learner's own tensors are neither kept nor changed. What cannot run again is said in
one sentence. Numbers that Python took out (`item()`, an `if`) stay as they were. Read next: `replay.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograd_lab.graph import AccumulateGrad, Node
from autograd_lab.view import cuts
from autograd_lab.view.kept import Given, Kept
from autograd_lab.view.names import Names, is_tensor
from autograd_lab.view.notes import input_names, told
from autograd_lab.view.starting import node_of
from autograd_lab.view.values import in_forward_order

NOT_OURS = "The inputs can be changed for tensors of autograd_lab: this graph belongs to another library."
NOT_RECORDED = (
    "The inputs cannot be changed here: {op} was not recorded. Compute inside `with record():`, or in a notebook, and "
    "every op can run again with other numbers."
)


@dataclass(frozen=True)
class Result:
    """A value that the program makes: which call, and which of its results."""

    call: int
    output: int = 0


@dataclass(frozen=True)
class Input:
    """A value that the program starts from: which of its inputs."""

    number: int


@dataclass(frozen=True)
class Several:
    """A list of values, as `cat` takes them."""

    members: tuple[Any, ...]


@dataclass(frozen=True)
class Start:
    """What the program starts from: a leaf, or a tensor without gradient. `fixed` says why it cannot be changed."""

    name: str
    data: np.ndarray
    kind: str  # "leaf", "param" or "frozen"
    grad: np.ndarray | None = None
    fixed: str = ""


@dataclass(frozen=True)
class Call:
    """One op: its card, its arguments in order, and what its results are called."""

    card: Any
    arguments: tuple[Any, ...]
    names: tuple[tuple[int, str], ...] = ()
    retains: bool = False


@dataclass(frozen=True)
class Program:
    """Inputs and calls in the order in which they ran; `result` is the value that was walked from."""

    inputs: tuple[Start, ...]
    calls: tuple[Call, ...]
    result: Result | Input
    wanted: tuple[Result | Input, ...] | None = None  # what `inputs=` named


class CannotRunAgain(Exception):
    """Why a recorded program cannot run again, as a sentence for the learner."""


def program_of(root: Any, names: Names, wanted: Any = None) -> Program:
    """The program that made `root`. `wanted` are tensors that the walk goes to, as in `autograd.grad(root, wanted)`.

    Raises CannotRunAgain for ops that nobody recorded, functions of the learner, hooks, and writes into a part of a
    tensor.
    """
    tensors = None if wanted is None else [wanted] if is_tensor(wanted) else list(wanted)
    return Reader(in_forward_order([node_of(root)]), names).program(root, tensors)


class Reader:
    """The inputs and calls found so far, and which node or tensor each stands for."""

    def __init__(self, nodes: list[Any], names: Names) -> None:
        self.nodes, self.names = nodes, names
        self.inputs: list[Start] = []
        self.numbers: dict[int, int] = {}  # id of a tensor: its input
        self.leaves: dict[int, int] = {}  # id of a leaf's node: its input
        self.calls: list[Call] = []
        self.made: dict[int, int] = {}  # id of a node: its call

    def program(self, root: Any, wanted: list[Any] | None) -> Program:
        for node in self.nodes:
            if not isinstance(node, Node):
                raise CannotRunAgain(NOT_OURS)
            self.check_hooks(node)
            if isinstance(node, AccumulateGrad):
                self.leaves[id(node)] = self.start(node.variable)
            else:
                self.call(node)
        result = self.value_of(root)
        goals = None if wanted is None else tuple(self.value_of(tensor) for tensor in wanted)
        return Program(tuple(self.with_reasons()), tuple(self.calls), result, goals)

    def value_of(self, tensor: Any) -> Result | Input:
        """What stands for a tensor of the graph."""
        if tensor.grad_fn is None:
            return Input(self.start(tensor))
        return Result(self.made[id(tensor.grad_fn)], tensor.output_nr)

    def check_hooks(self, node: Any) -> None:
        hooks = getattr(node, "hooks", None)
        if hooks is not None and (hooks.tensor or hooks.before or hooks.after or hooks.post):
            raise CannotRunAgain(
                f"The inputs cannot be changed here: a hook waits at {node.name()}, and it is not run for a trial."
            )

    def start(self, tensor: Any) -> int:
        """A tensor that no op of the program made."""
        known = self.numbers.get(id(tensor))
        if known is None:
            kind = "frozen" if not tensor.requires_grad else "leaf"
            kind = "param" if kind == "leaf" and type(tensor).__name__ == "Parameter" else kind
            grad = tensor.grad if kind != "frozen" else None
            old = None if grad is None else np.array(grad._data)
            known = self.put(Start(self.names.of(tensor), np.array(tensor._data), kind, old), tensor)
        return known

    def put(self, start: Start, tensor: Any = None) -> int:
        self.inputs.append(start)
        if tensor is not None:
            self.numbers[id(tensor)] = len(self.inputs) - 1
        return len(self.inputs) - 1

    def call(self, node: Any) -> None:
        note = told(node)
        if getattr(type(node), "card", None) is None and note is None:
            raise CannotRunAgain(f"The inputs cannot be changed here: {node.name()} is no op of this package.")
        if note is None or note.card is None or not hasattr(note.card, "function"):
            raise CannotRunAgain(NOT_RECORDED.format(op=node.name()))
        if note.card is not getattr(type(node), "card", None):
            raise CannotRunAgain(
                f"The inputs cannot be changed here: {node.name()} stands for a write into a part of a tensor."
            )
        named = input_names(note.card, note.arguments, node.next_functions)
        sources = dict(zip(named, node.next_functions, strict=False))
        arguments = []
        for name, value in note.arguments.items():
            if isinstance(value, list):
                members = (self.argument(node, f"{name}[{i}]", v, sources) for i, v in enumerate(value))
                arguments.append(Several(tuple(members)))
            else:
                arguments.append(self.argument(node, name, value, sources))
        made = [(output, t) for output in range(8) if (t := self.names.result(node, output)) is not None]
        titles = tuple((output, self.names.of(tensor)) for output, tensor in made if self.names.of(tensor))
        self.made[id(node)] = len(self.calls)
        self.calls.append(Call(note.card, tuple(arguments), titles, any(t.retains_grad for _, t in made)))

    def argument(self, node: Any, name: str, value: Any, sources: dict[str, Any]) -> Any:
        """Where an argument comes from: an earlier call, an input, or itself if it is a plain constant."""
        if not isinstance(value, Kept):
            return value.value if isinstance(value, Given) else value
        source, output = sources.get(name, (None, 0))
        if source is not None and id(source) in self.made:
            return Result(self.made[id(source)], output)
        if source is not None:
            return Input(self.leaves[id(source)])
        alive = value.tensor()
        then = None if value.array is None else np.array(value.array)
        if alive is not None and (then is None or np.array_equal(then, alive._data, equal_nan=then.dtype.kind == "f")):
            return Input(self.start(alive))
        if then is None:
            raise CannotRunAgain(
                f"The inputs cannot be changed here: {name} of {node.name()} was too large to keep, and is gone."
            )
        return Input(self.put(Start("", then, "frozen")))

    def with_reasons(self) -> Iterator[Start]:
        """The inputs, each with the reason why it cannot be changed if there is one."""
        taken = dict(self.taken_outside())
        places = {number: key for key, number in self.numbers.items()}
        for number, start in enumerate(self.inputs):
            fixed = taken.get(places.get(number, 0), "")
            if not start.name:
                fixed = "It has no name."
            elif start.data.dtype.kind != "f":
                fixed = "Its numbers are no floating-point numbers."
            yield Start(start.name, start.data, start.kind, start.grad, fixed)

    def taken_outside(self) -> Iterator[tuple[int, str]]:
        """Leaves that a constant of the program was computed from, outside the graph: (id of the leaf, why)."""
        for node in self.nodes:
            for cut in cuts.before(list(cuts.feeds(node).values())):
                for known in cut.leaves:
                    leaf = known()
                    line = f" in the line `{cut.line}`" if cut.line else ""
                    yield id(leaf), f"A constant was computed from it outside the graph ({cut.op}{line})."
