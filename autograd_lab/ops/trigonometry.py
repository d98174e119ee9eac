"""Circles and hyperbolas: sin, cos, tan, their inverses, and degrees.

Read next: `special_functions.py`.
"""

from __future__ import annotations

import numpy as np

from ..op import op
from ..samples import unary
from .elementwise import rsqrt


@op("SinBackward0", pointwise=True, floats=True, samples=unary())
def sin(self):
    """The sine, of radians.

    >>> import autograd_lab as torch
    >>> torch.sin(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 0.8415])
    """
    return np.sin(self)


@sin.wrt("self", latex=r"\cos $self")
def _(grad, self):
    return grad * cos(self)


@op("CosBackward0", pointwise=True, floats=True, samples=unary())
def cos(self):
    """The cosine, of radians.

    >>> import autograd_lab as torch
    >>> torch.cos(torch.tensor([0.0, 1.0]))
    tensor([1.0000, 0.5403])
    """
    return np.cos(self)


@cos.wrt("self", latex=r"-\sin $self")
def _(grad, self):
    return grad * -sin(self)


@op("TanBackward0", pointwise=True, floats=True, samples=unary(low=-1.0, high=1.0))
def tan(self):
    """The tangent, of radians.

    >>> import autograd_lab as torch
    >>> torch.tan(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 1.5574])
    """
    return np.tan(self)


@tan.wrt("self", latex="1 + $result^2")
def _(grad, result):
    return grad * (1 + result * result)


@op("AsinBackward0", pointwise=True, floats=True, samples=unary(low=-0.8, high=0.8))
def asin(self):
    """The inverse of the sine, in radians.

    >>> import autograd_lab as torch
    >>> torch.asin(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 1.5708])
    """
    return np.arcsin(self)


@asin.wrt("self", latex=r"\frac{1}{\sqrt{1 - $self^2}}")
def _(grad, self):
    return grad * rsqrt(1 - self * self)


@op("AcosBackward0", pointwise=True, floats=True, samples=unary(low=-0.8, high=0.8))
def acos(self):
    """The inverse of the cosine, in radians.

    >>> import autograd_lab as torch
    >>> torch.acos(torch.tensor([1.0, 0.0]))
    tensor([0.0000, 1.5708])
    """
    return np.arccos(self)


@acos.wrt("self", latex=r"-\frac{1}{\sqrt{1 - $self^2}}")
def _(grad, self):
    return grad * -rsqrt(1 - self * self)


@op("AtanBackward0", pointwise=True, floats=True, samples=unary())
def atan(self):
    """The inverse of the tangent, in radians.

    >>> import autograd_lab as torch
    >>> torch.atan(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 0.7854])
    """
    return np.arctan(self)


@atan.wrt("self", latex=r"\frac{1}{1 + $self^2}")
def _(grad, self):
    return grad / (self * self + 1)


@op("SinhBackward0", pointwise=True, floats=True, samples=unary())
def sinh(self):
    """The hyperbolic sine, (e^x - e^-x) / 2.

    >>> import autograd_lab as torch
    >>> torch.sinh(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 1.1752])
    """
    return np.sinh(self)


@sinh.wrt("self", latex=r"\cosh $self")
def _(grad, self):
    return grad * cosh(self)


@op("CoshBackward0", pointwise=True, floats=True, samples=unary())
def cosh(self):
    """The hyperbolic cosine, (e^x + e^-x) / 2.

    >>> import autograd_lab as torch
    >>> torch.cosh(torch.tensor([0.0, 1.0]))
    tensor([1.0000, 1.5431])
    """
    return np.cosh(self)


@cosh.wrt("self", latex=r"\sinh $self")
def _(grad, self):
    return grad * sinh(self)


@op("AsinhBackward0", pointwise=True, floats=True, samples=unary())
def asinh(self):
    """The inverse of the hyperbolic sine.

    >>> import autograd_lab as torch
    >>> torch.asinh(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 0.8814])
    """
    return np.arcsinh(self)


@asinh.wrt("self", latex=r"\frac{1}{\sqrt{$self^2 + 1}}")
def _(grad, self):
    return grad * rsqrt(self * self + 1)


@op("AcoshBackward0", pointwise=True, floats=True, samples=unary(low=1.3, high=3.0))
def acosh(self):
    """The inverse of the hyperbolic cosine; nan below 1.

    >>> import autograd_lab as torch
    >>> torch.acosh(torch.tensor([1.0, 2.0]))
    tensor([0.0000, 1.3170])
    """
    return np.arccosh(self)


@acosh.wrt("self", latex=r"\frac{1}{\sqrt{$self^2 - 1}}")
def _(grad, self):
    return grad * rsqrt(self * self - 1)


@op("AtanhBackward0", pointwise=True, floats=True, samples=unary(low=-0.8, high=0.8))
def atanh(self):
    """The inverse of the hyperbolic tangent; infinite at -1 and 1.

    >>> import autograd_lab as torch
    >>> torch.atanh(torch.tensor([0.0, 0.5]))
    tensor([0.0000, 0.5493])
    """
    return np.arctanh(self)


@atanh.wrt("self", latex=r"\frac{1}{1 - $self^2}")
def _(grad, self):
    return grad / (1 - self * self)
