"""Arithmetic, element by element: plus, minus, times, divide.

Each card is a NumPy forward and one formula per input; read `op.py` first for the rules.
Read next: `engine.py`, or `powers.py` and `elementwise.py` for more of the same.
"""

from __future__ import annotations

from .._tensor import Tensor
from ..op import op
from ..samples import binary, unary
from .python_numbers import no_bool, no_bool_negation
from .remainders import div_rounded


@op("AddBackward0", broadcasts=True, saved=("alpha",), symbol="+", samples=binary())
def add(self, other, alpha=1):
    """Add element by element; `other` is multiplied by `alpha` first.

    >>> import autograd_lab as torch
    >>> torch.add(torch.tensor([1.0, 2.0]), 10)
    tensor([11., 12.])
    """
    return self + other if alpha == 1 else self + alpha * other


@add.wrt("self", latex="1")
def _(grad):
    return grad


@add.wrt("other", latex="$alpha")
def _(grad, alpha):
    return grad if alpha == 1 else grad * alpha


@op("SubBackward0", broadcasts=True, saved=("alpha",), symbol="-", refuses=no_bool, samples=binary())
def sub(self, other, alpha=1):
    """Subtract element by element; `other` is multiplied by `alpha` first.

    >>> import autograd_lab as torch
    >>> torch.sub(torch.tensor([1.0, 2.0]), 1)
    tensor([0., 1.])
    """
    return self - other if alpha == 1 else self - alpha * other


@sub.wrt("self", latex="1")
def _(grad):
    return grad


@sub.wrt("other", latex="-$alpha")
def _(grad, alpha):
    return -grad if alpha == 1 else -(grad * alpha)


@op(
    "RsubBackward1",
    broadcasts=True,
    inputs=("other",),
    saved=("alpha",),
    symbol="-",
    called="rsub",
    refuses=no_bool,
    samples=unary(3.0),
)
def rsub_number(self, other, alpha=1):
    """A number minus a tensor: what Python calls for `1 - x`."""
    return other - self if alpha == 1 else other - alpha * self


@rsub_number.wrt("self", latex="-$alpha")
def _(grad, alpha):
    return -grad if alpha == 1 else -(grad * alpha)


def rsub(self, other, *, alpha=1):
    """`other - alpha * self`.

    >>> import autograd_lab as torch
    >>> torch.rsub(torch.tensor([1.0, 3.0]), 1)
    tensor([ 0., -2.])
    """
    return sub(other, self, alpha) if isinstance(other, Tensor) else rsub_number(self, other, alpha)


@op("MulBackward0", broadcasts=True, symbol="×", samples=binary())
def mul(self, other):
    """Multiply element by element.

    >>> import autograd_lab as torch
    >>> torch.mul(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))
    tensor([3., 8.])
    """
    return self * other


@mul.wrt("self", latex="$other")
def _(grad, other):
    return grad * other


@mul.wrt("other", latex="$self")
def _(grad, self):
    return grad * self


@op("DivBackward0", broadcasts=True, floats=True, symbol="/", called="div", samples=binary(away=0.5))
def true_divide(self, other):
    """Divide element by element; integers give floats.

    >>> import autograd_lab as torch
    >>> torch.true_divide(torch.tensor([1, 2]), 4)
    tensor([0.2500, 0.5000])
    """
    return self / other


@true_divide.wrt("self", latex=r"\frac{1}{$other}")
def _(grad, other):
    return grad / other


@true_divide.wrt("other", latex=r"-\frac{$self}{$other^2}")
def _(grad, self, other):
    return -grad * ((self / other) / other)


@op("NegBackward0", pointwise=True, symbol="-", refuses=no_bool_negation, samples=unary())
def neg(self):
    """Change the sign of every element.

    >>> import autograd_lab as torch
    >>> torch.neg(torch.tensor([1.0, -2.0]))
    tensor([-1.,  2.])
    """
    return -self


@neg.wrt("self", latex="-1")
def _(grad):
    return -grad


def div(self, other, *, rounding_mode=None):
    """Divide element by element; `rounding_mode` is None, "floor" or "trunc".

    >>> import autograd_lab as torch
    >>> torch.div(torch.tensor([-7.0, 7.0]), 2, rounding_mode="trunc")
    tensor([-3.,  3.])
    """
    return true_divide(self, other) if rounding_mode is None else div_rounded(self, other, rounding_mode)
