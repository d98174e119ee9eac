"""The same elements in another shape: views, transposes, joining and cutting.

Views share memory with their base. Read next: `reduction.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..op import on_both, op


def checked_dim(dim: int, ndim: int) -> int:
    """A dimension as a non-negative number, or PyTorch's error."""
    low, high = (-ndim, ndim - 1) if ndim else (-1, 0)
    if not low <= dim <= high:
        raise IndexError(f"Dimension out of range (expected to be in range of [{low}, {high}], but got {dim})")
    return dim % ndim if ndim else 0


def resolved(shape: Any, size: int) -> tuple[int, ...]:
    """A wanted shape with its -1 filled in, checked against the number of elements."""
    sizes = tuple(int(s) for s in shape)
    known = math.prod(s for s in sizes if s != -1)
    if sizes.count(-1) == 1 and known and size % known == 0:
        sizes = tuple(size // known if s == -1 else s for s in sizes)
    if math.prod(sizes) != size or -1 in sizes:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {size}")
    return sizes


@op("ViewBackward0", view=True)
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


@op("UnsafeViewBackward0")
def reshape_card(self, shape):
    """The elements in another shape, copied."""
    return self.reshape(shape)


@reshape_card.wrt("self")
def _(grad, self_shape):
    return reshape_card(grad, self_shape)


@op("ExpandBackward0", view=True)
def expand_view(self, shape):
    """Dimensions of size 1 repeated without copying."""
    return np.broadcast_to(self, shape)


@expand_view.wrt("self")
def _(grad, self_shape):
    return sum_to(grad, self_shape)


@on_both
def expand(grad, shape):
    """`grad` repeated to `shape`: what the backward of a sum needs."""
    return expand_copy(grad, shape) if tuple(grad.shape) != tuple(shape) else grad


@op("ExpandBackward0")
def expand_copy(self, shape):
    """Dimensions of size 1 repeated."""
    return np.full(shape, self) if not np.ndim(self) else np.broadcast_to(self, shape)


@expand_copy.wrt("self")
def _(grad, self_shape):
    return sum_to(grad, self_shape)


@op("SumBackward1")
def sum_to(self, shape):
    """The sum over dimensions that broadcasting added or stretched, back to `shape`."""
    extra = self.ndim - len(shape)
    axes = tuple(range(extra)) + tuple(i + extra for i, n in enumerate(shape) if n == 1 and self.shape[i + extra] != 1)
    return np.add.reduce(self, axes, keepdims=True).reshape(shape)


@sum_to.wrt("self")
def _(grad, self_shape):
    return expand(grad, self_shape)


@op("UnsqueezeBackward0", view=True)
def unsqueeze(self, dim):
    """A new dimension of size 1 at `dim`."""
    if not -self.ndim - 1 <= dim <= self.ndim:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-self.ndim - 1}, {self.ndim}], but got {dim})"
        )
    return np.expand_dims(self, dim)


@unsqueeze.wrt("self")
def _(grad, self_shape):
    return reshape_card(grad, self_shape)


@on_both
def unsqueeze_all(grad, dims):
    """New dimensions of size 1 at several places, in the order of the finished shape."""
    for dim in dims or ():
        grad = unsqueeze(grad, dim)
    return grad


@op("SqueezeBackward0", view=True)
def squeeze_all(self):
    """Without its dimensions of size 1."""
    return np.squeeze(self)


@squeeze_all.wrt("self")
def _(grad, self_shape):
    return reshape_card(grad, self_shape)


@op("SqueezeBackward1", view=True)
def squeeze_dim(self, dim):
    """Without dimension `dim`, if its size is 1."""
    dim = checked_dim(dim, self.ndim)
    return np.squeeze(self, dim) if self.ndim and self.shape[dim] == 1 else self.view()


@squeeze_dim.wrt("self")
def _(grad, self_shape, dim):
    return reshape_card(grad, self_shape)


@op("TBackward0", view=True)
def t(self):
    """A matrix with rows and columns exchanged."""
    if self.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {self.ndim}D")
    return self.T


@t.wrt("self")
def _(grad):
    return t(grad)


@op("TransposeBackward0", view=True)
def transpose(self, dim0, dim1):
    """Two dimensions exchanged."""
    checked_dim(dim0, self.ndim), checked_dim(dim1, self.ndim)
    return np.swapaxes(self, dim0, dim1) if self.ndim else self.view()


@transpose.wrt("self")
def _(grad, dim0, dim1):
    return transpose(grad, dim0, dim1)


@op("PermuteBackward0", view=True)
def permute(self, dims):
    """The dimensions in another order."""
    if len(dims) != self.ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
            f"ordering of dimensions i.e. input.dim() = {self.ndim} is not equal to len(dims) = {len(dims)}"
        )
    return np.transpose(self, dims)


@permute.wrt("self")
def _(grad, dims):
    return permute(grad, inverse_order(dims))


@on_both
def inverse_order(dims):
    """The order that undoes `dims`."""
    positive = [d % len(dims) for d in dims]
    return tuple(positive.index(i) for i in range(len(dims)))


@op("CloneBackward0", symbol="clone")
def clone(self):
    """A copy with memory of its own, which the gradient passes through.

    >>> import autograd_lab as torch
    >>> torch.clone(torch.tensor([1.0, 2.0]))
    tensor([1., 2.])
    """
    return self.copy()


