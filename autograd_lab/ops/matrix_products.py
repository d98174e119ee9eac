"""Products of vectors and matrices: mm, mv, dot, bmm, each a card.

Read next: `matmul.py`, which chooses among them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import TYPE_NAMES, of
from ..op import op
from ..samples import Shape, shaped
from .dimensions import t, transpose, unsqueeze
from .plain_products import layout_of, matrices, mm_plain, multiplied, mv_plain

WORDS = {"Float": "float", "Double": "double", "Long": "long int", "Int": "int", "Half": "c10::Half", "Bool": "bool"}


def type_names(*arrays: Any) -> list[str]:
    """`Float`, `Long`: what C++ messages call the dtypes."""
    return [TYPE_NAMES[of(a).name] for a in arrays]


def shape_text(shape: Any) -> str:
    return "x".join(map(str, shape))


@op("MmBackward0", symbol="@", shows=layout_of("self", "mat2"), samples=shaped((Shape(2, 3), Shape(3, 4))))
def mm(self, mat2):
    """The product of two matrices, (N, K) by (K, M).

    >>> import autograd_lab as torch
    >>> torch.mm(torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0], [4.0]]))
    tensor([[11.]])
    """
    if self.ndim != 2 or mat2.ndim != 2 or self.shape[1] != mat2.shape[0] or self.dtype is not mat2.dtype:
        check_matrices(self, mat2)
    return multiplied(self, mat2)


def check_matrices(self: Any, mat2: Any) -> None:
    """Raise what PyTorch raises for matrices that cannot be multiplied."""
    if self.ndim != 2:
        raise RuntimeError("self must be a matrix")
    if mat2.ndim != 2:
        raise RuntimeError("mat2 must be a matrix")
    if self.shape[1] != mat2.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({shape_text(self.shape)} and {shape_text(mat2.shape)})"
        )
    if self.dtype != mat2.dtype:
        first, second = (WORDS.get(n, n) for n in type_names(self, mat2))
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {first} != {second}")


@mm.wrt("self", latex=r"$grad \, $mat2^T")
def _(grad, mat2):
    return mm_plain(grad, t(mat2))


@mm.wrt("mat2", latex=r"$self^T \, $grad")
def _(grad, self):
    return mm_plain(t(self), grad)


@op("MvBackward0", symbol="@", samples=shaped((Shape(2, 3), Shape(3))))
def mv(self, vec):
    """A matrix times a vector, (N, K) by (K,).

    >>> import autograd_lab as torch
    >>> torch.mv(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([1.0, 1.0]))
    tensor([3., 7.])
    """
    if self.ndim != 2 or vec.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {self.ndim}, {vec.ndim}")
    if self.shape[1] != vec.shape[0]:
        raise RuntimeError(
            f"size mismatch, got input ({self.shape[0]}), mat ({shape_text(self.shape)}), vec ({vec.shape[0]})"
        )
    if self.dtype != vec.dtype:
        matrix, vector = type_names(self, vec)
        raise RuntimeError(f"addmv input tensors must have the same dtype, but got {vector}, {matrix}, and {vector}")
    return self @ vec


@mv.wrt("self", latex=r"$grad \, $vec^T")
def _(grad, vec):
    return unsqueeze(grad, 1) * unsqueeze(vec, 0)


@mv.wrt("vec", latex=r"$self^T \, $grad")
def _(grad, self):
    return mv_plain(t(self), grad)


@op("DotBackward0", symbol="·", samples=shaped((Shape(3), Shape(3))))
def dot(self, tensor):
    """The sum of the products of two vectors.

    >>> import autograd_lab as torch
    >>> torch.dot(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))
    tensor(11.)
    """
    check_vectors(self, tensor)
    return self.dot(tensor)


@dot.wrt("self", latex="$tensor")
def _(grad, tensor):
    return grad * tensor


@dot.wrt("tensor", latex="$self")
def _(grad, self):
    return grad * self


def check_vectors(self: Any, other: Any) -> None:
    """Raise what PyTorch raises for vectors that have no dot product."""
    if self.ndim != 1 or other.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {self.ndim}D and {other.ndim}D tensors")
    if self.dtype != other.dtype:
        raise RuntimeError(
            "dot : expected both vectors to have same dtype, but found {} and {}".format(*type_names(self, other))
        )
    if self.shape != other.shape:
        a, b = self.shape[0], other.shape[0]
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{a}] and src [{b}] to have the same number of elements, but "
            "got "
            f"{a} and {b} elements respectively"
        )


@op("VdotBackward0", symbol="·", samples=shaped((Shape(3), Shape(3))))
def vdot(self, other):
    """The sum of the products of two vectors, the first one conjugated.

    >>> import autograd_lab as torch
    >>> torch.vdot(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))
    tensor(11.)
    """
    check_vectors(self, other)
    return np.vdot(self, other)


@vdot.wrt("self", latex="$other")
def _(grad, other):
    return grad * other


@vdot.wrt("other", latex="$self")
def _(grad, self):
    return grad * self


@op("BmmBackward0", symbol="@", samples=shaped((Shape(2, 2, 3), Shape(2, 3, 4))))
def bmm(self, mat2):
    """Products of matrices in two batches, (B, N, K) by (B, K, M).

    >>> import autograd_lab as torch
    >>> torch.bmm(torch.ones(2, 1, 3), torch.ones(2, 3, 1)).shape
    torch.Size([2, 1, 1])
    """
    if self.ndim != 3 or mat2.ndim != 3:
        raise RuntimeError(f"batch{1 if self.ndim != 3 else 2} must be a 3D tensor")
    if self.shape[0] != mat2.shape[0] or self.shape[2] != mat2.shape[1]:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{self.shape[0]}, {self.shape[2]}] but "
            "got: "
            f"[{mat2.shape[0]}, {mat2.shape[1]}]."
        )
    if self.dtype != mat2.dtype:
        raise RuntimeError("expected scalar type {} but found {}".format(*type_names(self, mat2)))
    return self @ mat2


@bmm.wrt("self", latex=r"$grad \, $mat2^T")
def _(grad, mat2):
    return matrices(grad, transpose(mat2, 1, 2))


@bmm.wrt("mat2", latex=r"$self^T \, $grad")
def _(grad, self):
    return matrices(transpose(self, 1, 2), grad)
