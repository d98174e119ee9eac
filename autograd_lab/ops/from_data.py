"""Tensors from data: numbers, nested lists, arrays, other tensors. Nothing here has a gradient.

Read next: `filling.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from .._device import MetaArray, meta_array, usable
from .._tensor import Tensor, bare
from ..caution import warn
from ..graph import LEAF

NUMBERS = (bool, int, float, complex)
PYTHON_KINDS = {bool: dtypes.bool_, int: dtypes.int64, float: dtypes.float64, complex: dtypes.complex128}


def finished(data: Any, device: Any = None, requires_grad: bool = False) -> Tensor:
    """A new leaf around data, on a device, tracked if asked for."""
    if device is not None and usable(device).type == "meta":
        data = meta_array(data.shape, data.dtype)
    made = bare(data if isinstance(data, MetaArray) or data.ndim else data[()])
    if requires_grad:
        if data.dtype.kind not in "fc":
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        made._edge = LEAF
    return made


def numpy_kind(name: str, kind: Any) -> Any:
    """The NumPy dtype of a `dtype=` argument; Python's own types are accepted, as in PyTorch."""
    if kind is None:
        return dtypes.get_default_dtype().numpy
    if isinstance(kind, dtypes.dtype):
        return kind.numpy
    if kind in PYTHON_KINDS:
        return PYTHON_KINDS[kind].numpy
    raise TypeError(f"{name}(): argument 'dtype' must be torch.dtype, not {type(kind).__name__}")


def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False) -> Tensor:
    """A tensor with a copy of `data`: a number, nested lists, an array or a tensor.

    Python floats become the default dtype (float32), ints int64, bools bool; arrays keep theirs.

    >>> import autograd_lab as torch
    >>> torch.tensor([1.0, 2.5], requires_grad=True)
    tensor([1.0000, 2.5000], requires_grad=True)
    """
    kind = None if dtype is None else numpy_kind("tensor", dtype)
    if isinstance(data, Tensor):
        warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
            "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor)."
        )
        array = np.array(data._data)
    else:
        array = np.array(as_array(data, kind))
    if kind is not None:
        array = cast(array, kind)
    dtypes.of(array)
    return finished(array, device, requires_grad)


def cast(array: Any, kind: Any) -> Any:
    """An array in another NumPy dtype, silently wrapping as PyTorch does."""
    with np.errstate(all="ignore"):
        return array.astype(getattr(kind, "numpy", kind))


def as_array(data: Any, kind: Any = None) -> Any:
    """Python data as an array of the dtype PyTorch would choose; floats stay double if `kind` decides later."""
    if isinstance(data, (np.ndarray, np.generic)):
        return data
    if isinstance(data, NUMBERS):
        return number_array(data, kind)
    if isinstance(data, (list, tuple, range)):
        return nested(list(data), kind)
    if isinstance(data, str):
        raise TypeError("new(): invalid data type 'str'")
    if hasattr(data, "__array__"):
        return np.asarray(data)
    raise RuntimeError(f"Could not infer dtype of {type(data).__name__}")


def number_array(number: Any, kind: Any) -> Any:
    own = dtypes.of_number(number)
    if own is dtypes.int64 and not -(2**63) <= number < 2**63:
        raise ValueError("Overflow when unpacking long long")
    return np.array(number, PYTHON_KINDS[type(number)].numpy if kind is not None else own.numpy)


def nested(data: list[Any], kind: Any) -> Any:
    """Nested lists of numbers, arrays or one-element tensors, checked for equal lengths."""
    check_lengths(data)
    plain = without_tensors(data)
    leaves = flat(plain)
    if not leaves:
        return np.array(plain, dtypes.get_default_dtype().numpy)
    if any(isinstance(x, (np.ndarray, np.generic)) for x in leaves):
        return np.array(plain)
    for x in leaves:
        if isinstance(x, str):
            raise TypeError("new(): invalid data type 'str'")
        if not isinstance(x, NUMBERS):
            raise RuntimeError(f"Could not infer dtype of {type(x).__name__}")
    widest = max((dtypes.of_number(x) for x in leaves), key=lambda k: k.category)
    if kind is not None:
        widest = {2: dtypes.float64, 3: dtypes.complex128}.get(widest.category, widest)
    try:
        return np.array(plain, widest.numpy)
    except OverflowError:
        raise ValueError("Overflow when unpacking long long") from None


