"""Counting: unique, bincount, histc, nonzero. Results are whole numbers, so nothing here has a gradient.

Read next: `linear_systems.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import bare
from ..op import op


@op("Unique2Backward0", called="unique", samples=lambda rng: [(np.array([3.0, 1.0, 3.0]), None)])
def unique_card(self, dim):
    """The different elements, sorted; PyTorch records it and cannot differentiate it."""
    return np.unique(self, axis=dim, equal_nan=False)


@unique_card.wrt("self")
def _(grad):
    raise NotImplementedError("the derivative for '_unique2' is not implemented.")


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The different elements, sorted; on request where each went, and how often each occurred.

    >>> import autograd_lab as torch
    >>> torch.unique(torch.tensor([3, 1, 3]), return_counts=True)
    (tensor([1, 3]), tensor([1, 2]))
    """
    data = input._data if dim is not None else np.asarray(input._data).reshape(-1)
    _, inverse, counts = np.unique(data, return_inverse=True, return_counts=True, axis=dim, equal_nan=False)
    found: list[Any] = [unique_card(input, dim)]
    if return_inverse:
        found.append(bare(inverse.reshape(-1 if dim is not None else input._data.shape)))
    if return_counts:
        found.append(bare(counts))
    return tuple(found) if len(found) > 1 else found[0]


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """Runs of equal elements, each once.

    >>> import autograd_lab as torch
    >>> torch.unique_consecutive(torch.tensor([1, 1, 2, 1]))
    tensor([1, 2, 1])
    """
    data = np.asarray(input._data).reshape(-1) if dim is None else np.moveaxis(input._data, dim, 0)
    rows = data.reshape(len(data), -1)
    starts = np.concatenate([[True], (rows[1:] != rows[:-1]).any(1)])[: len(data)]
    kept = data[starts] if dim is None else np.moveaxis(data[starts], 0, dim)
    found: list[Any] = [bare(kept)]
    if return_inverse:
        inverse = np.cumsum(starts) - 1
        found.append(bare(inverse.reshape(input._data.shape) if dim is None else inverse))
    if return_counts:
        found.append(bare(np.diff(np.append(np.nonzero(starts)[0], len(data)))))
    return tuple(found) if len(found) > 1 else found[0]


def bincount(input, weights=None, minlength=0):
    """How often each whole number occurs.

    >>> import autograd_lab as torch
    >>> torch.bincount(torch.tensor([0, 1, 1, 3]))
    tensor([1, 2, 0, 1])
    """
    if input._data.ndim != 1 or (input._data.size and input._data.min() < 0):
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    return bare(np.bincount(input._data, None if weights is None else weights._data, minlength))


def histc(input, bins=100, min=0, max=0):
    """How many elements fall into each of `bins` equal ranges.

    >>> import autograd_lab as torch
    >>> torch.histc(torch.tensor([1.0, 2.0, 1.0]), bins=4, min=0, max=3)
    tensor([0., 2., 1., 0.])
    """
    data = np.asarray(input._data)
    low, high = (data.min(), data.max()) if min == max == 0 and data.size else (min, max)
    if low == high:
        low, high = low - 1, high + 1
    return bare(np.histogram(data, bins, (low, high))[0].astype(data.dtype))


def nonzero(self, *, as_tuple=False):
    """Where elements are not 0: one row of indices for each, or one tensor for each dimension.

    >>> import autograd_lab as torch
    >>> torch.nonzero(torch.tensor([0, 5, 7]))
    tensor([[1],
            [2]])
    """
    if as_tuple:
        return tuple(bare(i) for i in np.nonzero(np.atleast_1d(self._data)))
    if not self._data.ndim:
        return bare(np.zeros((int(self._data != 0), 0), np.int64))
    return bare(np.argwhere(self._data))


def argwhere(self):
    """Where elements are not 0: one row of indices for each."""
    return nonzero(self)
