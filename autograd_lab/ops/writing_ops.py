"""What in-place methods write: zeros, one value, a copy, parts by index.

These cards exist for `zero_`, `fill_`, `copy_` and assignment to an index; `inplace.py` turns them, and the
cards of the other chapters, into methods that write.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.lib.stride_tricks import as_strided as strided

from .._tensor import bare
from ..op import op
from ..samples import Shape, shaped, unary
from .indexing import index_card, index_error, raw_index
from .python_numbers import zeros_of
from .views import sized


@op("ZeroBackward0", pointwise=True, called="zero", samples=unary())
def zero(self):
    """Zeros of the same shape."""
    return np.zeros_like(self)


@zero.wrt("self", latex="0")
def _(grad):
    return zeros_of(grad)


@op("CopyBackwards", broadcasts=True, called="copy", samples=shaped((Shape(2, 3), Shape(3))))
def copy(self, src):
    """The values of another tensor."""
    return np.broadcast_to(src, np.shape(self))


@copy.wrt("self", latex="0")
def _(grad):
    return zeros_of(grad)


@copy.wrt("src", latex="1")
def _(grad):
    return grad


@op(
    "IndexPutBackward0",
    inputs=("values",),
    called="index_put",
    hidden=("values_shape",),
    samples=lambda rng: [
        (rng.uniform(-2, 2, (3, 2)), (bare(np.array([0, 2])),), rng.uniform(-2, 2, (2,)), False),
        (rng.uniform(-2, 2, (3, 2)), (bare(np.array([0, 0])),), rng.uniform(-2, 2, (2, 2)), True),
    ],
)
def index_put_card(self, indices, values, accumulate=False):
    """The same elements with others written, or added, at the indices."""
    out, where = np.array(self), raw_index(indices)
    try:
        if accumulate:
            np.add.at(out, where, values)
        else:
            out[where] = values
    except (ValueError, IndexError) as error:
        raise put_error(error, out, values, indices) from None
    return out


def put_error(error, out, values, indices):
    """NumPy's complaint about a value that does not fit its places, in PyTorch's words."""
    if isinstance(error, IndexError):
        return index_error(error, indices)
    place = list(out[raw_index(indices)].shape)
    return RuntimeError(
        f"shape mismatch: value tensor of shape {list(values.shape)} cannot be broadcast to indexing result of shape "
        f"{place}"
    )


@index_put_card.wrt("self")
def _(grad, indices, accumulate):
    return grad if accumulate else erased(grad, indices)


@index_put_card.wrt("values")
def _(grad, values_shape, indices):
    return sized(index_card(grad, indices), values_shape)


def index_put(self, indices, values, accumulate=False):
    """`values` written, or added, at the indices, which are a tuple of tensors.

    >>> import autograd_lab as torch
    >>> torch.index_put(torch.zeros(3), (torch.tensor([0, 2]),), torch.tensor(5.0))
    tensor([5., 0., 5.])
    """
    return index_put_card(self, tuple(indices), values, accumulate)


@op("IndexPutBackward0", samples=lambda rng: [(rng.uniform(-2, 2, (3, 2)), (bare(np.array([0, 2])),))])
def erased(self, indices):
    """Zero at the indices."""
    out = np.array(self)
    out[raw_index(indices)] = 0
    return out


@erased.wrt("self")
def _(grad, indices):
    return erased(grad, indices)


@op(
    "AsStridedBackward0",
    view=True,
    keeps=("positions",),
    saved=("size", "stride", "storage_offset"),
    hidden=("self_shape", "positions"),
    samples=shaped((Shape(2, 3), (2, 2), (1, 2), 1)),
)
def as_strided(self, size, stride, storage_offset=None):
    """A view of the memory by size, stride and offset, counted in elements from where the memory begins."""
    memory, start = memory_of(self)
    offset, step = start if storage_offset is None else storage_offset, self.itemsize
    wanted = offset + 1 + sum((n - 1) * s for n, s in zip(size, stride, strict=True)) if 0 not in size else 0
    if wanted > memory.size:
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, and itemsize {step} "
            f"requiring a storage size of {wanted * step} are out of bounds for storage of size {memory.size * step}"
        )
    numbers = element_numbers(self, memory.size, start)
    positions = strided(numbers[offset:], size, tuple(s * numbers.itemsize for s in stride))
    return strided(memory[offset:], size, tuple(s * step for s in stride)), positions.copy()


def element_numbers(array, size, start):
    """For each place of a memory of `size`, the number of the array's element there, or -1 if it has none."""
    places = np.arange(size)
    if array.size == size and array.flags.c_contiguous:
        return places
    numbers, step = np.full(size, -1), places.itemsize
    seen = strided(places[start:], array.shape, tuple(s // array.itemsize * step for s in array.strides))
    numbers[seen] = np.arange(array.size).reshape(array.shape)
    return numbers


def memory_of(array):
    """The whole memory an array looks at, as a vector, and the place in it where the array begins."""
    owner = array
    while hasattr(owner.base, "__array_interface__"):
        owner = owner.base
    first = array.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
    return strided(owner, (owner.size,), (array.itemsize,)), first // array.itemsize


@as_strided.wrt("self")
def _(grad, self_shape, positions):
    return scattered(grad, positions, self_shape)


@op("IndexPutBackward0", samples=lambda rng: [(rng.uniform(-2, 2, (2,)), np.array([0, 4]), (2, 3))])
def scattered(self, positions, shape):
    """Zeros of `shape` with `self` added at flat positions; what has position -1 is left out."""
    out = np.zeros(math.prod(shape) + 1, self.dtype)
    np.add.at(out, positions, self)
    return out[:-1].reshape(shape)


@scattered.wrt("self")
def _(grad, positions):
    return flat_take(grad, positions)


@op("IndexBackward0", samples=lambda rng: [(rng.uniform(-2, 2, (2, 3)), np.array([0, 4]))])
def flat_take(self, positions):
    """The elements at flat positions, 0 at position -1."""
    return np.append(self.reshape(-1), self.dtype.type(0))[positions]


@flat_take.wrt("self")
def _(grad, self_shape, positions):
    return scattered(grad, positions, self_shape)


@op(
    "CopySlices",
    inputs=("values",),
    hidden=("positions",),
    samples=lambda rng: [(rng.uniform(-2, 2, (2, 3)), rng.uniform(-2, 2, (2,)), np.array([0, 4]))],
)
def flat_put(self, values, positions):
    """The same elements with others written at flat positions."""
    out = self.copy()
    out.reshape(-1)[positions] = values
    return out


@flat_put.wrt("self")
def _(grad, positions):
    return flat_put(grad, zeros_of(flat_take(grad, positions)), positions)


@flat_put.wrt("values")
def _(grad, positions):
    return flat_take(grad, positions)
