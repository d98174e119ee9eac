"""`torch.autograd`: backward on several results, and gradients as values."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from .._tensor import Tensor
from ..engine import run_backward
from ..grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from ..ops.joining import stack
from ..seeds import warn_of_cycle
from . import function, graph
from .function import Function
from .gradcheck import gradcheck, gradgradcheck
from .variable import Variable

# Opened when first asked for.
LAZY = {
    "anomaly_mode": "anomaly_mode",
    "forward_ad": "forward_ad",
    "functional": "functional",
    **dict.fromkeys(["detect_anomaly", "is_anomaly_enabled", "set_detect_anomaly"], "anomaly_mode"),
}


def __getattr__(name: str) -> Any:
    if name not in LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    room = importlib.import_module(f".{LAZY[name]}", __name__)
    return room if LAZY[name] == name else getattr(room, name)


def __dir__() -> list[str]:
    return [*globals(), *LAZY]


def listed(value: Any) -> list[Any]:
    """One tensor or a sequence, as a list."""
    return [value] if isinstance(value, Tensor) or value is None else list(value)


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Add the gradients of several results to the `.grad` of their leaves.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> torch.autograd.backward([x * 2, x * 3])
    >>> x.grad
    tensor(5.)
    """
    roots = listed(tensors)
    grads = [None] * len(roots) if grad_tensors is None else listed(grad_tensors)
    keep = create_graph if retain_graph is None else retain_graph
    goals = None if inputs is None else listed(inputs)
    if create_graph:
        warn_of_cycle()
    run_backward(roots, grads, keep, create_graph, goals, accumulate_into_inputs=True)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Any, ...]:
    """The gradients of `outputs` with respect to `inputs`, as a tuple; no `.grad` is touched.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> torch.autograd.grad(x ** 2, x)
    (tensor(6.),)
    """
    roots, goals = listed(outputs), listed(inputs)
    if is_grads_batched:
        seeds = listed(grad_outputs)
        options = (create_graph, allow_unused, False, materialize_grads)
        rows = [grad(roots, goals, [g[k] for g in seeds], True, *options) for k in range(len(seeds[0]))]
        return tuple(None if row[0] is None else stack(list(row)) for row in zip(*rows, strict=True))
    grads = [None] * len(roots) if grad_outputs is None else listed(grad_outputs)
    keep = create_graph if retain_graph is None else retain_graph
    check_inputs(goals)
    captured = run_backward(roots, grads, keep, create_graph, goals)
    return tuple(found(captured, t, i, allow_unused, materialize_grads) for i, t in enumerate(goals))


def check_inputs(goals: Sequence[Any]) -> None:
    for t in goals:
        if t._edge is None:
            raise RuntimeError("One of the differentiated Tensors does not require grad")


def found(captured: Any, goal: Tensor, i: int, allow_unused: bool | None, zeros: bool) -> Any:
    """One gradient; for an input the walk never reached None, zeros or PyTorch's error."""
    grad = captured.get(goal._node())
    if grad is not None:
        return grad
    if zeros:
        return goal.detach() * 0
    if allow_unused:
        return None
    raise RuntimeError(
        f"The differentiated Tensor at index {i} appears to not have been used in the graph. Set allow_unused=True if "
        "this is the desired behavior."
    )


__all__ = [
    "Function",
    "Variable",
    "anomaly_mode",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "forward_ad",
    "function",
    "functional",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "is_anomaly_enabled",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
]
