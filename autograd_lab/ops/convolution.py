"""Convolution and pooling of images.

The patches under the kernel are copied side by side (im2col), and the convolution is one matrix product.
Shapes: images (N, C, H, W), weights (O, C / groups, KH, KW).
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ..op import op
from ..samples import Shape, shaped


def output_size(size: int, kernel: int, stride: int, padding: int, dilation: int = 1) -> int:
    """How many places a kernel has along one dimension."""
    return (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


def patches(images, kernel, stride, padding, dilation):
    """The patches under the kernel, as a view of shape (N, C, KH, KW, OH, OW)."""
    n, c = images.shape[:2]
    ph, pw = padding
    padded = np.pad(images, ((0, 0), (0, 0), (ph, ph), (pw, pw))) if ph or pw else images
    oh = output_size(images.shape[2], kernel[0], stride[0], ph, dilation[0])
    ow = output_size(images.shape[3], kernel[1], stride[1], pw, dilation[1])
    sn, sc, sh, sw = padded.strides
    return as_strided(
        padded,
        (n, c, *kernel, oh, ow),
        (sn, sc, sh * dilation[0], sw * dilation[1], sh * stride[0], sw * stride[1]),
        writeable=False,
    )


def put_back(columns, shape, stride, padding, dilation):
    """Add patches (N, C, KH, KW, OH, OW) back at their places in images of `shape`."""
    n, c, h, w = shape
    kh, kw, oh, ow = columns.shape[2:]
    ph, pw = padding
    out = np.zeros((n, c, h + 2 * ph, w + 2 * pw), columns.dtype)
    for i in range(kh):
        for j in range(kw):
            top, left = i * dilation[0], j * dilation[1]
            out[:, :, top : top + oh * stride[0] : stride[0], left : left + ow * stride[1] : stride[1]] += columns[:, :, i, j]
    return out[:, :, ph : ph + h, pw : pw + w]


@op(
    "ConvolutionBackward0",
    samples=shaped((Shape(2, 2, 4, 4), Shape(3, 2, 3, 3), Shape(3), (1, 1), (1, 1), (1, 1), 1)),
)
def convolution(input, weight, bias=None, stride=(1, 1), padding=(0, 0), dilation=(1, 1), groups=1):
    """Slide kernels over images: (N, C, H, W) with (O, C / groups, KH, KW) gives (N, O, OH, OW)."""
    n, out_channels = input.shape[0], weight.shape[0]
    view = patches(input, weight.shape[2:], stride, padding, dilation)
    oh, ow = view.shape[4:]
    columns = view.reshape(n, groups, -1, oh * ow)
    kernels = weight.reshape(groups, out_channels // groups, -1)
    made = np.matmul(kernels, columns).reshape(n, out_channels, oh, ow)
    return made if bias is None else made + bias.reshape(1, -1, 1, 1)


@convolution.wrt("input")
def _(grad, input_shape, weight, stride, padding, dilation, groups):
    return convolution_to_input(grad, weight, input_shape, stride, padding, dilation, groups)


@convolution.wrt("weight")
def _(grad, input, weight_shape, stride, padding, dilation, groups):
    return convolution_to_weight(grad, input, weight_shape, stride, padding, dilation, groups)


@convolution.wrt("bias")
def _(grad):
    return channel_sum(grad)


@op("ConvolutionBackwardBackward0")
def convolution_to_input(grad_output, weight, shape, stride, padding, dilation, groups):
    """The gradient of the images: each output's gradient spread by the kernel."""
    n, out_channels, oh, ow = grad_output.shape
    kernels = weight.reshape(groups, out_channels // groups, -1)
    rows = grad_output.reshape(n, groups, out_channels // groups, oh * ow)
    columns = np.matmul(kernels.transpose(0, 2, 1), rows)
    return put_back(columns.reshape(n, shape[1], *weight.shape[2:], oh, ow), shape, stride, padding, dilation)


@convolution_to_input.wrt("grad_output")
def _(grad, weight, stride, padding, dilation, groups):
    return convolution(grad, weight, None, stride, padding, dilation, groups)


@convolution_to_input.wrt("weight")
def _(grad, grad_output, weight_shape, stride, padding, dilation, groups):
    return convolution_to_weight(grad_output, grad, weight_shape, stride, padding, dilation, groups)


@op("ConvolutionBackwardBackward0")
def convolution_to_weight(grad_output, input, shape, stride, padding, dilation, groups):
    """The gradient of the kernels: patches times the gradients they led to, summed over images."""
    n, out_channels, oh, ow = grad_output.shape
    columns = patches(input, shape[2:], stride, padding, dilation).reshape(n, groups, -1, oh * ow)
    rows = grad_output.reshape(n, groups, out_channels // groups, oh * ow)
    return np.add.reduce(np.matmul(rows, columns.transpose(0, 1, 3, 2)), 0).reshape(shape)


@convolution_to_weight.wrt("grad_output")
def _(grad, input, stride, padding, dilation, groups):
    return convolution(input, grad, None, stride, padding, dilation, groups)


@convolution_to_weight.wrt("input")
def _(grad, grad_output, input_shape, stride, padding, dilation, groups):
    return convolution_to_input(grad_output, grad, input_shape, stride, padding, dilation, groups)


@op("SumBackward1")
def channel_sum(self):
    """The sum over images and places, one number per channel."""
    return np.add.reduce(self, (0, 2, 3))


@channel_sum.wrt("self")
def _(grad, self_shape):
    return channel_spread(grad, self_shape)


@op("ExpandBackward0")
def channel_spread(self, shape):
    """One number per channel, repeated over images and places."""
    return np.broadcast_to(self.reshape(1, -1, 1, 1), shape)


@channel_spread.wrt("self")
def _(grad):
    return channel_sum(grad)


@op("MaxPool2DWithIndicesBackward0", keeps=("indices",), also=("indices",))
def max_pool2d_card(self, kernel_size, stride, padding=(0, 0), dilation=(1, 1)):
    """The largest element under the kernel at each place, and its flat index in the image."""
    n, c, h, w = self.shape
    ph, pw = padding
    low = -np.inf if self.dtype.kind == "f" else np.iinfo(self.dtype).min
    padded = np.pad(self, ((0, 0), (0, 0), (ph, ph), (pw, pw)), constant_values=low) if ph or pw else self
    view = patches(padded, kernel_size, stride, (0, 0), dilation)
    oh, ow = view.shape[4:]
    flat = view.reshape(n, c, -1, oh, ow)
    best = np.argmax(flat, 2)
    rows = np.arange(oh)[:, None] * stride[0] + best // kernel_size[1] * dilation[0] - ph
    columns = np.arange(ow)[None, :] * stride[1] + best % kernel_size[1] * dilation[1] - pw
    return np.take_along_axis(flat, best[:, :, None], 2)[:, :, 0], rows * w + columns


@max_pool2d_card.wrt("self")
def _(grad, self_shape, indices):
    return pool_scatter(grad, indices, self_shape)


@op("MaxPool2DWithIndicesBackwardBackward0", inputs=("indices",))
def pool_scatter(self, indices, shape):
    """Each gradient added at the flat index its maximum came from."""
    n, c, h, w = shape
    out = np.zeros((n * c, h * w), self.dtype)
    np.add.at(out, (np.arange(n * c)[:, None], indices.reshape(n * c, -1)), self.reshape(n * c, -1))
    return out.reshape(shape)


@pool_scatter.wrt("self")
def _(grad, indices, self_shape):
    return pool_gather(grad, indices, self_shape)


@op("GatherBackward0", inputs=("indices",))
def pool_gather(self, indices, shape):
    """The elements at flat indices of each image."""
    n, c = indices.shape[:2]
    return np.take_along_axis(self.reshape(n * c, -1), indices.reshape(n * c, -1), 1).reshape(shape)


@pool_gather.wrt("self")
def _(grad, indices, self_shape):
    return pool_scatter(grad, indices, self_shape)
