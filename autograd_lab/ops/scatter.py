"""Placing by number along one dimension: scatter, index_add, index_copy and kin.

The gradient of what was written is gathered from where it went. Read next: `indexing.py`.
"""

from __future__ import annotations

import numpy as np

from .._tensor import Tensor, bare
from ..op import op
from ..samples import Shape, shaped
from .gather import check_index, gather_card, index_samples, place
from .scatter_reduce import scatter_reduce_card
from .views import checked_dim


@op(
    "ScatterBackward0",
    hidden=("src_shape",),
    inputs=("index",),
    free_dtype=("index",),
    called="scatter",
    samples=lambda rng: [(rng.uniform(-2, 2, (3, 3)), 0, np.array([[0, 2, 1]]), rng.uniform(-2, 2, (1, 3)))],
)
def scatter_tensor(self, dim, index, src):
    """`src` written at `index` along `dim`."""
    out = np.array(self, order="C")
    out[place(out, dim, index)] = src[tuple(slice(n) for n in index.shape)] if out.ndim else src
    return out


@scatter_tensor.wrt("self")
def _(grad, dim, index):
    return scatter_number(grad, dim, index, 0)


@scatter_tensor.wrt("src")
def _(grad, dim, index, src_shape):
    return padded_to(gather_card(grad, dim, index), src_shape)


@op(
    "ScatterBackward1",
    inputs=("index",),
    free_dtype=("index",),
    called="scatter",
    samples=index_samples(0.5, source=False),
)
def scatter_number(self, dim, index, value):
    """One number written at `index` along `dim`."""
    out = np.array(self, order="C")
    out[place(out, dim, index)] = value
    return out


@scatter_number.wrt("self")
def _(grad, dim, index):
    return scatter_number(grad, dim, index, 0)


@op("ConstantPadNdBackward0", samples=shaped((Shape(2, 2), (3, 2))))
def padded_to(self, shape):
    """Zeros behind, up to `shape`: parts of a source that were not used have no gradient."""
    if self.shape == tuple(shape):
        return self.copy()
    out = np.zeros(shape, self.dtype)
    out[tuple(slice(n) for n in self.shape)] = self
    return out


@padded_to.wrt("self")
def _(grad, self_shape):
    return grad[tuple(slice(n) for n in self_shape)]


def scatter(self, dim, index, src=None, *, value=None, reduce=None):
    """`src`, a tensor or a number, written at `index` along `dim`.

    >>> import autograd_lab as torch
    >>> torch.scatter(torch.zeros(3), 0, torch.tensor([2]), torch.tensor([5.0]))
    tensor([0., 0., 5.])
    """
    source = value if src is None else src
    check_index("scatter", index)
    dim = checked_dim(dim, self.ndim)
    if reduce is not None:
        reduced = {"add": "sum", "multiply": "prod"}[reduce]
        if not isinstance(source, Tensor):
            source = bare(np.full(tuple(index.shape), source, self._data.dtype))
        return scatter_reduce_card(self, dim, index, source, reduced, True)
    if not isinstance(source, Tensor):
        return scatter_number(self, dim, index, source)
    return scatter_tensor(self, dim, index, source)


@op(
    "ScatterAddBackward0",
    hidden=("src_shape",),
    inputs=("index",),
    free_dtype=("index",),
    called="scatter_add",
    samples=index_samples(),
)
def scatter_add_card(self, dim, index, src):
    """`src` added at `index` along `dim`."""
    out = np.array(self, order="C")
    np.add.at(out, place(out, dim, index), src[tuple(slice(n) for n in index.shape)] if out.ndim else src)
    return out


@scatter_add_card.wrt("self")
def _(grad):
    return grad


@scatter_add_card.wrt("src")
def _(grad, dim, index, src_shape):
    return padded_to(gather_card(grad, dim, index), src_shape)


def scatter_add(self, dim, index, src):
    """`src` added at `index` along `dim`.

    >>> import autograd_lab as torch
    >>> torch.scatter_add(torch.zeros(2), 0, torch.tensor([0, 0, 1]), torch.tensor([1.0, 2.0, 3.0]))
    tensor([3., 3.])
    """
    check_index("scatter_add", index)
    return scatter_add_card(self, checked_dim(dim, self.ndim), index, src)
