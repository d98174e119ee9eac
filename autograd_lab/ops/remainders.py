"""Division that rounds, and what it leaves over: `//`, `%`, fmod.

`remainder` takes its sign from the divisor as Python does, `fmod` from the dividend as C does.
Read next: `powers.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import Tensor
from ..op import op
from ..samples import binary
from .python_numbers import undifferentiable, zeros_of
from .rounding import trunc


def no_zero(self: Any, other: Any) -> None:
    """Whole numbers have no infinity: dividing them by zero raises, as in PyTorch."""
    if self.dtype.kind in "iu" and not np.all(other):
        raise RuntimeError("ZeroDivisionError")


def check_mode(mode: Any) -> None:
    if mode not in ("floor", "trunc"):
        raise RuntimeError(f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{mode}'")


@op(
    "DivBackward2",
    broadcasts=True,
    symbol="/",
    samples=lambda rng: [(np.array([2.3, -1.2]), np.array([1.1, 0.7]), "floor")],
)
def div_rounded(self, other, rounding_mode):
    """Divide and round towards minus infinity ("floor") or zero ("trunc"); the gradient is 0."""
    check_mode(rounding_mode)
    no_zero(self, other)
    if rounding_mode == "floor":
        return np.floor_divide(self, other)
    quotient = np.trunc(np.true_divide(self, other))
    return quotient if self.dtype.kind == "f" else quotient.astype(self.dtype)


@div_rounded.wrt("self", latex="0")
def _(grad, self, other, rounding_mode):  # PyTorch keeps them all
    return zeros_of(grad)


@div_rounded.wrt("other", latex="0")
def _(grad, self, other, rounding_mode):  # PyTorch keeps them all
    return zeros_of(grad)


def quotient(self, other):
    """Divide and round down; PyTorch records it and cannot differentiate it."""
    no_zero(self, other)
    return np.floor_divide(self, other)


floor_divisions = undifferentiable(
    "floor_divide", quotient, "//", lambda rng: [(rng.uniform(1, 2, (3,)), rng.uniform(0.7, 2, (3,)))]
)


def floor_divide(self, other):
    """Divide and round towards minus infinity, as Python's `//`.

    >>> import autograd_lab as torch
    >>> torch.floor_divide(torch.tensor([7, -7]), 2)
    tensor([ 3, -4])
    """
    return floor_divisions(self, other)


def floor_divide_number_by(self, other):
    """`other // self`: a number divided by a tensor, rounded down."""
    return floor_divisions(other, self)


@op(
    "RemainderBackward0",
    broadcasts=True,
    inputs=("other",),
    symbol="%",
    called="remainder",
    samples=lambda rng: [(np.array([2.3, -1.2, 5.5]), 1.5)],
)
def remainder_number(self, other):
    """What is left of a division by a number, with the divisor's sign."""
    no_zero(self, other)
    return np.remainder(self, other)


@remainder_number.wrt("self", latex="1")
def _(grad):
    return grad


@op(
    "RemainderBackward1",
    broadcasts=True,
    symbol="%",
    called="remainder",
    samples=lambda rng: [(np.array([2.3, -1.2]), np.array([1.1, 0.7]))],
)
def remainder_tensors(self, other):
    """What is left of a division by a tensor, with the divisor's sign."""
    no_zero(self, other)
    return np.remainder(self, other)


@remainder_tensors.wrt("self", latex="1")
def _(grad):
    return grad


@remainder_tensors.wrt("other", latex=r"-\lfloor $self / $other \rfloor")
def _(grad, self, other):
    return -grad * div_rounded(self, other, "floor")


def remainder(self, other):
    """What is left of a division, with the sign of the divisor, as Python's `%`.

    >>> import autograd_lab as torch
    >>> torch.remainder(torch.tensor([5, -5]), 3)
    tensor([2, 1])
    """
    tensors = isinstance(other, Tensor) or not isinstance(self, Tensor)
    return remainder_tensors(self, other) if tensors else remainder_number(self, other)


@op(
    "FmodBackward0",
    broadcasts=True,
    inputs=("other",),
    called="fmod",
    samples=lambda rng: [(np.array([2.3, -1.2, 5.5]), 1.5)],
)
def fmod_number(self, other):
    """What is left of a division by a number, with the dividend's sign."""
    no_zero(self, other)
    return np.fmod(self, other)


@fmod_number.wrt("self", latex="1")
def _(grad):
    return grad


@op("FmodBackward1", broadcasts=True, called="fmod", samples=binary(low=0.7))
def fmod_tensors(self, other):
    """What is left of a division by a tensor, with the dividend's sign."""
    no_zero(self, other)
    return np.fmod(self, other)


@fmod_tensors.wrt("self", latex="1")
def _(grad):
    return grad


@fmod_tensors.wrt("other", latex=r"-\operatorname{trunc}($self / $other)")
def _(grad, self, other):
    return -grad * trunc(self / other)


def fmod(self, other):
    """What is left of a division, with the sign of the dividend, as C's `%`.

    >>> import autograd_lab as torch
    >>> torch.fmod(torch.tensor([5, -5]), 3)
    tensor([ 2, -2])
    """
    return fmod_tensors(self, other) if isinstance(other, Tensor) else fmod_number(self, other)
