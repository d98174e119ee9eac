"""Tensors cut: split, chunk, unbind. The gradient of the pieces is joined again.

Read next: `arranging.py`.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from .._tensor import Tensor
from ..op import op
from ..samples import Shape, shaped
from .joining import cat_card, parts_of, slice_card
from .views import checked_dim


def lengths(size: int, piece: int) -> list[int]:
    """The sizes of pieces of `piece`, the last one smaller."""
    return [min(piece, size - start) for start in range(0, size, piece)] or [0]


def shapes_of(shape: Any, dim: int, sizes: list[int]) -> list[tuple[int, ...]]:
    """The shapes of the pieces of `shape` along `dim`."""
    dim %= len(shape)
    return [(*shape[:dim], n, *shape[dim + 1 :]) for n in sizes]


def cut(self: Any, dim: int, sizes: list[int]) -> tuple[Any, ...]:
    """Pieces of an array along a dimension."""
    starts = np.cumsum([0, *sizes])
    before = (slice(None),) * (dim % self.ndim)
    return tuple(self[(*before, slice(a, a + n))] for a, n in zip(starts, sizes, strict=False))


@op("SplitBackward0", view=True, several=True, called="split", samples=shaped((Shape(5, 2), 2, 0)))
def split_equal(self, split_size, dim=0):
    """Pieces of one size; the last may be smaller."""
    return cut(self, dim, lengths(self.shape[dim], split_size))


@split_equal.wrt("self")
def _(grads, self_shape, split_size, dim):
    return cat_card(parts_of(grads, shapes_of(self_shape, dim, lengths(self_shape[dim], split_size))), dim)


@op("SplitWithSizesBackward0", view=True, several=True, called="split", samples=shaped((Shape(5, 2), (2, 3), 0)))
def split_sizes_card(self, split_sizes, dim=0):
    """Pieces of given sizes."""
    return cut(self, dim, list(split_sizes))


@split_sizes_card.wrt("self")
def _(grads, self_shape, split_sizes, dim):
    return cat_card(parts_of(grads, shapes_of(self_shape, dim, list(split_sizes))), dim)


def split(self, split_size_or_sections, dim=0):
    """Pieces along a dimension: of one size, or of a list of sizes; views.

    >>> import autograd_lab as torch
    >>> torch.split(torch.arange(5), 2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    if not self.ndim:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    place = checked_dim(dim, self.ndim)
    if isinstance(split_size_or_sections, int):
        if split_size_or_sections < 0 or (not split_size_or_sections and self.shape[place]):
            raise RuntimeError(
                f"split expects split_size be non-negative, but got split_size={split_size_or_sections}"
                if split_size_or_sections
                else f"split_size can only be 0 if dimension size is 0, but got dimension size of {self.shape[place]}"
            )
        return split_equal(self, split_size_or_sections, place)
    sizes = tuple(split_size_or_sections)
    if sum(sizes) != self.shape[place]:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {self.shape[place]} (input tensor's size at "
            "dimension "
            f"{dim}), but got split_sizes={list(sizes)}"
        )
    return split_sizes_card(self, sizes, place)


def chunk(self, chunks, dim=0):
    """At most `chunks` pieces of one size; views.

    >>> import autograd_lab as torch
    >>> torch.chunk(torch.arange(5), 2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    if not self.ndim:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    return split(self, max(-(-self.shape[checked_dim(dim, self.ndim)] // chunks), 1), dim)


def tensor_split(self, indices_or_sections, dim=0):
    """Pieces as equal as possible, or cut at given places; plain slices.

    >>> import autograd_lab as torch
    >>> torch.tensor_split(torch.arange(5), 2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
    place = checked_dim(dim, self.ndim)
    size, given = self.shape[place], indices_or_sections
    if isinstance(given, Tensor):
        given = given.tolist()
    if isinstance(given, int):
        small, extra = divmod(size, given)
        given = list(np.cumsum([small + (i < extra) for i in range(given)])[:-1])
    edges = [0, *(int(i) for i in given), size]
    return tuple(slice_card(self, place, a, b, 1) for a, b in itertools.pairwise(edges))
