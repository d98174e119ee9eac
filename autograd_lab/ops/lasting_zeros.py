"""Zeros that stay zeros, also when they are multiplied by nan: PyTorch's ZeroTensor, the gradient of `sgn`.

`0 * nan` is nan, and so a function with a slope of nan passes nan to what it depends on, even if nothing arrives from
behind. Not so behind `sgn`: its gradient is no array of numbers but the promise of zeros, which a product keeps and
all else turns into numbers. Read next: `rounding.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import Tensor
from .python_numbers import zeros_of


class LastingZeros(np.ndarray[Any, Any]):
    """An array of zeros of which products and quotients are lasting zeros again; copies are plain arrays."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        plain = [i.view(np.ndarray) if isinstance(i, LastingZeros) else i for i in inputs]
        found = getattr(ufunc, method)(*plain, **options)
        kept = ufunc is np.multiply or (ufunc is np.divide and isinstance(inputs[0], LastingZeros))
        return lasting(found) if kept and method == "__call__" else found

    def copy(self, order: Any = "C") -> Any:
        return np.zeros(self.shape, self.dtype)


def lasting(like: Any) -> Any:
    """Lasting zeros of the shape and dtype of an array."""
    zeros = np.zeros(like.shape, like.dtype)
    zeros.flags.writeable = False  # nobody may keep it as a `.grad` of his own: that must be a copy
    return zeros.view(LastingZeros)


def lasting_zeros(grad: Any) -> Any:
    """Zeros in place of a gradient; under `create_graph=True` plain ones."""
    return zeros_of(grad) if isinstance(grad, Tensor) else lasting(grad)
