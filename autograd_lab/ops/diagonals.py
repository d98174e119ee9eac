"""Diagonals: taken from matrices, and made into matrices. Also the trace.

Read next: `matmul.py`.
"""

from __future__ import annotations

import numpy as np

from ..op import op
from ..samples import Shape, shaped
from .layout import copied
from .python_numbers import zeros_of
from .reshaping import reshape
from .views import checked_dim


def diagonal_of(self, offset, dim1, dim2):
    """The diagonal of an array as a view, checked."""
    a, b = checked_dim(dim1, self.ndim), checked_dim(dim2, self.ndim)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return np.diagonal(self, offset, dim1, dim2)


@op(
    "DiagonalBackward0", view=True, called="diagonal", samples=shaped((Shape(3, 3), 0, 0, 1), (Shape(2, 3, 4), 1, 0, 2))
)
def diagonal_card(self, offset=0, dim1=0, dim2=1):
    """The diagonal of the plane of two dimensions, as the last dimension."""
    return writable(diagonal_of(self, offset, dim1, dim2), self)


def writable(view, base):
    """NumPy gives read-only diagonals; ours may be written if their base may."""
    if base.flags.writeable:
        view.flags.writeable = True
    return view


@diagonal_card.wrt("self")
def _(grad, self_shape, offset, dim1, dim2):
    return diagonal_put(grad, self_shape, offset, dim1, dim2)


@op("DiagonalBackwardBackward0", samples=shaped((Shape(3), (3, 3), 0, 0, 1)))
def diagonal_put(self, shape, offset, dim1, dim2):
    """Zeros of `shape` with `self` on a diagonal."""
    out = np.zeros(shape, self.dtype)
    writable(np.diagonal(out, offset, dim1, dim2), out)[...] = self
    return out


@diagonal_put.wrt("self")
def _(grad, offset, dim1, dim2):
    return diagonal_card(grad, offset, dim1, dim2)


def diagonal(self, offset=0, dim1=0, dim2=1):
    """The diagonal of the plane of two dimensions, as the last dimension; a view.

    >>> import autograd_lab as torch
    >>> torch.diagonal(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
    return diagonal_card(self, offset, dim1, dim2)


@op("DiagonalBackward0_copy", called="diag", samples=shaped((Shape(3, 3), 0), (Shape(2, 3), 1)))
def diagonal_copy(self, offset=0, dim1=0, dim2=1):
    """A copy of the diagonal of a matrix."""
    return diagonal_of(self, offset, dim1, dim2).copy()


@diagonal_copy.wrt("self")
def _(grad, self_shape, offset, dim1, dim2):
    return diagonal_put(grad, self_shape, offset, dim1, dim2)


@op("DiagEmbedBackward0", samples=shaped((Shape(3), 0, -2, -1), (Shape(2, 3), 1, 0, -1)))
def diag_embed(self, offset=0, dim1=-2, dim2=-1):
    """Matrices with the last dimension on their diagonal.

    >>> import autograd_lab as torch
    >>> torch.diag_embed(torch.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    """
    size = self.shape[-1] + abs(offset)
    first, second = (checked_dim(d, self.ndim + 1) for d in (dim1, dim2))
    shape = list(self.shape[:-1])
    for d in sorted((first, second)):
        shape.insert(d, size)
    out = np.zeros(shape, self.dtype)
    writable(np.diagonal(out, offset, first, second), out)[...] = self
    return out


@diag_embed.wrt("self")
def _(grad, offset, dim1, dim2):
    return diagonal_card(grad, offset, dim1, dim2)


def diag(self, diagonal=0):
    """The diagonal of a matrix, or the matrix with a vector on its diagonal.

    >>> import autograd_lab as torch
    >>> torch.diag(torch.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    """
    if self.ndim not in (1, 2):
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {self.ndim}D")
    return diag_embed(self, diagonal) if self.ndim == 1 else diagonal_copy(self, diagonal)


def diagflat(self, offset=0):
    """The matrix with all elements on its diagonal.

    >>> import autograd_lab as torch
    >>> torch.diagflat(torch.tensor([[1, 2]]))
    tensor([[1, 0],
            [0, 2]])
    """
    return diag_embed(reshape(self, -1), offset)


@op("TraceBackward0", samples=shaped((Shape(3, 3),), (Shape(2, 3),)))
def trace(self):
    """The sum of the diagonal of a matrix.

    >>> import autograd_lab as torch
    >>> torch.trace(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor(5.)
    """
    if self.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {self.ndim}")
    return np.trace(self)


@trace.wrt("self")
def _(grad, self_shape):
    return scaled_eye(grad, self_shape)


@op("TraceBackwardBackward0", samples=shaped((Shape(), (2, 3))))
def scaled_eye(self, shape):
    """A number times the identity matrix."""
    out = np.zeros(shape, self.dtype)
    np.fill_diagonal(out, self)
    return out


@scaled_eye.wrt("self")
def _(grad):
    return trace(grad)


@op("DiagonalScatterBackward0", samples=shaped((Shape(3, 3), Shape(3), 0, 0, 1)))
def diagonal_scatter(self, src, offset=0, dim1=0, dim2=1):
    """A copy with `src` on a diagonal.

    >>> import autograd_lab as torch
    >>> torch.diagonal_scatter(torch.zeros(2, 2), torch.ones(2))
    tensor([[1., 0.],
            [0., 1.]])
    """
    out = copied(self)
    writable(np.diagonal(out, offset, dim1, dim2), out)[...] = src
    return out


@diagonal_scatter.wrt("self")
def _(grad, offset, dim1, dim2):
    return diagonal_scatter(grad, zeros_of(diagonal_card(grad, offset, dim1, dim2)), offset, dim1, dim2)


@diagonal_scatter.wrt("src")
def _(grad, offset, dim1, dim2):
    return diagonal_card(grad, offset, dim1, dim2)
