"""Convolution of signals, images and volumes, and its gradients.

Two formulations give the same numbers, `bands.py` for plain images, `patches.py` for all else; `banded` picks.
Shapes, with one to three space dimensions: input (N, C, *S), weight (O, C / groups, *K), result (N, O, *P).
`stride`, `padding` and `dilation` are tuples, one number per space dimension. Read next: `pooling.py`.
"""

from __future__ import annotations

import numpy as np

from ..op import op
from ..samples import Shape, shaped
from . import bands, patches


def banded(weight_shape, stride, dilation, groups):
    """Whether bands are faster: for plain images, up to some 64 channels; then their zeros cost too much. Measured."""
    out_channels, channels, *kernel = weight_shape
    plain = groups == 1 and len(kernel) == 2 and tuple(stride) == tuple(dilation) == (1, 1)
    return plain and kernel[0] > 1 and out_channels * channels <= 64 * 64


CASES = shaped(
    (Shape(2, 2, 4, 4), Shape(3, 2, 3, 3), Shape(3), (1, 1), (1, 1), (1, 1), 1),
    (Shape(2, 4, 5), Shape(4, 2, 2), Shape(4), (2,), (1,), (2,), 2),
)
IMAGES = (1, 1), (1, 0), (1, 1), 1  # stride, padding, dilation, groups; these take bands
SIGNALS = (2,), (1,), (2,), 2
PLAIN = shaped((Shape(1, 2, 3, 5), Shape(2, 2, 2, 4), *IMAGES), (Shape(2, 4, 5), Shape(4, 2, 2), *SIGNALS))
TO_INPUT = shaped(
    (Shape(1, 2, 4, 2), Shape(2, 2, 2, 4), (1, 2, 3, 5), *IMAGES),
    (Shape(2, 4, 3), Shape(4, 2, 2), (2, 4, 5), *SIGNALS),
)
TO_WEIGHT = shaped(
    (Shape(1, 2, 4, 2), Shape(1, 2, 3, 5), (2, 2, 2, 4), *IMAGES),
    (Shape(2, 4, 3), Shape(2, 4, 5), (4, 2, 2), *SIGNALS),
)


@op("ConvolutionBackward0", called="convolution_of", keeps=("columns",), symbol="conv", samples=CASES)
def convolution(input, weight, bias=None, stride=(1, 1), padding=(0, 0), dilation=(1, 1), groups=1):
    """Slide kernels over images: (N, C, *S) with (O, C / groups, *K) gives (N, O, *P)."""
    if banded(weight.shape, stride, dilation, groups):
        made, columns = bands.forward(input, weight, padding)
    else:
        made, columns = patches.forward(input, weight, stride, padding, dilation, groups)
    if bias is not None:
        made += bias.reshape(-1, *(1,) * (weight.ndim - 2))
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


@op("ConvolutionBackward0", samples=PLAIN)
def plain_convolution(input, weight, stride, padding, dilation, groups):
    """`convolution` without bias, that keeps nothing: for the formulas below."""
    return convolution.card.forward(input, weight, None, stride, padding, dilation, groups)[0]


@plain_convolution.wrt("input")
def _(grad, input_shape, weight, stride, padding, dilation, groups):
    return convolution_to_input(grad, weight, input_shape, stride, padding, dilation, groups)


@plain_convolution.wrt("weight")
def _(grad, input, weight_shape, stride, padding, dilation, groups):
    return convolution_to_weight(grad, input, weight_shape, stride, padding, dilation, groups)


@op("ConvolutionBackwardBackward0", samples=TO_INPUT)
def convolution_to_input(grad_output, weight, shape, stride, padding, dilation, groups):
    """The gradient of the images: each output's gradient spread by the kernel."""
    if banded(weight.shape, stride, dilation, groups):
        return bands.to_input(grad_output, weight, shape, padding)
    return patches.to_input(grad_output, weight, shape, stride, padding, dilation, groups)


@convolution_to_input.wrt("grad_output")
def _(grad, weight, stride, padding, dilation, groups):
    return plain_convolution(grad, weight, stride, padding, dilation, groups)


@convolution_to_input.wrt("weight")
def _(grad, grad_output, weight_shape, stride, padding, dilation, groups):
    return convolution_to_weight(grad_output, grad, weight_shape, stride, padding, dilation, groups)


@op("ConvolutionBackwardBackward0", inputs=("columns",), samples=TO_WEIGHT)
def convolution_to_weight(grad_output, input, shape, stride, padding, dilation, groups, columns=None):
    """The gradient of the kernels: patches times the gradients they led to, summed over images."""
    if banded(shape, stride, dilation, groups):
        return bands.to_weight(grad_output, input, shape, padding, columns)
    return patches.to_weight(grad_output, input, shape, stride, padding, dilation, groups, columns)


@convolution_to_weight.wrt("grad_output")
def _(grad, input, stride, padding, dilation, groups):
    return plain_convolution(input, grad, stride, padding, dilation, groups)


@convolution_to_weight.wrt("input")
def _(grad, grad_output, input_shape, stride, padding, dilation, groups):
    return convolution_to_input(grad_output, grad, input_shape, stride, padding, dilation, groups)


@op(
    "ConvolutionBackward0",
    symbol="conv_transpose",
    samples=shaped((Shape(2, 3, 3, 3), Shape(3, 2, 2, 2), Shape(2), (2, 2), (1, 1), (1, 1), 1, (2, 2, 5, 5))),
)
def transposed_convolution(
    input, weight, bias=None, stride=(1, 1), padding=(0, 0), dilation=(1, 1), groups=1, shape=()
):
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


@op("SumBackward1", samples=shaped((Shape(2, 3),), (Shape(2, 3, 2, 2),)))
def channel_sum(self):
    """The sum over images and places, one number per channel."""
    images = np.add.reduce(self, 0)  # first over images: long rows of numbers, added side by side
    return np.add.reduce(images.reshape(self.shape[1], -1), 1)


@channel_sum.wrt("self")
def _(grad, self_shape):
    return channel_spread(grad, self_shape)


@op("ExpandBackward0", samples=shaped((Shape(3), (2, 3)), (Shape(3), (2, 3, 2, 2))))
def channel_spread(self, shape):
    """One number per channel, repeated over images and places."""
    return np.broadcast_to(self.reshape(-1, *(1,) * (len(shape) - 2)), shape)


@channel_spread.wrt("self")
def _(grad):
    return channel_sum(grad)
