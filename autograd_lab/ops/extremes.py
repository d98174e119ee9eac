"""The largest and the smallest: max, min, amax, argmax.

`max()` shares the gradient among equal elements; `max(dim)` gives it to the one whose index it reports.
Read next: `medians.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import Tensor, bare
from ..formulas import on_both
from ..op import op
from ..samples import unary
from . import return_types
from .choice import maximum, minimum, where
from .dimensions import unsqueeze_all
from .gather import scattered_sum
from .python_numbers import wants_tensor
from .reduction import axes_of, sum_all, sum_dim, truth, two_by_three, unreduced
from .views import checked_dim


def not_empty(name: str, self: Any) -> None:
    """There is no largest of nothing: PyTorch's error."""
    if not self.size:
        raise RuntimeError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with "
            "the 'dim' argument."
        )


@on_both
def shared_equally(grad, hit):
    """A gradient shared equally by all elements that were hit."""
    return where(hit, grad / sum_all(truth(hit, grad)), 0)


@on_both
def reached(self, result):
    """Where elements equal the result; nan counts as equal to nan."""
    return (self == result) | ((self != self) & (result != result))


@op("MaxBackward1", called="max", samples=unary())
def max_all(self):
    """The largest element; ties share the gradient."""
    not_empty("max", self)
    return np.max(self)


@max_all.wrt("self")
def _(grad, self, result):
    return shared_equally(grad, reached(self, result))


@op("MinBackward1", called="min", samples=unary())
def min_all(self):
    """The smallest element; ties share the gradient."""
    not_empty("min", self)
    return np.min(self)


@min_all.wrt("self")
def _(grad, self, result):
    return shared_equally(grad, reached(self, result))


@on_both
def placed(grad, shape, dim, keepdim, indices):
    """A gradient put back at the chosen index along `dim`, zeros elsewhere."""
    if not len(shape):
        return grad
    if not keepdim:
        grad, indices = unsqueeze_all(grad, (dim % len(shape),)), unsqueeze_all(indices, (dim % len(shape),))
    return scattered_sum(grad, dim, indices, shape)


def chosen(self, indices, dim, keepdim):
    """The values at `indices` along `dim`, and the indices, reduced."""
    if not self.ndim:
        return self, indices
    inside = np.expand_dims(indices, dim)
    values = np.take_along_axis(self, inside, dim)
    return (values, inside) if keepdim else (values.squeeze(dim), indices)


def not_empty_dim(name: str, self: Any, dim: int) -> None:
    dim = checked_dim(dim, self.ndim)
    if self.ndim and not self.shape[dim]:
        raise IndexError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")


@op("MaxBackward0", called="max", keeps=("indices",), also=("indices",), samples=two_by_three((0, False), (1, True)))
def max_dim(self, dim, keepdim=False):
    """The largest elements along a dimension, and where they are; the first of several takes the gradient."""
    not_empty_dim("max", self, dim)
    return chosen(self, np.argmax(self, dim) if self.ndim else np.int64(0), dim, keepdim)


@max_dim.wrt("self")
def _(grad, self_shape, dim, keepdim, indices):
    return placed(grad, self_shape, dim, keepdim, indices)


@op("MinBackward0", called="min", keeps=("indices",), also=("indices",), samples=two_by_three((0, False), (1, True)))
def min_dim(self, dim, keepdim=False):
    """The smallest elements along a dimension, and where they are; the first of several takes the gradient."""
    not_empty_dim("min", self, dim)
    return chosen(self, np.argmin(self, dim) if self.ndim else np.int64(0), dim, keepdim)


@min_dim.wrt("self")
def _(grad, self_shape, dim, keepdim, indices):
    return placed(grad, self_shape, dim, keepdim, indices)


def max(self, dim=None, keepdim=False):
    """The largest element; with `dim` (values, indices); with a tensor the elementwise maximum.

    >>> import autograd_lab as torch
    >>> torch.max(torch.tensor([[1, 5], [7, 2]]), 1).values
    tensor([5, 7])
    """
    if isinstance(dim, Tensor):
        return maximum(self, dim)
    wants_tensor("max", self)
    return max_all(self) if dim is None else return_types.max(*max_dim(self, dim, keepdim))


