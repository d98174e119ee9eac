"""Lengths and distances: norms of every order, dist, cdist, renorm, logsumexp.

Read next: `statistics.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import dtypes
from .._tensor import Tensor
from ..formulas import on_both
from ..op import op
from ..samples import Shape, binary, shaped
from .choice import where
from .conversion import cast
from .dimensions import unsqueeze
from .elementwise import abs, exp
from .layout import in_order
from .reduction import axes_of, sum_dim, truth, two_by_three, unreduced
from .rounding import sgn, sign
from .views import sized


def length(self: Any, ord: Any, axes: Any, keepdim: bool) -> Any:
    """The norm of order `ord` of an array over some axes."""
    if ord == 2:
        return np.sqrt(np.add.reduce(np.square(self), axes, keepdims=keepdim))
    size = np.abs(self)
    if ord == 1:
        return np.add.reduce(size, axes, keepdims=keepdim)
    if ord == 0:
        return np.add.reduce((self != 0).astype(self.dtype), axes, keepdims=keepdim)
    if ord == math.inf:
        return np.max(size, axes, keepdims=keepdim, initial=0)
    if ord == -math.inf:
        return np.min(size, axes, keepdims=keepdim, initial=np.inf)
    return (np.add.reduce(size**ord, axes, keepdims=keepdim) ** (1 / ord)).astype(self.dtype)


@on_both
def norm_slope(grad, self, ord, result):
    """The gradient of a norm whose group was restored; 0 where the norm is 0."""
    if ord == 0:
        return self * 0
    if ord == 1:
        return sgn(self) * grad
    if ord == 2:
        return self * where(result == 0, 0.0, grad / where(result == 0, 1.0, result))
    safe = where(result == 0, 1.0, result)
    if ord < 1:
        small = where(self == 0, 1.0, abs(self)) ** (ord - 1)
        return where(self == 0, 0.0, sgn(self) * small * grad * safe ** (1 - ord))
    if ord < 2:
        small = where(self == 0, 1.0, abs(self)) ** (ord - 1)
        scale = where(result == 0, 0.0, grad / safe ** (ord - 1))
        return where(self == 0, 0.0, sgn(self) * small * scale)
    return self * abs(self) ** (ord - 2) * where(result == 0, 0.0, grad / safe ** (ord - 1))


@on_both
def extreme_slope(grad, self, dim, result):
    """The gradient of the largest (or smallest) size: shared by those that have it."""
    hit = truth(abs(self) == result, grad)
    return sgn(self) * hit * (grad / sum_dim(hit, () if dim is None else dim, True))


@op(
    "LinalgVectorNormBackward0",
    called="linalg.vector_norm",
    samples=two_by_three(
        (2, None, False), (1, 0, False), (3.0, 1, True), (math.inf, None, False), (1.5, None, False), (0.5, 1, False)
    ),
)
def vector_norm_card(self, ord=2, dim=None, keepdim=False):
    """The norm of order `ord` over some dimensions; its gradient at the zero vector is zero."""
    return length(self, ord, axes_of(dim, self.ndim), keepdim)


@vector_norm_card.wrt("self", latex=r"\frac{$self}{$result}")
def _(grad, self, ord, dim, keepdim, result):
    grad, result = unreduced(grad, len(self.shape), dim, keepdim), unreduced(result, len(self.shape), dim, keepdim)
    if ord in (math.inf, -math.inf):
        return extreme_slope(grad, self, dim, result)
    return norm_slope(grad, self, ord, result)


def floating(name: str, self: Tensor) -> None:
    """Norms of integers are refused, with PyTorch's text."""
    if self.dtype.category < 2:
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {dtypes.TYPE_NAMES[self.dtype.name]}"
        )


def vector_norm(self, ord=2, dim=None, keepdim=False, *, dtype=None):
    """The norm of order `ord` of the elements as one vector, or over `dim`.

    >>> import autograd_lab as torch
    >>> torch.linalg.vector_norm(torch.tensor([3.0, 4.0]))
    tensor(5.)
    """
    self = self if dtype is None else cast(self, dtype)
    floating("linalg.vector_norm", self)
    return vector_norm_card(self, ord, dim, keepdim)


@op("DistBackward0", samples=binary(3.0))
def dist_card(self, other, p=2):
    """The norm of the difference."""
    return length(self - other, p, None, False)


@dist_card.wrt("self")
def _(grad, self, other, p, result):
    return sized(dist_slope(grad, self, other, p, result), tuple(self.shape))


@dist_card.wrt("other")
def _(grad, self, other, p, result):
    return -sized(dist_slope(grad, self, other, p, result), tuple(other.shape))


@on_both
def dist_slope(grad, self, other, p, result):
    if p == math.inf:
        return extreme_slope(grad, self - other, None, result)
    return norm_slope(grad, self - other, p, result)


