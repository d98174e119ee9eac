"""Sliding windows over a dimension.

Read next: `indexing.py`.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ..op import op
from ..samples import Shape, shaped
from .views import checked_dim


@op("UnfoldBackward0", view=True, samples=shaped((Shape(5), 0, 3, 2), (Shape(2, 4), 1, 2, 1)))
def unfold(self, dimension, size, step):
    """Windows of `size` along a dimension, `step` apart, as a new last dimension; a view.

    >>> import autograd_lab as torch
    >>> torch.arange(5).unfold(0, 3, 2)
    tensor([[0, 1, 2],
            [2, 3, 4]])
    """
    dimension = checked_dim(dimension, self.ndim)
    length = self.shape[dimension] if self.ndim else 1
    if size > length:
        raise RuntimeError(f"maximum size for tensor at dimension {dimension} is {length} but size is {size}")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    windows = sliding_window_view(self, size, dimension, writeable=self.flags.writeable)
    return windows[(slice(None),) * dimension + (slice(None, None, step),)]


@unfold.wrt("self")
def _(grad, self_shape, dimension, size, step):
    return unfold_backward(grad, self_shape, dimension, size, step)


@op("UnfoldBackwardBackward0", samples=shaped((Shape(2, 3), (5,), 0, 3, 2)))
def unfold_backward(self, shape, dimension, size, step):
    """The sum of windows put back where they came from."""
    out = np.zeros(shape, self.dtype)
    dim = dimension % len(shape)
    for i in range(size):
        part = self[..., i]
        end = i + step * (part.shape[dim] - 1) + 1
        out[(slice(None),) * dim + (slice(i, end, step),)] += part
    return out


@unfold_backward.wrt("self")
def _(grad, dimension, size, step):
    return unfold(grad, dimension, size, step)
