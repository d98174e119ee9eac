"""Functions of one argument, element by element: exp, log, roots, trigonometry, rounding.

Read next: `reduction.py`.
"""

from __future__ import annotations

import numpy as np

from ..op import op
from ..samples import unary


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
    return grad * sign(self)


@op("SignBackward0", pointwise=True, samples=unary(away=0.2))
def sign(self):
    """-1, 0 or 1; its gradient is 0 everywhere."""
    return np.sign(self)


@sign.wrt("self", latex="0")
def _(grad):
    return grad * 0


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


@op("SqrtBackward0", pointwise=True, floats=True, samples=unary(low=0.3, high=3.0))
def sqrt(self):
    """The square root; its slope at 0 is infinite."""
    return np.sqrt(self)


@sqrt.wrt("self", latex=r"\frac{1}{2 \cdot $result}")
def _(grad, result):
    return grad / (2 * result)


@op("RsqrtBackward0", pointwise=True, floats=True, samples=unary(low=0.3, high=3.0))
def rsqrt(self):
    """One over the square root."""
    return 1 / np.sqrt(self)


@rsqrt.wrt("self", latex=r"-\frac{1}{2} \cdot $result^3")
def _(grad, result):
    return -0.5 * grad * result**3


@op("ReciprocalBackward0", pointwise=True, floats=True, samples=unary(away=0.5))
def reciprocal(self):
    """One over every element."""
    return 1 / self


@reciprocal.wrt("self", latex="-$result^2")
def _(grad, result):
    return -grad * (result * result)


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
    """The cosine, of radians."""
    return np.cos(self)


@cos.wrt("self", latex=r"-\sin $self")
def _(grad, self):
    return grad * -sin(self)


@op("TanBackward0", pointwise=True, floats=True, samples=unary(low=-1.0, high=1.0))
def tan(self):
    """The tangent, of radians."""
    return np.tan(self)


@tan.wrt("self", latex="1 + $result^2")
def _(grad, result):
    return grad * (1 + result * result)


@op("FloorBackward0", pointwise=True, samples=unary(low=0.1, high=0.9))
def floor(self):
    """The largest whole number not above; its gradient is 0."""
    return np.floor(self) if self.dtype.kind == "f" else self.copy()


@floor.wrt("self", latex="0")
def _(grad):
    return grad * 0


@op("CeilBackward0", pointwise=True, samples=unary(low=0.1, high=0.9))
def ceil(self):
    """The smallest whole number not below; its gradient is 0."""
    return np.ceil(self) if self.dtype.kind == "f" else self.copy()


@ceil.wrt("self", latex="0")
def _(grad):
    return grad * 0


@op("RoundBackward0", pointwise=True, samples=unary(low=0.1, high=0.4))
def round(self, decimals=0):
    """To the nearest whole number, halves to even; its gradient is 0."""
    return np.round(self, decimals)


@round.wrt("self", latex="0")
def _(grad):
    return grad * 0
