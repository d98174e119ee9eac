"""Pooling as functions: checks and defaults, then the cards of `ops/pooling.py`.

Read next: `normalization.py`.
"""

from __future__ import annotations

from typing import Any

from ..._tensor import Tensor, bare
from ...ops.averaging import adaptive_avg_pool2d_card, avg_pool2d_card
from ...ops.pooling import (
    adaptive_max_pool2d_card,
    flat_indices,
    flat_scatter,
    max_pool2d_card,
    pooled_size,
)
from ...ops.reduction import mean_dim
from ...ops.shape import squeeze_dim, unsqueeze


def pair(value: Any) -> tuple[int, int]:
    """A number, or a sequence of one or two, as two numbers."""
    values = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    return (int(values[0]), int(values[-1]))


def checked(input: Any, kernel: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool, complaint: str) -> Any:
    """Kernel, stride, padding and dilation as pairs, and the input with a batch dimension."""
    kernel, padding, dilation = pair(kernel), pair(padding), pair(dilation)
    stride = kernel if stride is None or stride == () or stride == [] else pair(stride)
    if min(stride) == 0:
        raise RuntimeError("stride should not be zero")
    if input.ndim not in (3, 4) or 0 in input.shape[1:]:
        raise RuntimeError(complaint)
    for k, p, d in zip(kernel, padding, dilation, strict=True):
        if p < 0 or 2 * p > d * (k - 1) + 1:
            raise RuntimeError(
                f"pad should be at most half of effective kernel size, but got pad={p}, kernel_size={k} and "
                f"dilation={d}"
                if p >= 0
                else f"pad must be non-negative, but got pad: {p}"
            )
    sizes = [pooled_size(*n, ceil_mode) for n in zip(input.shape[-2:], kernel, stride, padding, dilation, strict=True)]
    if min(sizes) < 1:
        planes = input.shape[-3]
        given = "x".join(str(n) for n in input.shape[-3:])
        raise RuntimeError(
            f"Given input size: ({given}). Calculated output size: ({planes}x{sizes[0]}x{sizes[1]}). Output "
            "size is too "
            "small"
        )
    return kernel, stride, padding, dilation


def max_pool2d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest element under the kernel at each place of (N, C, H, W) or (C, H, W).

    With `return_indices` also where it was, as a flat index of the image.

    >>> import autograd_lab as torch
    >>> max_pool2d(torch.tensor([[[1.0, 5.0], [3.0, 4.0]]]), 2)
    tensor([[[5.]]])
    """
    text = "non-empty 3D or 4D (batch mode) tensor expected for input"
    kernel, stride, padding, dilation = checked(input, kernel_size, stride, padding, dilation, ceil_mode, text)
    images = input if input.ndim == 4 else unsqueeze(input, 0)
    values, best = max_pool2d_card(images, kernel, stride, padding, dilation, ceil_mode)
    if input.ndim == 3:
        values = squeeze_dim(values, 0)
    if not return_indices:
        return values
    indices = flat_indices(best._data, images.shape[3], kernel, stride, padding, dilation)
    return values, bare(indices if input.ndim == 4 else indices[0])


def max_pool1d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest element under the kernel at each place of (N, C, L) or (C, L)."""
    k, p, d = (pair(v)[0] for v in (kernel_size, padding, dilation))
    s = k if stride is None or stride == () else pair(stride)[0]
    if input.ndim not in (2, 3):
        raise RuntimeError(
            "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:"
            f"{list(input.shape)}"
        )
    if p > k // 2:
        raise RuntimeError(
            f"max_pool1d() padding should be at most half of kernel size, but got padding={p} and kernel_size={k}"
        )
    size = pooled_size(input.shape[-1], k, s, p, d, ceil_mode)
    if size < 1:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {size}")
    found = max_pool2d(unsqueeze(input, -2), (1, k), (1, s), (0, p), (1, d), ceil_mode, True)
    values, indices = (squeeze_dim(f, -2) for f in found)
    return (values, indices) if return_indices else values


def max_pool2d_with_indices(*args: Any, **kwargs: Any) -> Any:
    """max_pool2d with `return_indices=True`."""
    return max_pool2d(*args, **{**kwargs, "return_indices": True})


def max_pool1d_with_indices(*args: Any, **kwargs: Any) -> Any:
    """max_pool1d with `return_indices=True`."""
    return max_pool1d(*args, **{**kwargs, "return_indices": True})


