"""The same elements in another shape: views, and copies where a view is impossible.

Views share memory with their base. Read next: `dimensions.py`, then `joining.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ..formulas import on_both, summed_rows
from ..op import op
from ..samples import Shape, shaped
from .layout import copied


def checked_dim(dim: int, ndim: int) -> int:
    """A dimension as a non-negative number, or PyTorch's error."""
    low, high = (-ndim, ndim - 1) if ndim else (-1, 0)
    if not low <= dim <= high:
        raise IndexError(f"Dimension out of range (expected to be in range of [{low}, {high}], but got {dim})")
    return dim % ndim if ndim else 0


def resolved(shape: Any, size: int) -> tuple[int, ...]:
    """A wanted shape with its -1 filled in, checked against the number of elements."""
    sizes = tuple(int(s) for s in shape)
    if sizes.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    for s in sizes:
        if s < -1:
            raise RuntimeError(f"invalid shape dimension {s} at index {sizes.index(s)} of shape {list(sizes)}")
    known = math.prod(s for s in sizes if s != -1)
    if -1 in sizes and known and size % known == 0:
        sizes = tuple(size // known if s == -1 else s for s in sizes)
    if -1 in sizes and not known and not size:
        raise RuntimeError(
            f"cannot reshape tensor of 0 elements into shape {list(sizes)} because the unspecified dimension size -1 "
            "can "
            "be any value and is ambiguous"
        )
    if math.prod(sizes) != size or -1 in sizes:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {size}")
    return sizes


@op("ViewBackward0", view=True, called="view", samples=shaped((Shape(2, 3), (3, 2))))
def view_card(self, shape):
    """The same memory in another shape."""
    sizes = resolved(shape, self.size)
    try:
        return self.reshape(sizes, copy=False)
    except ValueError:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
            "contiguous subspaces). Use .reshape(...) instead."
        ) from None


@view_card.wrt("self")
def _(grad, self_shape):
    return reshape_card(grad, self_shape)


@op("ReshapeAliasBackward0", view=True, samples=shaped((Shape(2, 3), (3, 2))))
def reshape_alias(self, shape):
    """The same memory in another shape, of a tensor whose elements do not lie in reading order."""
    return self.reshape(shape, copy=False)


@reshape_alias.wrt("self")
def _(grad, self_shape):
    return reshape_card(grad, self_shape)


@op("UnsafeViewBackward0", samples=shaped((Shape(2, 3), (3, 2))))
def reshape_card(self, shape):
    """The elements in another shape, in memory nobody else sees."""
    return self.reshape(shape)


@reshape_card.wrt("self")
def _(grad, self_shape):
    return reshape_card(grad, self_shape)


@op("ExpandBackward0", view=True, called="expand", samples=shaped((Shape(1, 3), (2, 3))))
def expand_view(self, shape):
    """Dimensions of size 1 repeated without copying."""
    shown = np.broadcast_to(self, shape)
    return as_strided(self, shown.shape, shown.strides)  # may be written, if only with one value everywhere


@expand_view.wrt("self")
def _(grad, self_shape):
    return sum_to(grad, self_shape)


@on_both
def expand(grad, shape):
    """`grad` repeated to `shape`: what the backward of a sum needs."""
    return expand_copy(grad, shape) if grad.shape != shape else grad


@op("ExpandBackward0", called="expand", samples=shaped((Shape(1, 3), (2, 3))))
def expand_copy(self, shape):
    """Dimensions of size 1 repeated."""
    if self.ndim:
        return np.broadcast_to(self, shape)
    repeated = np.empty(shape, self.dtype)
    repeated.fill(self)
    return repeated


@expand_copy.wrt("self")
def _(grad, self_shape):
    return sum_to(grad, self_shape)


@op("SumBackward1", called="sum_to_size", samples=shaped((Shape(2, 3), (1, 3))))
def sum_to(self, shape):
    """The sum over dimensions that broadcasting added or stretched, back to `shape`."""
    extra = self.ndim - len(shape)
    if self.shape[extra:] == shape:  # only new dimensions in front, such as a batch over a bias
        return summed_rows(self) if extra == 1 else np.add.reduce(self, tuple(range(extra)))
    axes = tuple(range(extra)) + tuple(i + extra for i, n in enumerate(shape) if n == 1 and self.shape[i + extra] != 1)
    return np.add.reduce(self, axes, keepdims=True).reshape(shape)


@sum_to.wrt("self")
def _(grad, self_shape):
    return expand(grad, self_shape)


@on_both
def sized(grad, shape):
    """A gradient summed to `shape`, if broadcasting had stretched that input."""
    return grad if grad.shape == shape else sum_to(grad, shape)


@op("CloneBackward0", symbol="clone", called="clone", samples=shaped((Shape(2, 3),), (Shape(),)))
def clone_card(self):
    """A copy with the same strides where that makes sense."""
    return copied(self)


@clone_card.wrt("self", latex="1")
def _(grad):
    return grad


def clone(self, *, memory_format=None):
    """A copy with memory of its own, which the gradient passes through.

    >>> import autograd_lab as torch
    >>> torch.clone(torch.tensor([1.0, 2.0]))
    tensor([1., 2.])
    """
    return clone_card(self)


@op("CloneBackward0", symbol="clone", called="contiguous", samples=shaped((Shape(2, 3),)))
def contiguous_card(self):
    """A copy in reading order."""
    return self.copy()


@contiguous_card.wrt("self", latex="1")
def _(grad):
    return grad


@op("AliasBackward0", view=True, samples=shaped((Shape(2, 3),)))
def alias(self):
    """The same memory under another name."""
    return self.view()


@alias.wrt("self")
def _(grad):
    return grad
