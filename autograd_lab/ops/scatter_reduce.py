"""Placing several values at one place and reducing them there: scatter_reduce.

Read next: `indexing.py`.
"""

from __future__ import annotations

import numpy as np

from ..formulas import on_both
from ..op import op
from .choice import where
from .gather import check_index, gather_card, index_samples, place, scattered_sum
from .reduction import truth
from .views import checked_dim

UFUNC = {"sum": np.add, "prod": np.multiply, "mean": np.add, "amax": np.maximum, "amin": np.minimum}
NEUTRAL = {"sum": 0, "prod": 1, "mean": 0, "amax": -np.inf, "amin": np.inf}


@op(
    "ScatterReduceBackward0",
    inputs=("index",),
    free_dtype=("index",),
    called="scatter_reduce",
    samples=index_samples("sum"),
)
def scatter_reduce_card(self, dim, index, src, reduce, include_self=True):
    """`src` reduced at `index` along `dim`, together with `self` or without."""
    where_to = place(self, dim, index)
    out = np.array(self, order="C")
    if not include_self:
        neutral = NEUTRAL[reduce]
        if np.isinf(neutral) and out.dtype.kind != "f":
            neutral = np.iinfo(out.dtype).min if neutral < 0 else np.iinfo(out.dtype).max
        out[where_to] = neutral
    part = src[tuple(slice(n) for n in index.shape)]
    UFUNC[reduce].at(out, where_to, part)
    if reduce != "mean":
        return out
    count = counts(out, where_to, include_self)
    return out / count if out.dtype.kind == "f" else out // count


def counts(out, where_to, include_self):
    """How many values met at each place; at least 1."""
    count = np.ones(out.shape, out.dtype)
    if not include_self:
        count[where_to] = 0
    np.add.at(count, where_to, out.dtype.type(1))
    return np.maximum(count, 1)


@on_both
def untouched(grad, dim, index, include_self):
    """The part of a gradient that `self` gets: all of it, or what nothing was written over."""
    if include_self:
        return grad
    return grad * (scattered_sum(ones_of(grad, index), dim, index, tuple(grad.shape)) == 0)


def ones_of(grad, index):
    """Ones in the shape of the index and the dtype of the gradient."""
    return truth(index == index, grad)


@on_both
def count_of(grad, dim, index, include_self):
    """How many values met at each place, for the mean."""
    count = scattered_sum(ones_of(grad, index), dim, index, tuple(grad.shape))
    return where(count == 0, 1, count) if not include_self else count + 1


@scatter_reduce_card.wrt("self")
def _(grad, self, src, result, dim, index, reduce, include_self):
    if reduce == "sum":
        return untouched(grad, dim, index, include_self)
    if reduce == "mean":
        return untouched(grad, dim, index, include_self) / count_of(grad, dim, index, include_self)
    if reduce == "prod":
        return untouched(grad * (result / self), dim, index, include_self)
    share = extreme_share(grad, self, src, result, dim, index)
    return untouched(share * (self == result), dim, index, include_self)


@scatter_reduce_card.wrt("src")
def _(grad, self, src, result, dim, index, reduce, include_self):
    if reduce == "sum":
        return gather_card(grad, dim, index)
    if reduce == "mean":
        return gather_card(grad / count_of(grad, dim, index, include_self), dim, index)
    if reduce == "prod":
        return gather_card(grad * result, dim, index) / src
    share = extreme_share(grad, self, src, result, dim, index)
    return gather_card(share, dim, index) * (src == gather_card(result, dim, index))


@on_both
def extreme_share(grad, self, src, result, dim, index):
    """The gradient of amax and amin, shared equally by all that are extreme."""
    hits = (src == gather_card(result, dim, index)) * ones_of(grad, index)
    number = (self == result) + scattered_sum(hits, dim, index, tuple(grad.shape))
    return grad / where(number == 0, 1, number)


def scatter_reduce(self, dim, index, src, reduce, *, include_self=True):
    """`src` reduced at `index` along `dim` by "sum", "prod", "mean", "amax" or "amin".

    >>> import autograd_lab as torch
    >>> torch.scatter_reduce(torch.zeros(2), 0, torch.tensor([0, 0, 1]), torch.tensor([1.0, 2.0, 3.0]), "amax")
    tensor([2., 3.])
    """
    check_index("scatter_reduce", index)
    if reduce not in UFUNC:
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}.")
    return scatter_reduce_card(self, checked_dim(dim, self.ndim), index, src, reduce, include_self)
