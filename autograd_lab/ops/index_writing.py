"""Writing to entries of one dimension by number: index_add, index_copy, index_fill.

Read next: `indexing.py`.
"""

from __future__ import annotations

import numpy as np

from .._tensor import Tensor
from ..op import op
from .gather import index_select_card
from .layout import copied
from .reduction import sum_all
from .views import checked_dim


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
    out = np.array(self, order="C")
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
    out = np.array(self, order="C")
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
    out = copied(self)
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
    out = copied(self)
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
