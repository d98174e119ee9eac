"""Tensors and constants as an op got them, kept without keeping the tensor: finishing waits until somebody looks.

Made for every op that a recorder hears of, so it is cheap. Read next: `notes.py`.
"""

from __future__ import annotations

from typing import Any
from weakref import ref

import numpy as np

from autograd_lab._tensor import Tensor
from autograd_lab.dtypes import BY_NUMPY
from autograd_lab.view.names import is_tensor
from autograd_lab.view.snapshots import LARGEST, Snapshot
from autograd_lab.view.texts import array_of


class Kept:
    """A tensor at one moment: its array (a copy if small), its dtype or NumPy's, and a weak reference to itself."""

    __slots__ = ("array", "dtype", "shape", "tensor", "tracked")

    def __init__(self, array: Any, dtype: Any, shape: tuple[int, ...], tensor: Any, tracked: bool = False) -> None:
        self.array, self.dtype, self.shape, self.tensor, self.tracked = array, dtype, shape, tensor, tracked


class Given:
    """A constant that is no plain number or text, as the op got it: a dim, a shape, an index."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = list(value) if type(value) is list else value


def kept(tensor: Any) -> Kept:
    return kept_of_ours(tensor) if isinstance(tensor, Tensor) else kept_of_pytorch(tensor)


def kept_of_ours(tensor: Any) -> Kept:
    data = tensor._data
    if data.__class__ is not np.ndarray:
        return Kept(data, data.dtype, (), ref(tensor))
    return Kept(data.copy() if data.size <= LARGEST else None, data.dtype, data.shape, ref(tensor))


def kept_of_pytorch(tensor: Any) -> Kept:
    """A copy of its numbers if there are few, and if it has any: one on the device "meta", or of a tracer, has not."""
    plain = type(tensor).__module__.startswith("torch") and type(tensor).__name__ in ("Tensor", "Parameter")
    known = plain and not tensor.is_meta and tensor.numel() <= LARGEST
    array = array_of(tensor).copy() if known else None
    return Kept(array, tensor.dtype, tuple(int(n) for n in tensor.shape), ref(tensor), bool(tensor.requires_grad))


def kept_argument(value: Any) -> Any:
    """An argument at one moment: a tensor as it is kept, a list of them as a list, else what it says."""
    if isinstance(value, (int, float, complex, str, bool, type(None))):
        return value
    if is_tensor(value):
        return kept(value)
    if isinstance(value, (tuple, list)) and any(is_tensor(member) for member in value):
        return [kept_argument(member) for member in value]
    return Given(value)


def finished_snapshot(kept: Kept) -> Snapshot:
    values = None if kept.array is None else np.asarray(kept.array)
    dtype = BY_NUMPY[kept.dtype] if isinstance(kept.dtype, np.dtype) else kept.dtype
    return Snapshot(kept.shape, str(dtype), values)


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)
