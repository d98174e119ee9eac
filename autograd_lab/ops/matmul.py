"""Products of vectors and matrices.

Read next: `activation.py`.
"""

from __future__ import annotations

import numpy as np

from .._tensor import Tensor
from ..dtypes import TYPE_NAMES, of
from ..op import on_both, op
from ..samples import Shape, shaped
from .shape import reshape, reshape_card, t, transpose, unsqueeze, view_card
from .shape import expand_to as expand


def same_dtype(name: str, a, b) -> None:
    """Products never promote: raise PyTorch's error for different dtypes."""
    if a.dtype is not b.dtype and a.dtype != b.dtype:
        raise RuntimeError(
            f"{name} must have the same dtype, but got {TYPE_NAMES[of(a).name]} and {TYPE_NAMES[of(b).name]}"
        )


def shape_text(shape) -> str:
    return "x".join(map(str, shape))


@op("MmBackward0", symbol="@", samples=shaped((Shape(2, 3), Shape(3, 4))))
def mm(self, mat2):
    """The product of two matrices, (N, K) by (K, M).

    >>> import autograd_lab as torch
    >>> torch.mm(torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0], [4.0]]))
    tensor([[11.]])
    """
    if self.ndim != 2:
        raise RuntimeError("self must be a matrix")
    if mat2.ndim != 2:
        raise RuntimeError("mat2 must be a matrix")
    if self.shape[1] != mat2.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({shape_text(self.shape)} and {shape_text(mat2.shape)})"
        )
    same_dtype("mat1 and mat2", self, mat2)
    return self @ mat2


@mm.wrt("self", latex=r"$grad \, $mat2^T")
def _(grad, mat2):
    return mm(grad, t(mat2))


@mm.wrt("mat2", latex=r"$self^T \, $grad")
def _(grad, self):
    return mm(t(self), grad)


@op("MvBackward0", symbol="@", samples=shaped((Shape(2, 3), Shape(3))))
def mv(self, vec):
    """A matrix times a vector, (N, K) by (K,)."""
    if self.ndim != 2 or vec.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {self.ndim}, {vec.ndim}")
    if self.shape[1] != vec.shape[0]:
        raise RuntimeError(
            f"size mismatch, got input ({self.shape[0]}), mat ({shape_text(self.shape)}), vec ({vec.shape[0]})"
        )
    same_dtype("mat and vec", self, vec)
    return self @ vec


@mv.wrt("self", latex=r"$grad \, $vec^T")
def _(grad, vec):
    return unsqueeze(grad, 1) * unsqueeze(vec, 0)


@mv.wrt("vec", latex=r"$self^T \, $grad")
def _(grad, self):
    return mv(t(self), grad)


@op("DotBackward0", symbol="·", samples=shaped((Shape(3), Shape(3))))
def dot(self, tensor):
    """The sum of the products of two vectors."""
    if self.ndim != 1 or tensor.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {self.ndim}D and {tensor.ndim}D tensors")
    if self.shape != tensor.shape:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{self.shape[0]}] and src [{tensor.shape[0]}] to have the same "
            f"number of elements, but got {self.shape[0]} and {tensor.shape[0]} elements respectively"
        )
    same_dtype("dot : expected both vectors to have same dtype; they", self, tensor)
    return self.dot(tensor)


@dot.wrt("self", latex="$tensor")
def _(grad, tensor):
    return grad * tensor


@dot.wrt("tensor", latex="$self")
def _(grad, self):
    return grad * self


@op("BmmBackward0", symbol="@", samples=shaped((Shape(2, 2, 3), Shape(2, 3, 4))))
def bmm(self, mat2):
    """Products of matrices in two batches, (B, N, K) by (B, K, M)."""
    if self.ndim != 3 or mat2.ndim != 3:
        raise RuntimeError("batch1 must be a 3D tensor" if self.ndim != 3 else "batch2 must be a 3D tensor")
    if self.shape[0] != mat2.shape[0] or self.shape[2] != mat2.shape[1]:
        want = f"[{self.shape[0]}, {self.shape[2]}]"
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: {want} but got: "
            f"[{mat2.shape[0]}, {mat2.shape[1]}]."
        )
    return self @ mat2


@bmm.wrt("self", latex=r"$grad \, $mat2^T")
def _(grad, mat2):
    return bmm(grad, transpose(mat2, 1, 2))


