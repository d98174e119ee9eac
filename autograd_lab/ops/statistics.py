"""Variance, standard deviation, and sums that skip nan.

Read next: `quantiles.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._tensor import bare
from ..caution import warn
from ..formulas import on_both
from ..op import op
from .choice import where
from .conversion import cast
from .pointwise import true_divide
from .python_numbers import wants_tensor
from .reduction import axes_of, cells, mean_dim, two_by_three, unreduced, widened


def variance(self: Any, dim: Any, correction: float, keepdim: bool) -> Any:
    """The mean squared distance from the mean, with `correction` fewer elements."""
    axes = axes_of(dim, self.ndim)
    center = np.true_divide(np.add.reduce(self, axes, keepdims=True), self.dtype.type(cells(dim, self.shape)))
    total = np.add.reduce(np.square(self - center), axes, keepdims=keepdim)
    return total / self.dtype.type(max(cells(dim, self.shape) - correction, 0))


@on_both
def variance_slope(grad, self, dim, correction, keepdim):
    """2 (x - mean) / (N - correction) for each element of a group."""
    grad = unreduced(grad, len(self.shape), dim, keepdim)
    center = mean_dim(self, () if dim is None else dim, True)
    free = cells(dim, self.shape) - correction
    return grad * (2 / free if free > 0 else math.inf) * (self - center)


@on_both
def deviation_slope(grad, result):
    """From the gradient of a standard deviation to that of its variance; 0 where it is 0."""
    return where(result == 0, 0.0, grad / where(result == 0, 1.0, result * 2))


SPREADS = two_by_three((None, 1, False), (0, 1, False), (1, 0, True))


@op("VarBackward0", samples=SPREADS)
def var_card(self, dim=None, correction=1, keepdim=False):
    """The variance."""
    return variance(self, dim, correction, keepdim)


@var_card.wrt("self")
def _(grad, self, dim, correction, keepdim):
    return variance_slope(grad, self, dim, correction, keepdim)


@op("StdBackward0", samples=SPREADS)
def std_card(self, dim=None, correction=1, keepdim=False):
    """The standard deviation."""
    return np.sqrt(variance(self, dim, correction, keepdim))


@std_card.wrt("self")
def _(grad, self, dim, correction, keepdim, result):
    return variance_slope(deviation_slope(grad, result), self, dim, correction, keepdim)


@op("VarMeanBackward0", several=True, samples=SPREADS)
def var_mean_card(self, dim=None, correction=1, keepdim=False):
    """Variance and mean together."""
    return variance(self, dim, correction, keepdim), np.mean(self, axes_of(dim, self.ndim), keepdims=keepdim)


@var_mean_card.wrt("self")
def _(grads, self, dim, correction, keepdim):
    return spread_slope(grads[0], grads[1], self, dim, correction, keepdim)


@op("StdMeanBackward0", several=True, results=("result0", "result1"), samples=SPREADS)
def std_mean_card(self, dim=None, correction=1, keepdim=False):
    """Standard deviation and mean together."""
    spread = np.sqrt(variance(self, dim, correction, keepdim))
    return spread, np.mean(self, axes_of(dim, self.ndim), keepdims=keepdim)


@std_mean_card.wrt("self")
def _(grads, self, dim, correction, keepdim, result0):
    first = None if grads[0] is None else deviation_slope(grads[0], result0)
    return spread_slope(first, grads[1], self, dim, correction, keepdim)


@on_both
def spread_slope(grad_variance, grad_mean, self, dim, correction, keepdim):
    """The gradient through a variance and a mean of the same elements."""
    by_variance = 0 if grad_variance is None else variance_slope(grad_variance, self, dim, correction, keepdim)
    if grad_mean is None:
        return by_variance
    even = unreduced(grad_mean, len(self.shape), dim, keepdim) / cells(dim, self.shape)
    return by_variance + even + self * 0


def spread_options(name: str, self: Any, dim: Any, unbiased: Any, keepdim: Any, correction: Any) -> Any:
    """The arguments of var and std in any of PyTorch's forms: (dim, correction, keepdim)."""
    wants_tensor(name, self)
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if self.dtype.category < 2:
        raise RuntimeError(f"{name}: only support floating point and complex dtypes")
    if correction is None:
        correction = 1 if unbiased is None else int(unbiased)
    dim = None if isinstance(dim, (tuple, list)) and not len(dim) else dim
    if cells(dim, self.shape) <= correction and self._data.size:
        warn(
            f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor "
            "(input numel divided by output numel)."
        )
    return dim, correction, keepdim


def var(self, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """The variance of all elements, or over `dim`, with Bessel's correction unless `correction=0`.

    >>> import autograd_lab as torch
    >>> torch.var(torch.tensor([1.0, 2.0, 3.0]))
    tensor(1.)
    """
    return var_card(self, *spread_options("var", self, dim, unbiased, keepdim, correction))


def std(self, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """The standard deviation, with Bessel's correction unless `correction=0`.

    >>> import autograd_lab as torch
    >>> torch.std(torch.tensor([1.0, 2.0, 3.0]))
    tensor(1.)
    """
    return std_card(self, *spread_options("std", self, dim, unbiased, keepdim, correction))


def var_mean(self, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """Variance and mean, together."""
    return var_mean_card(self, *spread_options("var_mean", self, dim, unbiased, keepdim, correction))


def std_mean(self, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """Standard deviation and mean, together.

    >>> import autograd_lab as torch
    >>> torch.std_mean(torch.tensor([1.0, 2.0, 3.0]))
    (tensor(1.), tensor(2.))
    """
    return std_mean_card(self, *spread_options("std_mean", self, dim, unbiased, keepdim, correction))


@op("NansumBackward0", called="nansum", samples=two_by_three((None, False), (0, True)))
def nansum_card(self, dim=None, keepdim=False):
    """The sum of the elements that are not nan."""
    return np.nansum(widened(self), axes_of(dim, self.ndim), keepdims=keepdim)


@nansum_card.wrt("self")
def _(grad, self, dim, keepdim):
    return unreduced(grad, len(self.shape), dim, keepdim) * (self == self)


def nansum(self, dim=None, keepdim=False, *, dtype=None):
    """The sum, nan counting as 0.

    >>> import autograd_lab as torch
    >>> torch.nansum(torch.tensor([1.0, float("nan")]))
    tensor(1.)
    """
    return nansum_card(self if dtype is None else cast(self, dtype), dim, keepdim)


def nanmean(self, dim=None, keepdim=False, *, dtype=None):
    """The mean of the elements that are not nan.

    >>> import autograd_lab as torch
    >>> torch.nanmean(torch.tensor([1.0, float("nan"), 3.0]))
    tensor(2.)
    """
    counted = np.add.reduce(~np.isnan(self._data), axes_of(dim, self.ndim), keepdims=keepdim)
    return true_divide(nansum(self, dim, keepdim, dtype=dtype), bare(np.asarray(counted)[()]))
