"""Where a backward starts: the gradient of each root, checked, with PyTorch's errors.

Read next: `engine.py`.
"""

from __future__ import annotations

import numpy as np

from ._tensor import Size, Tensor, bare
from .caution import warn

NOT_TRACKED = "element {} of tensors does not require grad and does not have a grad_fn"


def warn_of_cycle() -> None:
    """PyTorch's warning for `backward(create_graph=True)`."""
    warn(
        "Using backward() with create_graph=True will create a reference cycle between the parameter and its "
        "gradient which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid "
        "this. If you have to use this function, make sure to reset the .grad fields of your parameters to None "
        "after use to break the cycle and avoid the leak."
    )


def seed(i: int, root: Tensor, grad: Tensor | None) -> Tensor:
    """The gradient a root starts with, checked; ones for a result of one element."""
    if root._edge is None:
        error = RuntimeError(NOT_TRACKED.format(i))
        error.add_note(
            "Nothing this result was computed from is tracked. Create a leaf with requires_grad=True and compute the "
            "loss from it, outside torch.no_grad()."
        )
        raise error
    if grad is None:
        if root._data.size != 1:
            error = RuntimeError("grad can be implicitly created only for scalar outputs")
            error.add_note(
                f"This result has {root._data.size} elements. Reduce it to one number, for example with .sum() or "
                ".mean(), or pass backward(gradient=...) of its shape."
            )
            raise error
        if root._data.dtype.kind == "c":
            raise RuntimeError(f"grad can be implicitly created only for real scalar outputs but got {root.dtype!r}")
        data = root._data
        return bare(np.ones_like(data) if isinstance(data, np.ndarray) else data.dtype.type(1))
    if not isinstance(grad, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(grad).__name__}")
    if grad._data.shape != root._data.shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{i}] has a shape of {Size(grad.shape)} and output[{i}] has a shape of "
            f"{Size(root.shape)}."
        )
    if grad._data.dtype != root._data.dtype and root._data.dtype.kind == "f":
        return bare(grad._data.astype(root._data.dtype)) if grad._edge is None else grad.to(root.dtype)
    return grad
