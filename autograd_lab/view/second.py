"""The second order: differentiate with `create_graph`, and start again from the gradient.

The first backward is recorded as ops, each with the node whose formula ran it. What is walked afterwards is a graph
like any other. Where there are several gradients, or one of many elements, their sum is walked, and the sum is an op
one sees. Read next: `tape.py`.
"""

from __future__ import annotations

from itertools import count
from typing import Any

from autograd_lab._tensor import Tensor
from autograd_lab.view.firing import Fired, fired
from autograd_lab.view.names import Names
from autograd_lab.view.pytorch_recording import listening
from autograd_lab.view.recording import Recording, record
from autograd_lab.view.starting import NOT_TRACKED, Start, is_leaf_node, node_of, seed_of


def differentiated(start: Start, names: Names) -> Start:
    """Walk once with `create_graph`, and start from the gradient, or from the sum of the gradients.

    Each gradient gets a name: `x_grad` for that of `x`. RuntimeError with PyTorch's text if no gradient depends on
    anything, so that there is nothing left to differentiate.
    """
    steps = walked(start)
    gradients = found_by(start, steps)
    name = names.of(start.root) or "result"
    names.add(f"d{name}/d{name}", start.grad)
    for tensor, gradient in gradients:
        names.add(free_name(f"{names.of(tensor) or 'leaf'}_grad", names), gradient)
    tracked = [gradient for _, gradient in gradients if gradient.requires_grad]
    if not tracked:
        error = RuntimeError(NOT_TRACKED)
        error.add_note("The gradient is the same wherever one stands: it depends on no leaf, so its slope is zero.")
        raise error
    with record():
        parts = [gradient if gradient.numel() == 1 else gradient.sum() for gradient in tracked]
        root = parts[0] if parts[0].dim() == 0 else parts[0].sum()
        for part in parts[1:]:
            root = root + (part if part.dim() == 0 else part.sum())
    if root is not tracked[0]:
        names.add(free_name("grad_sum", names), root)
    gives: dict[Any, Any] = {}
    for step in steps:
        for grad in step.got:
            if grad is not None and grad.grad_fn is not None:
                gives.setdefault(grad.grad_fn, step.node)
    return Start(root, seed_of(root, None), start.inputs, gives)


def free_name(name: str, names: Names) -> str:
    """`x_grad`, or `x_grad2`, `x_grad3` where one differentiates again."""
    taken = set(names.by_id.values())
    return next(free for i in count(1) if (free := name if i == 1 else f"{name}{i}") not in taken)


def found_by(start: Start, steps: list[Fired]) -> list[tuple[Any, Any]]:
    """Each input (or leaf) with its gradient, whose history is recorded."""
    goals = None if start.inputs is None else {node_of(tensor): tensor for tensor in start.inputs}
    found: list[tuple[Any, Any]] = []
    for step in steps:
        if step.error is not None:
            raise step.error
        tensor = goals.get(step.node) if goals is not None else step.node.variable if is_leaf_node(step.node) else None
        if tensor is not None:
            found.append((tensor, step.got[0 if is_leaf_node(step.node) else tensor.output_nr]))
    return found


def walked(start: Start) -> list[Fired]:
    """The first walk, recorded."""
    if isinstance(start.root, Tensor):
        with record():
            return list(fired(start, create_graph=True))
    makers: list[Any] = []
    with listening(Recording().told_by_pytorch, makers):
        return list(fired(start, True, makers))
