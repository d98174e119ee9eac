"""Running sums along a dimension: cumsum, logcumsumexp, cummax, cummin, diff.

Their gradients run the other way. Read next: `sorting.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import Tensor, bare
from ..formulas import on_both
from ..op import op
from . import return_types
from .arranging import flip_card
from .choice import where
from .comparison import ne
from .conversion import cast
from .dimensions import movedim, unsqueeze
from .elementwise import exp, log
from .gather import scattered_sum
from .joining import cat, narrow
from .layout import in_order
from .pointwise import sub
from .reduction import sum_dim, two_by_three, widened
from .views import checked_dim


@op("CumsumBackward0", called="cumsum", samples=two_by_three((0,), (1,)))
def cumsum_card(self, dim):
    """The sums of the elements so far, along a dimension."""
    checked_dim(dim, self.ndim)
    return in_order(np.add.accumulate(widened(self), dim)) if self.ndim else widened(self)


@cumsum_card.wrt("self", latex=r"\sum_{j \ge i} $grad_j")
def _(grad, dim):
    return flip_card(cumsum_card(flip_card(grad, (dim,)), dim), (dim,)) if len(grad.shape) else grad


def cumsum(self, dim, *, dtype=None):
    """The sums of the elements so far, along a dimension; integers give int64.

    >>> import autograd_lab as torch
    >>> torch.cumsum(torch.tensor([1, 2, 3]), 0)
    tensor([1, 3, 6])
    """
    return cumsum_card(self if dtype is None else cast(self, dtype), dim)


@op("LogcumsumexpBackward0", samples=two_by_three((0,), (1,)))
def logcumsumexp(self, dim):
    """The logarithm of the running sum of exponentials, without overflow.

    >>> import autograd_lab as torch
    >>> torch.logcumsumexp(torch.tensor([0.0, 0.0]), 0)
    tensor([0.0000, 0.6931])
    """
    checked_dim(dim, self.ndim)
    return in_order(np.logaddexp.accumulate(self, dim)) if self.ndim else self


@logcumsumexp.wrt("self")
def _(grad, self, result, dim):
    return (tensor_slope if isinstance(grad, Tensor) else array_slope)(grad, self, result, dim)


def tensor_slope(grad, self, result, dim):
    """The sum of grad_j e^(x_i - result_j) over j >= i, pair by pair: this can be differentiated again."""
    if not len(self.shape):
        return grad
    rows, ends, grads = (movedim(x, dim, -1) for x in (self, result, grad))
    n = rows.shape[-1]
    pairs = unsqueeze(rows, -1) - unsqueeze(ends, -2)
    later = bare(np.triu(np.ones((n, n), bool)))
    return movedim(sum_dim(exp(where(later, pairs, -np.inf)) * unsqueeze(grads, -2), -1), -1, dim)


@on_both
def array_slope(grad, self, result, dim):
    """Through logarithms of positive and negative gradients, which never overflow."""
    positive = log(where(grad > 0, grad, 1)) + where(grad > 0, 0.0, -np.inf)
    negative = log(where(grad < 0, -grad, 1)) + where(grad < 0, 0.0, -np.inf)
    return exp(backwards(positive - result, dim) + self) - exp(backwards(negative - result, dim) + self)


@on_both
def backwards(self, dim):
    """logcumsumexp from the end."""
    return flip_card(logcumsumexp(flip_card(self, (dim,)), dim), (dim,)) if len(self.shape) else self


def running(self: Any, dim: int, ufunc: Any) -> tuple[Any, Any]:
    """The extreme so far and where it is: the last of equal ones."""
    if not self.ndim:
        return self, np.int64(0)
    values = in_order(ufunc.accumulate(self, dim))
    numbers = np.arange(self.shape[dim]).reshape([-1 if d == dim % self.ndim else 1 for d in range(self.ndim)])
    hits = np.where((self == values) | (self != self), numbers, 0)
    return values, in_order(np.maximum.accumulate(np.broadcast_to(hits, self.shape), dim))


@op("CummaxBackward0", keeps=("indices",), also=("indices",), called="cummax", samples=two_by_three((0,), (1,)))
def cummax_card(self, dim):
    """The largest element so far, and where it is."""
    checked_dim(dim, self.ndim)
    return running(self, dim, np.maximum)


@cummax_card.wrt("self")
def _(grad, self, dim, indices):
    return scattered_sum(grad, dim, indices, tuple(self.shape)) if len(self.shape) else grad


def cummax(self, dim):
    """The largest element so far along a dimension, and where it is.

    >>> import autograd_lab as torch
    >>> torch.cummax(torch.tensor([1, 3, 2]), 0).values
    tensor([1, 3, 3])
    """
    return return_types.cummax(*cummax_card(self, dim))


@op("CumminBackward0", keeps=("indices",), also=("indices",), called="cummin", samples=two_by_three((0,), (1,)))
def cummin_card(self, dim):
    """The smallest element so far, and where it is."""
    checked_dim(dim, self.ndim)
    return running(self, dim, np.minimum)


@cummin_card.wrt("self")
def _(grad, self, dim, indices):
    return scattered_sum(grad, dim, indices, tuple(self.shape)) if len(self.shape) else grad


def cummin(self, dim):
    """The smallest element so far along a dimension, and where it is."""
    return return_types.cummin(*cummin_card(self, dim))


def diff(self, n=1, dim=-1, prepend=None, append=None):
    """The differences of neighbours along a dimension, `n` times over.

    >>> import autograd_lab as torch
    >>> torch.diff(torch.tensor([1, 4, 9]))
    tensor([3, 5])
    """
    if not self.ndim:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    dim = checked_dim(dim, self.ndim)
    parts = [t for t in (prepend, self, append) if t is not None]
    made = cat(parts, dim) if len(parts) > 1 else self
    for _ in range(n):
        size = made.shape[dim]
        later, earlier = narrow(made, dim, 1, size - 1), narrow(made, dim, 0, size - 1)
        made = ne(later, earlier) if made.dtype.category == 0 else sub(later, earlier)
    return made
