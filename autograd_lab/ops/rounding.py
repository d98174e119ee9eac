"""Rounding and signs: functions that are flat almost everywhere, so their gradient is zero.

Read next: `elementwise.py`.
"""

from __future__ import annotations

import numpy as np

from .._tensor import bare
from ..op import op
from ..samples import unary
from .lasting_zeros import lasting_zeros
from .python_numbers import wants_tensor, zeros_of


@op("SignBackward0", pointwise=True, samples=unary(away=0.2))
def sign(self):
    """-1, 0 or 1; its gradient is 0 everywhere.

    >>> import autograd_lab as torch
    >>> torch.sign(torch.tensor([-3.0, 0.0, 2.0]))
    tensor([-1.,  0.,  1.])
    """
    return sign_of(self)


def sign_of(x):
    """-1, 0 or 1; 0 for nan, as in PyTorch."""
    if x.dtype.kind == "b":
        return x.copy()
    return np.greater(x, 0).astype(x.dtype) - np.less(x, 0)


@sign.wrt("self", latex="0")
def _(grad):
    return zeros_of(grad)


@op("SgnBackward0", pointwise=True, samples=unary(away=0.2))
def sgn(self):
    """The sign; of a complex number its direction.

    >>> import autograd_lab as torch
    >>> torch.sgn(torch.tensor([-3.0, 2.0]))
    tensor([-1.,  1.])
    """
    return np.sign(self) if self.dtype.kind == "c" else sign_of(self)


@sgn.wrt("self", latex="0")
def _(grad, self, result):  # PyTorch keeps both, for complex numbers
    return lasting_zeros(grad)


@op("FloorBackward0", pointwise=True, samples=unary(low=0.1, high=0.9))
def floor(self):
    """The largest whole number not above; its gradient is 0.

    >>> import autograd_lab as torch
    >>> torch.floor(torch.tensor([1.7, -1.2]))
    tensor([ 1., -2.])
    """
    return np.floor(self) if self.dtype.kind == "f" else self.copy()


@floor.wrt("self", latex="0")
def _(grad):
    return zeros_of(grad)


@op("CeilBackward0", pointwise=True, samples=unary(low=0.1, high=0.9))
def ceil(self):
    """The smallest whole number not below; its gradient is 0.

    >>> import autograd_lab as torch
    >>> torch.ceil(torch.tensor([1.2, -1.7]))
    tensor([ 2., -1.])
    """
    return np.ceil(self) if self.dtype.kind == "f" else self.copy()


@ceil.wrt("self", latex="0")
def _(grad):
    return zeros_of(grad)


@op("RoundBackward0", pointwise=True, called="round", samples=unary(low=0.1, high=0.4))
def round_whole(self):
    """To the nearest whole number, halves to even."""
    return np.round(self)


@round_whole.wrt("self", latex="0")
def _(grad):
    return zeros_of(grad)


@op("RoundBackward1", pointwise=True, samples=unary(1, low=0.11, high=0.14))
def round_decimals(self, decimals):
    """To the nearest multiple of a power of ten, halves to even."""
    return np.round(self, decimals)


@round_decimals.wrt("self", latex="0")
def _(grad):
    return zeros_of(grad)


def round(self, *, decimals=0):
    """To the nearest whole number, halves to even; its gradient is 0.

    >>> import autograd_lab as torch
    >>> torch.round(torch.tensor([0.5, 1.5, 2.4]))
    tensor([0., 2., 2.])
    """
    wants_tensor("round", self)
    return round_decimals(self, decimals) if decimals else round_whole(self)


@op("TruncBackward0", pointwise=True, samples=unary(low=0.1, high=0.9))
def trunc(self):
    """Without the part after the point; its gradient is 0.

    >>> import autograd_lab as torch
    >>> torch.trunc(torch.tensor([1.7, -1.7]))
    tensor([ 1., -1.])
    """
    return np.trunc(self) if self.dtype.kind == "f" else self.copy()


@trunc.wrt("self", latex="0")
def _(grad):
    return zeros_of(grad)


@op("FracBackward0", pointwise=True, samples=unary(low=0.1, high=0.9))
def frac(self):
    """The part after the point, with its sign; its gradient is 1.

    >>> import autograd_lab as torch
    >>> torch.frac(torch.tensor([1.5, -1.25]))
    tensor([ 0.5000, -0.2500])
    """
    return self - np.trunc(self)


@frac.wrt("self", latex="1")
def _(grad):
    return grad


def signbit(self):
    """Whether elements carry a minus sign, -0.0 included; a bool tensor without gradient.

    >>> import autograd_lab as torch
    >>> torch.signbit(torch.tensor([-1.0, 2.0]))
    tensor([ True, False])
    """
    return bare(np.signbit(self._data))
