"""Comparing and choosing: equality, order, where, maximum.

Comparisons have no gradient and are plain functions; choosing passes the gradient to what was chosen.
Read next: `indexing.py`.
"""

from __future__ import annotations

import numpy as np

from .. import dtypes
from .._tensor import Tensor, bare
from ..funnel import is_number, mismatch
from ..op import op
from ..samples import binary


def compared(ufunc):
    """A comparison as a function of two tensors, or a tensor and a number; the result is bool."""

    def compare(self, other):
        if not isinstance(other, Tensor) and not is_number(other):
            raise TypeError(
                f"{ufunc.__name__}(): argument 'other' (position 2) must be Tensor, not {type(other).__name__}"
            )
        if not isinstance(self, Tensor):
            raise TypeError(
                f"{ufunc.__name__}(): argument 'input' (position 1) must be Tensor, not {type(self).__name__}"
            )
        a, b = self._data, other._data if isinstance(other, Tensor) else other
        try:
            return bare(ufunc(a, b))
        except ValueError as error:
            raise (mismatch([np.shape(a), np.shape(b)]) or error) from None

    compare.__name__ = compare.__qualname__ = ufunc.__name__
    compare.__doc__ = f"`numpy.{ufunc.__name__}` element by element, as a bool tensor without gradient."
    return compare


eq, ne = compared(np.equal), compared(np.not_equal)
lt, le = compared(np.less), compared(np.less_equal)
gt, ge = compared(np.greater), compared(np.greater_equal)


def equal(self: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and the same elements; True or False.

    >>> import autograd_lab as torch
    >>> torch.equal(torch.tensor([1, 2]), torch.tensor([1, 2]))
    True
    """
    return self._data.shape == other._data.shape and bool(np.all(self._data == other._data))


def isclose(self, other, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Where |self - other| <= atol + rtol * |other|."""
    return bare(np.isclose(self._data, other._data, rtol, atol, equal_nan))


def allclose(self, other, rtol=1e-5, atol=1e-8, equal_nan=False) -> bool:
    """Whether all elements are close; see `isclose`."""
    return bool(np.all(isclose(self, other, rtol, atol, equal_nan)._data))


def isnan(self):
    """Where elements are nan."""
    return bare(np.isnan(self._data))


def isinf(self):
    """Where elements are infinite."""
    return bare(np.isinf(self._data))


def isfinite(self):
    """Where elements are neither infinite nor nan."""
    return bare(np.isfinite(self._data))


@op("WhereBackward0", broadcasts=True, inputs=("condition",), free_dtype=("condition",))
def where_card(condition, self, other):
    """`self` where the condition holds, else `other`."""
    return np.where(condition, self, other)


@where_card.wrt("self", latex="$condition")
def _(grad, condition):
    return where(condition, grad, 0)


@where_card.wrt("other", latex="1 - $condition")
def _(grad, condition):
    return where(condition, 0, grad)


def where(condition, self, other):
    """`self` where `condition` holds, else `other`; the branch not taken gets gradient 0.

    >>> import autograd_lab as torch
    >>> x = torch.tensor([-1.0, 2.0])
    >>> torch.where(x > 0, x, 0.0)
    tensor([0., 2.])
    """
    if not isinstance(condition, Tensor):
        return np.where(condition, self, other)
    return where_card(condition, self, other)


@op("MaximumBackward0", broadcasts=True, samples=binary())
def maximum(self, other):
    """The larger of two elements; at a tie each gets half the gradient."""
    return np.maximum(self, other)


@maximum.wrt("self")
def _(grad, self, other):
    return where(self == other, grad / 2, where(self > other, grad, 0))


@maximum.wrt("other")
def _(grad, self, other):
    return where(self == other, grad / 2, where(self < other, grad, 0))


@op("MinimumBackward0", broadcasts=True, samples=binary())
def minimum(self, other):
    """The smaller of two elements; at a tie each gets half the gradient."""
    return np.minimum(self, other)


@minimum.wrt("self")
def _(grad, self, other):
    return where(self == other, grad / 2, where(self < other, grad, 0))


@minimum.wrt("other")
def _(grad, self, other):
    return where(self == other, grad / 2, where(self > other, grad, 0))


@op("ClampBackward1", pointwise=True)
def clamp_numbers(self, min=None, max=None):
    """Limit every element; the limits themselves pass the gradient."""
    if min is not None:
        self = np.maximum(self, np.asarray(min).astype(self.dtype))
    if max is not None:
        self = np.minimum(self, np.asarray(max).astype(self.dtype))
    return self


@clamp_numbers.wrt("self")
def _(grad, self, min, max):
    inside = (self >= min if min is not None else self == self) & (self <= max if max is not None else self == self)
    return where(inside, grad, 0)


def clamp(self, min=None, max=None):
    """Limit every element to the range from `min` to `max`.

    >>> import autograd_lab as torch
    >>> torch.clamp(torch.tensor([-2.0, 0.5, 3.0]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    floating = any(isinstance(v, float) for v in (min, max)) and self.dtype.category < 2
    return clamp_numbers(self.to(dtypes.get_default_dtype()) if floating else self, min, max)


def logical(self, other, word):
    """`&`, `|`, `^`: logical for bools, bitwise for integers."""
    ufunc = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}[word]
    return bare(ufunc(self._data, other._data if isinstance(other, Tensor) else other))


def invert(self):
    """`~`: not for bools, bitwise for integers."""
    return bare(np.invert(self._data))
