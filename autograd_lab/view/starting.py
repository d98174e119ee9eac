"""Where a walk starts and where it goes: `loss`, `grad` and `inputs=`, checked with PyTorch's errors.

Ours and PyTorch's tensors alike, each answered with the texts of `backward()` and `autograd.grad()`. Read next:
`tape.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograd_lab._tensor import Tensor, bare
from autograd_lab.view.names import is_tensor

NOT_TRACKED = "element 0 of tensors does not require grad and does not have a grad_fn"
UNUSED = (
    "The differentiated Tensor at index {} appears to not have been used in the graph. Set allow_unused=True if "
    "this is the desired behavior."
)


@dataclass(frozen=True)
class Start:
    """A walk that may begin: the result, the gradient it begins with, and the tensors it goes to (None: all leaves).

    At the second order `gives` says whose incoming gradient a node's result is.
    """

    root: Any
    grad: Any
    inputs: tuple[Any, ...] | None = None
    gives: dict[Any, Any] = field(default_factory=dict)


def started(loss: Any, grad: Any = None, inputs: Any = None) -> Start:
    """The start of a walk, checked."""
    check(loss, grad)
    goals = None if inputs is None else tuple(listed(inputs))
    for goal in goals or ():
        if not is_tensor(goal):
            raise TypeError(f"inputs must be a tensor or a list of tensors, got {type(goal).__name__}")
        if not goal.requires_grad:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
    if goals is not None:
        if not goals:
            raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
        reached = reachable(node_of(loss))
        for i, goal in enumerate(goals):
            if node_of(goal) not in reached:
                error = RuntimeError(UNUSED.format(i))
                error.add_note(f"No path leads from this result back to inputs[{i}]. draw_graph(loss) shows them all.")
                raise error
    return Start(loss, seed_of(loss, grad), goals)


def check(loss: Any, grad: Any = None) -> None:
    """Raise PyTorch's error, with a note, unless backward could start at `loss`."""
    if not is_tensor(loss) or isinstance(loss, type):
        kind = f"{type(loss).__module__}.{type(loss).__name__}".removeprefix("builtins.")
        raise TypeError(
            f"step_through() walks the graph of a tensor, of autograd_lab or of PyTorch; it got {kind}. "
            "Pass the result of a computation on tensors, for example the loss."
        )
    if not loss.requires_grad:
        error = RuntimeError(NOT_TRACKED)
        error.add_note(
            "No graph leads to this tensor. Create the inputs with requires_grad=True and compute the loss "
            "from them, outside torch.no_grad() and without .detach()."
        )
        raise error
    if grad is None and loss.numel() != 1:
        error = RuntimeError("grad can be implicitly created only for scalar outputs")
        error.add_note(
            f"This tensor has shape {tuple(loss.shape)}; a walk starts at one number. "
            "Step through its .sum() or .mean(), or through one of its elements, or pass grad= of its shape."
        )
        raise error
    if grad is not None and not is_tensor(grad):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(grad).__name__}")
    if grad is not None and tuple(grad.shape) != tuple(loss.shape):
        raise RuntimeError(
            f"Mismatch in shape: grad_output[0] has a shape of torch.Size({list(grad.shape)}) and output[0] has a "
            f"shape of torch.Size({list(loss.shape)})."
        )


def seed_of(loss: Any, grad: Any) -> Any:
    """The gradient a walk begins with: the given one, else ones."""
    if isinstance(loss, Tensor):
        return grad if grad is not None else bare(np.ones(tuple(loss.shape), loss._data.dtype)[()])
    given = sys.modules["torch"].ones_like(loss.detach()) if grad is None else grad
    return given.to(loss.dtype)


def node_of(tensor: Any) -> Any:
    """The node where gradients of this tensor arrive: its grad_fn, or a leaf's AccumulateGrad."""
    if tensor.grad_fn is not None:
        return tensor.grad_fn
    if isinstance(tensor, Tensor):
        return tensor._node()
    return sys.modules["torch"].autograd.graph.get_gradient_edge(tensor).node


def reachable(root: Any) -> set[Any]:
    """Every node that the root leads to, itself included."""
    found, todo = {root}, [root]
    while todo:
        for node, _ in todo.pop().next_functions:
            if node is not None and node not in found:
                found.add(node)
                todo.append(node)
    return found


def useful_nodes(start: Start) -> set[Any]:
    """The nodes that a walk fires: all, or with `inputs=` those that lead to one of them, and these."""
    nodes = reachable(node_of(start.root))
    if start.inputs is None:
        return nodes
    users: dict[Any, list[Any]] = {}
    for node in nodes:
        for target, _ in node.next_functions:
            users.setdefault(target, []).append(node)
    todo = [node_of(tensor) for tensor in start.inputs]
    found = set(todo)
    while todo:
        for user in users.get(todo.pop(), ()):
            if user not in found:
                found.add(user)
                todo.append(user)
    return found


def is_leaf_node(node: Any) -> bool:
    """Whether gradients end here: an AccumulateGrad, ours or PyTorch's."""
    return hasattr(node, "variable")


def listed(things: Any) -> Iterable[Any]:
    """One tensor or several, as an iterable."""
    return (things,) if is_tensor(things) or not isinstance(things, Iterable) else things
