"""One element of each row by its place or its frequency: kthvalue and mode.

Read next: `statistics.py`.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ..op import op
from . import return_types
from .extremes import chosen, placed, reached
from .reduction import two_by_three
from .sorting import order
from .views import checked_dim


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