def min(self, dim=None, keepdim=False):
    """The smallest element; with `dim` (values, indices); with a tensor the elementwise minimum.

    >>> import autograd_lab as torch
    >>> torch.min(torch.tensor([3, 1, 2]))
    tensor(1)
    """
    if isinstance(dim, Tensor):
        return minimum(self, dim)
    wants_tensor("min", self)
    return min_all(self) if dim is None else return_types.min(*min_dim(self, dim, keepdim))


@on_both
def shared_along(grad, self, result, dim, keepdim):
    """A gradient shared equally, within each group, by the elements equal to the result."""
    grad, result = unreduced(grad, len(self.shape), dim, keepdim), unreduced(result, len(self.shape), dim, keepdim)
    hit = truth(self == result, grad)
    return grad * hit / sum_dim(hit, dim, True)


@op("AmaxBackward0", samples=two_by_three((0, False), (1, True), ((), False)))
def amax(self, dim=(), keepdim=False):
    """The largest elements over some dimensions; ties share the gradient.

    >>> import autograd_lab as torch
    >>> torch.amax(torch.tensor([[1, 5], [7, 2]]), 0)
    tensor([7, 5])
    """
    return np.max(self, axes_of(dim, self.ndim), keepdims=keepdim)


@amax.wrt("self")
def _(grad, self, result, dim, keepdim):
    return shared_along(grad, self, result, dim, keepdim)


@op("AminBackward0", samples=two_by_three((0, False), (1, True), ((), False)))
def amin(self, dim=(), keepdim=False):
    """The smallest elements over some dimensions; ties share the gradient.

    >>> import autograd_lab as torch
    >>> torch.amin(torch.tensor([[1, 5], [7, 2]]), 0)
    tensor([1, 2])
    """
    return np.min(self, axes_of(dim, self.ndim), keepdims=keepdim)


@amin.wrt("self")
def _(grad, self, result, dim, keepdim):
    return shared_along(grad, self, result, dim, keepdim)


@op("AminmaxBackward0", several=True, results=("min", "max"), samples=two_by_three((0, False), (None, False)))
def aminmax_card(self, dim=None, keepdim=False):
    """The smallest and the largest elements together."""
    axes = axes_of(dim, self.ndim)
    return np.min(self, axes, keepdims=keepdim), np.max(self, axes, keepdims=keepdim)


@aminmax_card.wrt("self")
def _(grads, self, dim, keepdim, min, max):
    dim = () if dim is None else dim
    parts = [shared_along(g, self, r, dim, keepdim) for g, r in zip(grads, (min, max), strict=True) if g is not None]
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]


def aminmax(self, *, dim=None, keepdim=False):
    """The smallest and the largest elements, together.

    >>> import autograd_lab as torch
    >>> torch.aminmax(torch.tensor([3, 1, 2])).max
    tensor(3)
    """
    return return_types.aminmax(*aminmax_card(self, dim, keepdim))


def argmax(self, dim=None, keepdim=False):
    """The index of the largest element, the first of several; flat unless `dim` is given.

    >>> import autograd_lab as torch
    >>> torch.argmax(torch.tensor([1, 3, 3]))
    tensor(1)
    """
    return position("argmax", np.argmax, self, dim, keepdim)


def argmin(self, dim=None, keepdim=False):
    """The index of the smallest element, the first of several; flat unless `dim` is given.

    >>> import autograd_lab as torch
    >>> torch.argmin(torch.tensor([3, 1, 1]))
    tensor(1)
    """
    return position("argmin", np.argmin, self, dim, keepdim)


def position(name: str, function: Any, self: Any, dim: Any, keepdim: bool) -> Tensor:
    wants_tensor(name, self)
    if dim is None:
        if not self._data.size:
            raise RuntimeError(f"{name}(): Expected reduction dim to be specified for input.numel() == 0.")
    else:
        dim = checked_dim(dim, self.ndim)
    return bare(np.asarray(function(self._data, dim if self.ndim else None, keepdims=keepdim))[()])
