"""Many elements to one: sum, mean, max, and their relatives.

Read next: `matmul.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import dtypes
from .._tensor import Tensor, bare
from ..op import on_both, op
from ..samples import unary
from .comparison import where
from .shape import checked_dim, expand, unsqueeze_all


def axes_of(dim: Any, ndim: int) -> tuple[int, ...] | None:
    """The dimensions of a reduction as sorted non-negative numbers; None for all of them."""
    if dim is None or (isinstance(dim, (tuple, list)) and not len(dim)):
        return None
    dims = dim if isinstance(dim, (tuple, list)) else (dim,)
    return tuple(sorted(checked_dim(d, ndim) for d in dims))


@on_both
def spread(grad, shape, dim, keepdim):
    """A reduced gradient back in the shape of the input: every element gets its group's value."""
    if dim is not None and not keepdim and len(shape):
        grad = unsqueeze_all(grad, axes_of(dim, len(shape)))
    return expand(grad, shape)


def widened(data: Any) -> Any:
    """Bools and small integers as int64: what sums and products of them are."""
    return data.astype(np.int64) if data.dtype.kind in "bui" and data.dtype != np.int64 else data


@op("SumBackward0", samples=unary())
def sum_all(self):
    """The sum of all elements."""
    return np.add.reduce(widened(self), None)


@sum_all.wrt("self", latex="1")
def _(grad, self_shape):
    return expand(grad, self_shape)


@op("SumBackward1", samples=lambda rng: [(rng.uniform(-2, 2, (2, 3)), 0, False), (rng.uniform(-2, 2, (2, 3)), 1, True)])
def sum_dim(self, dim, keepdim=False):
    """The sum over some dimensions."""
    return np.add.reduce(widened(self), axes_of(dim, self.ndim) if self.ndim else None, keepdims=keepdim)


@sum_dim.wrt("self", latex="1")
def _(grad, self_shape, dim, keepdim):
    return spread(grad, self_shape, dim, keepdim)


def sum(self, dim=None, keepdim=False, *, dtype=None):
    """The sum of all elements, or over `dim`; integers and bools give int64.

    >>> import autograd_lab as torch
    >>> torch.sum(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), 0)
    tensor([4., 6.])
    """
    if dtype is not None:
        self = self.to(dtype)
    if dim is None and not keepdim:
        return sum_all(self)
    return sum_dim(self, () if dim is None else dim, keepdim)


def no_integers(name: str, kind: Any) -> None:
    """PyTorch's refusal of means of integers."""
    if kind.category < 2:
        word = {"bool": "Bool"}.get(kind.name, dtypes.TYPE_NAMES[kind.name])
        raise RuntimeError(
            f"{name}(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
            f"Got: {word}"
        )


@op("MeanBackward0", saved=("self_sym_numel",), samples=unary())
def mean_all(self):
    """The mean of all elements."""
    return np.true_divide(np.add.reduce(self, None), self.dtype.type(self.size))


@mean_all.wrt("self", latex=r"\frac{1}{N}")
def _(grad, self_shape):
    return expand(grad / max(math.prod(self_shape), 1), self_shape)


@op("MeanBackward1", saved=("self_sym_numel",), samples=lambda rng: [(rng.uniform(-2, 2, (2, 3)), 0, False)])
def mean_dim(self, dim, keepdim=False):
    """The mean over some dimensions."""
    axes = axes_of(dim, self.ndim) if self.ndim else None
    count = math.prod(self.shape if axes is None else [self.shape[a] for a in axes])
    return np.true_divide(np.add.reduce(self, axes, keepdims=keepdim), self.dtype.type(count))


@mean_dim.wrt("self", latex=r"\frac{1}{N}")
def _(grad, self_shape, dim, keepdim):
    axes = axes_of(dim, len(self_shape)) if len(self_shape) else ()
    count = math.prod(self_shape if axes is None else [self_shape[a] for a in axes])
    return spread(grad, self_shape, dim, keepdim) / max(count, 1)


def mean(self, dim=None, keepdim=False, *, dtype=None):
    """The mean of all elements, or over `dim`; integers raise, since a mean is seldom whole.

    >>> import autograd_lab as torch
    >>> torch.mean(torch.tensor([1.0, 2.0, 6.0]))
    tensor(3.)
    """
    if dtype is not None:
        self = self.to(dtype)
    if isinstance(self, Tensor) and self._edge is None:
        no_integers("mean", self.dtype)
    if dim is None and not keepdim:
        return mean_all(self)
    return mean_dim(self, () if dim is None else dim, keepdim)


