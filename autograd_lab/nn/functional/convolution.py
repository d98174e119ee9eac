"""Convolutions as functions: checks and defaults, then one card.

Read next: `pooling.py`.
"""

from __future__ import annotations

from typing import Any

from ..._tensor import Tensor
from ...dtypes import TYPE_NAMES
from ...ops.convolution import convolution, transposed_convolution
from ...ops.padding import constant_pad
from ...ops.shape import squeeze_dim, unsqueeze


def several(value: Any, dims: int, name: str) -> tuple[int, ...]:
    """One number for every space dimension, or one for each."""
    values = tuple(value) if isinstance(value, (tuple, list)) else (value,) * dims
    if len(values) == 1:
        values *= dims
    if len(values) != dims:
        raise RuntimeError(
            f"expected {name} to be a single integer value or a list of {dims} values to match the convolution "
            f"dimensions, but got {name}={list(values)}"
        )
    return tuple(int(v) for v in values)


def check(input: Tensor, weight: Tensor, bias: Any, groups: int, transposed: bool) -> None:
    """PyTorch's complaints about channels, groups and bias."""
    shape, sizes = list(weight.shape), list(input.shape)
    if shape[0] < groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of size "
            f"{shape} instead"
        )
    if shape[0] % groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got "
            "weight of size "
            f"{shape} instead"
        )
    wanted = shape[0] if transposed else shape[1] * groups
    given = f"transposed={int(transposed)}" if transposed else f"groups={groups}"
    if sizes[1] != wanted:
        raise RuntimeError(
            f"Given {given}, weight of size {shape}, expected input{sizes} to have {wanted} channels, but got "
            f"{sizes[1]} "
            "channels instead"
        )
    count = shape[1] * groups if transposed else shape[0]
    if bias is not None and tuple(bias.shape) != (count,):
        kind = f"transposed={int(transposed)}, " if transposed else ""
        raise RuntimeError(
            f"Given {kind}weight of size {shape}, expected bias to be 1-dimensional with {count} elements, but "
            "got bias of "
            f"size {list(bias.shape)} instead"
        )
    for other in (weight, bias):
        if other is not None and other._data.dtype != input._data.dtype:
            raise RuntimeError(
                f"expected scalar type {TYPE_NAMES[input.dtype.name]} but found {TYPE_NAMES[other.dtype.name]}"
            )


def batched(name: str, input: Tensor, dims: int) -> tuple[Any, bool]:
    """The input with a batch dimension, and whether it had one."""
    if input.ndim not in (dims + 1, dims + 2):
        raise RuntimeError(
            f"Expected {dims + 1}D (unbatched) or {dims + 2}D (batched) input to {name}, but got input of size: "
            f"{list(input.shape)}"
        )
    return (input, True) if input.ndim == dims + 2 else (unsqueeze(input, 0), False)


