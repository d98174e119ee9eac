"""Max pooling: the largest element of each patch.

Shapes: images (N, C, H, W). An adaptive pool chooses its patches by the size of the result. Read next:
`averaging.py`.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np

from ..op import op
from ..samples import Shape, shaped
from .patches import inner


def pooled_size(size, kernel, stride, padding, dilation, ceil_mode):
    """How many patches there are along one dimension; with `ceil_mode` also those that overhang."""
    room = size + 2 * padding - dilation * (kernel - 1) - 1
    if not ceil_mode:
        return room // stride + 1
    count = -(-room // stride) + 1
    return count - 1 if (count - 1) * stride >= size + padding else count


def surrounded(images, kernel, stride, padding, dilation, ceil_mode, fill):
    """Images with `fill` around them, as far as the patches of a pool reach, and the number of patches."""
    space = images.shape[2:]
    sizes = [pooled_size(*n, ceil_mode) for n in zip(space, kernel, stride, padding, dilation, strict=True)]
    total = [
        max((p - 1) * s + d * (k - 1) + 1, n + 2 * q)
        for p, s, d, k, n, q in zip(sizes, stride, dilation, kernel, space, padding, strict=True)
    ]
    if tuple(total) == space:
        return images, sizes
    larger = np.full((*images.shape[:2], *total), fill, images.dtype)
    larger[inner(space, padding)] = images
    return larger, sizes


def taps(kernel, stride, dilation, places):
    """For each element of the kernel the index of the image's elements that lie under it."""
    for tap in product(*map(range, kernel)):
        window = zip(tap, dilation, places, stride, strict=True)
        yield (..., *(slice(t * d, t * d + (p - 1) * s + 1, s) for t, d, p, s in window))


TILES = (2, 2), (2, 2), (0, 0), (1, 1), False  # kernel size, stride, padding, dilation, ceil_mode
OVERLAPS = (2, 3), (1, 1), (0, 0), (1, 1), False
POOL = shaped((Shape(2, 1, 5, 5), *TILES), (Shape(1, 1, 3, 4), *OVERLAPS))


@op(
    "MaxPool2DWithIndicesBackward0",
    symbol="max_pool2d",
    called="max_pool2d_with_indices",
    keeps=("best",),
    also=("best",),
    samples=POOL,
)
def max_pool2d_card(self, kernel_size, stride, padding=(0, 0), dilation=(1, 1), ceil_mode=False):
    """The largest element under the kernel at each place, and which one of the kernel's elements it lay under."""
    if tuple(kernel_size) == tuple(stride) and not any(padding) and dilation == (1, 1) and not ceil_mode:
        values, best = max_of_tiles(self, kernel_size)
        if not np.isnan(np.add.reduce(values, None)):  # a nan has to be looked for element by element
            return values, best
    low = -np.inf if self.dtype.kind == "f" else np.iinfo(self.dtype).min
    larger, places = surrounded(self, kernel_size, stride, padding, dilation, ceil_mode, low)
    windows = taps(kernel_size, stride, dilation, places)
    values = larger[next(windows)].copy()
    best = np.zeros(values.shape, np.int16)
    for number, window in enumerate(windows, 1):
        candidates = larger[window]
        higher = (candidates > values) | (candidates != candidates)  # a nan wins
        np.copyto(values, candidates, where=higher)
        np.copyto(best, number, where=higher)
    return values, best


def max_of_tiles(images, kernel):
    """The same where patches do not overlap: first along rows, then along columns, in long stretches of memory."""
    (high, wide), (n, c, h, w) = kernel, images.shape
    rows, columns = h // high, w // wide
    small = np.zeros((), np.int8 if high * wide < 128 else np.int16)
    values, best = first_largest(images[:, :, : rows * high, : columns * wide].reshape(-1, wide), wide, small)
    values, best = values.reshape(-1, high, columns), best.reshape(-1, high, columns)
    values, best = first_largest(values, high, best, wide)
    return values.reshape(n, c, rows, columns), best.reshape(n, c, rows, columns)


def first_largest(data, count, best, step=1):
    """The largest along the second dimension, and `best` (or a number) of the first place where it is.

    `chosen ^ (chosen ^ here) & mask` is `here` where the mask has all bits set, `chosen` where it has none; such
    arithmetic on small whole numbers is several times faster than np.where.
    """
    known = np.ndim(best) > 0
    values, chosen = data[:, 0], best[:, 0] if known else np.zeros(data.shape[0], best.dtype)
    for i in range(1, count):
        here = best[:, i] + best.dtype.type(i * step) if known else best.dtype.type(i)
        mask = -(data[:, i] > values).astype(best.dtype)
        chosen = chosen ^ ((chosen ^ here) & mask)
        values = np.maximum(values, data[:, i])
    return values, chosen


@max_pool2d_card.wrt("self")
def _(grad, self_shape, kernel_size, stride, padding, dilation, ceil_mode, best):
    return pool_scatter(grad, best, self_shape, kernel_size, stride, padding, dilation, ceil_mode)


