"""What in-place methods write: zeros, one value, a copy, parts by index.

These cards exist for `zero_`, `fill_`, `copy_` and assignment to an index; `inplace.py` turns them, and the
cards of the other chapters, into methods that write.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided as strided

from ..op import on_both, op
from .indexing import index_card
from .shape import sum_to


@op("ZeroBackward0", pointwise=True)
def zero(self):
    """Zeros of the same shape."""
    return np.zeros_like(self)


@zero.wrt("self", latex="0")
def _(grad):
    return grad * 0


@op("FillBackward2", pointwise=True)
def fill_number(self, value):
    """One number in every element."""
    return np.full_like(self, value)


@fill_number.wrt("self", latex="0")
def _(grad):
    return grad * 0


@op("CopyBackwards", broadcasts=True)
def copy(self, src):
    """The values of another tensor."""
    return np.broadcast_to(src, np.shape(self))


@copy.wrt("self", latex="0")
def _(grad):
    return grad * 0


@copy.wrt("src", latex="1")
def _(grad):
    return grad


@op("IndexPutBackward0", inputs=("values",))
def index_put(self, values, indices, accumulate=False):
    """The same elements with others written, or added, at the indices."""
    out = self.copy()
    if accumulate:
        np.add.at(out, indices, values)
    else:
        out[indices] = values
    return out


@index_put.wrt("self")
def _(grad, indices, accumulate):
    return grad if accumulate else erased(grad, indices)


@index_put.wrt("values")
def _(grad, values_shape, indices):
    return gathered_to(grad, indices, values_shape)


@op("IndexPutBackward0")
def erased(self, indices):
    """Zero at the indices."""
    out = self.copy()
    out[indices] = 0
    return out


@erased.wrt("self")
def _(grad, indices):
    return erased(grad, indices)


@on_both
def gathered_to(grad, indices, shape):
    """The gradient at the indices, summed to the shape of what was written there."""
    found = index_card(grad, indices)
    return found if tuple(found.shape) == tuple(shape) else sum_to(found, shape)


@op("AsStridedBackward0", view=True, keeps=("positions",), saved=("storage_offset",))
def as_strided(self, size, stride, storage_offset=0):
    """A view of the memory by size, stride and offset, counted in elements."""
    step = self.itemsize
    numbers = np.empty_like(self, np.intp)
    numbers[...] = np.arange(self.size).reshape(self.shape)
    scale = numbers.itemsize
    positions = strided(window(numbers, storage_offset), size, tuple(s * scale for s in stride))
    return strided(window(self, storage_offset), size, tuple(s * step for s in stride)), positions.copy()


def window(array, offset):
    """A 0-d view of an array's memory, `offset` elements after its first."""
    return strided(array, (array.size,), (array.itemsize,))[offset : offset + 1].reshape(()) if array.size else array


@as_strided.wrt("self")
def _(grad, self_shape, positions):
    return scattered(grad, positions, self_shape)


@op("IndexPutBackward0")
def scattered(self, positions, shape):
    """Zeros of `shape` with `self` added at flat positions."""
    out = np.zeros(shape, self.dtype)
    np.add.at(out.reshape(-1), positions, self)
    return out


@scattered.wrt("self")
def _(grad, positions):
    return flat_take(grad, positions)


@op("IndexBackward0")
def flat_take(self, positions):
    """The elements at flat positions."""
    return self.reshape(-1)[positions]


@flat_take.wrt("self")
def _(grad, self_shape, positions):
    return scattered(grad, positions, self_shape)


@op("CopySlices", inputs=("values",))
def flat_put(self, values, positions):
    """The same elements with others written at flat positions."""
    out = self.copy()
    out.reshape(-1)[positions] = values
    return out


@flat_put.wrt("self")
def _(grad, positions):
    return flat_put(grad, flat_take(grad, positions) * 0, positions)


@flat_put.wrt("values")
def _(grad, positions):
    return flat_take(grad, positions)


