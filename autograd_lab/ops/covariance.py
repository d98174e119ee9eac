"""Covariance, correlation, and areas under curves: sums of products of neighbours and rows.

Read next: `counting.py`.
"""

from __future__ import annotations

from .clamping import clamp
from .dimensions import squeeze_all, t, unsqueeze
from .joining import narrow
from .matmul import matmul
from .pointwise import true_divide
from .reduction import mean, sum_all, sum_dim
from .reshaping import reshape
from .scan import cumsum
from .views import checked_dim


def cov(self, *, correction=1, fweights=None, aweights=None):
    """The covariance of the rows of a matrix; of a vector its variance.

    >>> import autograd_lab as torch
    >>> torch.cov(torch.tensor([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    if self.ndim > 2:
        raise RuntimeError(
            f"cov(): expected input to have two or fewer dimensions but got an input with {self.ndim} dimensions"
        )
    rows = unsqueeze(self, 0) if self.ndim < 2 else self
    rows = unsqueeze(rows, 0) if rows.ndim < 2 else rows
    count = rows.shape[1]
    given = [w for w in (fweights, aweights) if w is not None]
    weights = given[0] * given[1] if len(given) == 2 else given[0] if given else None
    if weights is None:
        centered, norm = rows - mean(rows, 1, True), count - correction
        product = matmul(centered, t(centered))
    else:
        total = sum_all(weights)
        centered = rows - sum_dim(rows * weights, 1, True) / total
        norm = total - correction * (sum_all(weights * aweights) / total if aweights is not None else 1)
        product = matmul(centered, t(centered * weights))
    return squeeze_all(true_divide(product, norm))


def corrcoef(self):
    """The correlation of the rows of a matrix."""
    covariance = cov(self)
    if not covariance.ndim:
        return covariance / covariance
    spread = covariance.diagonal().sqrt()
    return clamp(covariance / unsqueeze(spread, 1) / unsqueeze(spread, 0), -1, 1)


def trapezoid(y, x=None, *, dx=None, dim=-1):
    """The area under a curve by the trapezoid rule.

    >>> import autograd_lab as torch
    >>> torch.trapezoid(torch.tensor([1.0, 2.0, 3.0]))
    tensor(4.)
    """
    dim = checked_dim(dim, y.ndim)
    pairs, steps = strips(y, x, dim)
    if steps is None:
        return sum_dim(pairs, dim) * ((1 if dx is None else dx) / 2)
    return sum_dim(pairs * steps, dim) / 2


def strips(y, x, dim):
    """The sums of neighbouring heights, and the widths between them if `x` says where they stand."""
    n = y.shape[dim]
    pairs = narrow(y, dim, 1, n - 1) + narrow(y, dim, 0, n - 1)
    if x is None:
        return pairs, None
    steps = narrow(x, -1, 1, n - 1) - narrow(x, -1, 0, n - 1)
    return pairs, reshape(steps, [-1 if d == dim else 1 for d in range(y.ndim)]) if x.ndim == 1 else steps


def cumulative_trapezoid(y, x=None, *, dx=None, dim=-1):
    """The area under a curve so far, by the trapezoid rule.

    >>> import autograd_lab as torch
    >>> torch.cumulative_trapezoid(torch.tensor([1.0, 2.0, 3.0]))
    tensor([1.5000, 4.0000])
    """
    dim = checked_dim(dim, y.ndim)
    pairs, steps = strips(y, x, dim)
    if steps is None:
        return cumsum(pairs * ((1 if dx is None else dx) / 2), dim)
    return cumsum(pairs * steps, dim) / 2