@op("MaxPool2DWithIndicesBackwardBackward0", inputs=("best",), samples=lambda rng: [
    (rng.uniform(-2, 2, (2, 1, 2, 2)), rng.integers(0, 4, (2, 1, 2, 2)), (2, 1, 5, 5), *TILES),
    (rng.uniform(-2, 2, (1, 1, 2, 2)), rng.integers(0, 6, (1, 1, 2, 2)), (1, 1, 3, 4), *OVERLAPS),
])  # fmt: skip
def pool_scatter(self, best, shape, kernel_size, stride, padding, dilation, ceil_mode):
    """Each gradient added where its maximum came from."""
    empty = np.broadcast_to(np.zeros((), self.dtype), shape)
    larger, places = surrounded(empty, kernel_size, stride, padding, dilation, ceil_mode, 0)
    out = np.zeros(larger.shape, self.dtype)
    apart = all(s >= d * (k - 1) + 1 for k, s, d in zip(kernel_size, stride, dilation, strict=True))
    for number, window in enumerate(taps(kernel_size, stride, dilation, places)):
        if apart:
            np.multiply(self, best == number, out[window])
        else:
            out[window] += self * (best == number)
    return out if out.shape == tuple(shape) else np.ascontiguousarray(out[inner(shape[2:], padding)])


@pool_scatter.wrt("self")
def _(grad, best, kernel_size, stride, padding, dilation, ceil_mode):
    return pool_gather(grad, best, kernel_size, stride, padding, dilation, ceil_mode)


@op("GatherBackward0", inputs=("best",), samples=lambda rng: [
    (rng.uniform(-2, 2, (2, 1, 5, 5)), rng.integers(0, 4, (2, 1, 2, 2)), *TILES),
    (rng.uniform(-2, 2, (1, 1, 3, 4)), rng.integers(0, 6, (1, 1, 2, 2)), *OVERLAPS),
])  # fmt: skip
def pool_gather(self, best, kernel_size, stride, padding, dilation, ceil_mode):
    """The elements where the maxima came from."""
    larger, places = surrounded(self, kernel_size, stride, padding, dilation, ceil_mode, 0)
    out = np.zeros(best.shape, self.dtype)
    for number, window in enumerate(taps(kernel_size, stride, dilation, places)):
        np.copyto(out, larger[window], where=best == number)
    return out


@pool_gather.wrt("self")
def _(grad, best, self_shape, kernel_size, stride, padding, dilation, ceil_mode):
    return pool_scatter(grad, best, self_shape, kernel_size, stride, padding, dilation, ceil_mode)


def flat_indices(best, width, kernel_size, stride, padding, dilation):
    """Where maxima came from, as flat indices of the image: what `return_indices` asks for."""
    best = best.astype(np.int64)
    rows = np.arange(best.shape[2])[:, None] * stride[0] + best // kernel_size[1] * dilation[0] - padding[0]
    columns = np.arange(best.shape[3]) * stride[1] + best % kernel_size[1] * dilation[1] - padding[1]
    return rows * width + columns


@op("MaxUnpool2DBackward0", inputs=("indices",), samples=lambda rng: [
    (rng.uniform(-2, 2, (2, 1, 2)), np.array([[[0, 3]], [[3, 3]]]), (2, 1, 4)),
    (rng.uniform(-2, 2, (1, 2, 2, 1)), np.array([[[[5], [0]], [[2], [2]]]]), (1, 2, 2, 3)),
])  # fmt: skip
def flat_scatter(self, indices, shape):
    """Each element added at a flat index of its image."""
    images, size = math.prod(shape[:2]), math.prod(shape[2:])
    flat = (indices.reshape(images, -1) + np.arange(0, images * size, max(size, 1))[:, None]).reshape(-1)
    out = np.bincount(flat, self.reshape(-1), images * size)
    return out.astype(self.dtype, copy=False).reshape(shape)


@flat_scatter.wrt("self")
def _(grad, indices, self_shape):
    return flat_gather(grad, indices, self_shape)


@op("GatherBackward0", inputs=("indices",), samples=lambda rng: [
    (rng.uniform(-2, 2, (2, 1, 4)), np.array([[[0, 3]], [[3, 3]]]), (2, 1, 2)),
    (rng.uniform(-2, 2, (1, 2, 2, 3)), np.array([[[[5], [0]], [[2], [2]]]]), (1, 2, 2, 1)),
])  # fmt: skip
def flat_gather(self, indices, shape):
    """The elements at flat indices of each image."""
    images = math.prod(self.shape[:2])
    return np.take_along_axis(self.reshape(images, -1), indices.reshape(images, -1), 1).reshape(shape)


@flat_gather.wrt("self")
def _(grad, indices, self_shape):
    return flat_scatter(grad, indices, self_shape)


@op(
    "AdaptiveMaxPool2DBackward0",
    called="adaptive_max_pool2d",
    keeps=("indices",),
    also=("indices",),
    saved=("result1",),
    samples=shaped((Shape(1, 2, 5, 4), (2, 3))),
)
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
    return flat_scatter(grad, indices, self_shape)


def spans(size, count):
    """The (start, end) of `count` nearly equal parts that cover a dimension."""
    return [(i * size // count, -(-(i + 1) * size // count)) for i in range(count)]