def check_lengths(data: list[Any], dim: int = 0) -> None:
    """Raise PyTorch's error if inner lists differ in length or depth."""
    level = [data]
    while level and isinstance(level[0], (list, tuple)):
        want = len(level[0])
        for x in level:
            if not isinstance(x, (list, tuple)):
                raise TypeError("not a sequence")
            if len(x) != want:
                raise ValueError(f"expected sequence of length {want} at dim {dim} (got {len(x)})")
        level, dim = [y for x in level for y in x], dim + 1
    for x in level:
        if isinstance(x, (list, tuple)):
            raise TypeError(f"'{type(x).__name__}' object cannot be interpreted as an integer")


def without_tensors(data: Any) -> Any:
    """Nested lists with tensors replaced by their values."""
    if isinstance(data, Tensor):
        if data._edge is not None:
            warn(
                "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
                "Consider using tensor.detach() first."
            )
        return data._data.item() if data._data.size == 1 and not data._data.ndim else np.asarray(data._data)
    return [without_tensors(d) for d in data] if isinstance(data, (list, tuple)) else data


def flat(data: Any) -> list[Any]:
    """The leaves of nested lists."""
    found, todo = [], [data]
    while todo:
        item = todo.pop()
        if isinstance(item, (list, tuple)):
            todo.extend(item)
        else:
            found.append(item)
    return found


def as_tensor(data, dtype=None, device=None) -> Tensor:
    """A tensor of `data` without a copy where that is possible.

    >>> import autograd_lab as torch
    >>> x = torch.ones(2)
    >>> torch.as_tensor(x) is x
    True
    """
    if isinstance(data, Tensor):
        moved = data if device is None else data.to(device)
        return moved if dtype is None else moved.to(dtype)
    if isinstance(data, np.ndarray) and dtype is None and device is None:
        return from_numpy(data)
    return tensor(data, dtype=dtype, device=device)


def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=False) -> Tensor:
    """A tensor of `obj`, sharing memory where that is possible unless `copy` is set."""
    made = as_tensor(obj, dtype, device)
    made = made.detach().clone() if copy else made
    return made.requires_grad_() if requires_grad else made


def scalar_tensor(s, *, dtype=None, device=None, requires_grad=False) -> Tensor:
    """A 0-d tensor of the default dtype, also for integers."""
    return tensor(
        s, dtype=dtypes.get_default_dtype() if dtype is None else dtype, device=device, requires_grad=requires_grad
    )


def from_numpy(array) -> Tensor:
    """A tensor that shares memory with an array.

    >>> import autograd_lab as torch
    >>> a = np.zeros(2)
    >>> x = torch.from_numpy(a)
    >>> a[0] = 5
    >>> x
    tensor([5., 0.], dtype=torch.float64)
    """
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    dtypes.of(array)
    if any(s < 0 for s in array.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not "
            "currently "
            "supported. (You can probably work around this by making a copy of your array  with array.copy().) "
        )
    return bare(array)


def legacy(kind: dtypes.dtype, name: str) -> Any:
    """`torch.FloatTensor` and its kin: from nested data, or of a shape with unset (here zero) elements."""

    def make(*args):
        if len(args) == 1 and isinstance(args[0], (list, tuple, np.ndarray)) and type(args[0]).__name__ != "Size":
            return tensor(args[0], dtype=kind)
        if len(args) == 1 and isinstance(args[0], Tensor):
            return args[0].detach()
        if len(args) == 1 and isinstance(args[0], float):
            raise TypeError("new(): data must be a sequence (got float)")
        sizes = tuple(args[0]) if len(args) == 1 and isinstance(args[0], tuple) else args
        return bare(np.zeros(sizes or (0,), kind.numpy))

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"`torch.{name}`: data as {kind!r}, or a tensor of a given shape."
    return make


def legacy_new(cls: type, *args: Any, **kwargs: Any) -> Any:
    """`torch.Tensor(data)` and `torch.Tensor(2, 3)`: the old constructor, of the default dtype."""
    if cls is not Tensor:
        made: Any = object.__new__(cls)
        made._data, made._edge, made._counter = np.zeros(0, np.float32), None, 0
        if args:
            made._data = legacy(dtypes.get_default_dtype(), "Tensor")(*args)._data
        return made
    return legacy(dtypes.get_default_dtype(), "Tensor")(*args)
