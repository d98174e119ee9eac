"""Pooling: the largest element, or the mean, of each patch.

Shapes: images (N, C, H, W). An adaptive pool chooses its patches by the size of the result. Read next:
`normalization.py`.
"""

from __future__ import annotations

import math

import numpy as np

from ..op import on_both, op
from ..samples import Shape, shaped
from .convolution import inner, patches, put_back
from .resizing import along_axes, mapped, turned


def pooled_size(size, kernel, stride, padding, dilation, ceil_mode):
    """How many patches there are along one dimension; with `ceil_mode` also those that overhang."""
    room = size + 2 * padding - dilation * (kernel - 1) - 1
    if not ceil_mode:
        return room // stride + 1
    count = -(-room // stride) + 1
    return count - 1 if (count - 1) * stride >= size + padding else count


def windows(images, kernel, stride, padding, dilation, ceil_mode, fill):
    """The patches of a pool as a view (N, C, *K, *P); `fill` stands outside the image."""
    space = images.shape[2:]
    sizes = [pooled_size(*n, ceil_mode) for n in zip(space, kernel, stride, padding, dilation, strict=True)]
    total = [
        max((p - 1) * s + d * (k - 1) + 1, n + 2 * q)
        for p, s, d, k, n, q in zip(sizes, stride, dilation, kernel, space, padding, strict=True)
    ]
    if tuple(total) != space:
        larger = np.full((*images.shape[:2], *total), fill, images.dtype)
        larger[inner(space, padding)] = images
        images = larger
    view = patches(images, kernel, stride, dilation)
    return view[(..., *(slice(p) for p in sizes))]


@op(
    "MaxPool2DWithIndicesBackward0",
    keeps=("indices",),
    also=("indices",),
    saved=("result1",),
    samples=shaped((Shape(2, 1, 5, 5), (2, 2), (2, 2), (0, 0), (1, 1), False)),
)
def max_pool2d_card(self, kernel_size, stride, padding=(0, 0), dilation=(1, 1), ceil_mode=False):
    """The largest element under the kernel at each place, and its flat index in the image."""
    low = -np.inf if self.dtype.kind == "f" else np.iinfo(self.dtype).min
    view = windows(self, kernel_size, stride, padding, dilation, ceil_mode, low)
    places = view.shape[4:]
    flat = view.reshape(*self.shape[:2], math.prod(kernel_size), *places)
    best = np.argmax(flat, 2)
    rows = np.arange(places[0])[:, None] * stride[0] + best // kernel_size[1] * dilation[0] - padding[0]
    columns = np.arange(places[1])[None, :] * stride[1] + best % kernel_size[1] * dilation[1] - padding[1]
    return np.take_along_axis(flat, best[:, :, None], 2)[:, :, 0], rows * self.shape[3] + columns


@max_pool2d_card.wrt("self")
def _(grad, self_shape, indices):
    return pool_scatter(grad, indices, self_shape)


@op("MaxPool2DWithIndicesBackwardBackward0", inputs=("indices",))
def pool_scatter(self, indices, shape):
    """Each gradient added at the flat index its maximum came from."""
    images, size = math.prod(shape[:2]), math.prod(shape[2:])
    flat = (indices.reshape(images, -1) + np.arange(0, images * size, max(size, 1))[:, None]).reshape(-1)
    out = np.bincount(flat, self.reshape(-1), images * size)
    return out.astype(self.dtype, copy=False).reshape(shape)


@pool_scatter.wrt("self")
def _(grad, indices, self_shape):
    return pool_gather(grad, indices, self_shape)


@op("GatherBackward0", inputs=("indices",))
def pool_gather(self, indices, shape):
    """The elements at flat indices of each image."""
    images = math.prod(self.shape[:2])
    return np.take_along_axis(self.reshape(images, -1), indices.reshape(images, -1), 1).reshape(shape)


@pool_gather.wrt("self")
def _(grad, indices, self_shape):
    return pool_scatter(grad, indices, self_shape)


@op("AdaptiveMaxPool2DBackward0", keeps=("indices",), also=("indices",), saved=("result1",))
def adaptive_max_pool2d_card(self, output_size):
    """The largest element of each of (OH, OW) nearly equal patches, and its flat index."""
    height, width = self.shape[2:]
    values = np.empty((*self.shape[:2], *output_size), self.dtype)
    indices = np.empty(values.shape, np.int64)
    for i, (top, bottom) in enumerate(spans(height, output_size[0])):
        for j, (left, right) in enumerate(spans(width, output_size[1])):
            part = self[:, :, top:bottom, left:right]
            best = np.argmax(part.reshape(*part.shape[:2], -1), 2)
            indices[:, :, i, j] = (best // (right - left) + top) * width + best % (right - left) + left
            values[:, :, i, j] = part.max((2, 3))
    return values, indices


@adaptive_max_pool2d_card.wrt("self")
def _(grad, self_shape, indices):
    return pool_scatter(grad, indices, self_shape)


def spans(size, count):
    """The (start, end) of `count` nearly equal parts that cover a dimension."""
    return [(i * size // count, -(-(i + 1) * size // count)) for i in range(count)]


@op(
    "AvgPool2DBackward0",
    samples=shaped((Shape(1, 2, 5, 4), (2, 2), (2, 1), (1, 0), True, False, None)),
)
def avg_pool2d_card(
    self, kernel_size, stride, padding=(0, 0), ceil_mode=False, count_include_pad=True, divisor_override=None
):
    """The mean under the kernel at each place."""
    view = windows(self, kernel_size, stride, padding, (1, 1), ceil_mode, 0)
    options = self.shape[2:], kernel_size, stride, padding, view.shape[4:], count_include_pad, divisor_override
    return np.add.reduce(view, (2, 3)) / divisors(*options).astype(self.dtype)


@avg_pool2d_card.wrt("self")
def _(grad, self_shape, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    return avg_spread(
        grad, self_shape, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )


def divisors(space, kernel, stride, padding, places, count_include_pad, divisor_override):
    """What each patch's sum is divided by, (OH, OW): its elements, with or without padding."""
    if divisor_override is not None:
        return np.asarray(divisor_override)
    counts = []
    for size, k, s, p, n in zip(space, kernel, stride, padding, places, strict=True):
        start = np.arange(n) * s - p
        end = np.minimum(start + k, size + p)
        counts.append(end - start if count_include_pad else np.minimum(end, size) - np.maximum(start, 0))
    return counts[0][:, None] * counts[1]


@op("AvgPool2DBackwardBackward0")
def avg_spread(self, shape, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    """Each patch's gradient shared out among its elements."""
    places = self.shape[2:]
    options = shape[2:], kernel_size, stride, padding, places, count_include_pad, divisor_override
    share = self / divisors(*options).astype(self.dtype)
    columns = np.broadcast_to(share[:, :, None, None], (*shape[:2], *kernel_size, *places))
    over = [max(0, (n - 1) * s + k - z - 2 * p) for n, s, k, z, p in zip(
        places, stride, kernel_size, shape[2:], padding, strict=True)]  # fmt: skip
    wide = (*shape[:2], *(z + 2 * p + o for z, p, o in zip(shape[2:], padding, over, strict=True)))
    return put_back(columns, wide, stride, (0, 0), (1, 1))[inner(shape[2:], padding)]


@avg_spread.wrt("self")
def _(grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    return avg_pool2d_card(grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


@op("AdaptiveAvgPool2DBackward0", samples=shaped((Shape(1, 2, 5, 4), (2, 3))))
def adaptive_avg_pool2d_card(self, output_size):
    """The mean of each of (OH, OW) nearly equal patches."""
    return mapped(self, mean_maps(self.shape[2:], output_size))


@adaptive_avg_pool2d_card.wrt("self")
def _(grad, self_shape, output_size):
    return along_axes(grad, turned(mean_maps(self_shape[2:], output_size)))


@on_both
def mean_maps(space, output_size):
    """For each dimension the matrix that averages its spans."""
    maps = []
    for size, count in zip(space, output_size, strict=True):
        made = np.zeros((count, size))
        for i, (start, end) in enumerate(spans(size, count)):
            made[i, start:end] = 1 / (end - start)
        maps.append(made)
    return maps
