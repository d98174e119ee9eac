"""One value everywhere: what `fill` gives, and what `fill_` writes; PyTorch counts their nodes apart.

Read next: `writing_ops.py`.
"""

from __future__ import annotations

import numpy as np

from .._tensor import Tensor
from ..op import op
from ..samples import Shape, shaped, unary
from .conversion import cast
from .python_numbers import zeros_of
from .reduction import sum_all


def full_as(self, value):
    """An array like `self` with one value everywhere."""
    return np.full_like(self, value, order="C" if 0 in np.asarray(self).strides else "K")


@op("FillBackward2", pointwise=True, called="fill_", samples=unary(0.5))
def fill_number(self, value):
    """One number in every element."""
    return full_as(self, value)


@fill_number.wrt("self", latex="0")
def _(grad):
    return zeros_of(grad)


@op("FillBackward0", pointwise=True, called="fill", samples=unary(0.5))
def filled_number(self, value):
    """One number in every element of a copy."""
    return full_as(self, value)


@filled_number.wrt("self", latex="0")
def _(grad):
    return zeros_of(grad)


@op("FillBackward1", called="fill", samples=shaped((Shape(2, 3), Shape())))
def filled_tensor(self, value):
    """The value of a 0-d tensor in every element of a copy."""
    return full_as(self, value)


@filled_tensor.wrt("self", latex="0")
def _(grad):
    return zeros_of(grad)


@filled_tensor.wrt("value", latex=r"\sum $grad")
def _(grad):
    return sum_all(grad)


@op("FillBackward3", called="fill_", samples=shaped((Shape(2, 3), Shape())))
def fill_tensor(self, value):
    """The value of a 0-d tensor in every element."""
    return full_as(self, value)


@fill_tensor.wrt("self", latex="0")
def _(grad):
    return zeros_of(grad)


@fill_tensor.wrt("value", latex=r"\sum $grad")
def _(grad):
    return sum_all(grad)


def fill(input, value):
    """One value, a number or a 0-d tensor, in the shape of `input`.

    >>> import autograd_lab as torch
    >>> torch.fill(torch.zeros(2), 3)
    tensor([3., 3.])
    """
    return filled_with(input, value, filled_number, filled_tensor)


def fill_(self, value):
    """What the in-place `fill_` writes; PyTorch counts its nodes apart."""
    return filled_with(self, value, fill_number, fill_tensor)


def filled_with(self, value, with_number, with_tensor):
    """Choose the card by what the value is."""
    if not isinstance(value, Tensor):
        return with_number(self, value)
    if value.ndim:
        raise RuntimeError(f"fill_ only supports 0-dimension value tensor but got tensor with {value.ndim} dimensions.")
    return with_tensor(self, value if value.dtype is self.dtype else cast(value, self.dtype))