@bmm.wrt("mat2", latex=r"$self^T \, $grad")
def _(grad, self):
    return bmm(transpose(self, 1, 2), grad)


@on_both
def fit_rows(grad, shape):
    """A gradient summed over the rows that a bias was added to."""
    if tuple(grad.shape) == tuple(shape):
        return grad
    return reshape_card(row_sum(grad) if len(shape) < 2 or shape[0] == 1 else grad, shape)


@op("SumBackward1")
def row_sum(self):
    """The sum over rows."""
    return np.add.reduce(self, 0)


@row_sum.wrt("self")
def _(grad, self_shape):
    return expand_rows(grad, self_shape)


@op("ExpandBackward0")
def expand_rows(self, shape):
    """A row repeated."""
    return np.broadcast_to(self, shape)


@expand_rows.wrt("self")
def _(grad):
    return row_sum(grad)


@op("AddmmBackward0", symbol="@ +", samples=shaped((Shape(4), Shape(2, 3), Shape(3, 4))))
def addmm(self, mat1, mat2, beta=1, alpha=1):
    """`beta * self + alpha * (mat1 @ mat2)`: what a Linear layer computes."""
    if mat1.shape[-1] != mat2.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({shape_text(mat1.shape)} and {shape_text(mat2.shape)})"
        )
    same_dtype("mat1 and mat2", mat1, mat2)
    product = mat1 @ mat2
    if beta == 1 and alpha == 1:
        product += self
        return product
    return beta * self + alpha * product


@addmm.wrt("self", latex=r"\sum $grad")
def _(grad, self_shape, beta):
    return fit_rows(grad if beta == 1 else grad * beta, self_shape)


@addmm.wrt("mat1", latex=r"$grad \, $mat2^T")
def _(grad, mat2, alpha):
    found = mm(grad, t(mat2))
    return found if alpha == 1 else found * alpha


@addmm.wrt("mat2", latex=r"$mat1^T \, $grad")
def _(grad, mat1, alpha):
    found = mm(t(mat1), grad)
    return found if alpha == 1 else found * alpha


def matmul(self, other):
    """The matrix product of tensors of any dimensions, as `@`.

    >>> import autograd_lab as torch
    >>> torch.matmul(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([1.0, 1.0]))
    tensor([3., 7.])
    """
    if not isinstance(other, Tensor):
        raise TypeError(f"matmul(): argument 'other' (position 2) must be Tensor, not {type(other).__name__}")
    a, b = self._data.ndim, other._data.ndim
    if a == 2 and b == 2:
        return mm(self, other)
    if a == 2 and b == 1:
        return mv(self, other)
    if a == 1 and b == 1:
        return dot(self, other)
    if a == 1 and b == 2:
        return mm(unsqueeze(self, 0), other).squeeze(0)
    if not a or not b:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {a}D and {b}D"
        )
    return batched(self, other)


def batched(self, other):
    """A product with leading batch dimensions: broadcast them, flatten to three, multiply, restore."""
    left = unsqueeze(self, 0) if self.ndim == 1 else self
    right = unsqueeze(other, -1) if other.ndim == 1 else other
    batch = np.broadcast_shapes(tuple(left.shape[:-2]), tuple(right.shape[:-2]))
    (n, k), (k2, m) = left.shape[-2:], right.shape[-2:]
    if k != k2:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({shape_text((int(np.prod(batch)) * n, k))} and {k2}x{m})"
        )
    if right.ndim == 2:
        product = mm(reshape(left, -1, k), right)
    else:
        product = bmm(
            reshape(expand(left, (*batch, n, k)), -1, n, k), reshape(expand(right, (*batch, k, m)), -1, k, m)
        )
    rows = () if self.ndim == 1 else (n,)
    columns = () if other.ndim == 1 else (m,)
    return reshape_card(product, (*batch, *rows, *columns))


def linear(self, weight, bias=None):
    """`self @ weight.T + bias`: recorded as AddmmBackward0 for a batch of vectors."""
    if self.ndim == 2 and bias is not None:
        return addmm(bias, self, t(weight))
    if self.ndim == 2:
        return mm(self, t(weight))
    flat = reshape(self, -1, self.shape[-1])
    made = addmm(bias, flat, t(weight)) if bias is not None else mm(flat, t(weight))
    return view_card(made, (*self.shape[:-1], weight.shape[0]))
