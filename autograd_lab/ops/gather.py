"""Picking by number along one dimension: gather, index_select, take.

What gather takes from a place, its gradient brings back there; a place taken twice gets both.
Read next: `scatter.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import Tensor
from ..op import op
from .reshaping import expand_to
from .views import checked_dim


def index_samples(*rest: Any, source: bool = True) -> Any:
    """Samples for ops with (self, dim, index, src)."""
    index = np.array([[0, 2, 1], [1, 1, 0]])

    def make(rng: np.random.Generator) -> list[tuple[Any, ...]]:
        tensors = (rng.uniform(-2, 2, (2, 3)),) if source else ()
        return [(rng.uniform(-2, 2, (3, 3)), 0, index, *tensors, *rest)]

    return make


def check_index(name: str, index: Tensor) -> None:
    """Raise PyTorch's error for an index that is no integer tensor."""
    if index._data.dtype.kind not in "iu":
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")


def place(self: Any, dim: int, index: Any) -> tuple[Any, ...]:
    """The NumPy index that `gather` along `dim` means: open grids, and `index` itself at `dim`."""
    if not self.ndim:
        return (np.zeros((), np.intp),) * 0
    grid = [np.arange(n).reshape([-1 if d == i else 1 for i in range(index.ndim)]) for d, n in enumerate(index.shape)]
    grid[dim % self.ndim] = index
    return tuple(grid)


def check_bounds(index: Any, dim: int, size: int, name: str = "index") -> None:
    """Raise PyTorch's error for an index beyond the end."""
    if index.size and (index.min() < 0 or index.max() >= size):
        wrong = int(index[(index < 0) | (index >= size)].reshape(-1)[0]) if index.ndim else int(index)
        raise RuntimeError(f"index {wrong} is out of bounds for dimension {dim} with size {size}")


@op(
    "GatherBackward0",
    inputs=("index",),
    free_dtype=("index",),
    saved=("sparse_grad",),
    called="gather",
    samples=index_samples(source=False),
)
def gather_card(self, dim, index, sparse_grad=False):
    """The elements at `index` along `dim`."""
    if not self.ndim:
        return np.broadcast_to(self, index.shape).copy()
    check_bounds(index, dim, self.shape[dim])
    return self[place(self, dim, index)]


@gather_card.wrt("self")
def _(grad, self, dim, index):
    return scattered_sum(grad, dim, index, tuple(self.shape))


@op(
    "ScatterAddBackward0",
    inputs=("index",),
    free_dtype=("index",),
    samples=lambda rng: [(rng.uniform(-2, 2, (2, 3)), 0, np.array([[0, 2, 1], [1, 1, 0]]), (3, 3))],
)
def scattered_sum(self, dim, index, shape):
    """Zeros of `shape` with `self` added at `index` along `dim`: the backward of gather."""
    out = np.zeros(shape, self.dtype)
    np.add.at(out, place(out, dim, index), self)
    return out


@scattered_sum.wrt("self")
def _(grad, dim, index):
    return gather_card(grad, dim, index)


