"""Functions of two arguments, element by element: hypot, logaddexp, copysign, ldexp, heaviside, gcd.

Read next: `reduction.py`.
"""

from __future__ import annotations

import math

import numpy as np

from .._tensor import bare
from ..op import op
from ..samples import binary
from .choice import where
from .elementwise import exp
from .python_numbers import undifferentiable, zeros_of


@op("HypotBackward0", broadcasts=True, samples=binary(low=0.3))
def hypot(self, other):
    """The long side of a right triangle: sqrt(self^2 + other^2).

    >>> import autograd_lab as torch
    >>> torch.hypot(torch.tensor([3.0]), torch.tensor([4.0]))
    tensor([5.])
    """
    return np.hypot(self, other)


@hypot.wrt("self", latex=r"\frac{$self}{$result}")
def _(grad, self, result):
    return grad * (self / result)


@hypot.wrt("other", latex=r"\frac{$other}{$result}")
def _(grad, other, result):
    return grad * (other / result)


@op("LogaddexpBackward0", broadcasts=True, floats=True, samples=binary())
def logaddexp(self, other):
    """ln(e^self + e^other), without overflow.

    >>> import autograd_lab as torch
    >>> torch.logaddexp(torch.tensor([0.0]), torch.tensor([0.0]))
    tensor([0.6931])
    """
    return np.logaddexp(self, other)


@logaddexp.wrt("self", latex=r"\frac{e^{$self}}{e^{$self} + e^{$other}}")
def _(grad, self, other):
    return grad / (1 + exp(other - self))


@logaddexp.wrt("other", latex=r"\frac{e^{$other}}{e^{$self} + e^{$other}}")
def _(grad, self, other):
    return grad / (1 + exp(self - other))


@op("Logaddexp2Backward0", broadcasts=True, floats=True, samples=binary())
def logaddexp2(self, other):
    """log2(2^self + 2^other), without overflow.

    >>> import autograd_lab as torch
    >>> torch.logaddexp2(torch.tensor([1.0]), torch.tensor([1.0]))
    tensor([2.])
    """
    return np.logaddexp2(self, other)


@logaddexp2.wrt("self", latex=r"\frac{2^{$self}}{2^{$self} + 2^{$other}}")
def _(grad, self, other):
    return grad / (1 + 2 ** (other - self))


@logaddexp2.wrt("other", latex=r"\frac{2^{$other}}{2^{$self} + 2^{$other}}")
def _(grad, self, other):
    return grad / (1 + 2 ** (self - other))


@op("CopysignBackward0", broadcasts=True, floats=True, samples=binary(away=0.3))
def copysign(self, other):
    """The size of `self` with the sign of `other`.

    >>> import autograd_lab as torch
    >>> torch.copysign(torch.tensor([1.0, 2.0]), torch.tensor([-1.0, 1.0]))
    tensor([-1.,  2.])
    """
    return np.copysign(self, other)


@copysign.wrt("self", latex=r"\frac{$result}{$self}")
def _(grad, self, result):
    return grad * where(self == 0, 0.0, result / self)


@copysign.wrt("other", latex="0")
def _(grad, result):  # PyTorch keeps and checks the result for both
    return zeros_of(grad)


@op("LdexpBackward0", broadcasts=True, floats=True, samples=binary())
def ldexp(self, other):
    """self * 2 ** other.

    >>> import autograd_lab as torch
    >>> torch.ldexp(torch.tensor([3.0]), torch.tensor([2]))
    tensor([12.])
    """
    return self * np.exp2(other)


@ldexp.wrt("self", latex="2^{$other}")
def _(grad, other, result):  # PyTorch keeps and checks the result for both
    return grad * 2**other


@ldexp.wrt("other", latex=r"$result \cdot \ln 2")
def _(grad, result):
    return grad * (result * math.log(2))


def step(self, other):
    """0 for negative elements, 1 for positive ones, `other` at 0; PyTorch has no derivative for it."""
    return np.where(self == 0, other, (self > 0).astype(self.dtype))


steps = undifferentiable("heaviside", step, "heaviside", binary(away=0.2))


def heaviside(self, values):
    """0 for negative elements, 1 for positive ones, `values` at 0; PyTorch has no derivative for it.

    >>> import autograd_lab as torch
    >>> torch.heaviside(torch.tensor([-1.0, 0.0, 2.0]), torch.tensor(0.5))
    tensor([0.0000, 0.5000, 1.0000])
    """
    return steps(self, values)


def gcd(self, other):
    """The greatest common divisor of integers.

    >>> import autograd_lab as torch
    >>> torch.gcd(torch.tensor([12, 7]), torch.tensor([8, 14]))
    tensor([4, 7])
    """
    return bare(np.gcd(self._data, other._data))


def lcm(self, other):
    """The least common multiple of integers.

    >>> import autograd_lab as torch
    >>> torch.lcm(torch.tensor([4]), torch.tensor([6]))
    tensor([12])
    """
    return bare(np.lcm(self._data, other._data))
