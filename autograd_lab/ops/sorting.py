"""Order: sort, topk, and places in a sorted sequence.

The gradient of a sorted value goes back to where the value came from. Read next: `statistics.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import Tensor, bare
from ..op import op
from . import return_types
from .gather import scattered_sum
from .layout import laid_as
from .reduction import two_by_three
from .views import checked_dim


def order(self: Any, dim: int, descending: bool) -> Any:
    """The indices that sort along `dim`, equal elements in their old order; nan counts as largest."""
    if not descending:
        return np.argsort(self, dim, kind="stable")
    backwards = np.argsort(np.flip(self, dim), dim, kind="stable")
    return np.flip(self.shape[dim] - 1 - backwards, dim)


@op(
    "SortBackward0",
    keeps=("indices",),
    also=("indices",),
    called="sort",
    samples=two_by_three((1, False), (0, True)),
)
def sort_card(self, dim, descending=False):
    """The elements in order along a dimension, and where they came from."""
    checked_dim(dim, self.ndim)
    if not self.ndim:
        return self, np.int64(0)
    indices = order(self, dim, descending)
    return laid_as(self, np.take_along_axis(self, indices, dim)), laid_as(self, indices)


@sort_card.wrt("self")
def _(grad, self_shape, dim, indices):
    return scattered_sum(grad, dim, indices, self_shape) if len(self_shape) else grad


def sort(self, dim=-1, descending=False, *, stable=False):
    """The elements in order along a dimension, and where they came from.

    >>> import autograd_lab as torch
    >>> torch.sort(torch.tensor([3, 1, 2]), descending=True).values
    tensor([3, 2, 1])
    """
    return return_types.sort(*sort_card(self, dim, descending))


def argsort(self, dim=-1, descending=False, *, stable=False):
    """The indices that sort along a dimension.

    >>> import autograd_lab as torch
    >>> torch.argsort(torch.tensor([3, 1, 2]))
    tensor([1, 2, 0])
    """
    return sort_card(self.detach(), dim, descending)[1]


def msort(self):
    """The elements in order along the first dimension."""
    return sort_card(self, 0)[0]


@op(
    "TopkBackward0",
    keeps=("indices",),
    also=("indices",),
    called="topk",
    samples=two_by_three((2, 1, True, True), (1, 0, False, True)),
)
def topk_card(self, k, dim=-1, largest=True, sorted=True):
    """The k largest (or smallest) elements along a dimension, and where they are."""
    checked_dim(dim, self.ndim)
    size = self.shape[dim] if self.ndim else 1
    if not 0 <= k <= size:
        raise RuntimeError("selected index k out of range")
    if not self.ndim:
        return self, np.int64(0)
    indices = np.take(order(self, dim, largest), np.arange(k), dim)
    return np.take_along_axis(self, indices, dim), indices


@topk_card.wrt("self")
def _(grad, self_shape, dim, indices):
    return scattered_sum(grad, dim, indices, self_shape) if len(self_shape) else grad


def topk(self, k, dim=-1, largest=True, sorted=True):
    """The k largest (or smallest) elements along a dimension, and where they are.

    >>> import autograd_lab as torch
    >>> torch.topk(torch.tensor([3, 1, 2]), 2).values
    tensor([3, 2])
    """
    return return_types.topk(*topk_card(self, k, dim, largest, sorted))


def searchsorted(sorted_sequence, input, *, out_int32=False, right=False, side=None):
    """Where elements would go in a sorted sequence to keep it sorted.

    >>> import autograd_lab as torch
    >>> torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([3, 4]))
    tensor([1, 2])
    """
    where_to = side or ("right" if right else "left")
    values = input._data if isinstance(input, Tensor) else np.asarray(input)
    rows = np.asarray(sorted_sequence._data)
    kind = np.int32 if out_int32 else np.int64
    if rows.ndim == 1:
        return bare(np.asarray(np.searchsorted(rows, values, where_to), kind)[()])
    flat = zip(rows.reshape(-1, rows.shape[-1]), values.reshape(-1, values.shape[-1]), strict=True)
    found = np.stack([np.searchsorted(r, v, where_to) for r, v in flat])
    return bare(found.reshape(values.shape).astype(kind))


def bucketize(input, boundaries, *, out_int32=False, right=False):
    """The number of the bucket between sorted boundaries that each element falls into.

    >>> import autograd_lab as torch
    >>> torch.bucketize(torch.tensor([0.5, 2.0]), torch.tensor([1.0, 2.0]))
    tensor([0, 1])
    """
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)
