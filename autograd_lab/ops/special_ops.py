"""Special functions as ops: error functions, gamma, Bessel, entropy, logit.

The numbers come from `special_functions.py` and `gamma_functions.py`; here are the derivatives.
Read next: `comparison.py`.
"""

from __future__ import annotations

import math

import numpy as np

from ..op import op
from ..samples import binary, unary
from . import special_functions as special
from .choice import where
from .elementwise import exp, log

TWO_OVER_ROOT_PI = 2 / math.sqrt(math.pi)


@op("ErfBackward0", pointwise=True, floats=True, samples=unary())
def erf(self):
    """The error function: twice the area under the bell curve e^(-t^2) / sqrt(pi) from 0 to x.

    >>> import autograd_lab as torch
    >>> torch.erf(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 0.8427])
    """
    return special.erf(self)


@erf.wrt("self", latex=r"\frac{2}{\sqrt{\pi}} e^{-$self^2}")
def _(grad, self):
    return TWO_OVER_ROOT_PI * exp(-(self * self)) * grad


@op("ErfcBackward0", pointwise=True, floats=True, samples=unary())
def erfc(self):
    """1 - erf(x), exact also where it is small.

    >>> import autograd_lab as torch
    >>> torch.erfc(torch.tensor([0.0, 1.0]))
    tensor([1.0000, 0.1573])
    """
    return special.erfc(self)


@erfc.wrt("self", latex=r"-\frac{2}{\sqrt{\pi}} e^{-$self^2}")
def _(grad, self):
    return -TWO_OVER_ROOT_PI * exp(-(self * self)) * grad


@op("ErfinvBackward0", pointwise=True, floats=True, samples=unary(low=-0.8, high=0.8))
def erfinv(self):
    """The inverse of the error function; infinite at -1 and 1.

    >>> import autograd_lab as torch
    >>> torch.erfinv(torch.tensor([0.0, 0.5]))
    tensor([0.0000, 0.4769])
    """
    return special.erfinv(self)


@erfinv.wrt("self", latex=r"\frac{\sqrt{\pi}}{2} e^{\operatorname{erfinv}($self)^2}")
def _(grad, self):
    return (1 / TWO_OVER_ROOT_PI) * exp(erfinv(self) ** 2) * grad


@op("SpecialErfcxBackward0", pointwise=True, floats=True, samples=unary())
def erfcx(self):
    """e^(x^2) erfc(x), which does not vanish as fast.

    >>> import autograd_lab as torch
    >>> torch.special.erfcx(torch.tensor([0.0, 1.0]))
    tensor([1.0000, 0.4276])
    """
    return special.erfcx(self)


@erfcx.wrt("self", latex=r"2 \cdot $self \cdot $result - \frac{2}{\sqrt{\pi}}")
def _(grad, self, result):
    return (2 * self * result - TWO_OVER_ROOT_PI) * grad


@op("SpecialNdtriBackward0", pointwise=True, floats=True, samples=unary(low=0.1, high=0.9))
def ndtri(self):
    """The normal quantile: the inverse of `ndtr`.

    >>> import autograd_lab as torch
    >>> torch.special.ndtri(torch.tensor([0.5, 0.975]))
    tensor([0.0000, 1.9600])
    """
    return special.ndtri(self)


@ndtri.wrt("self", latex=r"\sqrt{2 \pi} e^{$result^2 / 2}")
def _(grad, result):
    return grad * math.sqrt(2 * math.pi) * exp(result * result / 2)


@op("SpecialLogNdtrBackward0", pointwise=True, floats=True, samples=unary())
def log_ndtr(self):
    """The logarithm of the normal distribution function.

    >>> import autograd_lab as torch
    >>> torch.special.log_ndtr(torch.tensor([0.0]))
    tensor([-0.6931])
    """
    return special.log_ndtr(self)


