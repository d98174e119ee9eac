"""Quantiles: sort, find the two neighbours of each, and go from one to the other.

Read next: `counting.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import Tensor, bare
from .blends import lerp_tensors
from .dimensions import movedim, unsqueeze
from .dimensions_written import squeeze_written
from .gather import gather_card
from .reshaping import reshape
from .sorting import sort_card
from .views import checked_dim


def quantile(self, q, dim=None, keepdim=False, *, interpolation="linear"):
    """The value below which a share `q` of the elements lies, between neighbours by interpolation.

    >>> import autograd_lab as torch
    >>> torch.quantile(torch.tensor([1.0, 2.0, 3.0, 4.0]), 0.5)
    tensor(2.5000)
    """
    return quantiles(self, q, dim, keepdim, interpolation, False)


def nanquantile(self, q, dim=None, keepdim=False, *, interpolation="linear"):
    """`quantile` of the elements that are not nan.

    >>> import autograd_lab as torch
    >>> torch.nanquantile(torch.tensor([1.0, float("nan"), 3.0]), 0.5)
    tensor(2.)
    """
    return quantiles(self, q, dim, keepdim, interpolation, True)


def quantiles(self: Any, q: Any, dim: Any, keepdim: bool, interpolation: str, skip_nan: bool) -> Any:
    """Both kinds; `q` may be a number or a vector, which becomes the first dimension of the result."""
    if self.dtype.name not in ("float32", "float64"):
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    shares = np.asarray(q._data if isinstance(q, Tensor) else q, self._data.dtype)
    if np.any((shares < 0) | (shares > 1)):
        raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {float(shares.reshape(-1)[0]):g}")
    place = 0 if dim is None else checked_dim(dim, self.ndim)
    rows = reshape(self, -1) if dim is None or not self.ndim else movedim(self, place, -1)
    ordered = sort_card(rows, rows.ndim - 1)[0]
    ranks = ranks_of(ordered._data, shares.reshape(-1), interpolation, skip_nan)
    below = np.floor(ranks)
    weight = np.where(ranks > below, 0.5, 0) if interpolation == "midpoint" else ranks - below
    low, high = (gather_card(ordered, ordered.ndim - 1, bare(r.astype(np.int64))) for r in (below, np.ceil(ranks)))
    made = lerp_tensors(low, high, bare(weight.astype(shares.dtype)))  # (..., number of q)
    made = movedim(made, -1, 0)
    if keepdim and dim is None:
        made = reshape(made, -1, *[1] * self.ndim)
    elif keepdim and self.ndim:
        made = unsqueeze(made, place + 1)
    return made if shares.ndim else squeeze_written(made, 0)


def ranks_of(ordered: Any, shares: Any, interpolation: str, skip_nan: bool) -> Any:
    """Where in each sorted row the quantiles lie, as numbers with a fraction."""
    numbers = np.count_nonzero(~np.isnan(ordered), -1, keepdims=True)
    last = ordered.shape[-1] - 1
    if skip_nan:
        ranks = shares * np.maximum(numbers - 1, 0)
    else:  # one nan, sorted to the end, makes the quantile nan
        ranks = np.where(numbers <= last, last, shares * last)
    rounded = {"lower": np.floor, "higher": np.ceil, "nearest": np.round}
    return rounded[interpolation](ranks) if interpolation in rounded else ranks