def dist(self, other, p=2):
    """The norm of order `p` of the difference of two tensors.

    >>> import autograd_lab as torch
    >>> torch.dist(torch.tensor([0.0, 0.0]), torch.tensor([3.0, 4.0]))
    tensor(5.)
    """
    return dist_card(self, other, p)


@op("CdistBackward0", called="cdist", samples=shaped((Shape(2, 3), Shape(4, 3), 2.0), (Shape(2, 3), Shape(2, 3), 1.0)))
def cdist_card(x1, x2, p=2.0):
    """The distances of all pairs of rows."""
    return in_order(length(np.expand_dims(x1, -2) - np.expand_dims(x2, -3), p, (-1,), False))


@cdist_card.wrt("x1")
def _(grad, x1, x2, p, result):
    return sized(sum_dim(pair_slope(grad, x1, x2, p, result), -2), tuple(x1.shape))


@cdist_card.wrt("x2")
def _(grad, x1, x2, p, result):
    return -sized(sum_dim(pair_slope(grad, x1, x2, p, result), -3), tuple(x2.shape))


@on_both
def pair_slope(grad, x1, x2, p, result):
    """The gradient of each pair's difference."""
    difference = unsqueeze(x1, len(x1.shape) - 1) - unsqueeze(x2, len(x2.shape) - 2)
    grad, result = unsqueeze(grad, len(grad.shape)), unsqueeze(result, len(result.shape))
    if p == math.inf:
        return extreme_slope(grad, difference, -1, result)
    if p == 1:  # unlike sign, which is 0 there, PyTorch's kernel hands a nan on
        return grad * where(difference != difference, difference, sign(difference))
    return norm_slope(grad, difference, p, result)


def cdist(x1, x2, p=2.0, compute_mode=None):
    """The distances of all pairs of rows of two matrices, in norm `p`.

    >>> import autograd_lab as torch
    >>> torch.cdist(torch.tensor([[0.0, 0.0]]), torch.tensor([[3.0, 4.0], [0.0, 1.0]]))
    tensor([[5., 1.]])
    """
    for i, x in enumerate((x1, x2), 1):
        if x.ndim < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, X{i} got: {x.ndim}D")
    if x1.shape[-1] != x2.shape[-1]:
        raise RuntimeError(f"X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2: {x2.shape[-1]}")
    return cdist_card(x1, x2, p)


@op("RenormBackward0", samples=two_by_three((2, 0, 1.0), (1, 1, 0.5)))
def renorm(self, p, dim, maxnorm):
    """Entries of a dimension shortened to norm `maxnorm` where they are longer.

    >>> import autograd_lab as torch
    >>> torch.renorm(torch.tensor([[3.0, 4.0], [0.1, 0.0]]), 2, 0, 1.0)
    tensor([[0.6000, 0.8000],
            [0.1000, 0.0000]])
    """
    size = length(self, p, others(self, dim), True)
    return in_order((self * np.where(size > maxnorm, maxnorm / (size + 1e-7), 1.0)).astype(self.dtype))


def others(self, dim):
    """All dimensions but one."""
    return tuple(d for d in range(len(self.shape)) if d != dim % len(self.shape))


@renorm.wrt("self")
def _(grad, self, p, dim, maxnorm):
    size = vector_norm_card(self, p, others(self, dim), True)
    slope = norm_slope(sum_dim(grad * self, others(self, dim), True), self, p, size)
    shrunk = maxnorm / (size + 1e-7)
    return where(size > maxnorm, shrunk * (grad - slope / (size + 1e-7)), grad)


@op("LogsumexpBackward0", floats=True, called="logsumexp", samples=two_by_three((0, False), (1, True), ((0, 1), False)))
def logsumexp_card(self, dim, keepdim=False):
    """The logarithm of the sum of exponentials."""
    axes = axes_of(dim, self.ndim)
    if not self.size:
        return np.log(np.add.reduce(np.exp(self), axes, keepdims=keepdim))
    top = np.max(self, axes, keepdims=True)
    top = np.where(np.isfinite(top), top, 0).astype(self.dtype)
    found = np.log(np.add.reduce(np.exp(self - top), axes, keepdims=True)) + top
    return found if keepdim else np.squeeze(found, axes)


@logsumexp_card.wrt("self", latex=r"e^{$self - $result}")
def _(grad, self, dim, keepdim, result):
    grad, result = unreduced(grad, len(self.shape), dim, keepdim), unreduced(result, len(self.shape), dim, keepdim)
    return grad * exp(self - result)


def logsumexp(self, dim, keepdim=False):
    """The logarithm of the sum of exponentials over `dim`, without overflow.

    >>> import autograd_lab as torch
    >>> torch.logsumexp(torch.tensor([0.0, 0.0]), 0)
    tensor(0.6931)
    """
    return logsumexp_card(self, dim, keepdim)
