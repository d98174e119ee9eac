"""Comparing: equality, order, closeness, and the logic of truth values. Nothing here has a gradient.

Read next: `choice.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from .._tensor import Tensor, bare
from ..funnel import is_number, mismatch
from .choice import maximum, minimum, where  # noqa: F401
from .clamping import clamp  # noqa: F401


def operands(name: str, self: Any, other: Any) -> tuple[Any, Any]:
    """The data of two operands as NumPy may compare them, checked; a number keeps to the tensor's dtype."""
    if not isinstance(self, Tensor):
        raise TypeError(f"{name}(): argument 'input' (position 1) must be Tensor, not {type(self).__name__}")
    if isinstance(other, Tensor):
        a, b = self._data, other._data
        if a.dtype is not b.dtype:
            first, second = ([t.dtype] if t.ndim else [] for t in (self, other))
            zero = [t.dtype for t in (self, other) if not t.ndim]
            kind = dtypes.promote(first + second, zero, []).numpy
            a, b = a.astype(kind), b.astype(kind)
        return a, b
    if is_number(other):
        kind = dtypes.promote([self.dtype], [], [dtypes.of_number(other)]).numpy
        if kind.kind == "f" and self._data.dtype is kind:
            return self._data, kind.type(other)
        return self._data, other
    raise TypeError(f"{name}(): argument 'other' (position 2) must be Tensor, not {type(other).__name__}")


def compared(ufunc: Any, name: str, text: str) -> Any:
    """A comparison as a function of two tensors, or a tensor and a number; the result is bool."""

    def compare(self, other):
        a, b = operands(name, self, other)
        try:
            return bare(ufunc(a, b))
        except ValueError as error:
            raise (mismatch([np.shape(a), np.shape(b)]) or error) from None

    compare.__name__ = compare.__qualname__ = name
    compare.__doc__ = text + "; a bool tensor without gradient."
    return compare


eq = compared(np.equal, "eq", "Where elements are equal")
ne = compared(np.not_equal, "ne", "Where elements differ")
lt = compared(np.less, "lt", "Where `self` is less than `other`")
le = compared(np.less_equal, "le", "Where `self` is less than or equal to `other`")
gt = compared(np.greater, "gt", "Where `self` is greater than `other`")
ge = compared(np.greater_equal, "ge", "Where `self` is greater than or equal to `other`")


def is_operand(other: Any) -> bool:
    """Whether an operator may meet this: tensors, numbers and arrays."""
    return isinstance(other, (Tensor, np.ndarray)) or is_number(other)


def operator(function: Any, unequal: Any = NotImplemented) -> Any:
    """A comparison as an operator: Python decides what to do about operands that are no tensors."""

    def compare(self, other):
        if isinstance(other, Tensor) or is_number(other):
            return function(self, other)
        if isinstance(other, np.ndarray):
            return function(self, bare(other))
        return unequal

    compare.__name__, compare.__doc__ = f"__{function.__name__}__", function.__doc__
    return compare


def equal(self: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and the same elements; True or False.

    >>> import autograd_lab as torch
    >>> torch.equal(torch.tensor([1, 2]), torch.tensor([1, 2]))
    True
    """
    return self._data.shape == other._data.shape and bool(np.all(self._data == other._data))


def isclose(self, other, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Where |self - other| <= atol + rtol * |other|; both must have one dtype."""
    if self._data.dtype != other._data.dtype:
        names = [dtypes.TYPE_NAMES[t.dtype.name] for t in (self, other)]
        raise RuntimeError(f"{names[0]} did not match {names[1]}")
    return bare(np.isclose(self._data, other._data, rtol, atol, equal_nan))


def allclose(self, other, rtol=1e-5, atol=1e-8, equal_nan=False) -> bool:
    """Whether all elements are close; see `isclose`.

    >>> import autograd_lab as torch
    >>> torch.allclose(torch.tensor([1.0]), torch.tensor([1.0 + 1e-7]))
    True
    """
    return bool(np.all(isclose(self, other, rtol, atol, equal_nan)._data))


def isnan(self):
    """Where elements are nan."""
    return bare(np.isnan(self._data))


def isinf(self):
    """Where elements are infinite."""
    return bare(np.isinf(self._data))


def isposinf(self):
    """Where elements are +inf."""
    return bare(np.isposinf(self._data))


def isneginf(self):
    """Where elements are -inf."""
    return bare(np.isneginf(self._data))


def isfinite(self):
    """Where elements are neither infinite nor nan."""
    return bare(np.isfinite(self._data))


def isreal(self):
    """Where elements have no imaginary part."""
    return bare(np.isreal(self._data))


def isin(elements, test_elements, *, invert=False):
    """Which elements occur among the test elements.

    >>> import autograd_lab as torch
    >>> torch.isin(torch.tensor([1, 2, 3]), torch.tensor([2, 5]))
    tensor([False,  True, False])
    """
    a, b = (t._data if isinstance(t, Tensor) else t for t in (elements, test_elements))
    return bare(np.isin(a, b, invert=invert))


def logical_and(self, other):
    """Where both are true (not 0)."""
    return bare(np.logical_and(self._data, other._data))


def logical_or(self, other):
    """Where at least one is true (not 0)."""
    return bare(np.logical_or(self._data, other._data))


def logical_xor(self, other):
    """Where exactly one is true (not 0)."""
    return bare(np.logical_xor(self._data, other._data))


def logical_not(self):
    """Where elements are false (0).

    >>> import autograd_lab as torch
    >>> torch.logical_not(torch.tensor([0, 2]))
    tensor([ True, False])
    """
    return bare(np.logical_not(self._data))


def bitwise(ufunc: Any, name: str, text: str) -> Any:
    """A bitwise op of two tensors, or a tensor and a number; floats are refused."""

    def bits(self, other):
        a, b = operands(name, self, other)
        for data in (a, np.asarray(b)):
            if data.dtype.kind not in "bui":
                word = dtypes.TYPE_NAMES[dtypes.of(data).name] if data is a else "Float"
                raise NotImplementedError(f"\"{name}_cpu\" not implemented for '{word}'")
        return bare(ufunc(a, b))

    bits.__name__ = bits.__qualname__ = name
    bits.__doc__ = text + "; logical for bools, bit by bit for integers."
    return bits


bitwise_and = bitwise(np.bitwise_and, "bitwise_and", "And")
bitwise_or = bitwise(np.bitwise_or, "bitwise_or", "Or")
bitwise_xor = bitwise(np.bitwise_xor, "bitwise_xor", "Exclusive or")
bitwise_left_shift = bitwise(np.left_shift, "bitwise_left_shift", "Bits moved to the left")
bitwise_right_shift = bitwise(np.right_shift, "bitwise_right_shift", "Bits moved to the right")


def bitwise_not(self):
    """`~`: not for bools, bit by bit for integers.

    >>> import autograd_lab as torch
    >>> ~torch.tensor([True, False])
    tensor([False,  True])
    """
    if self._data.dtype.kind not in "bui":
        raise RuntimeError(
            "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
            if self._data.dtype.kind != "c"
            else "bitwise_not is not implemented for complex tensors"
        )
    return bare(np.invert(self._data))