def conv(
    name: str, dims: int, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    """What conv1d, conv2d and conv3d do."""
    if not isinstance(input, Tensor) or not isinstance(weight, Tensor):
        position, bad = (1, input) if not isinstance(input, Tensor) else (2, weight)
        argument = "input" if position == 1 else "weight"
        raise TypeError(
            f"{name}(): argument '{argument}' (position {position}) must be Tensor, not {type(bad).__name__}"
        )
    input, was_batched = batched(name, input, dims)
    stride, dilation = several(stride, dims, "stride"), several(dilation, dims, "dilation")
    if isinstance(padding, str):
        input, padding = string_padding(padding, input, weight, stride, dilation, dims)
    padding = several(padding, dims, "padding")
    if min(padding) < 0:
        raise RuntimeError("negative padding is not supported")
    if min(stride) <= 0:
        raise RuntimeError("non-positive stride is not supported")
    if min(dilation) <= 0:
        raise RuntimeError("dilation should be greater than zero")
    check(input, weight, bias, groups, False)
    sizes = [s + 2 * p for s, p in zip(input.shape[2:], padding, strict=True)]
    reach = [d * (k - 1) + 1 for d, k in zip(dilation, weight.shape[2:], strict=True)]
    if any(k > s for k, s in zip(reach, sizes, strict=True)):
        raise RuntimeError(
            f"Calculated padded input size per channel: ({' x '.join(map(str, sizes))}). Kernel size: "
            f"({' x '.join(map(str, reach))}). Kernel size can't be greater than actual input size"
        )
    made = convolution(input, weight, bias, stride, padding, dilation, groups)
    return made if was_batched else squeeze_dim(made, 0)


def string_padding(padding: str, input: Any, weight: Any, stride: Any, dilation: Any, dims: int) -> tuple[Any, Any]:
    """`padding="same"` and `"valid"` in numbers; an odd total pads the input itself by one more at its end."""
    if padding == "valid":
        return input, (0,) * dims
    if padding != "same":
        raise RuntimeError(f"Invalid padding string: '{padding}'")
    if max(stride) > 1:
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    total = [d * (k - 1) for d, k in zip(dilation, weight.shape[2:], strict=True)]
    if any(t % 2 for t in total):
        ends = [n for t in reversed(total) for n in (0, t % 2)]
        input = constant_pad(input, tuple(ends), 0.0)
    return input, tuple(t // 2 for t in total)


def conv1d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    """Slide kernels (O, C / groups, K) over signals (N, C, L) or (C, L)."""
    return conv("conv1d", 1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    """Slide kernels (O, C / groups, KH, KW) over images (N, C, H, W) or (C, H, W).

    `padding` is a number, one per dimension, "same" or "valid".

    >>> import autograd_lab as torch
    >>> conv2d(torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2))
    tensor([[[[4., 4.],
              [4., 4.]]]])
    """
    return conv("conv2d", 2, input, weight, bias, stride, padding, dilation, groups)


def conv3d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    """Slide kernels over volumes (N, C, D, H, W)."""
    return conv("conv3d", 3, input, weight, bias, stride, padding, dilation, groups)


def conv_transpose(
    name: str,
    dims: int,
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any,
    padding: Any,
    output_padding: Any,
    groups: int,
    dilation: Any,
) -> Any:
    """What conv_transpose1d, 2d and 3d do: the map that a convolution's gradient is."""
    input, was_batched = batched(name, input, dims)
    stride, padding = several(stride, dims, "stride"), several(padding, dims, "padding")
    dilation, extra = several(dilation, dims, "dilation"), several(output_padding, dims, "output_padding")
    check(input, weight, bias, groups, True)
    if any(e >= max(s, d) for e, s, d in zip(extra, stride, dilation, strict=True)):
        names = ("depth", "height", "width")[3 - dims :] if dims > 1 else ("height", "width")
        pairs = [((1,) if dims == 1 else ()) + v if label != "output padding" else ((0,) if dims == 1 else ()) + v
                 for label, v in (("output padding", extra), ("stride", stride), ("dilation", dilation))]  # fmt: skip
        texts = [
            f"{label}_{n}: {v}"
            for label, values in zip(("output_padding", "stride", "dilation"), pairs, strict=True)
            for n, v in zip(names, values, strict=True)
        ]
        raise RuntimeError("output padding must be smaller than either stride or dilation, but got " + " ".join(texts))
    kernel = tuple(weight.shape[2:])
    space = [
        (size - 1) * s - 2 * p + d * (k - 1) + e + 1
        for size, s, p, d, k, e in zip(input.shape[2:], stride, padding, dilation, kernel, extra, strict=True)
    ]
    shape = (input.shape[0], weight.shape[1] * groups, *space)
    made = transposed_convolution(input, weight, bias, stride, padding, dilation, groups, shape)
    return made if was_batched else squeeze_dim(made, 0)


def conv_transpose1d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Any:
    """Spread signals (N, C, L) by kernels (C, O / groups, K)."""
    return conv_transpose("conv_transpose1d", 1, input, weight, bias, stride, padding, output_padding, groups, dilation)


def conv_transpose2d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Any:
    """Spread images (N, C, H, W) by kernels (C, O / groups, KH, KW)."""
    return conv_transpose("conv_transpose2d", 2, input, weight, bias, stride, padding, output_padding, groups, dilation)


def conv_transpose3d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Any:
    """Spread volumes (N, C, D, H, W) by kernels."""
    return conv_transpose("conv_transpose3d", 3, input, weight, bias, stride, padding, output_padding, groups, dilation)


__all__ = ["conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"]
