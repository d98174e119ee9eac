"""Placing by number along one dimension: scatter, index_add, index_copy and kin.

The gradient of what was written is gathered from where it went. Read next: `indexing.py`.
"""

from __future__ import annotations

import numpy as np

from .._tensor import Tensor, bare
from ..op import op
from ..samples import Shape, shaped
from .gather import check_index, gather_card, index_samples, index_select_card, place
from .reduction import sum_all
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
    out = np.array(self)
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
    out = np.array(self)
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
    out = np.array(self)
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


def row_samples(*rest, source=True):
    """Samples for ops with (self, dim, index, source)."""
    index = np.array([2, 0])
    return lambda rng: [
        (rng.uniform(-2, 2, (3, 2)), 0, index, *((rng.uniform(-2, 2, (2, 2)),) if source else ()), *rest)
    ]


def rows(self, dim, index):
    """The NumPy index of entries of a dimension."""
    return (slice(None),) * (dim % self.ndim) + (np.atleast_1d(index),) if self.ndim else ...


SOURCE_DIM = {"source_dim": lambda source: None if source is None else source.ndim}


@op(
    "IndexAddBackward0",
    inputs=("index",),
    free_dtype=("index",),
    shows=SOURCE_DIM,
    called="index_add",
    samples=row_samples(),
)
def index_add_card(self, dim, index, source, alpha=1):
    """`alpha * source` added to entries of a dimension."""
    out = np.array(self)
    np.add.at(out, rows(out, dim, index), source if alpha == 1 else alpha * source)
    return out


@index_add_card.wrt("self")
def _(grad):
    return grad


@index_add_card.wrt("source")
def _(grad, dim, index, source, alpha):
    found = index_select_card(grad, dim, index)
    return found if alpha == 1 else found * alpha


def index_add(self, dim, index, source, *, alpha=1):
    """`alpha * source` added to entries of a dimension; one named twice gets both.

    >>> import autograd_lab as torch
    >>> torch.index_add(torch.zeros(2), 0, torch.tensor([0, 0]), torch.tensor([1.0, 2.0]))
    tensor([3., 0.])
    """
    return index_add_card(self, checked_dim(dim, self.ndim), index, source, alpha)


@op(
    "IndexCopyBackward0",
    inputs=("index",),
    free_dtype=("index",),
    shows=SOURCE_DIM,
    called="index_copy",
    samples=row_samples(),
)
def index_copy(self, dim, index, source):
    """`source` written to entries of a dimension.

    >>> import autograd_lab as torch
    >>> torch.index_copy(torch.zeros(3), 0, torch.tensor([2, 0]), torch.tensor([5.0, 6.0]))
    tensor([6., 0., 5.])
    """
    out = np.array(self)
    out[rows(out, dim, index)] = source
    return out


@index_copy.wrt("self")
def _(grad, dim, index):
    return index_fill_number(grad, dim, index, 0)


@index_copy.wrt("source")
def _(grad, dim, index, source):
    return index_select_card(grad, dim, index)


@op(
    "IndexFillBackward0",
    inputs=("index",),
    free_dtype=("index",),
    called="index_fill",
    samples=row_samples(0.5, source=False),
)
def index_fill_number(self, dim, index, value):
    """One number written to entries of a dimension."""
    out = np.array(self)
    out[rows(out, dim, index)] = value
    return out


@index_fill_number.wrt("self")
def _(grad, dim, index):
    return index_fill_number(grad, dim, index, 0)


@op(
    "IndexFillBackward1",
    inputs=("index",),
    free_dtype=("index",),
    called="index_fill",
    samples=row_samples(np.array(0.5), source=False),
)
def index_fill_tensor(self, dim, index, value):
    """The value of a 0-d tensor written to entries of a dimension."""
    out = np.array(self)
    out[rows(out, dim, index)] = value
    return out


@index_fill_tensor.wrt("self")
def _(grad, dim, index):
    return index_fill_number(grad, dim, index, 0)


@index_fill_tensor.wrt("value")
def _(grad, dim, index):
    return sum_all(index_select_card(grad, dim, index))


def index_fill(self, dim, index, value):
    """`value`, a number or a 0-d tensor, written to entries of a dimension.

    >>> import autograd_lab as torch
    >>> torch.index_fill(torch.zeros(3), 0, torch.tensor([0, 2]), 7.0)
    tensor([7., 0., 7.])
    """
    card = index_fill_tensor if isinstance(value, Tensor) else index_fill_number
    return card(self, checked_dim(dim, self.ndim), index, value)
