"""Shapes as learners give them: view, reshape, expand, flatten, unflatten.

The cards are in `views.py`. Read next: `dimensions.py`.
"""

from __future__ import annotations

import math
from typing import Any

from .._tensor import Tensor
from .views import checked_dim, contiguous_card, expand_view, reshape_alias, reshape_card, resolved, view_card


def wanted(first: Any, rest: tuple[Any, ...]) -> tuple[int, ...]:
    """A shape given as one tuple or as several numbers."""
    sizes = tuple(first) if isinstance(first, (tuple, list)) else (first, *rest)
    return tuple(int(s.item()) if isinstance(s, Tensor) else s for s in sizes)


def view(self, *shape):
    """The same memory in another shape; raises where that is not possible without a copy.

    >>> import autograd_lab as torch
    >>> torch.arange(6).view(2, -1)
    tensor([[0, 1, 2],
            [3, 4, 5]])
    """
    return view_card(self, wanted(shape[0], shape[1:]) if shape else ())


def reshape(self, *shape, **named):
    """The elements in another shape: a view if possible, else a copy.

    >>> import autograd_lab as torch
    >>> torch.reshape(torch.arange(6), (3, 2)).shape
    torch.Size([3, 2])
    """
    shape = (named.pop("shape"),) if "shape" in named else shape
    sizes = resolved(wanted(shape[0], shape[1:]) if shape else (), self._data.size)
    data = self.array()
    if data.flags.c_contiguous:
        return view_card(self, sizes)
    try:
        data.reshape(sizes, copy=False)
    except ValueError:
        return reshape_card(contiguous_card(self), sizes)
    return reshape_alias(self, sizes)


def expand_to(self, *sizes):
    """Dimensions of size 1 repeated without copying; -1 keeps a size.

    >>> import autograd_lab as torch
    >>> torch.tensor([[1], [2]]).expand(2, 3)
    tensor([[1, 1, 1],
            [2, 2, 2]])
    """
    shape = wanted(sizes[0], sizes[1:])
    if len(shape) < self.ndim:
        raise RuntimeError(
            f"expand({self.type()}{{{list(self.shape)}}}, size={list(shape)}): the number of sizes provided "
            f"({len(shape)}) "
            f"must be greater or equal to the number of dimensions in the tensor ({self.ndim})"
        )
    new = len(shape) - self.ndim
    own = (1,) * new + tuple(self.shape)
    for i, s in enumerate(shape):
        if s == -1 and i < new:
            raise RuntimeError(
                f"The expanded size of the tensor ({s}) isn't allowed in a leading, non-existing dimension {i}"
            )
    full = tuple(o if s == -1 else s for o, s in zip(own, shape, strict=False))
    for i, (o, s) in enumerate(zip(own, full, strict=False)):
        if o not in (1, s):
            raise RuntimeError(
                f"The expanded size of the tensor ({s}) must match the existing size ({o}) at non-singleton dimension "
                f"{i}.  Target sizes: {list(shape)}.  Tensor sizes: {list(self.shape)}"
            )
    return expand_view(self, full)


def flatten(self, start_dim=0, end_dim=-1):
    """Neighbouring dimensions merged into one.

    >>> import autograd_lab as torch
    >>> torch.flatten(torch.ones(2, 3, 4), 1).shape
    torch.Size([2, 12])
    """
    if not self.ndim:
        return reshape(self, (1,))
    start, end = checked_dim(start_dim, self.ndim), checked_dim(end_dim, self.ndim)
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if start == end:
        return self
    shape = tuple(self.shape)
    return reshape(self, (*shape[:start], math.prod(shape[start : end + 1]), *shape[end + 1 :]))


def unflatten(self, dim, sizes):
    """One dimension cut into several.

    >>> import autograd_lab as torch
    >>> torch.unflatten(torch.ones(6), 0, (2, 3)).shape
    torch.Size([2, 3])
    """
    dim, shape = checked_dim(dim, self.ndim), tuple(self.shape)
    try:
        inner = resolved(sizes, shape[dim])
    except RuntimeError:
        raise RuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} ({shape[dim]}) in the "
            "input tensor"
        ) from None
    return view(self, *shape[:dim], *inner, *shape[dim + 1 :])