@log_ndtr.wrt("self", latex=r"\frac{e^{-$self^2 / 2 - $result}}{\sqrt{2 \pi}}")
def _(grad, self, result):
    return grad * (1 / math.sqrt(2 * math.pi)) * exp(-(result + self * self / 2))


@op("SpecialEntrBackward0", pointwise=True, floats=True, samples=unary(low=0.3, high=2.0))
def entr(self):
    """-x ln x: 0 at 0, -inf below.

    >>> import autograd_lab as torch
    >>> torch.special.entr(torch.tensor([0.0, 0.5]))
    tensor([0.0000, 0.3466])
    """
    with np.errstate(all="ignore"):
        found = np.where(self > 0, -self * np.log(self), np.where(self == 0, 0.0, -np.inf))
    return np.where(np.isnan(self), self, found).astype(self.dtype)


@entr.wrt("self", latex=r"-\ln $self - 1")
def _(grad, self):
    return grad * -(log(self) + 1)


@op("LogitBackward0", pointwise=True, floats=True, samples=unary(low=0.2, high=0.8))
def logit(self, eps=None):
    """ln(x / (1 - x)), the inverse of the sigmoid; with `eps` x is first limited to [eps, 1 - eps].

    >>> import autograd_lab as torch
    >>> torch.logit(torch.tensor([0.5, 0.9]))
    tensor([0.0000, 2.1972])
    """
    if eps is not None:
        self = np.clip(self, self.dtype.type(eps), self.dtype.type(1 - eps))
    found = np.log(self / (1 - self))
    return np.where(np.isnan(found), np.nan, found).astype(found.dtype)[()]  # nan without a sign, as in PyTorch


@logit.wrt("self", latex=r"\frac{1}{$self \cdot (1 - $self)}")
def _(grad, self, eps):
    slope = grad / (abs(self) * (1 - self))
    if eps is None:
        return where((self >= 0) & (self <= 1), slope, float("nan"))
    return where((self >= eps) & (self <= 1 - eps), slope, 0.0)


@op("XlogyBackward0", broadcasts=True, floats=True, samples=binary(low=0.4))
def xlogy(self, other):
    """x ln y, and 0 where x is 0.

    >>> import autograd_lab as torch
    >>> torch.xlogy(torch.tensor([0.0, 2.0]), torch.tensor([0.0, 3.0]))
    tensor([0.0000, 2.1972])
    """
    with np.errstate(all="ignore"):
        return np.where((self == 0) & ~np.isnan(other), 0, self * np.log(other)).astype(self.dtype)


@xlogy.wrt("self", latex=r"\ln $other")
def _(grad, self, other):
    return where((self == 0) & (other <= 0), 0.0, xlogy(grad, other))


@xlogy.wrt("other", latex=r"\frac{$self}{$other}")
def _(grad, self, other):
    return grad * self / other


@op("SpecialXlog1PyBackward0", broadcasts=True, floats=True, samples=binary(low=0.4))
def xlog1py(self, other):
    """x ln(1 + y), and 0 where x is 0.

    >>> import autograd_lab as torch
    >>> torch.special.xlog1py(torch.tensor([0.0, 2.0]), torch.tensor([-1.0, 2.0]))
    tensor([0.0000, 2.1972])
    """
    with np.errstate(all="ignore"):
        return np.where((self == 0) & ~np.isnan(other), 0, self * np.log1p(other)).astype(self.dtype)


@xlog1py.wrt("self", latex=r"\ln(1 + $other)")
def _(grad, self, other):
    return where((self == 0) & (other <= -1), 0.0, xlog1py(grad, other))


@xlog1py.wrt("other", latex=r"\frac{$self}{1 + $other}")
def _(grad, self, other):
    return grad * self / (other + 1)


def ndtr(self):
    """The normal distribution function: the area under the bell curve left of x.

    >>> import autograd_lab as torch
    >>> torch.special.ndtr(torch.tensor([0.0, 1.96]))
    tensor([0.5000, 0.9750])
    """
    return (1 + erf(self * math.sqrt(0.5))) * 0.5
