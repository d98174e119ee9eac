"""Operators: what `x + y`, `-x`, `x @ y` and `x[i]` call.

Read next: `methods.py`.
"""

from __future__ import annotations

from typing import Any

from .._tensor import Tensor
from ..op import operator
from ..ops import attributes, comparison, conversion, elementwise, indexing, matmul, pointwise, powers, remainders
from .writing import setitem


def floor_divide(self: Any, other: Any) -> Any:
    return remainders.floor_divide(self, other) if comparison.is_operand(other) else NotImplemented


def remainder(self: Any, other: Any) -> Any:
    return remainders.remainder(self, other) if comparison.is_operand(other) else NotImplemented


def number_divided(self: Any, other: Any) -> Any:
    """`2 / x`, which PyTorch records as the reciprocal times 2."""
    return pointwise.mul(elementwise.reciprocal(self), other) if comparison.is_operand(other) else NotImplemented


def number_floor_divided(self: Any, other: Any) -> Any:
    return remainders.floor_divide_number_by(self, other) if comparison.is_operand(other) else NotImplemented


def number_remainder(self: Any, other: Any) -> Any:
    return remainders.remainder_tensors(other, self) if comparison.is_operand(other) else NotImplemented


def number_power(self: Any, other: Any) -> Any:
    return powers.pow(other, self) if comparison.is_operand(other) else NotImplemented


def bits(function: Any) -> Any:
    """A bitwise function as an operator."""

    def method(self: Any, other: Any) -> Any:
        return function(self, other) if comparison.is_operand(other) else NotImplemented

    method.__name__, method.__doc__ = function.__name__, function.__doc__
    return method


def hang() -> None:
    """Hang the operators on Tensor."""
    T: Any = Tensor
    T.__add__, T.__radd__ = operator(pointwise.add), operator(pointwise.add)
    T.__sub__, T.__rsub__ = operator(pointwise.sub), operator(pointwise.rsub_number)
    T.__mul__, T.__rmul__ = operator(pointwise.mul), operator(pointwise.mul)
    T.__truediv__, T.__rtruediv__ = operator(pointwise.true_divide), number_divided
    T.__floordiv__, T.__rfloordiv__ = floor_divide, number_floor_divided
    T.__mod__, T.__rmod__ = remainder, number_remainder
    T.__pow__, T.__rpow__ = powers.pow, number_power
    T.__neg__, T.__pos__, T.__abs__ = pointwise.neg, lambda self: self, elementwise.abs
    T.__matmul__, T.__rmatmul__ = matmul.operator, lambda self, other: NotImplemented
    c = comparison
    T.__eq__, T.__ne__ = c.operator(c.eq, False), c.operator(c.ne, True)
    T.__lt__, T.__le__, T.__gt__, T.__ge__ = map(c.operator, (c.lt, c.le, c.gt, c.ge))
    T.__hash__ = object.__hash__
    T.__and__ = T.__rand__ = bits(c.bitwise_and)
    T.__or__ = T.__ror__ = bits(c.bitwise_or)
    T.__xor__ = T.__rxor__ = bits(c.bitwise_xor)
    T.__lshift__, T.__rshift__ = bits(c.bitwise_left_shift), bits(c.bitwise_right_shift)
    T.__invert__ = c.bitwise_not
    T.__getitem__, T.__setitem__ = indexing.getitem, setitem
    for name in ("__bool__", "__index__", "__len__", "__iter__", "__contains__", "__format__", "__deepcopy__"):
        setattr(T, name, getattr(attributes, name))
    T.__array__, T.__array_priority__ = conversion.__array__, 1000
    if "__array_ufunc__" in T.__dict__:
        del T.__array_ufunc__  # NumPy's functions take a tensor as an array and give a tensor back
    T.__array_wrap__ = conversion.__array_wrap__
    for kind in (float, int, complex):
        setattr(T, f"__{kind.__name__}__", conversion.to_python(kind, f"__{kind.__name__}__"))
