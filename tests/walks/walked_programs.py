"""Twenty random programs for the stepper, and what PyTorch and finite differences say of each of their numbers.

A program is a list of statements over named tensors, run alike by both libraries. Nothing here asks the tape.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

H = 1e-6


@dataclass(frozen=True)
class Statement:
    """`name = run(library, *arguments)`; `kind` says which of the asked-for features it is."""

    name: str
    kind: str
    run: Callable[..., Any]
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Program:
    leaves: dict[str, np.ndarray]
    statements: tuple[Statement, ...]

    @property
    def kinds(self) -> set[str]:
        return {statement.kind for statement in self.statements}


UNARY = {
    "tanh": lambda lib, a: lib.tanh(a),
    "sigmoid": lambda lib, a: lib.sigmoid(a),
    "sin": lambda lib, a: lib.sin(a),
    "square": lambda lib, a: a**2,
    "negative": lambda lib, a: -a,
    "thrice": lambda lib, a: a * 3,
    "from ten": lambda lib, a: 10 - a,
    "relu": lambda lib, a: lib.relu(a),
}
BINARY = {
    "plus": lambda lib, a, b: a + b,
    "minus": lambda lib, a, b: a - b,
    "times": lambda lib, a, b: a * b,
    "larger": lambda lib, a, b: lib.maximum(a, b),
}


def random_program(seed: int) -> Program:
    """A program with two of the features that must occur, and some random statements between them."""
    draw = np.random.default_rng(seed)
    leaves = {
        "x": draw.normal(size=(2, 3)).round(2),
        "row": draw.normal(size=(3,)).round(2),
        "col": draw.normal(size=(2, 1)).round(2),
        "s": np.array(round(draw.normal(), 2)),
        "w": draw.normal(size=(3, 2)).round(2),
        "positive": draw.uniform(1, 2, size=(2, 3)).round(2),
    }
    made: list[Statement] = []
    wide = ["x", "row", "col", "s", "positive"]  # names whose shapes broadcast to (2, 3)

    def add(kind, run, *arguments):
        name = f"v{len(made)}"
        made.append(Statement(name, kind, run, arguments))
        return name

    def pick():
        return wide[draw.integers(len(wide))]

    def random_one():
        if draw.random() < 0.5:
            kind = list(UNARY)[draw.integers(len(UNARY))]
            wide.append(add(kind, UNARY[kind], pick()))
        else:
            kind = list(BINARY)[draw.integers(len(BINARY))]
            wide.append(add(kind, BINARY[kind], pick(), pick()))

    def broadcast_matmul():
        product = add("matmul", lambda lib, a, b: a @ b, "x", "w")
        wide.append(add("broadcast matmul", lambda lib, a, b: (a + b).sum(), product, "col"))

    def diamond():
        top = add("thrice", UNARY["thrice"], pick())
        left, right = (add(kind, UNARY[kind], top) for kind in ("tanh", "square"))
        wide.append(add("diamond", BINARY["times"], left, right))

    def dead_relu():
        low = add("minus", lambda lib, a: a - 100, pick())
        wide.append(add("dead relu", UNARY["relu"], low))

    def in_place():
        copy = add("times", lambda lib, a, b: a * b, "x", pick())
        wide.append(add("in-place", lambda lib, a, b: a.add_(b), copy, pick()))

    def double_use():
        name = pick()
        wide.append(add("double use", BINARY["times"], name, name))

    def divided():
        wide.append(add("over", lambda lib, a, b: a / b, pick(), "positive"))

    features = [broadcast_matmul, diamond, dead_relu, in_place, double_use, divided]
    for i in (seed, seed + 1 + seed % 4):
        random_one()
        features[i % len(features)]()
    random_one()
    last = add("plus", BINARY["plus"], wide[-1], wide[-2])
    add("mean", lambda lib, a: a.mean(), last)
    return Program(leaves, tuple(made))


def run(lib: Any, program: Program, leaves: dict[str, np.ndarray] | None = None, tracked: bool = True):
    """All tensors by name, and in `nodes` the grad_fn that each statement's result had when it was made."""
    values = leaves or program.leaves
    tensors = {name: lib.tensor(np.array(value), requires_grad=tracked) for name, value in values.items()}
    nodes = {}
    for statement in program.statements:
        result = statement.run(lib, *(tensors[name] for name in statement.arguments))
        tensors[statement.name] = result
        nodes[statement.name] = result.grad_fn
    return tensors, nodes


class Truth:
    """What real PyTorch says: values when made, what each node got and sent, and slopes by finite differences."""

    def __init__(self, torch: Any, program: Program) -> None:
        self.torch, self.program = torch, program
        self.values: dict[str, np.ndarray] = {}
        tensors = {n: torch.tensor(np.array(v), requires_grad=True) for n, v in program.leaves.items()}
        self.at: dict[str, tuple[np.ndarray, ...]] = {}  # each statement's arguments when it ran
        nodes = {}
        for statement in program.statements:
            given = [tensors[name] for name in statement.arguments]
            self.at[statement.name] = tuple(tensor.detach().numpy().copy() for tensor in given)
            result = tensors[statement.name] = statement.run(torch, *given)
            nodes[statement.name] = result.grad_fn
            self.values[statement.name] = result.detach().numpy().copy()
        loss = tensors[program.statements[-1].name]
        order = self.in_order(loss.grad_fn)
        self.names = [type(node).__name__ for node in order]
        self.fired: list[str] = []
        self.got: dict[int, tuple[Any, ...]] = {}
        self.sent: dict[int, tuple[Any, ...]] = {}
        self.statement_of = {order.index(node): name for name, node in nodes.items() if node in order}
        for i, node in enumerate(order):
            node.register_hook(lambda sent, got, i=i: self.note(i, sent, got))
        for name in program.leaves:
            tensors[name].register_hook(lambda grad, name=name: self.fired.append(name))
        loss.backward()
        self.grads = {n: None if tensors[n].grad is None else tensors[n].grad.numpy() for n in program.leaves}

    def note(self, i: int, sent: Any, got: Any) -> None:
        self.fired.append(str(i))
        self.got[i] = tuple(None if g is None else g.numpy().copy() for g in got)
        self.sent[i] = tuple(None if g is None else g.numpy().copy() for g in sent)

    def in_order(self, root: Any) -> list[Any]:
        found, todo = {root}, [root]
        while todo:
            for node, _ in todo.pop().next_functions:
                if node is not None and node not in found:
                    found.add(node)
                    todo.append(node)
        return sorted((n for n in found if not hasattr(n, "variable")), key=lambda node: node._sequence_nr())

    def local(self, statement: Statement, argument: int) -> np.ndarray:
        """The slope of one statement by one of its arguments, element by element, by finite differences."""
        ends = []
        for step in (H, -H):
            given = [self.torch.tensor(value) for value in self.at[statement.name]]
            given[argument] = given[argument] + step
            ends.append(statement.run(self.torch, *given).numpy().copy())
        return (ends[0] - ends[1]) / (2 * H)

    def slope(self, leaf: str) -> np.ndarray:
        """The slope of the loss by one leaf, by finite differences."""
        found = np.zeros_like(self.program.leaves[leaf])
        for place in np.ndindex(found.shape):
            ends = []
            for step in (H, -H):
                near = {name: value.copy() for name, value in self.program.leaves.items()}
                near[leaf][place] += step
                with self.torch.no_grad():
                    tensors, _ = run(self.torch, self.program, near, tracked=False)
                ends.append(float(tensors[self.program.statements[-1].name]))
            found[place] = (ends[0] - ends[1]) / (2 * H)
        return found
