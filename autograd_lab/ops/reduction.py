"""Many elements to one: sum, mean, and questions about all elements.

Read next: `products.py`, `extremes.py`, `norms.py`, `statistics.py`, or `matmul.py`.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from .. import dtypes
from .._tensor import Tensor, bare
from ..formulas import on_both, summed_columns
from ..op import op
from ..samples import unary
from .conversion import cast
from .dimensions import unsqueeze_all
from .views import checked_dim, expand


def axes_of(dim: Any, ndim: int) -> tuple[int, ...] | None:
    """The dimensions of a reduction as sorted non-negative numbers; None for all of them."""
    if dim is None or (isinstance(dim, (tuple, list)) and not len(dim)):
        return None
    dims = dim if isinstance(dim, (tuple, list)) else (dim,)
    axes = tuple(sorted(checked_dim(d, ndim) for d in dims))
    for a, b in itertools.pairwise(axes):
        if a == b:
            raise RuntimeError(f"dim {a} appears multiple times in the list of dims")
    return axes if ndim else None


@on_both
def spread(grad, shape, dim, keepdim):
    """A reduced gradient back in the shape of the input: every element gets its group's value."""
    return expand(unreduced(grad, len(shape), dim, keepdim), shape)


@on_both
def unreduced(grad, ndim, dim, keepdim):
    """A reduced tensor with its lost dimensions back, as size 1."""
    return grad if dim is None or keepdim or not ndim else unsqueeze_all(grad, axes_of(dim, ndim))


def widened(data: Any) -> Any:
    """Bools and small integers as int64: what sums and products of them are."""
    return data.astype(np.int64) if data.dtype.kind in "bui" and data.dtype != np.int64 else data


def truth(hit: Any, grad: Any) -> Any:
    """A truth value as 0 or 1 in the dtype of a gradient, so that counting keeps that dtype."""
    return cast(hit, grad.dtype) if isinstance(hit, Tensor) else hit.astype(grad.dtype)


def has_zero(value: Any) -> bool:
    """Whether some element is 0."""
    return not np.all(value._data if isinstance(value, Tensor) else value)


def count_zeros(value: Any) -> int:
    """How many elements are 0."""
    data = value._data if isinstance(value, Tensor) else value
    return int(data.size - np.count_nonzero(data))


def cells(dim: Any, shape: Any) -> int:
    """How many elements meet in one result."""
    axes = axes_of(dim, len(shape))
    return math.prod(shape if axes is None else [shape[a] for a in axes])


def two_by_three(*rests: Any) -> Any:
    """Samples: a (2, 3) matrix with each of these plain arguments."""
    return lambda rng: [(rng.uniform(-2, 2, (2, 3)), *rest) for rest in rests]


@op("SumBackward0", called="sum", samples=unary())
def sum_all(self):
    """The sum of all elements."""
    return np.add.reduce(self if self.dtype.kind == "f" else widened(self), None)


@sum_all.wrt("self", latex="1")
def _(grad, self_shape):
    return expand(grad, self_shape)


@op("SumBackward1", called="sum", samples=two_by_three((0, False), (1, True), ((0, 1), False), ((), True)))
def sum_dim(self, dim, keepdim=False):
    """The sum over some dimensions."""
    axes = axes_of(dim, self.ndim)
    if keepdim and axes == (1,) and self.ndim == 2:  # what softmax and its kin need
        return summed_columns(widened(self))
    return np.add.reduce(widened(self), axes, keepdims=keepdim)


@sum_dim.wrt("self", latex="1")
def _(grad, self_shape, dim, keepdim):
    return spread(grad, self_shape, dim, keepdim)


def sum(self, dim=None, keepdim=False, *, dtype=None, axis=None, keepdims=None):
    """The sum of all elements, or over `dim`; integers and bools give int64.

    >>> import autograd_lab as torch
    >>> torch.sum(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), 0)
    tensor([4., 6.])
    """
    if dtype is not None:
        self = cast(self, dtype)
    if dim is None and not keepdim:
        if axis is None and not keepdims:
            return sum_all(self)
        dim, keepdim = axis, bool(keepdims)
    if keepdim is not True and keepdim is not False:
        raise not_bool("sum", keepdim)
    return sum_dim(self, () if dim is None else dim, keepdim)


