"""The data types a tensor can have, under PyTorch's names, and how two of them meet.

A dtype wraps a NumPy dtype and knows its category. NumPy's own promotion rules are not PyTorch's
(an int64 array times 2.5 is float64 there, float32 here), so `promote` below follows PyTorch's.
Read next: `_tensor.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

CATEGORY = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


class dtype:
    """A data type such as `torch.float32`.

    >>> float32.itemsize, float32.is_floating_point, repr(float32)
    (4, True, 'torch.float32')
    """

    __slots__ = ("category", "name", "numpy")

    def __init__(self, name: str, kind: Any) -> None:
        self.name = name
        self.numpy = np.dtype(kind)
        self.category = CATEGORY[self.numpy.kind]

    @property
    def itemsize(self) -> int:
        return int(self.numpy.itemsize)

    @property
    def is_floating_point(self) -> bool:
        return self.category == 2

    @property
    def is_complex(self) -> bool:
        return self.category == 3

    @property
    def is_signed(self) -> bool:
        return self.numpy.kind in "ifc"

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return self.name


bool_ = dtype("bool", np.bool_)
uint8 = dtype("uint8", np.uint8)
int8 = dtype("int8", np.int8)
int16 = short = dtype("int16", np.int16)
int32 = dtype("int32", np.int32)
int64 = long = dtype("int64", np.int64)
float16 = half = dtype("float16", np.float16)
float32 = dtype("float32", np.float32)
float64 = double = dtype("float64", np.float64)
complex64 = cfloat = dtype("complex64", np.complex64)
complex128 = cdouble = dtype("complex128", np.complex128)

EVERY = (bool_, uint8, int8, int16, int32, int64, float16, float32, float64, complex64, complex128)
BY_NUMPY = {d.numpy: d for d in EVERY}
# What the text of an error or of `t.type()` calls each of them.
TYPE_NAMES = {
    "bool": "Bool",
    "uint8": "Byte",
    "int8": "Char",
    "int16": "Short",
    "int32": "Int",
    "int64": "Long",
    "float16": "Half",
    "float32": "Float",
    "float64": "Double",
    "complex64": "ComplexFloat",
    "complex128": "ComplexDouble",
}

_default: dtype = float32


def get_default_dtype() -> dtype:
    """The dtype that Python floats become: `torch.float32` unless changed."""
    return _default


def set_default_dtype(d: dtype) -> None:
    """Choose the dtype that Python floats become."""
    global _default
    if not (isinstance(d, dtype) and d.is_floating_point):
        raise TypeError(f"only floating-point types are supported as the default type, but got {d!r}")
    _default = d


def of(data: Any) -> dtype:
    """The dtype of a NumPy array or scalar; its error is PyTorch's for kinds that have none here.

    >>> of(np.zeros(2, np.int8))
    torch.int8
    """
    try:
        return BY_NUMPY[data.dtype]
    except KeyError:
        raise TypeError(
            f"can't convert np.ndarray of type numpy.{data.dtype.type.__name__}. The only supported types are: "
            "float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, "
            "uint8, and bool."
        ) from None


def of_number(number: Any) -> dtype:
    """The dtype a Python number would have as a tensor."""
    if isinstance(number, (bool, np.bool_)):
        return bool_
    if isinstance(number, (int, np.integer)):
        return int64
    if isinstance(number, (complex, np.complexfloating)):
        return complex64 if _default.itemsize <= 4 else complex128
    return _default


def wider(a: dtype, b: dtype) -> dtype:
    """The dtype of two operands of equal rank.

    >>> wider(uint8, int8), wider(int64, float16), wider(bool_, uint8)
    (torch.int16, torch.float16, torch.uint8)
    """
    if a is b:
        return a
    low, high = sorted((a, b), key=lambda d: d.category)
    if low.category != high.category and high.category == 2:
        return high  # any integer with any float gives that float
    if high.category == 3 and low.category < 2:
        return high
    return BY_NUMPY[np.promote_types(a.numpy, b.numpy)]


def promote(dimensioned: list[dtype], zero_dim: list[dtype], numbers: list[dtype]) -> dtype:
    """The dtype in which an op on mixed operands computes.

    Tensors with dimensions decide; 0-d tensors, then Python numbers, raise the result only to a
    higher category (bool < integer < float < complex). Source: PyTorch, "Tensor Attributes".

    >>> promote([int64], [], [float32]), promote([float32], [float64], []), promote([int64], [float64], [])
    (torch.float32, torch.float32, torch.float64)
    """
    result: dtype | None = None
    for rank in (dimensioned, zero_dim, numbers):
        if not rank:
            continue
        here = rank[0]
        for other in rank[1:]:
            here = wider(here, other)
        if result is None:
            result = here
        elif here.category > result.category:
            # a complex number meeting a float keeps the float's precision
            result = (
                BY_NUMPY[np.promote_types(result.numpy, np.complex64)]
                if here.category == 3 and result.category == 2
                else here
            )
    assert result is not None, "promote() needs an operand"
    return result


def promote_types(a: dtype, b: dtype) -> dtype:
    """The dtype of two tensors with dimensions; same as `torch.promote_types`."""
    return wider(a, b)


def can_cast(from_: dtype, to: dtype) -> bool:
    """Whether an in-place op may store `from_` values in a `to` tensor: never to a lower category."""
    return from_.category <= to.category


class finfo:
    """Limits of a floating-point dtype: `bits eps max min tiny smallest_normal resolution`."""

    def __init__(self, type: dtype | None = None) -> None:
        type = type or _default
        if not type.is_floating_point and not type.is_complex:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'"
            )
        info = np.finfo(type.numpy)
        self.bits = int(info.bits)
        self.eps, self.max, self.min = float(info.eps), float(info.max), float(info.min)
        self.tiny = self.smallest_normal = float(info.tiny)
        self.resolution = float(info.resolution)
        self.dtype = type.name

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
            f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})"
        )


class iinfo:
    """Limits of an integer dtype: `bits max min`."""

    def __init__(self, type: dtype) -> None:
        if type.category != 1:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        info = np.iinfo(type.numpy)
        self.bits, self.max, self.min, self.dtype = int(info.bits), int(info.max), int(info.min), type.name

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"
