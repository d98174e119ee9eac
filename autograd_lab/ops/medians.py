"""The middle element: median and nanmedian.

Read next: `sorting.py`.
"""

from __future__ import annotations

import numpy as np

from ..op import op
from ..samples import unary
from . import return_types
from .extremes import chosen, placed, reached, shared_equally
from .reduction import two_by_three
from .views import checked_dim


@op("MedianBackward0", called="median", samples=unary())
def median_all(self):
    """The middle element, the lower one of two; nan if there is one."""
    flat = np.sort(self, None)
    if not flat.size:
        return self.dtype.type(np.nan)
    return flat[-1] if np.isnan(flat[-1]) else flat[(flat.size - 1) // 2]


@median_all.wrt("self")
def _(grad, self, result):
    return shared_equally(grad, reached(self, result))


def middle(self, dim, skip_nan=False):
    """The indices of the middle elements along `dim`, counting nan or not."""
    order = np.argsort(self, dim, kind="stable")
    size = self.shape[dim]
    numbers = size - np.count_nonzero(np.isnan(self), dim, keepdims=True)
    if skip_nan:
        place = np.maximum(numbers - 1, 0) // 2
    else:
        place = np.where(numbers < size, numbers, (size - 1) // 2)
    return np.take_along_axis(order, place, dim).squeeze(dim)


@op(
    "MedianBackward1",
    called="median",
    keeps=("indices",),
    also=("indices",),
    samples=two_by_three((0, False), (1, True)),
)
def median_dim(self, dim, keepdim=False):
    """The middle elements along a dimension, and where they are."""
    checked_dim(dim, self.ndim)
    return chosen(self, middle(self, dim) if self.ndim else np.int64(0), dim, keepdim)


@median_dim.wrt("self")
def _(grad, self_shape, dim, keepdim, indices):
    return placed(grad, self_shape, dim, keepdim, indices)


def median(self, dim=None, keepdim=False):
    """The middle element, the lower one of two; with `dim` (values, indices).

    >>> import autograd_lab as torch
    >>> torch.median(torch.tensor([4, 1, 3, 2]))
    tensor(2)
    """
    return median_all(self) if dim is None else return_types.median(*median_dim(self, dim, keepdim))


@op("NanmedianBackward0", called="nanmedian", samples=unary())
def nanmedian_all(self):
    """The middle of the elements that are numbers."""
    flat = np.sort(self[~np.isnan(self)], None) if self.ndim else np.atleast_1d(self)
    return flat[(flat.size - 1) // 2] if flat.size else self.dtype.type(np.nan)


@nanmedian_all.wrt("self")
def _(grad, self, result):
    return shared_equally(grad, reached(self, result))


@op(
    "NanmedianBackward1",
    called="nanmedian",
    keeps=("indices",),
    also=("indices",),
    samples=two_by_three((0, False), (1, True)),
)
def nanmedian_dim(self, dim, keepdim=False):
    """The middle of the numbers along a dimension, and where it is."""
    checked_dim(dim, self.ndim)
    return chosen(self, middle(self, dim, skip_nan=True) if self.ndim else np.int64(0), dim, keepdim)


@nanmedian_dim.wrt("self")
def _(grad, self_shape, dim, keepdim, indices):
    return placed(grad, self_shape, dim, keepdim, indices)


def nanmedian(self, dim=None, keepdim=False):
    """The middle of the elements that are numbers; with `dim` (values, indices)."""
    return nanmedian_all(self) if dim is None else return_types.nanmedian(*nanmedian_dim(self, dim, keepdim))
