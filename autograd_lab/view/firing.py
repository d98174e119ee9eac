"""Nodes as they fire: one walk of the engine, in which nothing is freed, no hook runs and no `.grad` is written.

The walk is `engine.steps`, or for PyTorch's nodes `firing_torch.py`; both give the same `Fired`. A node that raises is
the last one, with its error. Read next: `arrivals.py`, which makes plain data of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from autograd_lab import engine
from autograd_lab._tensor import Tensor
from autograd_lab.card_node import local_derivatives
from autograd_lab.graph import AccumulateGrad
from autograd_lab.view.recording import input_names, noted
from autograd_lab.view.starting import Start, node_of


@dataclass(frozen=True)
class Fired:
    """One node: the gradients of its outputs, those it sends to its inputs, and the local derivatives, if it has such.

    `wanted` says that the gradient of its output is asked for by `inputs=`. A node that stops a walk towards
    `inputs=` sends nothing.
    """

    node: Any
    got: tuple[Any, ...]
    sent: tuple[Any, ...] = ()
    locals: dict[int, Any] = field(default_factory=dict)  # arrays, by number of the input
    wanted: bool = False
    error: BaseException | None = None


def fired(start: Start, create_graph: bool = False, makers: list[Any] | None = None) -> Iterator[Fired]:
    """The nodes in the order in which they fire; with `create_graph` gradients have a history of their own.

    >>> import autograd_lab as torch
    >>> from autograd_lab.view.starting import started
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> [(type(f.node).__name__, f.got[0].item()) for f in fired(started(x ** 2 * 5))]
    [('MulBackward0', 1.0), ('PowBackward0', 5.0), ('AccumulateGrad', 20.0)]
    """
    if isinstance(start.root, Tensor):
        return ours(start, create_graph)
    from autograd_lab.view.firing_torch import theirs

    return theirs(start, create_graph, makers)


def ours(start: Start, create_graph: bool) -> Iterator[Fired]:
    """The engine's own walk, looking only."""
    goals = None if start.inputs is None else {node_of(tensor) for tensor in start.inputs}
    captured: dict[Any, Any] = {}
    walk = engine.steps([start.root], [start.grad], True, create_graph, start.inputs, captured, looking=True)
    told: set[Any] = set()
    while True:
        error = step = None
        try:
            step = next(walk, None)
        except Exception as raised:  # the formula of a node, or what it saved, is not right
            error = raised
        for node, grad in captured.items():  # a goal that leads nowhere else never fires
            if node not in told and (step is None or node is not step.node):
                told.add(node)
                yield Fired(node, (grad,) if isinstance(grad, Tensor) else tuple(grad), wanted=True)
        if error is not None:
            node = error.nodes[0]  # type: ignore[attr-defined]
            yield Fired(node, (start.grad,) if node is node_of(start.root) else (), error=error)
        if step is None:
            return
        told.add(step.node)
        wanted = goals is not None and step.node in goals
        yield Fired(step.node, step.grad_outputs, step.grad_inputs, locals_of(step.node), wanted)


def locals_of(node: Any) -> dict[int, Any]:
    """The local derivatives of a node that works element by element, by number of the input."""
    if isinstance(node, AccumulateGrad) or node.card is None:
        return {}
    found = local_derivatives(node)
    return {i: found[name] for i, name in enumerate(names_of_inputs(node)) if name in found}


def names_of_inputs(node: Any, card: Any = None) -> list[str]:
    """What a node's inputs are called, in the order of `next_functions`."""
    note = noted(node)
    arguments: dict[str, Any] = {}
    for argument in note.arguments if note else ():
        first, bracket, _ = argument.name.partition("[")
        arguments.setdefault(first, [] if bracket else None)
        if bracket:
            arguments[first].append(None)
    return input_names(card if card is not None else getattr(node, "card", None), arguments, node.next_functions)