def not_bool(name: str, keepdim: Any) -> TypeError:
    """PyTorch's error for `x.sum(0, 1)`: several dimensions come as one tuple."""
    error = TypeError(f"{name}(): argument 'keepdim' (position 2) must be bool, not {type(keepdim).__name__}")
    error.add_note(f"To reduce several dimensions give them as one tuple: x.{name}((0, 1)).")
    return error


def no_integers(name: str, kind: Any) -> None:
    """PyTorch's refusal of means of integers."""
    if kind.category < 2:
        raise RuntimeError(
            f"{name}(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
            f"Got: {dtypes.TYPE_NAMES[kind.name]}"
        )


NUMEL = {"self_sym_numel": lambda self_shape: math.prod(self_shape)}


@op("MeanBackward0", called="mean", shows=NUMEL, samples=unary())
def mean_all(self):
    """The mean of all elements."""
    return np.true_divide(np.add.reduce(self, None), self.dtype.type(self.size))


@mean_all.wrt("self", latex=r"\frac{1}{N}")
def _(grad, self_shape):
    return expand(grad / max(math.prod(self_shape), 1), self_shape)


@op("MeanBackward1", called="mean", shows=NUMEL, samples=two_by_three((0, False), (1, True), ((0, 1), False)))
def mean_dim(self, dim, keepdim=False):
    """The mean over some dimensions."""
    axes = axes_of(dim, self.ndim)
    return np.true_divide(np.add.reduce(self, axes, keepdims=keepdim), self.dtype.type(cells(dim, self.shape)))


@mean_dim.wrt("self", latex=r"\frac{1}{N}")
def _(grad, self_shape, dim, keepdim):
    return spread(grad, self_shape, dim, keepdim) / max(cells(dim, self_shape), 1)


def mean(self, dim=None, keepdim=False, *, dtype=None, axis=None, keepdims=None):
    """The mean of all elements, or over `dim`; integers raise, since a mean is seldom whole.

    >>> import autograd_lab as torch
    >>> torch.mean(torch.tensor([1.0, 2.0, 6.0]))
    tensor(3.)
    """
    if dtype is not None:
        self = cast(self, dtype)
    if isinstance(self, Tensor) and self._edge is None:
        no_integers("mean", self.dtype)
    if dim is None and not keepdim:
        if axis is None and not keepdims:
            return mean_all(self)
        dim, keepdim = axis, bool(keepdims)
    if keepdim is not True and keepdim is not False:
        raise not_bool("mean", keepdim)
    return mean_dim(self, () if dim is None else dim, keepdim)


def all(self, dim=None, keepdim=False):
    """Whether all elements are true.

    >>> import autograd_lab as torch
    >>> torch.all(torch.tensor([True, False]))
    tensor(False)
    """
    return bare(truth_result(self, np.all(self._data, axes_of(dim, self.ndim), keepdims=keepdim)))


def any(self, dim=None, keepdim=False):
    """Whether some element is true.

    >>> import autograd_lab as torch
    >>> torch.any(torch.tensor([True, False]))
    tensor(True)
    """
    return bare(truth_result(self, np.any(self._data, axes_of(dim, self.ndim), keepdims=keepdim)))


def truth_result(self: Any, found: Any) -> Any:
    """PyTorch answers uint8 to questions about uint8 tensors."""
    return found.astype(np.uint8) if self._data.dtype == np.uint8 else found


def count_nonzero(self, dim=None):
    """How many elements are not 0.

    >>> import autograd_lab as torch
    >>> torch.count_nonzero(torch.tensor([0, 3, 4]))
    tensor(2)
    """
    return bare(np.asarray(np.count_nonzero(self._data, axes_of(dim, self.ndim)), np.int64)[()])
