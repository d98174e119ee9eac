"""Functions of matrices: powers, the exponential, norms, least squares, and similar helpers.

Read next: `creation.py`.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from .._tensor import bare
from ..op import op
from ..samples import Shape, shaped
from . import return_types
from .clamping import clamp_min
from .dimensions import movedim, squeeze_dim, unsqueeze
from .extremes import amax, amin
from .joining import cat_card, narrow, stack
from .linear_systems import check_square, inv
from .matmul import matmul
from .norms import floating, vector_norm, vector_norm_card
from .plain_products import matrices
from .pointwise import true_divide
from .pseudo_inverse import pinv_card, pinv_slope
from .reduction import sum_dim
from .reshaping import expand_to
from .spectra import mT, svdvals
from .views import checked_dim


def matrix_power(A, n):
    """A matrix times itself, `n` factors; negative `n` for the inverse.

    >>> import autograd_lab as torch
    >>> torch.linalg.matrix_power(torch.tensor([[1.0, 1.0], [0.0, 1.0]]), 3)
    tensor([[1., 3.],
            [0., 1.]])
    """
    check_square("linalg.matrix_power", A._data)
    if n == 0:
        made = bare(np.broadcast_to(np.eye(A.shape[-1], dtype=A._data.dtype), A.shape).copy())
        return made + A * 0 if A.requires_grad else made
    if n < 0:
        A, n = inv(A), -n
    if n == 1:
        return A if A.grad_fn is not None else A.clone()
    result = None
    while n:
        n, odd = divmod(n, 2)
        if odd:
            result = A if result is None else matmul(result, A)
        A = matmul(A, A) if n else A
    return result


def exponential(A: Any) -> Any:
    """e to the power of a matrix: halve it until it is small, sum the series, square back."""
    size = float(np.max(np.add.reduce(np.abs(A), -1), initial=0))
    halvings = max(0, math.ceil(math.log2(size)) + 4) if size > 0 and math.isfinite(size) else 0
    small = A / 2.0**halvings
    made = term = np.broadcast_to(np.eye(A.shape[-1], dtype=A.dtype), A.shape)
    for k in range(1, 15):
        term = term @ small / k
        made = made + term
    for _ in range(halvings):
        made = made @ made
    return made


@op("LinalgMatrixExpBackward0", called="linalg.matrix_exp", samples=shaped((Shape(2, 2),)))
def matrix_exp(self):
    """e to the power of a square matrix, by scaling, Taylor's series and squaring.

    >>> import autograd_lab as torch
    >>> torch.linalg.matrix_exp(torch.zeros(2, 2))
    tensor([[1., 0.],
            [0., 1.]])
    """
    check_square("linalg.matrix_exp", self)
    return exponential(self)


@matrix_exp.wrt("self")
def _(grad, self):
    n = self.shape[-1]
    turned = mT(self)
    above = cat_card([turned, grad], -1)
    below = cat_card([grad * 0, turned], -1)
    return narrow(narrow(matrix_exp(cat_card([above, below], -2)), -2, 0, n), -1, n, n)


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    """A norm of matrices: "fro", "nuc", 2, -2, 1, -1, inf or -inf.

    >>> import autograd_lab as torch
    >>> torch.linalg.matrix_norm(torch.tensor([[3.0, 0.0], [0.0, 4.0]]))
    tensor(5.)
    """
    floating("linalg.matrix_norm", A)
    rows, columns = (checked_dim(d, A.ndim) for d in dim)
    if ord == "fro":
        return vector_norm_card(A, 2, (rows, columns), keepdim)
    if ord in ("nuc", 2, -2):
        values = svdvals(movedim(A, (rows, columns), (-2, -1)))
        found = sum_dim(values, -1) if ord == "nuc" else amax(values, -1) if ord == 2 else amin(values, -1)
        if keepdim:
            for d in sorted((rows, columns)):
                found = unsqueeze(found, d)
        return found
    if ord in (math.inf, -math.inf):
        rows, columns = columns, rows
    sums = vector_norm_card(A, 1, rows, keepdim)
    place = columns - 1 if columns > rows and not keepdim else columns
    return amax(sums, place, keepdim) if ord > 0 else amin(sums, place, keepdim)


def linalg_norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    """`torch.linalg.norm`: a vector norm, or a matrix norm if `ord` is given for a matrix.

    >>> import autograd_lab as torch
    >>> torch.linalg.norm(torch.tensor([3.0, 4.0]))
    tensor(5.)
    """
    pair = isinstance(dim, (tuple, list)) and len(dim) == 2
    if ord is not None and (pair or (dim is None and A.ndim == 2)):
        return matrix_norm(A, ord, dim if pair else (-2, -1), keepdim, dtype=dtype)
    return vector_norm(A, 2 if ord is None else ord, dim, keepdim, dtype=dtype)


def norm(self, p="fro", dim=None, keepdim=False, *, dtype=None):
    """The norm of order `p` of all elements, or over `dim`; "fro" is the length.

    >>> import autograd_lab as torch
    >>> torch.norm(torch.tensor([3.0, 4.0]))
    tensor(5.)
    """
    if p == "nuc":
        return matrix_norm(self, "nuc", (-2, -1) if dim is None else dim, keepdim)
    return vector_norm(self, 2 if p in ("fro", None) else p, dim, keepdim, dtype=dtype)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """The cosine of the angle between vectors along `dim`.

    >>> import autograd_lab as torch
    >>> torch.cosine_similarity(torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0, 1.0]]))
    tensor([0.7071])
    """
    shape = np.broadcast_shapes(tuple(x1.shape), tuple(x2.shape))
    x1, x2 = (x if tuple(x.shape) == shape else expand_to(x, shape) for x in (x1, x2))
    first, second = (true_divide(x, clamp_min(vector_norm_card(x, 2, dim, True), eps)) for x in (x1, x2))
    return sum_dim(first * second, dim)


def multi_dot(tensors, *, out=None):
    """The product of several matrices, in the order that needs the fewest multiplications.

    >>> import autograd_lab as torch
    >>> torch.linalg.multi_dot([torch.ones(2, 3), torch.ones(3, 4), torch.ones(4, 1)]).shape
    torch.Size([2, 1])
    """
    made = list(tensors)
    while len(made) > 1:
        costs = [
            a.shape[0] * a.shape[-1] * b.shape[-1] if a.ndim > 1 else a.shape[0] for a, b in itertools.pairwise(made)
        ]
        i = int(np.argmin(costs))
        made[i : i + 2] = [matmul(made[i], made[i + 1])]
    return made[0]


def chain_matmul(*matrices, out=None):
    """The product of several matrices; `torch.linalg.multi_dot` under its old name."""
    return multi_dot(matrices)


def vecdot(x, y, *, dim=-1):
    """The dot products of vectors along `dim`.

    >>> import autograd_lab as torch
    >>> torch.linalg.vecdot(torch.ones(2, 3), torch.ones(3))
    tensor([3., 3.])
    """
    return sum_dim(x * y, dim)


def vander(x, N=None):
    """The powers of each element in rows: 1, x, x^2, …

    >>> import autograd_lab as torch
    >>> torch.linalg.vander(torch.tensor([2.0, 3.0]), N=3)
    tensor([[1., 2., 4.],
            [1., 3., 9.]])
    """
    return stack([x**k for k in range(x.shape[-1] if N is None else N)], -1)


@op(
    "LinalgLstsqBackward0",
    several=True,
    called="linalg.lstsq",
    results=("solution",),
    samples=shaped((Shape(4, 2), Shape(4, 1))),
)
def lstsq_card(self, b):
    """The X for which self X comes closest to b."""
    return (np.linalg.pinv(self) @ b,)


@lstsq_card.wrt("self")
def _(grads, self, b, solution):  # PyTorch keeps the solution too
    return pinv_slope(matrices(grads[0], mT(b)), self, pinv_card(self))


@lstsq_card.wrt("b")
def _(grads, self):
    return matrices(mT(pinv_card(self)), grads[0])


def lstsq(A, B, rcond=None, *, driver=None):
    """Least squares: the X for which A X comes closest to B.

    >>> import autograd_lab as torch
    >>> torch.linalg.lstsq(torch.tensor([[1.0], [0.0]]), torch.tensor([[2.5], [3.0]])).solution
    tensor([[2.5000]])
    """
    empty = bare(np.zeros(0, A._data.dtype))
    rank = bare(np.asarray(np.linalg.matrix_rank(A._data)))
    return return_types.linalg_lstsq(lstsq_card(A, B)[0], empty, rank, empty)


def matrix_rank(A, *, tol=None, hermitian=False):
    """The number of independent rows; without gradient.

    >>> import autograd_lab as torch
    >>> torch.linalg.matrix_rank(torch.ones(2, 2))
    tensor(1)
    """
    return bare(np.asarray(np.linalg.matrix_rank(A._data, tol))[()])


def cond(A, p=None):
    """The condition number: how much errors may grow when solving with A.

    >>> import autograd_lab as torch
    >>> torch.linalg.cond(torch.tensor([[4.0, 0.0], [0.0, 2.0]]))
    tensor(2.)
    """
    if p in (None, 2):
        values = svdvals(A)
        return squeeze_dim(narrow(values, -1, 0, 1) / narrow(values, -1, values.shape[-1] - 1, 1), -1)
    return matrix_norm(A, p) * matrix_norm(inv(A), p)
