"""Tensors joined and cut: cat, stack, split, unbind, slices. The gradient is cut and joined the other way.

Read next: `arranging.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import Tensor, bare
from ..formulas import on_both
from ..op import op
from ..samples import Shape, shaped
from .views import checked_dim, reshape_card


@op(
    "CatBackward0",
    listed=True,
    inputs=("tensors",),
    hidden=("tensors_shape",),
    called="cat",
    samples=lambda rng: [([rng.uniform(-2, 2, (2, 3)), rng.uniform(-2, 2, (1, 3))], 0)],
)
def cat_card(tensors, dim=0):
    """Tensors joined along a dimension."""
    kept = [a for a in tensors if a.shape != (0,)] or tensors
    ndim = kept[0].ndim
    for i, a in enumerate(tensors):
        if not a.ndim:
            raise RuntimeError(f"zero-dimensional tensor (at position {i}) cannot be concatenated")
    checked_dim(dim, ndim)
    for i, a in enumerate(kept):
        if a.ndim != ndim:
            raise RuntimeError(f"Tensors must have same number of dimensions: got {ndim} and {a.ndim}")
        for d in range(ndim):
            if d != dim % ndim and a.shape[d] != kept[0].shape[d]:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {dim}. Expected size {kept[0].shape[d]} but got "
                    f"size {a.shape[d]} for tensor number {i} in the list."
                )
    return np.concatenate(kept, dim)


@cat_card.wrt("tensors")
def _(grad, tensors_shape, dim):
    start, parts = 0, []
    for shape in tensors_shape:
        if shape == (0,):
            parts.append(narrow(grad, 0, 0, 0).reshape((0,)))
        else:
            parts.append(narrow(grad, dim, start, shape[dim]))
            start += shape[dim]
    return parts


def cat(tensors, dim=0):
    """Tensors joined along an existing dimension.

    >>> import autograd_lab as torch
    >>> torch.cat([torch.tensor([1.0]), torch.tensor([2.0, 3.0])])
    tensor([1., 2., 3.])
    """
    if isinstance(tensors, (list, tuple)):
        tensors = list(tensors)
        if not tensors:
            raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    return cat_card(tensors, dim)


@op(
    "StackBackward0",
    listed=True,
    inputs=("tensors",),
    hidden=("tensors_shape",),
    called="stack",
    samples=lambda rng: [([rng.uniform(-2, 2, (2, 3)), rng.uniform(-2, 2, (2, 3))], 1)],
)
def stack_card(tensors, dim=0):
    """Tensors of one shape joined along a new dimension."""
    for i, a in enumerate(tensors):
        if a.shape != tensors[0].shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(tensors[0].shape)} at entry 0 and "
                f"{list(a.shape)} at entry {i}"
            )
    checked_dim(dim, tensors[0].ndim + 1)
    return np.stack(tensors, dim)


@stack_card.wrt("tensors")
def _(grad, tensors_shape, dim):
    return [reshape_card(narrow(grad, dim, i, 1), shape) for i, shape in enumerate(tensors_shape)]


def stack(tensors, dim=0):
    """Tensors of one shape joined along a new dimension.

    >>> import autograd_lab as torch
    >>> torch.stack([torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])])
    tensor([[1., 2.],
            [3., 4.]])
    """
    if isinstance(tensors, (list, tuple)):
        tensors = list(tensors)
        if not tensors:
            raise RuntimeError("stack expects a non-empty TensorList")
    return stack_card(tensors, dim)


@op("SliceBackward0", view=True, called="slice", samples=shaped((Shape(5, 2), 0, 1, 4, 2)))
def slice_card(self, dim=0, start=None, end=None, step=1):
    """Entries of a dimension from `start` to before `end`, every `step`-th."""
    return self[(slice(None),) * (dim % self.ndim) + (slice(start, end, step),)]


@slice_card.wrt("self")
def _(grad, self_shape, dim, start, end, step):
    return slice_backward(grad, self_shape, dim, start, end, step)


@op("SliceBackwardBackward0", samples=shaped((Shape(2, 2), (5, 2), 0, 1, 4, 2)))
def slice_backward(self, shape, dim, start, end, step):
    """Zeros of `shape` with `self` at a slice of `dim`."""
    out = np.zeros(shape, self.dtype)
    out[(slice(None),) * (dim % out.ndim) + (slice(start, end, step),)] = self
    return out


@slice_backward.wrt("self")
def _(grad, dim, start, end, step):
    return slice_card(grad, dim, start, end, step)


@on_both
def narrow(grad, dim, start, length):
    """`length` entries of a dimension from `start` on, for formulas."""
    return slice_card(grad, dim, start, start + length, 1)


def narrow_checked(self, dim, start, length):
    """`length` entries of a dimension from `start` on; a view.

    >>> import autograd_lab as torch
    >>> torch.narrow(torch.arange(6), 0, 1, 3)
    tensor([1, 2, 3])
    """
    if not self.ndim:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    dim = checked_dim(dim, self.ndim)
    start, size = int(start), self.shape[dim]
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    if not -size <= start <= size:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-size}, {size}], but got {start})")
    start = start + size if start < 0 else start
    if start + length > size:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return slice_card(self, dim, start, start + length, 1)


def parts_of(grads: Any, shapes: list[tuple[int, ...]]) -> list[Any]:
    """The gradients of several outputs; zeros for outputs that were not used."""
    one = next(g for g in grads if g is not None)
    data = one._data if isinstance(one, Tensor) else one
    zeros = [np.zeros(s, data.dtype) for s in shapes]
    return [
        g if g is not None else bare(z) if isinstance(one, Tensor) else z for g, z in zip(grads, zeros, strict=True)
    ]


@op("UnbindBackward0", view=True, several=True, called="unbind", samples=shaped((Shape(2, 3), 0)))
def unbind_card(self, dim=0):
    """All entries of a dimension, one by one."""
    if not self.ndim:
        raise RuntimeError("Dimension specified as 0 but tensor has no dimensions")
    dim = checked_dim(dim, self.ndim)
    return tuple(self[(slice(None),) * dim + (i, ...)] for i in range(self.shape[dim]))


@unbind_card.wrt("self")
def _(grads, dim):
    shape = next(g for g in grads if g is not None).shape
    return stack_card(parts_of(grads, [tuple(shape)] * len(grads)), dim)


def unbind(self, dim=0):
    """All entries of a dimension as a tuple; views.

    >>> import autograd_lab as torch
    >>> torch.unbind(torch.tensor([[1, 2], [3, 4]]))
    (tensor([1, 2]), tensor([3, 4]))
    """
    return unbind_card(self, dim)