def gather(self, dim, index, *, sparse_grad=False):
    """The elements at `index` along `dim`: out[i][j] = self[index[i][j]][j] for dim 0.

    >>> import autograd_lab as torch
    >>> torch.gather(torch.tensor([[1, 2], [3, 4]]), 1, torch.tensor([[0], [1]]))
    tensor([[1],
            [4]])
    """
    check_index("gather", index)
    if max(index.ndim, 1) != max(self.ndim, 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    dim = checked_dim(dim, self.ndim)
    for d, (n, m) in enumerate(zip(index.shape, self.shape, strict=False)):
        if d != dim and n > m:
            raise RuntimeError(
                f"Size does not match at dimension {d} expected index {list(index.shape)} to be no larger than self "
                f"{list(self.shape)} apart from dimension {dim}"
            )
    return gather_card(self, dim, index, sparse_grad)


@op(
    "IndexSelectBackward0",
    inputs=("index",),
    free_dtype=("index",),
    called="index_select",
    samples=lambda rng: [(rng.uniform(-2, 2, (3, 3)), 1, np.array([0, 2, 0]))],
)
def index_select_card(self, dim, index):
    """Entries of a dimension by number."""
    return np.take(self, np.atleast_1d(index), dim) if self.ndim else self.copy()


@index_select_card.wrt("self")
def _(grad, self_shape, dim, index):
    return index_sum(grad, dim, index, self_shape)


@op(
    "IndexAddBackward0",
    inputs=("index",),
    free_dtype=("index",),
    samples=lambda rng: [(rng.uniform(-2, 2, (2, 2)), 0, np.array([2, 0]), (3, 2))],
)
def index_sum(self, dim, index, shape):
    """Zeros of `shape` with entries added by number: the backward of index_select."""
    out = np.zeros(shape, self.dtype)
    np.add.at(out, (slice(None),) * (dim % max(len(shape), 1)) + (np.atleast_1d(index),) if len(shape) else ..., self)
    return out


@index_sum.wrt("self")
def _(grad, dim, index):
    return index_select_card(grad, dim, index)


def index_select(self, dim, index):
    """Entries of a dimension by number; a copy.

    >>> import autograd_lab as torch
    >>> torch.index_select(torch.tensor([[1, 2], [3, 4]]), 0, torch.tensor([1, 1]))
    tensor([[3, 4],
            [3, 4]])
    """
    if index._data.dtype.kind not in "iu":
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    if index.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    dim = checked_dim(dim, self.ndim)
    data = index._data
    if self.ndim and data.size and (data.min() < 0 or data.max() >= self.shape[dim]):
        raise IndexError("index out of range in self")
    return index_select_card(self, dim, index)


@op(
    "TakeBackward0",
    inputs=("index",),
    free_dtype=("index",),
    called="take",
    samples=lambda rng: [(rng.uniform(-2, 2, (2, 3)), np.array([0, 5, 0]))],
)
def take(self, index):
    """Elements by their number in reading order.

    >>> import autograd_lab as torch
    >>> torch.take(torch.tensor([[1, 2], [3, 4]]), torch.tensor([0, 3]))
    tensor([1, 4])
    """
    if index.dtype.kind not in "iu":
        raise RuntimeError("take(): Expected a long tensor for index, but got Float")
    if index.size and (index.min() < -self.size or index.max() >= self.size):
        raise IndexError(f"out of range: tried to access index {int(index.max())} on a tensor of {self.size} elements.")
    return np.take(self, index)


@take.wrt("self")
def _(grad, self, index):
    return put_sum(grad, index, tuple(self.shape))


@op(
    "PutBackward0",
    inputs=("index",),
    free_dtype=("index",),
    samples=lambda rng: [(rng.uniform(-2, 2, (3,)), np.array([0, 5, 0]), (2, 3))],
)
def put_sum(self, index, shape):
    """Zeros of `shape` with `self` added at numbers in reading order: the backward of take."""
    out = np.zeros(shape, self.dtype)
    np.add.at(out.reshape(-1), index, self)
    return out


@put_sum.wrt("self")
def _(grad, index):
    return take(grad, index)


def take_along_dim(self, indices, dim=None):
    """The elements at `indices` along `dim`, broadcasting the other dimensions.

    >>> import autograd_lab as torch
    >>> x = torch.tensor([[3, 1], [2, 4]])
    >>> torch.take_along_dim(x, torch.argsort(x, 1), 1)
    tensor([[1, 3],
            [2, 4]])
    """
    if dim is None:
        return gather(self.reshape(-1), 0, indices.reshape(-1))
    dim = checked_dim(dim, self.ndim)
    shape = np.broadcast_shapes(
        tuple(1 if d == dim else n for d, n in enumerate(self.shape)),
        tuple(1 if d == dim else n for d, n in enumerate(indices.shape)),
    )
    own, theirs = list(shape), list(shape)
    own[dim], theirs[dim] = self.shape[dim], indices.shape[dim]
    return gather(expand_to(self, own), dim, expand_to(indices, theirs))
