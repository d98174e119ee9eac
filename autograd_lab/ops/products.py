"""Products of many elements: prod and cumprod. With zeros among them the gradient takes a longer way.

Without zeros the derivative of a product by one factor is the product over that factor; with a zero that
would be 0 / 0, so the products of the others are formed. Read next: `scan.py`.
"""

from __future__ import annotations

import math

import numpy as np

from ..formulas import on_both
from ..op import op
from ..samples import unary
from .arranging import flip_card
from .conversion import cast
from .joining import cat_card, narrow
from .layout import in_order
from .python_numbers import wants_tensor, zeros_of
from .reduction import axes_of, count_zeros, has_zero, sum_dim, two_by_three, unreduced, widened
from .scan import cumsum_card
from .views import checked_dim, clone_card, reshape_card


@op("ProdBackward0", called="prod", samples=unary(away=0.3))
def prod_all(self):
    """The product of all elements."""
    return np.multiply.reduce(widened(self), None)


@prod_all.wrt("self", latex=r"\frac{$result}{$self}")
def _(grad, self, result):
    if not len(self.shape):
        return clone_card(grad)
    zeros = count_zeros(self)
    if not zeros:
        return grad * (result / self)
    if zeros > 1:
        return zeros_of(self)
    return grad * reshape_card(without_each(reshape_card(self, (math.prod(self.shape),)), 0), tuple(self.shape))


@op("ProdBackward1", called="prod", samples=two_by_three((0, False), (1, True)))
def prod_dim(self, dim, keepdim=False):
    """The product over one dimension."""
    return np.multiply.reduce(widened(self), axes_of(dim, self.ndim), keepdims=keepdim)


@prod_dim.wrt("self", latex=r"\frac{$result}{$self}")
def _(grad, self, result, dim, keepdim):
    grad = unreduced(grad, len(self.shape), dim, keepdim)
    if not has_zero(self) or not len(self.shape):
        return grad * (unreduced(result, len(self.shape), dim, keepdim) / self if len(self.shape) else self * 0 + 1)
    return grad * without_each(self, dim)


@on_both
def without_each(self, dim):
    """For each element along `dim` the product of all others: right also where elements are 0."""
    n = self.shape[dim]
    if n == 1:
        return self * 0 + 1
    one = narrow(self, dim, 0, 1) * 0 + 1
    before = cat_card([one, cumprod_card(narrow(self, dim, 0, n - 1), dim)], dim)
    after = flip_card(cumprod_card(flip_card(narrow(self, dim, 1, n - 1), (dim,)), dim), (dim,))
    return before * cat_card([after, one], dim)


def prod(self, dim=None, keepdim=False, *, dtype=None):
    """The product of all elements, or over `dim`; integers and bools give int64.

    >>> import autograd_lab as torch
    >>> torch.prod(torch.tensor([[1, 2], [3, 4]]), 1)
    tensor([ 2, 12])
    """
    wants_tensor("prod", self)
    if dtype is not None:
        self = cast(self, dtype)
    return prod_all(self) if dim is None else prod_dim(self, dim, keepdim)


@op("CumprodBackward0", called="cumprod", samples=two_by_three((0,), (1,)))
def cumprod_card(self, dim):
    """The products of the elements so far, along a dimension."""
    checked_dim(dim, self.ndim)
    return in_order(np.multiply.accumulate(widened(self), dim)) if self.ndim else widened(self)


@cumprod_card.wrt("self")
def _(grad, self, result, dim):
    if not len(self.shape):
        return grad
    if not has_zero(self):
        return backwards_sum(grad * result, dim) / self
    return around_zeros(grad, self, dim)


@on_both
def backwards_sum(grad, dim):
    """For each place along `dim` the sum of what comes at or after it."""
    return flip_card(cumsum_card(flip_card(grad, (dim,)), dim), (dim,))


@on_both
def around_zeros(grad, self, dim):
    """The gradient of cumprod where elements are 0: for each factor, the products in which it took part."""
    n, parts = self.shape[dim], []
    for k in range(n):
        one = narrow(self, dim, k, 1) * 0 + 1
        others = one if k == n - 1 else cat_card([one, cumprod_card(narrow(self, dim, k + 1, n - k - 1), dim)], dim)
        later = sum_dim(narrow(grad, dim, k, n - k) * others, dim, True)
        parts.append(later if not k else later * prod_dim(narrow(self, dim, 0, k), dim, True))
    return cat_card(parts, dim)


def cumprod(self, dim, *, dtype=None):
    """The products of the elements so far, along a dimension; integers give int64.

    >>> import autograd_lab as torch
    >>> torch.cumprod(torch.tensor([1, 2, 3]), 0)
    tensor([1, 2, 6])
    """
    return cumprod_card(self if dtype is None else cast(self, dtype), dim)
