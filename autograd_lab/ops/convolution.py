"""Convolution of signals, images and volumes.

The patches under the kernel are copied side by side (im2col), and the convolution is one matrix product per
image. Shapes, with one to three space dimensions: input (N, C, *S), weight (O, C / groups, *K), result
(N, O, *P). `stride`, `padding` and `dilation` are tuples, one number per space dimension. Read next: `pooling.py`.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ..op import op
from ..samples import Shape, shaped


def output_size(size, kernel, stride, padding, dilation=1):
    """How many places a kernel has along one dimension."""
    return (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


def padded(images, padding, value=0):
    """Images with `padding` more elements on both sides of every space dimension."""
    if not any(padding):
        return images
    shape = (*images.shape[:2], *(s + 2 * p for s, p in zip(images.shape[2:], padding, strict=True)))
    out = np.full(shape, value, images.dtype) if value else np.zeros(shape, images.dtype)
    out[inner(images.shape[2:], padding)] = images
    return out


def inner(space, padding):
    """The index of the part that is not padding."""
    return (..., *(slice(p, p + s) for s, p in zip(space, padding, strict=True)))


def patches(images, kernel, stride, dilation):
    """The patches under the kernel, as a view of shape (N, C, *K, *P)."""
    space, steps = images.shape[2:], images.strides[2:]
    places = [output_size(*sizes) for sizes in zip(space, kernel, stride, (0,) * len(space), dilation, strict=True)]
    return as_strided(
        images,
        (*images.shape[:2], *kernel, *places),
        (
            *images.strides[:2],
            *(step * d for step, d in zip(steps, dilation, strict=True)),
            *(step * s for step, s in zip(steps, stride, strict=True)),
        ),
        writeable=False,
    )


def columns_of(images, kernel, stride, padding, dilation, groups):
    """The patches side by side: (N, groups, C / groups * K, P)."""
    view = patches(padded(images, padding), kernel, stride, dilation)
    n, c = images.shape[:2]
    return view.reshape(n, groups, c // groups * math.prod(kernel), math.prod(view.shape[2 + len(kernel) :]))


def put_back(columns, shape, stride, padding, dilation):
    """Add patches (N, C, *K, *P) back at their places in images of `shape`."""
    dims = len(shape) - 2
    kernel, places = columns.shape[2 : 2 + dims], columns.shape[2 + dims :]
    out = np.zeros((*shape[:2], *(s + 2 * p for s, p in zip(shape[2:], padding, strict=True))), columns.dtype)
    for tap in product(*map(range, kernel)):
        window = tuple(
            slice(t * d, t * d + p * s, s) for t, d, p, s in zip(tap, dilation, places, stride, strict=True)
        )
        out[(..., *window)] += columns[(slice(None), slice(None), *tap)]
    return out[inner(shape[2:], padding)] if any(padding) else out


CASES = shaped(
    (Shape(2, 2, 4, 4), Shape(3, 2, 3, 3), Shape(3), (1, 1), (1, 1), (1, 1), 1),
    (Shape(2, 4, 5), Shape(4, 2, 2), Shape(4), (2,), (1,), (2,), 2),
)


@op("ConvolutionBackward0", keeps=("columns",), samples=CASES)
def convolution(input, weight, bias=None, stride=(1, 1), padding=(0, 0), dilation=(1, 1), groups=1):
    """Slide kernels over images: (N, C, *S) with (O, C / groups, *K) gives (N, O, *P)."""
    n, out_channels, kernel = input.shape[0], weight.shape[0], weight.shape[2:]
    columns = columns_of(input, kernel, stride, padding, dilation, groups)
    kernels = weight.reshape(groups, out_channels // groups, columns.shape[2])
    made = np.matmul(kernels, columns)
    places = map(output_size, input.shape[2:], kernel, stride, padding, dilation)
    made = made.reshape(n, out_channels, *places)
    if bias is not None:
        made += bias.reshape(-1, *(1,) * len(kernel))
    return made, columns


@convolution.wrt("input")
def _(grad, input_shape, weight, stride, padding, dilation, groups):
    return convolution_to_input(grad, weight, input_shape, stride, padding, dilation, groups)


@convolution.wrt("weight")
def _(grad, input, weight_shape, stride, padding, dilation, groups, columns):
    return convolution_to_weight(grad, input, weight_shape, stride, padding, dilation, groups, columns)


@convolution.wrt("bias")
def _(grad):
    return channel_sum(grad)


@op("ConvolutionBackward0")
def plain_convolution(input, weight, stride, padding, dilation, groups):
    """`convolution` without bias, that keeps nothing: for the formulas below."""
    return convolution.card.forward(input, weight, None, stride, padding, dilation, groups)[0]


@plain_convolution.wrt("input")
def _(grad, input_shape, weight, stride, padding, dilation, groups):
    return convolution_to_input(grad, weight, input_shape, stride, padding, dilation, groups)


@plain_convolution.wrt("weight")
def _(grad, input, weight_shape, stride, padding, dilation, groups):
    return convolution_to_weight(grad, input, weight_shape, stride, padding, dilation, groups)


@op("ConvolutionBackwardBackward0")
def convolution_to_input(grad_output, weight, shape, stride, padding, dilation, groups):
    """The gradient of the images: each output's gradient spread by the kernel."""
    n, out_channels = grad_output.shape[:2]
    kernels = weight.reshape(groups, out_channels // groups, -1)
    rows = grad_output.reshape(n, groups, out_channels // groups, math.prod(grad_output.shape[2:]))
    columns = np.matmul(kernels.transpose(0, 2, 1), rows)
    columns = columns.reshape(n, shape[1], *weight.shape[2:], *grad_output.shape[2:])
    return put_back(columns, shape, stride, padding, dilation)


@convolution_to_input.wrt("grad_output")
def _(grad, weight, stride, padding, dilation, groups):
    return plain_convolution(grad, weight, stride, padding, dilation, groups)


@convolution_to_input.wrt("weight")
def _(grad, grad_output, weight_shape, stride, padding, dilation, groups):
    return convolution_to_weight(grad_output, grad, weight_shape, stride, padding, dilation, groups)


@op("ConvolutionBackwardBackward0", inputs=("columns",))
def convolution_to_weight(grad_output, input, shape, stride, padding, dilation, groups, columns=None):
    """The gradient of the kernels: patches times the gradients they led to, summed over images."""
    n, out_channels = grad_output.shape[:2]
    if columns is None:
        columns = columns_of(input, shape[2:], stride, padding, dilation, groups)
    rows = grad_output.reshape(n, groups, out_channels // groups, math.prod(grad_output.shape[2:]))
    return np.add.reduce(np.matmul(rows, columns.transpose(0, 1, 3, 2)), 0).reshape(shape)


@convolution_to_weight.wrt("grad_output")
def _(grad, input, stride, padding, dilation, groups):
    return plain_convolution(input, grad, stride, padding, dilation, groups)


@convolution_to_weight.wrt("input")
def _(grad, grad_output, input_shape, stride, padding, dilation, groups):
    return convolution_to_input(grad_output, grad, input_shape, stride, padding, dilation, groups)


@op(
    "ConvolutionBackward0",
    samples=shaped((Shape(2, 3, 3, 3), Shape(3, 2, 2, 2), Shape(2), (2, 2), (1, 1), (1, 1), 1, (2, 2, 5, 5))),
)
def transposed_convolution(input, weight, bias, stride, padding, dilation, groups, shape):
    """The map that convolution's gradient is: (N, C, *P) with (C, O / groups, *K) gives `shape` (N, O, *S)."""
    made = convolution_to_input.card.forward(input, weight, shape, stride, padding, dilation, groups)
    return made if bias is None else made + bias.reshape(-1, *(1,) * (len(shape) - 2))


@transposed_convolution.wrt("input")
def _(grad, weight, stride, padding, dilation, groups):
    return plain_convolution(grad, weight, stride, padding, dilation, groups)


@transposed_convolution.wrt("weight")
def _(grad, input, weight_shape, stride, padding, dilation, groups):
    return convolution_to_weight(input, grad, weight_shape, stride, padding, dilation, groups)


@transposed_convolution.wrt("bias")
def _(grad):
    return channel_sum(grad)


@op("SumBackward1")
def channel_sum(self):
    """The sum over images and places, one number per channel."""
    return np.add.reduce(self, (0, *range(2, self.ndim)))


@channel_sum.wrt("self")
def _(grad, self_shape):
    return channel_spread(grad, self_shape)


@op("ExpandBackward0")
def channel_spread(self, shape):
    """One number per channel, repeated over images and places."""
    return np.broadcast_to(self.reshape(-1, *(1,) * (len(shape) - 2)), shape)


@channel_spread.wrt("self")
def _(grad):
    return channel_sum(grad)
