"""Gamma, digamma and Bessel functions as ops: the numbers come from `gamma_functions.py`.

Read next: `choice.py`.
"""

from __future__ import annotations

import math

from ..op import op
from ..samples import Shape, shaped, unary
from . import gamma_functions as gamma
from .choice import where
from .layout import laid_as
from .rounding import sgn


@op("LgammaBackward0", pointwise=True, floats=True, samples=unary(low=0.4, high=4.0))
def lgamma(self):
    """The logarithm of |gamma(x)|; gamma(n + 1) is n factorial.

    >>> import autograd_lab as torch
    >>> torch.lgamma(torch.tensor([1.0, 5.0]))
    tensor([0.0000, 3.1781])
    """
    return laid_as(self, gamma.lgamma(self))


@lgamma.wrt("self", latex=r"\psi($self)")
def _(grad, self):
    return grad * digamma(self)


@op("DigammaBackward0", pointwise=True, floats=True, samples=unary(low=0.4, high=4.0))
def digamma(self):
    """The derivative of lgamma.

    >>> import autograd_lab as torch
    >>> torch.digamma(torch.tensor([1.0, 0.5]))
    tensor([-0.5772, -1.9635])
    """
    return gamma.digamma(self)


@digamma.wrt("self", latex=r"\psi^{(1)}($self)")
def _(grad, self):
    return grad * polygamma_card(self, 1)


@op("PolygammaBackward0", pointwise=True, floats=True, samples=unary(2, low=0.5, high=3.0))
def polygamma_card(self, n):
    """The n-th derivative of digamma."""
    return gamma.polygamma(n, self)


@polygamma_card.wrt("self", latex=r"\psi^{($n + 1)}($self)")
def _(grad, self, n):
    return grad * polygamma_card(self, n + 1)


@op("I0Backward0", pointwise=True, floats=True, samples=unary())
def i0(self):
    """The modified Bessel function of order 0.

    >>> import autograd_lab as torch
    >>> torch.i0(torch.tensor([0.0, 2.0]))
    tensor([1.0000, 2.2796])
    """
    return gamma.i0(self)


@i0.wrt("self", latex="I_1($self)")
def _(grad, self):
    return grad * i1(self)


@op("SpecialI0EBackward0", pointwise=True, floats=True, samples=unary(away=0.2))
def i0e(self):
    """e^-|x| times the modified Bessel function of order 0.

    >>> import autograd_lab as torch
    >>> torch.special.i0e(torch.tensor([0.0, 2.0]))
    tensor([1.0000, 0.3085])
    """
    return gamma.i0e(self)


@i0e.wrt("self", latex=r"e^{-|$self|} I_1($self) - \operatorname{sign}($self) \cdot $result")
def _(grad, self, result):
    return grad * (i1e(self) - sgn(self) * result)


@op("SpecialI1Backward0", pointwise=True, floats=True, samples=unary(away=0.2))
def i1(self):
    """The modified Bessel function of order 1.

    >>> import autograd_lab as torch
    >>> torch.special.i1(torch.tensor([0.0, 2.0]))
    tensor([0.0000, 1.5906])
    """
    return gamma.i1(self)


@i1.wrt("self", latex=r"I_0($self) - \frac{$result}{$self}")
def _(grad, self, result):
    return grad * where(self == 0, 0.5, i0(self) - result / where(self == 0, 1.0, self))


@op("SpecialI1EBackward0", pointwise=True, floats=True, samples=unary(away=0.2))
def i1e(self):
    """e^-|x| times the modified Bessel function of order 1.

    >>> import autograd_lab as torch
    >>> torch.special.i1e(torch.tensor([0.0, 2.0]))
    tensor([0.0000, 0.2153])
    """
    return gamma.i1e(self)


@i1e.wrt("self", latex=r"e^{-|$self|} I_0($self) - $result (\operatorname{sign}($self) + \frac{1}{$self})")
def _(grad, self, result):
    safe = where(self == 0, 1.0, self)
    return grad * where(self == 0, 0.5, i0e(self) - result * (sgn(self) + 1 / safe))


def polygamma(n, self):
    """The n-th derivative of digamma.

    >>> import autograd_lab as torch
    >>> torch.polygamma(1, torch.tensor([1.0]))
    tensor([1.6449])
    """
    return polygamma_card(self, n) if n else digamma(self)


@op("MvlgammaBackward0", pointwise=True, floats=True, samples=shaped((Shape(3), 2), low=1.5, high=4.0))
def mvlgamma(self, p):
    """The logarithm of the multivariate gamma function with dimension `p`.

    >>> import autograd_lab as torch
    >>> torch.mvlgamma(torch.tensor([3.0]), 1)
    tensor([0.6931])
    """
    from_one = sum(gamma.lgamma(self + (1 - j) / 2) for j in range(1, p + 1))
    return (from_one + p * (p - 1) / 4 * math.log(math.pi)).astype(self.dtype)


@mvlgamma.wrt("self", latex=r"\sum_{j=1}^{$p} \psi($self + \tfrac{1 - j}{2})")
def _(grad, self, p):
    return grad * sum(digamma(self + (1 - j) / 2) for j in range(1, p + 1))
