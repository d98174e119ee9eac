"""Functions of one argument, element by element: absolute value, exponentials, logarithms, roots.

Read next: `reduction.py`. More of the kind: `trigonometry.py`, `rounding.py`, `special_functions.py`.
"""

from __future__ import annotations

import math

import numpy as np

from ..op import op
from ..samples import unary
from .layout import laid_as
from .rounding import sgn, sign  # noqa: F401


@op("AbsBackward0", pointwise=True, samples=unary(away=0.2))
def abs(self):
    """The absolute value; its slope at 0 is taken as 0.

    >>> import autograd_lab as torch
    >>> torch.abs(torch.tensor([-1.5, 2.0]))
    tensor([1.5000, 2.0000])
    """
    return np.abs(self)


@abs.wrt("self", latex=r"\operatorname{sign}($self)")
def _(grad, self):
    return grad * sgn(self)


@op("ExpBackward0", pointwise=True, floats=True, samples=unary())
def exp(self):
    """e to the power of every element.

    >>> import autograd_lab as torch
    >>> torch.exp(torch.tensor([0.0, 1.0]))
    tensor([1.0000, 2.7183])
    """
    return np.exp(self)


@exp.wrt("self", latex="$result")
def _(grad, result):
    return grad * result


@op("Exp2Backward0", pointwise=True, floats=True, samples=unary())
def exp2(self):
    """2 to the power of every element.

    >>> import autograd_lab as torch
    >>> torch.exp2(torch.tensor([0.0, 3.0]))
    tensor([1., 8.])
    """
    return np.exp2(self)


@exp2.wrt("self", latex=r"$result \cdot \ln 2")
def _(grad, result):
    return grad * result * math.log(2)


@op("Expm1Backward0", pointwise=True, floats=True, samples=unary())
def expm1(self):
    """e^x - 1, exact also for small x.

    >>> import autograd_lab as torch
    >>> torch.expm1(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 1.7183])
    """
    return np.expm1(self)


@expm1.wrt("self", latex="$result + 1")
def _(grad, result):
    return grad * (result + 1)


@op("LogBackward0", pointwise=True, floats=True, samples=unary(low=0.3, high=3.0))
def log(self):
    """The natural logarithm; -inf at 0, nan below.

    >>> import autograd_lab as torch
    >>> torch.log(torch.tensor([1.0, 10.0]))
    tensor([0.0000, 2.3026])
    """
    return np.log(self)


@log.wrt("self", latex=r"\frac{1}{$self}")
def _(grad, self):
    return grad / self


@op("Log2Backward0", pointwise=True, floats=True, samples=unary(low=0.3, high=3.0))
def log2(self):
    """The logarithm to the base 2.

    >>> import autograd_lab as torch
    >>> torch.log2(torch.tensor([1.0, 8.0]))
    tensor([0., 3.])
    """
    return np.log2(self)


@log2.wrt("self", latex=r"\frac{1}{$self \cdot \ln 2}")
def _(grad, self):
    return grad / (self * math.log(2))


@op("Log10Backward0", pointwise=True, floats=True, samples=unary(low=0.3, high=3.0))
def log10(self):
    """The logarithm to the base 10.

    >>> import autograd_lab as torch
    >>> torch.log10(torch.tensor([1.0, 1000.0]))
    tensor([0., 3.])
    """
    return np.log10(self, dtype=np.float64).astype(self.dtype)  # NumPy's float32 log10 of 1000 is not 3


@log10.wrt("self", latex=r"\frac{1}{$self \cdot \ln 10}")
def _(grad, self):
    return grad / (self * math.log(10))


@op("Log1PBackward0", pointwise=True, floats=True, samples=unary(low=-0.5, high=3.0))
def log1p(self):
    """ln(1 + x), exact also for small x.

    >>> import autograd_lab as torch
    >>> torch.log1p(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 0.6931])
    """
    return np.log1p(self)


@log1p.wrt("self", latex=r"\frac{1}{$self + 1}")
def _(grad, self):
    return grad / (self + 1)


@op("SqrtBackward0", pointwise=True, floats=True, samples=unary(low=0.3, high=3.0))
def sqrt(self):
    """The square root; its slope at 0 is infinite.

    >>> import autograd_lab as torch
    >>> torch.sqrt(torch.tensor([4.0, 2.0]))
    tensor([2.0000, 1.4142])
    """
    return np.sqrt(self)


@sqrt.wrt("self", latex=r"\frac{1}{2 \cdot $result}")
def _(grad, result):
    return grad / (2 * result)


@op("RsqrtBackward0", pointwise=True, floats=True, samples=unary(low=0.3, high=3.0))
def rsqrt(self):
    """One over the square root.

    >>> import autograd_lab as torch
    >>> torch.rsqrt(torch.tensor([4.0]))
    tensor([0.5000])
    """
    return 1 / np.sqrt(self)


@rsqrt.wrt("self", latex=r"-\frac{1}{2} \cdot $result^3")
def _(grad, result):
    return -0.5 * grad * result**3


@op("ReciprocalBackward0", pointwise=True, floats=True, samples=unary(away=0.5))
def reciprocal(self):
    """One over every element.

    >>> import autograd_lab as torch
    >>> torch.reciprocal(torch.tensor([4.0, -0.5]))
    tensor([ 0.2500, -2.0000])
    """
    return 1 / self


@reciprocal.wrt("self", latex="-$result^2")
def _(grad, result):
    return -grad * (result * result)


@op("NanToNumBackward0", pointwise=True, samples=unary())
def nan_to_num(self, nan=0.0, posinf=None, neginf=None):
    """nan as 0 (or `nan`), infinities as the largest and smallest number; no gradient where it replaced.

    >>> import autograd_lab as torch
    >>> torch.nan_to_num(torch.tensor([float("nan"), 1.0]))
    tensor([0., 1.])
    """
    return laid_as(self, np.nan_to_num(self, nan=0.0 if nan is None else nan, posinf=posinf, neginf=neginf))


@nan_to_num.wrt("self", latex=r"[$self \text{ is finite}]")
def _(grad, self):
    return grad * (self - self == 0)
