"""The product `@`: it chooses among mm, mv, dot and bmm by the dimensions of its operands.

Read next: `adding_products.py`, `contractions.py`, or `activation.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import Tensor
from ..funnel import mismatch
from .adding_products import addmm
from .dimensions import t, t_inner, transpose, unsqueeze
from .dimensions_written import squeeze_written
from .matrix_products import bmm, dot, mm, mv
from .python_numbers import wants_tensor
from .reshaping import expand_to, reshape
from .views import contiguous_card, reshape_card, view_card


def matmul(self, other):
    """The matrix product of tensors of any dimensions, as `@`.

    >>> import autograd_lab as torch
    >>> torch.matmul(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([1.0, 1.0]))
    tensor([3., 7.])
    """
    wants_tensor("matmul", self)
    wants_tensor("matmul", other, "other", 2)
    return product(self, other)


def product(self: Any, other: Any) -> Any:
    """What `@` computes, by the dimensions of its operands."""
    a, b = self._data.ndim, other._data.ndim
    if a == 2 and b == 2:
        return mm(self, other)
    if a == 2 and b == 1:
        return mv(self, other)
    if a == 1 and b == 1:
        return dot(self, other)
    if a == 1 and b == 2:
        return squeeze_written(mm(unsqueeze(self, 0), other), 0)
    if not a or not b:
        raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {a}D and {b}D")
    return batched(self, other)


def operator(self, other):
    """What `self @ other` calls."""
    return product(self, other) if isinstance(other, Tensor) else NotImplemented


def foldable(large: Any, small: Any, first_is_large: bool) -> bool:
    """Whether the batch may become rows of one product: PyTorch's rule, which saves a copy or a large gradient."""
    if small.requires_grad:
        return True
    if not first_is_large and small.ndim == 2:
        return False
    strides = large.stride()
    return not large.numel() or all(strides[i] == strides[i + 1] * large.shape[i + 1] for i in range(large.ndim - 2))


def batched(self: Any, other: Any) -> Any:
    """A product with leading batch dimensions: fold them into rows if one side has none, else broadcast them."""
    first = self.ndim >= other.ndim
    small = other if first else self
    if small.ndim <= 2:
        large = self if first else transpose(other, -2, -1)
        if foldable(large, small, first):
            return folded(large, small, first)
    left = unsqueeze(self, 0) if self.ndim == 1 else self
    right = unsqueeze(other, 1) if other.ndim == 1 else other
    (n, k), (k2, m) = left.shape[-2:], right.shape[-2:]
    wrong = mismatch([tuple(left.shape[:-2]), tuple(right.shape[:-2])])
    if wrong is not None:
        raise wrong
    batch = np.broadcast_shapes(tuple(left.shape[:-2]), tuple(right.shape[:-2]))
    left = reshape(expand_to(left, (*batch, n, k)), -1, n, k)
    right = reshape(expand_to(right, (*batch, k2, m)), -1, k2, m)
    rows, columns = (n,) if self.ndim > 1 else (), (m,) if other.ndim > 1 else ()
    return reshape_card(bmm(left, right), (*batch, *rows, *columns))


def folded(large: Any, small: Any, first: bool) -> Any:
    """One product of all rows of `large` with a matrix or vector."""
    rows = reshape(large, -1, large.shape[-1])
    if small.ndim == 1:
        return reshape_card(mv(rows, small), tuple(large.shape[:-1]))
    if first:
        return reshape_card(mm(rows, small), (*large.shape[:-1], small.shape[-1]))
    made = reshape_card(mm(rows, t(small)), (*large.shape[:-1], small.shape[0]))
    return contiguous_card(transpose(made, -2, -1))


def linear(self, weight, bias=None):
    """`self @ weight.T + bias`: recorded as AddmmBackward0 for a batch of vectors."""
    if bias is None:
        return product(self, t(weight))
    if self.ndim == 2:
        return addmm(bias, self, t_inner(weight))
    made = addmm(bias, reshape(self, -1, self.shape[-1]), t(weight))
    return view_card(made, (*self.shape[:-1], weight.shape[0]))