@clone.wrt("self", latex="1")
def _(grad):
    return grad


@op("CatBackward0", listed=True, inputs=("tensors",))
def cat_card(tensors, dim=0):
    """Tensors joined along a dimension."""
    kept = [a for a in tensors if a.shape != (0,)] or tensors
    for i, a in enumerate(kept):
        for d in range(kept[0].ndim):
            if d != dim % kept[0].ndim and a.shape[d] != kept[0].shape[d]:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {dim}. Expected size {kept[0].shape[d]} but got "
                    f"size {a.shape[d]} for tensor number {i} in the list."
                )
    return np.concatenate(kept, dim)


@cat_card.wrt("tensors")
def _(grad, tensors_shape, dim):
    start, parts = 0, []
    for shape in tensors_shape:
        size = shape[dim] if shape != (0,) or len(grad.shape) == 1 else 0
        parts.append(narrow(grad, dim, start, size) if shape != (0,) else grad[:0].reshape((0,)))
        start += size
    return parts


@op("SliceBackward0", view=True)
def narrow(self, dim, start, length):
    """`length` entries of a dimension from `start` on."""
    return self[(slice(None),) * (dim % self.ndim) + (slice(start, start + length),)]


@narrow.wrt("self")
def _(grad, self_shape, dim, start, length):
    return widen(grad, self_shape, dim, start, length)


@op("SliceBackwardBackward0")
def widen(self, shape, dim, start, length):
    """Zeros of `shape` with `self` at its place along `dim`: the backward of `narrow`."""
    out = np.zeros(shape, self.dtype)
    out[(slice(None),) * (dim % out.ndim) + (slice(start, start + length),)] = self
    return out


@widen.wrt("self")
def _(grad, dim, start, length):
    return narrow(grad, dim, start, length)


@op("StackBackward0", listed=True, inputs=("tensors",))
def stack_card(tensors, dim=0):
    """Tensors of one shape joined along a new dimension."""
    for i, a in enumerate(tensors):
        if a.shape != tensors[0].shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(tensors[0].shape)} at entry 0 and "
                f"{list(a.shape)} at entry {i}"
            )
    return np.stack(tensors, dim)


@stack_card.wrt("tensors")
def _(grad, tensors_shape, dim):
    place = dim % len(grad.shape)
    return [reshape_card(narrow(grad, place, i, 1), shape) for i, shape in enumerate(tensors_shape)]


def cat(tensors, dim=0):
    """Tensors joined along an existing dimension.

    >>> import autograd_lab as torch
    >>> torch.cat([torch.tensor([1.0]), torch.tensor([2.0, 3.0])])
    tensor([1., 2., 3.])
    """
    return cat_card(list(tensors) if isinstance(tensors, (list, tuple)) else tensors, dim)


def stack(tensors, dim=0):
    """Tensors of one shape joined along a new dimension.

    >>> import autograd_lab as torch
    >>> torch.stack([torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])])
    tensor([[1., 2.],
            [3., 4.]])
    """
    return stack_card(list(tensors) if isinstance(tensors, (list, tuple)) else tensors, dim)


def wanted(first: Any, rest: tuple[Any, ...]) -> tuple[int, ...]:
    """A shape given as one tuple or as several numbers."""
    return tuple(first) if isinstance(first, (tuple, list)) else (first, *rest)


def view(self, *shape):
    """The same memory in another shape; raises where that is not possible without a copy."""
    return view_card(self, wanted(shape[0], shape[1:]) if shape else ())


def reshape(self, *shape):
    """The elements in another shape: a view if possible, else a copy."""
    sizes = resolved(wanted(shape[0], shape[1:]) if shape else (), self._data.size)
    try:
        self.array().reshape(sizes, copy=False)
    except ValueError:
        return reshape_card(self, sizes)
    return view_card(self, sizes)


def expand_to(self, *sizes):
    """Dimensions of size 1 repeated without copying; -1 keeps a size."""
    shape = wanted(sizes[0], sizes[1:])
    own = (1,) * (len(shape) - self.ndim) + tuple(self.shape)
    full = tuple(o if s == -1 else s for o, s in zip(own, shape, strict=False))
    for i, (o, s) in enumerate(zip(own, full, strict=False)):
        if o not in (1, s):
            raise RuntimeError(
                f"The expanded size of the tensor ({s}) must match the existing size ({o}) at non-singleton dimension "
                f"{i}.  Target sizes: {list(shape)}.  Tensor sizes: {list(self.shape)}"
            )
    return expand_view(self, full)


def flatten(self, start_dim=0, end_dim=-1):
    """Neighbouring dimensions merged into one."""
    if not self.ndim:
        return reshape(self, (1,))
    start, end = checked_dim(start_dim, self.ndim), checked_dim(end_dim, self.ndim)
    if start == end:
        return self
    shape = tuple(self.shape)
    return reshape(self, (*shape[:start], math.prod(shape[start : end + 1]), *shape[end + 1 :]))


def squeeze(self, dim=None):
    """Without its dimensions of size 1, or without `dim`."""
    return squeeze_all(self) if dim is None else squeeze_dim(self, dim)
