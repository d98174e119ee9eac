"""Hangs ops and operators on Tensor, and lists what `torch.…` offers. The only room that does.

Adding an op: write its card in a chapter of `ops/`, then its name in `names.py`. Operators are in
`operators.py`, methods in `methods.py`, in-place methods in `writing.py`, functions in `functions.py`.
Read next: `autograd/__init__.py`.
"""

from __future__ import annotations

from typing import Any

from .._tensor import Tensor
from ..engine import run_backward
from ..ops.extremes import max, min
from ..seeds import warn_of_cycle
from . import methods
from .functions import LATER, PUBLIC
from .methods import log_softmax, softmax


def backward(
    self: Any, gradient: Any = None, retain_graph: Any = None, create_graph: Any = False, inputs: Any = None
) -> Any:
    """Compute the gradients of all leaves this tensor was made from and add them to their `.grad`.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> (x * x).backward()
    >>> x.grad
    tensor(6.)
    """
    from_inputs = None if inputs is None else [inputs] if isinstance(inputs, Tensor) else list(inputs)
    keep = create_graph if retain_graph is None else retain_graph
    if create_graph:
        warn_of_cycle()
    run_backward([self], [gradient], keep, create_graph, from_inputs, accumulate_into_inputs=True)


def hang() -> None:
    """Hang everything. Called once, by the package."""
    methods.hang()
    tensor_class: Any = Tensor
    tensor_class.backward = backward


__all__ = ["LATER", "PUBLIC", "backward", "hang", "log_softmax", "max", "min", "softmax"]
