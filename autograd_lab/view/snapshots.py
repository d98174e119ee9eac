"""A tensor at one moment, ours or PyTorch's, as plain data: shape, dtype, and the numbers if there are few.

Read next: `recording.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograd_lab._tensor import Tensor
from autograd_lab.view.texts import array_of

LARGEST = 400  # arrays with more elements are noted by shape and range alone


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A tensor as it was at one moment; `values` is None when it was too large to keep.

    `span` is the smallest and the largest number of a large one, if somebody had the time to look.
    """

    shape: tuple[int, ...]
    dtype: str
    values: np.ndarray | None
    span: tuple[float, float] | None = field(default=None)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Snapshot) or (self.shape, self.dtype) != (other.shape, other.dtype):
            return False
        if self.values is None or other.values is None:
            return self.values is other.values
        return bool(np.array_equal(self.values, other.values, equal_nan=self.values.dtype.kind in "fc"))

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype))


def snapshot(tensor: Any) -> Snapshot:
    """The tensor's values now, copied; a large one's shape and range.

    >>> import autograd_lab as torch
    >>> snapshot(torch.zeros(500)).span
    (0.0, 0.0)
    """
    array = tensor._data if isinstance(tensor, Tensor) else array_of(tensor)
    return snapshot_of(array, tuple(int(n) for n in tensor.shape), str(tensor.dtype))


def snapshot_of(array: Any, shape: tuple[int, ...], dtype: str) -> Snapshot:
    """The same of an array."""
    if array is None:
        return Snapshot(shape, dtype, None)
    if array.size > LARGEST:
        return Snapshot(shape, dtype, None, span_of(array))
    return Snapshot(shape, dtype, array.copy() if isinstance(array, np.ndarray) else np.asarray(array))


def span_of(array: Any) -> tuple[float, float] | None:
    """The smallest and the largest number, nan left out; None if there is no such thing."""
    if array.dtype.kind not in "fiub":
        return None
    known = array[~np.isnan(array)] if array.dtype.kind == "f" else array
    return (float(known.min()), float(known.max())) if known.size else None
