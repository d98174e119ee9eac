"""Dimensions added, dropped and exchanged: unsqueeze, squeeze, transpose, permute. All of them are views.

Read next: `joining.py`.
"""

from __future__ import annotations

import numpy as np

from ..formulas import on_both
from ..op import op
from ..samples import Shape, shaped
from .views import checked_dim, reshape_card, resolved  # noqa: F401


@op("UnsqueezeBackward0", view=True, samples=shaped((Shape(2, 3), 1), (Shape(), 0)))
def unsqueeze(self, dim):
    """A new dimension of size 1 at `dim`.

    >>> import autograd_lab as torch
    >>> torch.unsqueeze(torch.tensor([1, 2]), 1).shape
    torch.Size([2, 1])
    """
    if not -self.ndim - 1 <= dim <= self.ndim:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-self.ndim - 1}, {self.ndim}], but got {dim})"
        )
    return np.expand_dims(self, dim)


@unsqueeze.wrt("self")
def _(grad, dim):
    return squeeze_dim(grad, dim)


@on_both
def unsqueeze_all(grad, dims):
    """New dimensions of size 1 at several places, in the order of the finished shape."""
    for dim in dims or ():
        grad = unsqueeze(grad, dim)
    return grad


@op("SqueezeBackward0", view=True, called="squeeze", samples=shaped((Shape(2, 1, 3),)))
def squeeze_all(self):
    """Without its dimensions of size 1."""
    return np.squeeze(self)


@squeeze_all.wrt("self")
def _(grad, self_shape):
    return reshape_card(grad, self_shape)


@op("SqueezeBackward1", view=True, called="squeeze", samples=shaped((Shape(2, 1, 3), 1)))
def squeeze_dim(self, dim):
    """Without dimension `dim`, if its size is 1."""
    dim = checked_dim(dim, self.ndim)
    return np.squeeze(self, dim) if self.ndim and self.shape[dim] == 1 else self.reshape(self.shape)


@squeeze_dim.wrt("self")
def _(grad, self_shape, dim):
    return reshape_card(grad, self_shape)


@op("SqueezeBackward2", view=True, called="squeeze", samples=shaped((Shape(2, 1, 1), (1, 2))))
def squeeze_dims(self, dim):
    """Without those of the dimensions `dim` whose size is 1."""
    drop = {checked_dim(d, self.ndim) for d in dim}
    return self.reshape([n for d, n in enumerate(self.shape) if n != 1 or d not in drop])


@squeeze_dims.wrt("self")
def _(grad, self_shape, dim):
    return reshape_card(grad, self_shape)


def squeeze(self, dim=None):
    """Without its dimensions of size 1, or without `dim`.

    >>> import autograd_lab as torch
    >>> torch.squeeze(torch.ones(2, 1, 3)).shape
    torch.Size([2, 3])
    """
    if dim is None:
        return squeeze_all(self)
    return squeeze_dims(self, tuple(dim)) if isinstance(dim, (tuple, list)) else squeeze_dim(self, dim)


@op("TBackward0", view=True, samples=shaped((Shape(2, 3),)))
def t(self):
    """A matrix with rows and columns exchanged.

    >>> import autograd_lab as torch
    >>> torch.t(torch.tensor([[1, 2, 3]])).shape
    torch.Size([3, 1])
    """
    if self.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {self.ndim}D")
    return self.T


@t.wrt("self")
def _(grad):
    return t(grad)


@op("TBackward0", view="inner", called="t", samples=shaped((Shape(2, 3),)))
def t_inner(self):
    """`t` for inside of an op: nobody can write into the view, so that its base need not know it."""
    return self.T


@t_inner.wrt("self")
def _(grad):
    return t(grad)


@op("TransposeBackward0", view=True, samples=shaped((Shape(2, 3, 4), 0, -1)))
def transpose(self, dim0, dim1):
    """Two dimensions exchanged.

    >>> import autograd_lab as torch
    >>> torch.transpose(torch.ones(2, 3, 4), 0, 2).shape
    torch.Size([4, 3, 2])
    """
    checked_dim(dim0, self.ndim), checked_dim(dim1, self.ndim)
    return np.swapaxes(self, dim0, dim1) if self.ndim else self.reshape(())


@transpose.wrt("self")
def _(grad, dim0, dim1):
    return transpose(grad, dim0, dim1)


@op("PermuteBackward0", view=True, samples=shaped((Shape(2, 3, 4), (2, 0, 1))))
def permute(self, dims):
    """The dimensions in another order.

    >>> import autograd_lab as torch
    >>> torch.permute(torch.ones(2, 3, 4), (2, 0, 1)).shape
    torch.Size([4, 2, 3])
    """
    if len(dims) != self.ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
            f"ordering of dimensions i.e. input.dim() = {self.ndim} is not equal to len(dims) = {len(dims)}"
        )
    if len({checked_dim(d, self.ndim) for d in dims}) != len(dims):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return np.transpose(self, dims)


@permute.wrt("self")
def _(grad, dims):
    return permute(grad, inverse_order(dims))


@on_both
def inverse_order(dims):
    """The order that undoes `dims`."""
    positive = [d % len(dims) for d in dims]
    return tuple(positive.index(i) for i in range(len(dims)))


def movedim(self, source, destination):
    """Dimensions moved to other places; the rest keep their order.

    >>> import autograd_lab as torch
    >>> torch.movedim(torch.ones(2, 3, 4), 0, 2).shape
    torch.Size([3, 4, 2])
    """
    sources, goals = ((d,) if isinstance(d, int) else tuple(d) for d in (source, destination))
    if len(sources) != len(goals):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({list(sources)} dims) should contain the same "
            "number of "
            f"dims as destination ({list(goals)} dims)"
        )
    sources = tuple(checked_dim(d, self.ndim) for d in sources)
    goals = tuple(checked_dim(d, self.ndim) for d in goals)
    order = [d for d in range(self.ndim) if d not in sources]
    for goal, source_dim in sorted(zip(goals, sources, strict=True)):
        order.insert(goal, source_dim)
    return permute(self, tuple(order))


def atleast_1d(*tensors):
    """With at least one dimension."""
    return several(tensors, lambda x: x.reshape(1) if not x.ndim else x)


def atleast_2d(*tensors):
    """With at least two dimensions.

    >>> import autograd_lab as torch
    >>> torch.atleast_2d(torch.tensor(1.0))
    tensor([[1.]])
    """
    return several(tensors, lambda x: x.reshape(1, 1) if not x.ndim else unsqueeze(x, 0) if x.ndim == 1 else x)


def atleast_3d(*tensors):
    """With at least three dimensions."""

    def three(x):
        if x.ndim < 2:
            return x.reshape(1, 1, 1) if not x.ndim else unsqueeze(unsqueeze(x, 0), -1)
        return unsqueeze(x, -1) if x.ndim == 2 else x

    return several(tensors, three)


def several(tensors, function):
    """One tensor gives one, several or a list give a tuple."""
    if len(tensors) == 1 and not isinstance(tensors[0], (tuple, list)):
        return function(tensors[0])
    given = tensors[0] if len(tensors) == 1 else tensors
    return tuple(function(x) for x in given)
