"""Average pooling: the mean of each patch.

Shapes: images (N, C, H, W). Read next: `normalization.py`.
"""

from __future__ import annotations

import numpy as np

from ..formulas import on_both
from ..op import op
from ..samples import Shape, shaped
from .patches import inner
from .pooling import spans, surrounded, taps
from .resizing import along_axes, mapped, turned


@op(
    "AvgPool2DBackward0",
    called="avg_pool2d",
    samples=shaped((Shape(1, 2, 5, 4), (2, 2), (2, 1), (1, 0), True, False, None)),
)
def avg_pool2d_card(
    self, kernel_size, stride, padding=(0, 0), ceil_mode=False, count_include_pad=True, divisor_override=None
):
    """The mean under the kernel at each place."""
    larger, places = surrounded(self, kernel_size, stride, padding, (1, 1), ceil_mode, 0)
    total = sum(larger[window] for window in taps(kernel_size, stride, (1, 1), places))
    options = self.shape[2:], kernel_size, stride, padding, places, count_include_pad, divisor_override
    return total / divisors(*options).astype(self.dtype)


@avg_pool2d_card.wrt("self")
def _(grad, self_shape, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    return avg_spread(grad, self_shape, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


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


@op(
    "AvgPool2DBackwardBackward0",
    samples=shaped(
        (Shape(1, 2, 3, 3), (1, 2, 5, 4), (2, 2), (2, 1), (1, 0), True, False, None),
        (Shape(1, 1, 2, 2), (1, 1, 4, 4), (2, 2), (2, 2), (0, 0), False, True, 3),
    ),
)
def avg_spread(self, shape, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    """Each patch's gradient shared out among its elements."""
    places = self.shape[2:]
    options = shape[2:], kernel_size, stride, padding, places, count_include_pad, divisor_override
    share = self / divisors(*options).astype(self.dtype)
    empty = np.broadcast_to(np.zeros((), self.dtype), shape)
    out = np.zeros(surrounded(empty, kernel_size, stride, padding, (1, 1), ceil_mode, 0)[0].shape, self.dtype)
    for window in taps(kernel_size, stride, (1, 1), places):
        out[window] += share
    return out if out.shape == tuple(shape) else np.ascontiguousarray(out[inner(shape[2:], padding)])


@avg_spread.wrt("self")
def _(grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    return avg_pool2d_card(grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


@op("AdaptiveAvgPool2DBackward0", called="adaptive_avg_pool2d", samples=shaped((Shape(1, 2, 5, 4), (2, 3))))
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
