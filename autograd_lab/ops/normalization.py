"""Normalisation: subtract a mean, divide by a spread. Batch, layer, group and instance norm share it.

The gradient of x -> (x - mean) / sqrt(var + eps) passes through mean and variance as well; it is a card of
its own, whose formulas recompute both from the input, so that it can be differentiated again.
Read next: `embedding.py`.
"""

from __future__ import annotations

import numpy as np

from ..formulas import on_both
from ..op import op
from ..samples import Shape, shaped
from .convolution import channel_sum
from .elementwise import rsqrt
from .reduction import mean_dim
from .shape import reshape_card, sum_to


def statistics(data, axes, eps):
    """Mean and 1 / sqrt(variance + eps) over some axes, which stay with size 1."""
    count = data.dtype.type(np.prod([data.shape[a] for a in axes]))
    mean = np.add.reduce(data, axes, keepdims=True) / count
    centred = data - mean
    variance = np.add.reduce(centred * centred, axes, keepdims=True) / count
    return mean, 1 / np.sqrt(variance + data.dtype.type(eps))


@op(
    "NormalizedBackward0",
    inputs=("mean", "scale"),
    samples=shaped((Shape(3, 4), (0,), 1e-5), (Shape(2, 3, 2), (1, 2), 1e-5)),
)
def normalized(input, axes, eps, mean=None, scale=None):
    """(input - mean) / sqrt(variance + eps) over `axes`; statistics known already may be given."""
    if mean is None:
        mean, scale = statistics(input, axes, eps)
    return (input - mean) * scale


@normalized.wrt("input")
def _(grad, input, axes, eps, mean, scale):
    return normalized_backward(grad, input, axes, eps, mean, scale)


@op(
    "NativeBatchNormBackwardBackward0",
    inputs=("mean", "scale"),
    samples=shaped((Shape(3, 4), Shape(3, 4), (0,), 1e-5), (Shape(2, 3, 2), Shape(2, 3, 2), (1, 2), 1e-5)),
)
def normalized_backward(grad_output, input, axes, eps, mean=None, scale=None):
    """scale * (grad - mean(grad) - x * mean(grad * x)), where x is the normalised input."""
    if mean is None:
        mean, scale = statistics(input, axes, eps)
    x = (input - mean) * scale
    count = input.dtype.type(np.prod([input.shape[a] for a in axes]))
    straight = np.add.reduce(grad_output, axes, keepdims=True) / count
    along = np.add.reduce(grad_output * x, axes, keepdims=True) / count
    x *= along
    return (grad_output - straight - x) * scale


@normalized_backward.wrt("grad_output")
def _(grad, input, axes, eps, mean, scale):
    return normalized_backward(grad, input, axes, eps, mean, scale)


@normalized_backward.wrt("input")
def _(grad, grad_output, input, axes, eps):
    centred = input - mean_dim(input, axes, True)
    scale = rsqrt(mean_dim(centred * centred, axes, True) + eps)
    x = centred * scale
    g = grad_output - mean_dim(grad_output, axes, True)
    h = grad - mean_dim(grad, axes, True)
    g_along, h_along = mean_dim(g * x, axes, True), mean_dim(h * x, axes, True)
    both = mean_dim(g * h, axes, True) - g_along * h_along
    turned = h_along * (g - x * g_along) + g_along * (h - x * h_along)
    return -(scale * scale) * (x * both + turned)


@on_both
def per_channel(values, ndim):
    """(C,) as (1, C, 1, …), to meet (N, C, …)."""
    return reshape_card(values, (1, -1) + (1,) * (ndim - 2))


@on_both
def other_axes(ndim):
    """All dimensions but the second."""
    return (0, *range(2, ndim))


@op(
    "NativeBatchNormBackward0",
    symbol="batch_norm",
    inputs=("running_mean", "running_var"),
    keeps=("mean", "scale"),
    also=("mean", "scale"),
    saved=("result1", "result2"),
    samples=shaped((Shape(4, 3), Shape(3), Shape(3), None, None, True, 1e-5)),
)
def batch_norm_card(input, weight=None, bias=None, running_mean=None, running_var=None, training=True, eps=1e-5):
    """Normalise each channel over the batch (or by running statistics), then scale and shift it."""
    ndim = input.ndim
    if training:
        mean, scale = statistics(input, (0, *range(2, ndim)), eps)
    else:
        wide = (1, -1) + (1,) * (ndim - 2)
        mean = running_mean.reshape(wide).astype(input.dtype)
        scale = (1 / np.sqrt(running_var + eps)).reshape(wide).astype(input.dtype)
    return affine((input - mean) * scale, weight, bias, (1, -1) + (1,) * (ndim - 2)), mean, scale


