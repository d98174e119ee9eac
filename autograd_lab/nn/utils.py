"""`torch.nn.utils`: clipping of gradients, parameters as one vector.

Read next: `init.py`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from .._tensor import Tensor, bare
from ..memory import bump
from ..ops.shape import cat, reshape


def listed(parameters: Any) -> list[Any]:
    """One tensor, or several, as a list."""
    return [parameters] if isinstance(parameters, Tensor) else list(parameters)


def gradients(parameters: Any) -> list[Any]:
    """The gradients of those parameters that have one."""
    return [p._grad for p in listed(parameters) if getattr(p, "_grad", None) is not None]


def get_total_norm(
    tensors: Any, norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: bool | None = None
) -> Tensor:
    """The norm of all tensors taken as one vector."""
    arrays = [t._data for t in listed(tensors)]
    if not arrays:
        return bare(np.float32(0))
    kind = arrays[0].dtype.type
    if math.isinf(norm_type):
        total = max((np.abs(a).max() for a in arrays), key=float)
    else:
        parts = [np.add.reduce(np.abs(a) ** norm_type, None) for a in arrays]
        total = np.add.reduce(np.asarray(parts)) ** (1.0 / norm_type)
    if error_if_nonfinite and not math.isfinite(total):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot "
            "be clipped. To "
            "disable this error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    return bare(kind(total))


def scale(grad: Any, factor: Any) -> None:
    """Multiply a gradient in place."""
    data = grad.array()
    np.multiply(data, data.dtype.type(factor), data)
    bump(grad)


def clip_grads_with_norm_(parameters: Any, max_norm: float, total_norm: Any, foreach: bool | None = None) -> None:
    """Scale gradients so that a norm known already becomes at most `max_norm`."""
    factor = min(float(max_norm) / (float(total_norm._data) + 1e-6), 1.0)
    for grad in gradients(parameters):
        scale(grad, factor)


def clip_grad_norm_(
    parameters: Any,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale the gradients in place so that their common norm is at most `max_norm`; returns the norm before.

    >>> import autograd_lab as torch
    >>> x = torch.tensor([3.0, 4.0], requires_grad=True)
    >>> (x * x / 2).sum().backward()
    >>> torch.nn.utils.clip_grad_norm_([x], 1.0)
    tensor(5.)
    >>> x.grad
    tensor([0.6000, 0.8000])
    """
    found = gradients(parameters := listed(parameters))
    total = get_total_norm(found, float(norm_type), error_if_nonfinite)
    if found:
        clip_grads_with_norm_(parameters, max_norm, total)
    return total


def clip_grad_value_(parameters: Any, clip_value: float, foreach: bool | None = None) -> None:
    """Limit every element of the gradients to ±clip_value, in place."""
    limit = float(clip_value)
    for grad in gradients(parameters):
        data = grad.array()
        np.clip(data, -limit, limit, data)
        bump(grad)


def parameters_to_vector(parameters: Iterable[Any]) -> Any:
    """All parameters in one vector, recorded."""
    return cat([reshape(p, -1) for p in parameters])


def vector_to_parameters(vec: Any, parameters: Iterable[Any]) -> None:
    """Give parameters the values of a vector, in order."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type(vec).__module__}.{type(vec).__name__}")
    start = 0
    for p in parameters:
        size = p.numel()
        p.data = vec[start : start + size].view_as(p).data
        start += size