@op("MaxBackward1", samples=unary())
def max_all(self):
    """The largest element; ties share the gradient."""
    return np.max(self)


@max_all.wrt("self")
def _(grad, self, result):
    hit = self == result
    return where(hit, grad / sum_all(hit), 0)


@op("MinBackward1", samples=unary())
def min_all(self):
    """The smallest element; ties share the gradient."""
    return np.min(self)


@min_all.wrt("self")
def _(grad, self, result):
    hit = self == result
    return where(hit, grad / sum_all(hit), 0)


@on_both
def placed(grad, shape, dim, keepdim, indices):
    """A gradient put back at the chosen index along `dim`, zeros elsewhere."""
    if not len(shape):
        return grad
    if not keepdim:
        grad, indices = unsqueeze_all(grad, (dim % len(shape),)), unsqueeze_all(indices, (dim % len(shape),))
    return put_along(grad, indices, shape, dim)


@op("ScatterBackward0", inputs=("index",), free_dtype=("index",))
def put_along(self, index, shape, dim):
    """Zeros of `shape` with `self` written at `index` along `dim`."""
    out = np.zeros(shape, self.dtype)
    np.put_along_axis(out, index, self, dim)
    return out


@put_along.wrt("self")
def _(grad, index, dim):
    return take_along(grad, index, dim)


@op("GatherBackward0", inputs=("index",), free_dtype=("index",))
def take_along(self, index, dim):
    """The elements at `index` along `dim`."""
    return np.take_along_axis(self, index, dim)


@take_along.wrt("self")
def _(grad, self_shape, index, dim):
    return put_along(grad, index, self_shape, dim)


def chosen(self, indices, dim, keepdim):
    """The values at `indices` along `dim`, and the indices, reduced."""
    if not self.ndim:
        return self, indices
    inside = np.expand_dims(indices, dim)
    values = np.take_along_axis(self, inside, dim)
    return (values, inside) if keepdim else (values.squeeze(dim), indices)


@op("MaxBackward0", keeps=("indices",), also=("indices",))
def max_dim(self, dim, keepdim=False):
    """The largest elements along a dimension, and where they are; the first of several takes the gradient."""
    checked_dim(dim, self.ndim)
    return chosen(self, np.argmax(self, dim) if self.ndim else np.int64(0), dim, keepdim)


@max_dim.wrt("self")
def _(grad, self_shape, dim, keepdim, indices):
    return placed(grad, self_shape, dim, keepdim, indices)


@op("MinBackward0", keeps=("indices",), also=("indices",))
def min_dim(self, dim, keepdim=False):
    """The smallest elements along a dimension, and where they are; the first of several takes the gradient."""
    checked_dim(dim, self.ndim)
    return chosen(self, np.argmin(self, dim) if self.ndim else np.int64(0), dim, keepdim)


@min_dim.wrt("self")
def _(grad, self_shape, dim, keepdim, indices):
    return placed(grad, self_shape, dim, keepdim, indices)


def argmax(self, dim=None, keepdim=False):
    """The index of the largest element, the first of several; flat unless `dim` is given."""
    return bare(np.argmax(self._data, dim, keepdims=keepdim))


def argmin(self, dim=None, keepdim=False):
    """The index of the smallest element, the first of several; flat unless `dim` is given."""
    return bare(np.argmin(self._data, dim, keepdims=keepdim))


def all(self, dim=None, keepdim=False):
    """Whether all elements are true."""
    return bare(np.all(self._data, dim, keepdims=keepdim))


def any(self, dim=None, keepdim=False):
    """Whether some element is true."""
    return bare(np.any(self._data, dim, keepdims=keepdim))


@op("LinalgVectorNormBackward0", samples=unary(away=0.3))
def norm_two(self):
    """The length of all elements taken as one vector; its gradient at zero is zero."""
    return np.sqrt(np.add.reduce(np.square(self), None))


@norm_two.wrt("self", latex=r"\frac{$self}{$result}")
def _(grad, self, result):
    return where(result == 0, 0, self * (grad / result))


def norm(self, p=2, dim=None, keepdim=False):
    """The vector norm; only the length of the whole tensor here, other orders come with linalg."""
    if p not in (2, 2.0, "fro") or dim is not None:
        raise NotImplementedError(f"norm() with p={p!r}, dim={dim!r} is not supported yet")
    return norm_two(self)