def affine(x, weight, bias, wide):
    """Scale and shift, in the memory of x."""
    if weight is not None:
        x *= weight.reshape(wide)
    if bias is not None:
        x += bias.reshape(wide)
    return x


@batch_norm_card.wrt("input")
def _(grad, input, weight, training, eps, mean, scale):
    if weight is not None:
        grad = grad * per_channel(weight, len(input.shape))
    if not training:
        return grad * scale
    return normalized_backward(grad, input, other_axes(len(input.shape)), eps, mean, scale)


@batch_norm_card.wrt("weight")
def _(grad, input, training, eps, mean, scale):
    if not training:
        return channel_sum(grad * ((input - mean) * scale))
    return channel_sum(grad * normalized(input, other_axes(len(input.shape)), eps, mean, scale))


@batch_norm_card.wrt("bias")
def _(grad):
    return channel_sum(grad)


@op(
    "NativeLayerNormBackward0",
    symbol="layer_norm",
    keeps=("mean", "scale"),
    saved=("result1", "result2"),
    samples=shaped((Shape(2, 3), Shape(3), Shape(3), (3,), 1e-5)),
)
def layer_norm_card(input, weight=None, bias=None, normalized_shape=(), eps=1e-5):
    """Normalise each sample over its last dimensions, then scale and shift every element of them."""
    axes = tuple(range(input.ndim - len(normalized_shape), input.ndim))
    mean, scale = statistics(input, axes, eps)
    return affine((input - mean) * scale, weight, bias, normalized_shape), mean, scale


@on_both
def last_axes(ndim, count):
    """The last `count` dimensions."""
    return tuple(range(ndim - count, ndim))


@layer_norm_card.wrt("input")
def _(grad, input, weight, normalized_shape, eps, mean, scale):
    axes = last_axes(len(input.shape), len(normalized_shape))
    return normalized_backward(grad if weight is None else grad * weight, input, axes, eps, mean, scale)


@layer_norm_card.wrt("weight")
def _(grad, input, normalized_shape, eps, mean, scale):
    axes = last_axes(len(input.shape), len(normalized_shape))
    return sum_to(grad * normalized(input, axes, eps, mean, scale), normalized_shape)


@layer_norm_card.wrt("bias")
def _(grad, normalized_shape):
    return sum_to(grad, normalized_shape)


@op(
    "NativeGroupNormBackward0",
    symbol="group_norm",
    keeps=("mean", "scale"),
    saved=("result1", "result2"),
    samples=shaped((Shape(2, 4, 3), Shape(4), Shape(4), 2, 1e-5)),
)
def group_norm_card(input, weight=None, bias=None, group=1, eps=1e-5):
    """Normalise the channels of each group of each sample, then scale and shift each channel."""
    grouped = input.reshape(input.shape[0], group, -1)
    mean, scale = statistics(grouped, (2,), eps)
    x = ((grouped - mean) * scale).reshape(input.shape)
    return affine(x, weight, bias, (1, -1) + (1,) * (input.ndim - 2)), mean, scale


@on_both
def grouped_shape(shape, group):
    """(N, C, …) as (N, groups, everything else)."""
    return (shape[0], group, -1)


@group_norm_card.wrt("input")
def _(grad, input, weight, group, eps, mean, scale):
    if weight is not None:
        grad = grad * per_channel(weight, len(input.shape))
    wide = grouped_shape(input.shape, group)
    found = normalized_backward(reshape_card(grad, wide), reshape_card(input, wide), (2,), eps, mean, scale)
    return reshape_card(found, tuple(input.shape))


@group_norm_card.wrt("weight")
def _(grad, input, group, eps, mean, scale):
    x = normalized(reshape_card(input, grouped_shape(input.shape, group)), (2,), eps, mean, scale)
    return channel_sum(grad * reshape_card(x, tuple(input.shape)))


@group_norm_card.wrt("bias")
def _(grad):
    return channel_sum(grad)
