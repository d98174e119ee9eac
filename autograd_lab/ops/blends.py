"""Functions of two and three tensors, element by element: lerp, addcmul, hypot, logaddexp.

Read next: `reduction.py`.
"""

from __future__ import annotations

import math

import numpy as np

from .._tensor import Tensor, bare
from ..op import op
from ..samples import Shape, binary, shaped
from .choice import where
from .elementwise import exp
from .gamma_functions import lgamma as lgamma_numbers
from .python_numbers import undifferentiable, zeros_of
from .special_ops import digamma


@op("AddcmulBackward0", broadcasts=True, samples=shaped((Shape(3), Shape(2, 3), Shape(3))))
def addcmul(self, tensor1, tensor2, value=1):
    """self + value * tensor1 * tensor2.

    >>> import autograd_lab as torch
    >>> torch.addcmul(torch.tensor([1.0]), torch.tensor([2.0]), torch.tensor([3.0]), value=0.5)
    tensor([4.])
    """
    return self + (tensor1 * tensor2 if value == 1 else value * tensor1 * tensor2)


@addcmul.wrt("self", latex="1")
def _(grad):
    return grad


@addcmul.wrt("tensor1", latex=r"$value \cdot $tensor2")
def _(grad, tensor2, value):
    return grad * (tensor2 * value)


@addcmul.wrt("tensor2", latex=r"$value \cdot $tensor1")
def _(grad, tensor1, value):
    return grad * (tensor1 * value)


@op("AddcdivBackward0", broadcasts=True, samples=shaped((Shape(3), Shape(2, 3), Shape(3)), low=0.5))
def addcdiv(self, tensor1, tensor2, value=1):
    """self + value * tensor1 / tensor2.

    >>> import autograd_lab as torch
    >>> torch.addcdiv(torch.tensor([1.0]), torch.tensor([2.0]), torch.tensor([4.0]))
    tensor([1.5000])
    """
    return self + (tensor1 / tensor2 if value == 1 else value * tensor1 / tensor2)


@addcdiv.wrt("self", latex="1")
def _(grad):
    return grad


@addcdiv.wrt("tensor1", latex=r"\frac{$value}{$tensor2}")
def _(grad, tensor2, value):
    return grad * (value / tensor2)


@addcdiv.wrt("tensor2", latex=r"-\frac{$value \cdot $tensor1}{$tensor2^2}")
def _(grad, tensor1, tensor2, value):
    return -grad * (value * tensor1 / (tensor2 * tensor2))


@op("LerpBackward0", broadcasts=True, called="lerp", samples=binary(0.3))
def lerp_number(self, end, weight):
    """From `self` to `end` by a number."""
    return self + weight * (end - self) if weight < 0.5 else end - (end - self) * (1 - weight)


@lerp_number.wrt("self", latex="1 - $weight")
def _(grad, weight):
    return grad * (1 - weight)


@lerp_number.wrt("end", latex="$weight")
def _(grad, weight):
    return grad * weight


@op("LerpBackward1", broadcasts=True, called="lerp", samples=shaped((Shape(2, 3), Shape(3), Shape(2, 1))))
def lerp_tensors(self, end, weight):
    """From `self` to `end` by a tensor of weights."""
    return np.where(np.abs(weight) < 0.5, self + weight * (end - self), end - (end - self) * (1 - weight))


@lerp_tensors.wrt("self", latex="1 - $weight")
def _(grad, weight):
    return grad * (1 - weight)


@lerp_tensors.wrt("end", latex="$weight")
def _(grad, weight):
    return grad * weight


@lerp_tensors.wrt("weight", latex="$end - $self")
def _(grad, self, end):
    return grad * (end - self)


def lerp(self, end, weight):
    """The way from `self` to `end`: self at weight 0, end at weight 1.

    >>> import autograd_lab as torch
    >>> torch.lerp(torch.tensor([0.0]), torch.tensor([10.0]), 0.25)
    tensor([2.5000])
    """
    return lerp_tensors(self, end, weight) if isinstance(weight, Tensor) else lerp_number(self, end, weight)


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


@op("MvlgammaBackward0", pointwise=True, floats=True, samples=shaped((Shape(3), 2), low=1.5, high=4.0))
def mvlgamma(self, p):
    """The logarithm of the multivariate gamma function with dimension `p`.

    >>> import autograd_lab as torch
    >>> torch.mvlgamma(torch.tensor([3.0]), 1)
    tensor([0.6931])
    """
    from_one = sum(lgamma_numbers(self + (1 - j) / 2) for j in range(1, p + 1))
    return (from_one + p * (p - 1) / 4 * math.log(math.pi)).astype(self.dtype)


@mvlgamma.wrt("self", latex=r"\sum_{j=1}^{$p} \psi($self + \tfrac{1 - j}{2})")
def _(grad, self, p):
    return grad * sum(digamma(self + (1 - j) / 2) for j in range(1, p + 1))


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
