"""Order: sort, topk, kthvalue, mode, and places in a sorted sequence.

The gradient of a sorted value goes back to where the value came from. Read next: `statistics.py`.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from .._tensor import Tensor, bare
from ..op import op
from . import return_types
from .extremes import chosen, placed, reached
from .gather import scattered_sum
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
    return np.take_along_axis(self, indices, dim), np.ascontiguousarray(indices)


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


@op(
    "KthvalueBackward0",
    keeps=("indices",),
    also=("indices",),
    called="kthvalue",
    samples=two_by_three((2, 1, False), (1, 0, True)),
)
def kthvalue_card(self, k, dim=-1, keepdim=False):
    """The k-th smallest elements along a dimension, counted from 1, and where they are."""
    checked_dim(dim, self.ndim)
    if not 1 <= k <= (self.shape[dim] if self.ndim else 1):
        raise RuntimeError(f"selected number k out of range for dimension {checked_dim(dim, self.ndim)}")
    if not self.ndim:
        return self, np.int64(0)
    found = np.take(order(self, dim, False), k - 1, dim)
    values = np.take_along_axis(self, np.expand_dims(found, dim), dim)
    if np.any(np.count_nonzero(reached(self, values), dim) > 1):  # which of the equal ones: PyTorch's quickselect says
        found = np.apply_along_axis(quickselect, dim, self, k - 1)
    return chosen(self, found, dim, keepdim)


def quickselect(row: Any, k: int) -> Any:
    """The index that PyTorch's selection leaves at place `k` of a vector. Source: ATen, `quick_select_template`."""
    values, numbers = list(row), list(range(len(row)))

    def above(i: int, j: int) -> bool:
        a, b = values[i], values[j]
        return bool((a != a and b == b) or a > b)

    def swap(i: int, j: int) -> None:
        values[i], values[j] = values[j], values[i]
        numbers[i], numbers[j] = numbers[j], numbers[i]

    left, right = 0, len(values) - 1
    while right > left:
        if right == left + 1:
            if above(left, right):
                swap(left, right)
            break
        swap(left + (right - left) // 2, left + 1)
        for i, j in ((left + 1, right), (left, right), (left + 1, left)):
            if above(i, j):
                swap(i, j)
        i, j = left + 1, right
        while True:
            i += 1
            while above(left, i):
                i += 1
            j -= 1
            while above(j, left):
                j -= 1
            if j < i:
                break
            swap(i, j)
        swap(left, j)
        if j <= k:
            left = i
        if j >= k:
            right = j - 1
    return np.int64(numbers[k])


@kthvalue_card.wrt("self")
def _(grad, self_shape, dim, keepdim, indices):
    return placed(grad, self_shape, dim, keepdim, indices)


def kthvalue(self, k, dim=-1, keepdim=False):
    """The k-th smallest elements along a dimension, counted from 1, and where they are.

    >>> import autograd_lab as torch
    >>> torch.kthvalue(torch.tensor([3, 1, 2]), 2).values
    tensor(2)
    """
    return return_types.kthvalue(*kthvalue_card(self, k, dim, keepdim))


@op(
    "ModeBackward0",
    keeps=("indices",),
    also=("indices",),
    called="mode",
    samples=lambda rng: [(np.array([[1.0, 2.0, 3.0], [3.0, 1.0, 2.0]]), 1, False)],
)
def mode_card(self, dim=-1, keepdim=False):
    """The most frequent elements along a dimension, the smallest of several, and where they are."""
    checked_dim(dim, self.ndim)
    if not self.ndim:
        return self, np.int64(0)
    return chosen(self, np.apply_along_axis(most_frequent, dim, self), dim, keepdim)


def most_frequent(row: Any) -> Any:
    """The last index of the most frequent value of a vector."""
    if np.isnan(row).any():
        return first_longest_run(row)
    values, counts = np.unique(row, return_counts=True)
    best = values[np.argmax(counts)]
    return np.int64(np.nonzero((row == best) | ((row != row) & (best != best)))[0][-1])


def first_longest_run(row: Any) -> Any:
    """The same with nan among the values: PyTorch sorts by insertion, where nan stops every move."""
    order: list[int] = []
    for i, value in enumerate(row):
        place = 0 if order and value < row[order[0]] else len(order)
        while place and value < row[order[place - 1]]:
            place -= 1
        order.insert(place, i)
    best = run = longest = 0
    for here, after in itertools.zip_longest(order, order[1:]):
        run += 1
        if after is None or row[here] != row[after]:
            best, longest, run = (here, run, 0) if run > longest else (best, longest, 0)
    return np.int64(best)


@mode_card.wrt("self")
def _(grad, self_shape, dim, keepdim, indices):
    return placed(grad, self_shape, dim, keepdim, indices)


def mode(self, dim=-1, keepdim=False):
    """The most frequent elements along a dimension, the smallest of several, and where they are.

    >>> import autograd_lab as torch
    >>> torch.mode(torch.tensor([1, 2, 2])).values
    tensor(2)
    """
    return return_types.mode(*mode_card(self, dim, keepdim))


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
