"""Normalisation as functions: batch, layer, group, instance, RMS and local response norm.

Read next: `loss.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..._tensor import Size, Tensor
from ...memory import bump
from ...ops.elementwise import rsqrt
from ...ops.normalization import batch_norm_card, group_norm_card, layer_norm_card
from ...ops.padding import constant_pad
from ...ops.reduction import mean_dim
from ...ops.shape import reshape, squeeze_dim
from .pooling import avg_pool2d


def batch_norm(
    input: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    """Normalise each channel of (N, C, *) over batch and space, then scale by weight and shift by bias.

    In training the batch's own statistics are used, and the running ones are moved towards them by
    `momentum` (the variance with n - 1); otherwise the running ones are used.
    """
    channels = input.shape[1] if input.ndim > 1 else 1
    for name, values in (
        ("running_mean", running_mean),
        ("running_var", running_var),
        ("weight", weight),
        ("bias", bias),
    ):
        if values is not None and values.numel() != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {values.numel()}")
    count = input.numel() // max(channels, 1)
    if training and count == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {input.shape}")
    made, mean, scale = batch_norm_card(input, weight, bias, running_mean, running_var, training, eps)
    if training:
        if running_mean is not None:
            move(running_mean, mean._data, momentum)
        if running_var is not None:
            variance = (1 / np.square(scale._data.astype(np.float64)) - eps) * (count / (count - 1))
            move(running_var, variance, momentum)
    return made


def move(running: Tensor, batch: Any, momentum: float) -> None:
    """Move a running statistic towards the batch's, in place."""
    data = running.array()
    np.copyto(data, data * (1 - momentum) + batch.reshape(data.shape) * momentum, casting="unsafe")
    bump(running)


def instance_norm(
    input: Any,
    running_mean: Any = None,
    running_var: Any = None,
    weight: Any = None,
    bias: Any = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    """Normalise each channel of each sample over space."""
    n, c = input.shape[:2]
    space = tuple(input.shape[2:])
    if use_input_stats and math.prod(space) == 1:
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.shape}")
    if not use_input_stats:
        return batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    made, mean, scale = batch_norm_card(reshape(input, 1, n * c, *space), None, None, None, None, True, eps)
    count = math.prod(space)
    if running_mean is not None:
        move(running_mean, mean._data.reshape(n, c).mean(0), momentum)
    if running_var is not None:
        variance = (1 / np.square(scale._data.astype(np.float64)) - eps) * (count / (count - 1))
        move(running_var, variance.reshape(n, c).mean(0), momentum)
    made = reshape(made, n, c, *space)
    wide = (c, *(1,) * len(space))
    if weight is not None:
        made = made * reshape(weight, wide)
    return made if bias is None else made + reshape(bias, wide)


def layer_norm(input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """Normalise each sample over its last dimensions, which must be `normalized_shape`."""
    shape = tuple(normalized_shape)
    if not shape:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
            "normalized_shape = []"
        )
    for name, values in (("weight", weight), ("bias", bias)):
        if values is not None and tuple(values.shape) != shape:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape "
                f"{list(values.shape)} and normalized_shape = {list(shape)}"
            )
    check_last(input, shape)
    return layer_norm_card(input, weight, bias, shape, eps)


def check_last(input: Any, shape: tuple[int, ...]) -> None:
    """Raise PyTorch's error if the last dimensions are not `shape`."""
    if tuple(input.shape[-len(shape) :]) != shape:
        stars = ", ".join(["*", *map(str, shape)])
        raise RuntimeError(
            f"Given normalized_shape={list(shape)}, expected input with shape [{stars}], but got input of size"
            f"{list(input.shape)}"
        )


def rms_norm(input: Any, normalized_shape: Any, weight: Any = None, eps: float | None = None) -> Any:
    """Divide each sample by the root mean square of its last dimensions."""
    shape = tuple(normalized_shape)
    check_last(input, shape)
    if eps is None:
        eps = float(np.finfo(input._data.dtype).eps)
    axes = tuple(range(input.ndim - len(shape), input.ndim))
    made = input * rsqrt(mean_dim(input**2, axes, True) + eps)
    return made if weight is None else made * weight


def group_norm(input: Any, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """Normalise groups of channels of each sample of (N, C, *)."""
    if input.ndim < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.ndim}")
    channels = input.shape[1]
    if channels % num_groups:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got input of shape "
            f"{list(input.shape)} and num_groups={num_groups}"
        )
    if input.shape[0] * (channels // num_groups) * math.prod(input.shape[2:]) == 1:
        size = Size((input.shape[0] * channels // num_groups, num_groups, *input.shape[2:]))
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {size}")
    return group_norm_card(input, weight, bias, num_groups, eps)


def local_response_norm(input: Any, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Any:
    """Divide each element by a power of the mean square of its `size` neighbouring channels."""
    if input.ndim < 3:
        raise ValueError(
            f"Expected 3D or higher dimensionality                          input (got {input.ndim} dimensions)"
        )
    if not input.numel():
        return input
    squares = input * input
    flat = reshape(squares, input.shape[0], 1, input.shape[1], -1)
    around = constant_pad(flat, (0, 0, size // 2, (size - 1) // 2), 0.0)
    means = squeeze_dim(avg_pool2d(around, (size, 1), 1), 1)
    return input / (reshape(means, *input.shape) * alpha + k) ** beta


__all__ = [
    "batch_norm", "group_norm", "instance_norm", "layer_norm", "local_response_norm", "rms_norm",
]  # fmt: skip