def max_unpool2d(
    input: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Any:
    """Each maximum put back at its index, zeros elsewhere."""
    kernel, padding = pair(kernel_size), pair(padding)
    stride = kernel if stride is None else pair(stride)
    usual = [(n - 1) * s - 2 * p + k for n, s, p, k in zip(input.shape[-2:], stride, padding, kernel, strict=True)]
    space = usual if output_size is None else list(output_size)[-2:]
    images = input if input.ndim == 4 else unsqueeze(input, 0)
    places = indices if input.ndim == 4 else unsqueeze(indices, 0)
    made = flat_scatter(images, places, (*images.shape[:2], *space))
    return made if input.ndim == 4 else squeeze_dim(made, 0)


def avg_pool2d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Any:
    """The mean under the kernel at each place of (N, C, H, W) or (C, H, W)."""
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")
    text = "non-empty 3D or 4D (batch mode) tensor expected for input"
    if isinstance(input, Tensor) and input.ndim < 3:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-input.ndim}, {input.ndim - 1}], but got -3)"
        )
    kernel, stride, padding, _ = checked(input, kernel_size, stride, padding, 1, ceil_mode, text)
    images = input if input.ndim == 4 else unsqueeze(input, 0)
    made = avg_pool2d_card(images, kernel, stride, padding, ceil_mode, count_include_pad, divisor_override)
    return made if input.ndim == 4 else squeeze_dim(made, 0)


def avg_pool1d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Any:
    """The mean under the kernel at each place of (N, C, L) or (C, L)."""
    if input.ndim not in (2, 3):
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {input.ndim}-dimensional tensor for argument #1 'self' "
            "(while checking "
            "arguments for avg_pool1d)"
        )
    k, p = pair(kernel_size)[0], pair(padding)[0]
    s = k if stride is None or stride == () else pair(stride)[0]
    made = avg_pool2d(unsqueeze(input, -2), (1, k), (1, s), (0, p), ceil_mode, count_include_pad)
    return squeeze_dim(made, -2)


def wanted_size(output_size: Any, space: Any) -> tuple[int, ...]:
    """The size of an adaptive pool's result; None keeps a dimension."""
    given = tuple(output_size) if isinstance(output_size, (tuple, list)) else (output_size,) * len(space)
    return tuple(int(n) if o is None else int(o) for o, n in zip(given, space, strict=True))


def adaptive_avg_pool2d(input: Any, output_size: Any) -> Any:
    """The means of (OH, OW) nearly equal patches of (N, C, H, W) or (C, H, W)."""
    if input.ndim not in (3, 4):
        raise RuntimeError(f"adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got {list(input.shape)}")
    size = wanted_size(output_size, input.shape[-2:])
    if size == (1, 1):
        return mean_dim(input, (-1, -2), True)
    images = input if input.ndim == 4 else unsqueeze(input, 0)
    made = adaptive_avg_pool2d_card(images, size)
    return made if input.ndim == 4 else squeeze_dim(made, 0)


def adaptive_avg_pool1d(input: Any, output_size: Any) -> Any:
    """The means of nearly equal parts of (N, C, L) or (C, L)."""
    if input.ndim not in (2, 3):
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {input.ndim}-dimensional tensor for argument #1 'self' "
            "(while checking "
            "arguments for adaptive_avg_pool1d)"
        )
    return squeeze_dim(adaptive_avg_pool2d(unsqueeze(input, -2), (1, pair(output_size)[0])), -2)


def adaptive_max_pool2d(input: Any, output_size: Any, return_indices: bool = False) -> Any:
    """The largest elements of (OH, OW) nearly equal patches."""
    if input.ndim not in (3, 4):
        raise RuntimeError(f"adaptive_max_pool2d(): Expected 3D or 4D tensor, but got: {list(input.shape)}")
    images = input if input.ndim == 4 else unsqueeze(input, 0)
    found = adaptive_max_pool2d_card(images, wanted_size(output_size, input.shape[-2:]))
    values, indices = found if input.ndim == 4 else (squeeze_dim(f, 0) for f in found)
    return (values, indices) if return_indices else values


def adaptive_max_pool1d(input: Any, output_size: Any, return_indices: bool = False) -> Any:
    """The largest elements of nearly equal parts of (N, C, L) or (C, L)."""
    found = adaptive_max_pool2d(unsqueeze(input, -2), (1, pair(output_size)[0]), True)
    values, indices = (squeeze_dim(f, -2) for f in found)
    return (values, indices) if return_indices else values


def lp_pool2d(input: Any, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Any:
    """The p-norm under the kernel at each place; a negative sum gives 0, as in PyTorch."""
    k = pair(kernel_size)
    mean = avg_pool2d(input**norm_type, k, stride, 0, ceil_mode)
    return (mean.sign() * mean.abs().relu() * (k[0] * k[1])) ** (1.0 / norm_type)


def lp_pool1d(input: Any, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Any:
    """The p-norm under the kernel at each place of (N, C, L)."""
    k = pair(kernel_size)[0]
    mean = avg_pool1d(input**norm_type, k, stride, 0, ceil_mode)
    return (mean.sign() * mean.abs().relu() * k) ** (1.0 / norm_type)


__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_max_pool1d", "adaptive_max_pool2d", "avg_pool1d",
    "avg_pool2d", "lp_pool1d", "lp_pool2d", "max_pool1d", "max_pool1d_with_indices", "max_pool2d",
    "max_pool2d_with_indices", "max_unpool2d",
]  # fmt: skip
