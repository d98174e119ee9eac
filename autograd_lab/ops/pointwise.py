"""Arithmetic, element by element: plus, minus, times, divide, powers.

Each card is a NumPy forward and one formula per input; read `op.py` first for the rules.
Read next: `engine.py`, or `elementwise.py` for the functions of one argument.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import Tensor
from ..op import on_both, op
from ..samples import binary, unary
from .comparison import where
from .elementwise import log


def no_bool(name: str, kind: Any) -> None:
    """Refuse booleans with PyTorch's text."""
    if kind.category == 0:
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
            "operator instead."
        )


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


@add.wrt("other", latex="1")
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


@sub.wrt("other", latex="-1")
def _(grad, alpha):
    return -grad if alpha == 1 else -(grad * alpha)


@op("RsubBackward1", broadcasts=True, saved=("alpha",), symbol="-", refuses=no_bool, samples=unary(3.0))
def rsub(self, other, alpha=1):
    """`other - self`: what Python calls for `1 - x`.

    >>> import autograd_lab as torch
    >>> 1 - torch.tensor([1.0, 3.0])
    tensor([ 0., -2.])
    """
    return other - self if alpha == 1 else other - alpha * self


@rsub.wrt("self", latex="-1")
def _(grad, alpha):
    return -grad if alpha == 1 else -(grad * alpha)


@rsub.wrt("other", latex="1")
def _(grad):
    return grad


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


@op("DivBackward0", broadcasts=True, floats=True, symbol="/", samples=binary(away=0.5))
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


@op("DivBackward2", broadcasts=True, symbol="/")
def div_rounded(self, other, rounding_mode):
    """Divide and round towards minus infinity ("floor") or zero ("trunc")."""
    if self.dtype.kind in "iu" and not np.all(other):
        raise RuntimeError("ZeroDivisionError")
    if rounding_mode == "floor":
        return np.floor_divide(self, other)
    quotient = np.trunc(np.true_divide(self, other))
    return quotient if self.dtype.kind == "f" else quotient.astype(self.dtype)


@div_rounded.wrt("self", latex="0")
def _(grad, rounding_mode):
    return grad * 0


@div_rounded.wrt("other", latex="0")
def _(grad, rounding_mode):
    return grad * 0


def div(self, other, *, rounding_mode=None):
    """Divide element by element; `rounding_mode` is None, "floor" or "trunc".

    >>> import autograd_lab as torch
    >>> torch.div(torch.tensor([-7.0, 7.0]), 2, rounding_mode="trunc")
    tensor([-3.,  3.])
    """
    if rounding_mode is None:
        return true_divide(self, other)
    if rounding_mode not in ("floor", "trunc"):
        raise RuntimeError(
            f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{rounding_mode}'"
        )
    return div_rounded(self, other, rounding_mode)


def no_bool_negation(name: str, kind: Any) -> None:
    if kind.category == 0:
        raise RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the "
            "`~` or `logical_not()` operator instead."
        )


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


@on_both
def power_slope(self, exponent):
    """d(x ** n)/dx = n * x ** (n - 1), and 0 for n = 0 even where x is 0."""
    if exponent == 2:
        return 2 * self
    if exponent == 0:
        return self * 0
    return exponent * self ** (exponent - 1)


@op("PowBackward0", pointwise=True, symbol="^", samples=unary(3.0))
def pow_number(self, exponent):
    """Raise every element to the same number."""
    return self * self if exponent == 2 else self**exponent


@pow_number.wrt("self", latex=r"$exponent \cdot $self^{$exponent - 1}")
def _(grad, self, exponent):
    return grad * power_slope(self, exponent)


@op("PowBackward1", broadcasts=True, symbol="^", samples=binary(low=0.5))
def pow_tensors(self, exponent):
    """Raise element by element to the element of another tensor."""
    return self**exponent


@pow_tensors.wrt("self", latex=r"$exponent \cdot $self^{$exponent - 1}")
def _(grad, self, exponent):
    return grad * where(exponent == 0, 0.0, exponent * self ** (exponent - 1))


@pow_tensors.wrt("exponent", latex=r"$result \cdot \ln $self")
def _(grad, self, exponent, result):
    return grad * where((self == 0) & (exponent >= 0), 0.0, result * log(self))


@op("PowBackward2", broadcasts=True, symbol="^", samples=lambda rng: [(2.0, rng.uniform(-2, 2, (3,)))])
def pow_base(self, exponent):
    """A number raised to every element."""
    return self**exponent


@pow_base.wrt("exponent", latex=r"$result \cdot \ln $self")
def _(grad, self, exponent, result):
    if np.ndim(self) == 0 and self == 0:
        return grad * where(exponent >= 0, 0.0, result * log(self))
    return grad * (result * log(self))


def pow(self, exponent):
    """Raise to a power: a tensor to a number, a tensor to a tensor, or a number to a tensor.

    >>> import autograd_lab as torch
    >>> torch.pow(torch.tensor([1.0, 2.0, 3.0]), 2)
    tensor([1., 4., 9.])
    """
    if isinstance(exponent, Tensor):
        return pow_tensors(self, exponent) if isinstance(self, Tensor) else pow_base(self, exponent)
    return pow_number(self, exponent)


def square(self):
    """The square of every element; recorded as PowBackward0.

    >>> import autograd_lab as torch
    >>> torch.square(torch.tensor([2.0, -3.0]))
    tensor([4., 9.])
    """
    return pow_number(self, 2)
