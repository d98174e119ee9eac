"""Elements in another order, repeated, or left out: flip, roll, repeat, triangles, diagonals, stacks.

Read next: `indexing.py`.
"""

from __future__ import annotations

import numpy as np

from .._tensor import Tensor, bare
from ..formulas import on_both
from ..op import op
from ..samples import Shape, shaped
from .dimensions import unsqueeze
from .gather import index_select
from .layout import in_order, laid_as
from .reshaping import expand_to, reshape, view, wanted
from .views import checked_dim, clone


@op("FlipBackward0", called="flip", samples=shaped((Shape(2, 3), (0, 1))))
def flip_card(self, dims):
    """Some dimensions in reverse order."""
    return laid_as(self, np.flip(self, tuple(checked_dim(d, self.ndim) for d in dims)))


@flip_card.wrt("self")
def _(grad, dims):
    return flip_card(grad, dims)


def flip(self, *dims):
    """Some dimensions in reverse order; a copy.

    >>> import autograd_lab as torch
    >>> torch.flip(torch.tensor([1, 2, 3]), (0,))
    tensor([3, 2, 1])
    """
    return flip_card(self, wanted(dims[0], dims[1:]))


def fliplr(self):
    """The columns in reverse order."""
    return flip_card(self, (1,))


def flipud(self):
    """The rows in reverse order."""
    return flip_card(self, (0,))


@op("RollBackward0", called="roll", samples=shaped((Shape(2, 3), (1,), (1,)), (Shape(2, 3), (2,), ())))
def roll_card(self, shifts, dims):
    """Elements moved along dimensions; those that fall off come in again."""
    return in_order(np.roll(self, shifts, dims) if len(dims) else np.roll(self, shifts[0]))


@roll_card.wrt("self")
def _(grad, shifts, dims):
    return roll_card(grad, tuple(-s for s in shifts), dims)


def roll(self, shifts, dims=()):
    """Elements moved along dimensions; those that fall off at the end come in at the start.

    >>> import autograd_lab as torch
    >>> torch.roll(torch.tensor([1, 2, 3]), 1)
    tensor([3, 1, 2])
    """
    both = [(v,) if isinstance(v, int) else tuple(v or ()) for v in (shifts, dims)]
    if both[1] and len(both[0]) != len(both[1]):
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(both[0])}, dims:{len(both[1])}")
    return roll_card(self, *both)


@op("Rot90Backward0", samples=shaped((Shape(2, 3), 1, (0, 1))))
def rot90(self, k=1, dims=(0, 1)):
    """Quarter turns of the plane of two dimensions.

    >>> import autograd_lab as torch
    >>> torch.rot90(torch.tensor([[1, 2], [3, 4]]))
    tensor([[2, 4],
            [1, 3]])
    """
    a, b = (checked_dim(d, self.ndim) for d in dims)
    turns = k % 4
    if turns % 2 == 0:
        return laid_as(self, np.flip(self, dims)) if turns else self.copy()
    return np.swapaxes(laid_as(self, np.flip(self, b if turns == 1 else a)), a, b)  # PyTorch's strides too


@rot90.wrt("self")
def _(grad, k, dims):
    return rot90(grad, -k, dims)


@op("RepeatBackward0", called="repeat", samples=shaped((Shape(2, 3), (2, 1)), (Shape(3), (2, 2)), (Shape(3), (0,))))
def repeat_card(self, repeats):
    """Copies side by side."""
    return np.tile(self, repeats)


@repeat_card.wrt("self")
def _(grad, self_shape, repeats):
    return summed_copies(grad, self_shape, repeats)


@op("SumBackward1", samples=shaped((Shape(4, 3), (2, 3), (2, 1))))
def summed_copies(self, shape, repeats):
    """The sum over the copies that `repeat` made."""
    full = (1,) * (len(repeats) - len(shape)) + tuple(shape)
    pairs = [n for pair in zip(repeats, full, strict=True) for n in pair]
    return np.add.reduce(self.reshape(pairs), tuple(range(0, len(pairs), 2))).reshape(shape)


@summed_copies.wrt("self")
def _(grad, repeats):
    return repeat_card(grad, repeats)


def repeat(self, *repeats):
    """Copies side by side; more numbers than dimensions add dimensions in front.

    >>> import autograd_lab as torch
    >>> torch.tensor([1, 2]).repeat(2, 2)
    tensor([[1, 2, 1, 2],
            [1, 2, 1, 2]])
    """
    sizes = wanted(repeats[0], repeats[1:])
    if len(sizes) < self.ndim:
        raise RuntimeError("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor")
    return repeat_card(self, sizes)


def tile(self, *dims):
    """Copies side by side; missing numbers in front count as 1.

    >>> import autograd_lab as torch
    >>> torch.tile(torch.tensor([1, 2]), (2,))
    tensor([1, 2, 1, 2])
    """
    sizes = wanted(dims[0], dims[1:])
    return repeat_card(self, (1,) * (self.ndim - len(sizes)) + sizes)


def repeat_interleave(self, repeats, dim=None, *, output_size=None):
    """Each element several times in a row.

    >>> import autograd_lab as torch
    >>> torch.repeat_interleave(torch.tensor([1, 2]), 2)
    tensor([1, 1, 2, 2])
    """
    if dim is None:
        self, dim = reshape(self, -1), 0
    dim = checked_dim(dim, self.ndim)
    if isinstance(repeats, Tensor) and repeats.numel() > 1:
        return index_select(self, dim, bare(np.repeat(np.arange(self.shape[dim]), repeats._data)))
    times = int(repeats.item()) if isinstance(repeats, Tensor) else repeats
    shape = list(self.shape)
    wide = expand_to(unsqueeze(self, dim + 1), *shape[: dim + 1], times, *shape[dim + 1 :])
    shape[dim] *= times
    return view(contiguous_copy(wide), *shape)


@on_both
def contiguous_copy(self):
    """A copy in reading order."""
    return clone(self)


@op("TrilBackward0", samples=shaped((Shape(3, 3), 0), (Shape(2, 3), 1)))
def tril(self, diagonal=0):
    """The lower triangle of matrices, zeros above.

    >>> import autograd_lab as torch
    >>> torch.tril(torch.ones(2, 2))
    tensor([[1., 0.],
            [1., 1.]])
    """
    if self.ndim < 2:
        raise RuntimeError("tril: input tensor must have at least 2 dimensions")
    return np.tril(self, diagonal)


@tril.wrt("self")
def _(grad, diagonal):
    return tril(grad, diagonal)


@op("TriuBackward0", samples=shaped((Shape(3, 3), 0), (Shape(2, 3), 1)))
def triu(self, diagonal=0):
    """The upper triangle of matrices, zeros below.

    >>> import autograd_lab as torch
    >>> torch.triu(torch.ones(2, 2))
    tensor([[1., 1.],
            [0., 1.]])
    """
    if self.ndim < 2:
        raise RuntimeError("triu: input tensor must have at least 2 dimensions")
    return np.triu(self, diagonal)


@triu.wrt("self")
def _(grad, diagonal):
    return triu(grad, diagonal)
