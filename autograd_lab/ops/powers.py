"""Powers: a tensor to a number, a tensor to a tensor, a number to a tensor.

PyTorch has a node for each, PowBackward0, 1 and 2. Read next: `elementwise.py`.
"""

from __future__ import annotations

import numpy as np

from .. import dtypes
from .._tensor import Tensor
from ..op import op
from ..samples import binary, unary
from .choice import where
from .conversion import cast
from .elementwise import log
from .python_numbers import is_number, lifted, zeros_of


@op("PowBackward0", pointwise=True, symbol="^", called="pow", samples=unary(3.0))
def pow_number(self, exponent):
    """Raise every element to the same number."""
    if exponent == 2:
        return self * self
    if exponent == 0.5:
        return np.sqrt(self)
    if exponent == -0.5:
        return 1 / np.sqrt(self)
    if exponent < 0 and self.dtype.kind in "iu":
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    return self**exponent


@pow_number.wrt("self", latex=r"$exponent \cdot $self^{$exponent - 1}")
def _(grad, self, exponent):
    if exponent == 2:
        return grad * (self + self)
    if exponent == 0:
        return zeros_of(grad)
    return grad * (exponent * pow_number(self, exponent - 1))


@op("PowBackward1", broadcasts=True, symbol="^", called="pow", samples=binary(low=0.5))
def pow_tensors(self, exponent):
    """Raise element by element to the element of another tensor."""
    if self.dtype.kind in "iu" and np.any(exponent < 0):
        exponents = np.abs(exponent)  # only 1 and -1 have whole reciprocals
        return np.where(exponent < 0, np.where(np.abs(self) == 1, self**exponents, 0), self**exponents)
    return self**exponent


@pow_tensors.wrt("self", latex=r"$exponent \cdot $self^{$exponent - 1}")
def _(grad, self, exponent, result):  # PyTorch keeps and checks the result for both
    return grad * where(exponent == 0, 0.0, exponent * self ** (exponent - 1))


@pow_tensors.wrt("exponent", latex=r"$result \cdot \ln $self")
def _(grad, self, exponent, result):
    return grad * where((self == 0) & (exponent >= 0), 0.0, result * log(self))


@op("PowBackward2", pointwise=True, symbol="^", called="pow", samples=lambda rng: [(2.0, rng.uniform(-2, 2, (3,)))])
def pow_base(self, exponent):
    """A number raised to every element."""
    return exponent.dtype.type(self) ** exponent


@pow_base.wrt("exponent", latex=r"$result \cdot \ln $self")
def _(grad, self, exponent, result):
    if self == 0:
        return grad * where(exponent >= 0, 0.0, result * np.log(self))
    return grad * (result * float(np.log(self)))


def pow(self, exponent):
    """Raise to a power: a tensor to a number, a tensor to a tensor, or a number to a tensor.

    >>> import autograd_lab as torch
    >>> torch.pow(torch.tensor([1.0, 2.0, 3.0]), 2)
    tensor([1., 4., 9.])
    """
    if type(exponent) is int and self._data.dtype.kind == "f":
        return pow_number(self, exponent)
    if isinstance(exponent, Tensor):
        return pow_tensors(self, exponent) if isinstance(self, Tensor) else pow_base(self, lifted(exponent, self))
    if not is_number(exponent):
        return NotImplemented
    return pow_number(lifted(self, exponent), exponent)


def float_power(self, exponent):
    """A power computed in float64, whatever the operands are.

    >>> import autograd_lab as torch
    >>> torch.float_power(torch.tensor([2, 3]), -1)
    tensor([0.5000, 0.3333], dtype=torch.float64)
    """
    if isinstance(self, Tensor):
        self = cast(self, dtypes.float64)
    return pow(self, cast(exponent, dtypes.float64) if isinstance(exponent, Tensor) else float(exponent))


def square(self):
    """The square of every element; recorded as PowBackward0.

    >>> import autograd_lab as torch
    >>> torch.square(torch.tensor([2.0, -3.0]))
    tensor([4., 9.])
    """
    return pow_number(self, 2)
