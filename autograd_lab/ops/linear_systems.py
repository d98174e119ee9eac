"""Square matrices: inverse, solve, determinant. All of them stand on one LU factorization.

Read next: `triangular.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import Tensor, bare
from ..dtypes import TYPE_NAMES, of
from ..op import op
from . import return_types
from .choice import where
from .dimensions import transpose, unsqueeze
from .plain_products import matrices
from .reduction import has_zero


class _LinAlgError(RuntimeError):
    """A factorization could not be computed."""


def square_samples(*rest: Any, extra: tuple[int, ...] | None = None) -> Any:
    """Samples: well-conditioned square matrices, one of them in a batch."""

    def make(rng: np.random.Generator) -> list[tuple[Any, ...]]:
        cases = []
        for batch in ((), (2,)):
            matrix = rng.uniform(-1, 1, (*batch, 3, 3)) + 3 * np.eye(3)
            more = () if extra is None else (rng.uniform(-1, 1, (*batch, *extra)),)
            cases.append((matrix, *more, *rest))
        return cases

    return make


def check_square(name: str, A: Any) -> None:
    """Raise PyTorch's error for what is no batch of square float matrices."""
    if A.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    if A.shape[-1] != A.shape[-2]:
        raise RuntimeError(
            f"{name}: A must be batches of square matrices, but they are {A.shape[-2]} by {A.shape[-1]} matrices"
        )
    check_float(name, A)


def check_float(name: str, A: Any) -> None:
    if A.dtype.kind not in "fc":
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {TYPE_NAMES[of(A).name]}"
        )


def factorized(A: Any) -> tuple[Any, Any]:
    """LU with row exchanges of stacks of square matrices, L and U in one, and the pivots counted from 1."""
    LU, n = np.array(A), A.shape[-1]
    flat = LU.reshape(-1, n, n)
    pivots = np.zeros((flat.shape[0], n), np.int32)
    every = np.arange(flat.shape[0])
    for k in range(n):
        best = k + np.argmax(np.abs(flat[:, k:, k]), 1)
        pivots[:, k] = best + 1
        flat[every, k], flat[every, best] = flat[every, best].copy(), flat[every, k].copy()
        diagonal = flat[:, k, k]
        safe = np.where(diagonal == 0, 1, diagonal)[:, None]
        flat[:, k + 1 :, k] = flat[:, k + 1 :, k] / safe
        flat[:, k + 1 :, k + 1 :] -= flat[:, k + 1 :, k, None] * flat[:, None, k, k + 1 :]
    return LU, pivots.reshape(*A.shape[:-2], n)


def by_columns(array: Any) -> Any:
    """The same matrices with their columns one after the other in memory, as LAPACK leaves them."""
    return np.swapaxes(np.ascontiguousarray(np.swapaxes(array, -2, -1)), -2, -1)


def zero_pivot(LU: Any) -> int:
    """The number, from 1, of the first zero on U's diagonal; 0 if the matrix is regular."""
    zeros = np.nonzero(np.diagonal(LU, 0, -2, -1).reshape(-1, LU.shape[-1]) == 0)[1]
    return int(zeros[0]) + 1 if zeros.size else 0


@op("LinalgInvExBackward0", several=True, called="linalg.inv", results=("inverse",), samples=square_samples())
def inv_card(A):
    """The inverse of square matrices."""
    check_square("linalg.inv", A)
    bad = zero_pivot(factorized(A)[0])
    if bad:
        raise _LinAlgError(
            f"linalg.inv: The diagonal element {bad} is zero, the inversion could not be completed because the input "
            "matrix "
            "is singular."
        )
    return (by_columns(np.linalg.inv(A)),)


@inv_card.wrt("A", latex=r"-$inverse^T \, $grad \, $inverse^T")
def _(grads, inverse):
    flipped = transpose(inverse, -2, -1)
    return -matrices(flipped, matrices(grads[0], flipped))


def inv(A):
    """The inverse of square matrices.

    >>> import autograd_lab as torch
    >>> torch.linalg.inv(torch.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    return inv_card(A)[0]


def determinant(LU: Any, pivots: Any) -> Any:
    """The product of U's diagonal, with a sign for each row exchange."""
    swaps = np.count_nonzero(pivots != np.arange(1, pivots.shape[-1] + 1), -1)
    return np.prod(np.diagonal(LU, 0, -2, -1), -1) * np.where(swaps % 2, -1, 1).astype(LU.dtype)


@op("LinalgDetBackward0", called="linalg.det", keeps=("LU", "pivots"), samples=square_samples())
def det(A):
    """The determinant of square matrices.

    >>> import autograd_lab as torch
    >>> torch.linalg.det(torch.tensor([[2.0, 0.0], [1.0, 4.0]]))
    tensor(8.)
    """
    check_square("linalg.det", A)
    LU, pivots = factorized(A)
    return determinant(LU, pivots), LU, pivots


@det.wrt("A", latex=r"$grad \cdot $result \cdot ($A^{-1})^T")
def _(grad, A, LU, pivots, result):
    scale = unsqueeze(unsqueeze(grad, len(grad.shape)), len(grad.shape) + 1)
    if has_zero(result):
        return scale * cofactors(A)
    whole = unsqueeze(unsqueeze(result, len(result.shape)), len(result.shape) + 1)
    return scale * whole * transpose(inverse_of(A), -2, -1)


@op("LinalgInvExBackward0", samples=square_samples())
def inverse_of(A):
    """The inverse, for formulas."""
    return np.linalg.inv(A)


@inverse_of.wrt("A")
def _(grad, result):
    flipped = transpose(result, -2, -1)
    return -matrices(flipped, matrices(grad, flipped))


def cofactors(A: Any) -> Any:
    """The cofactors of matrices that may be singular, from the SVD; as a constant."""
    data = A._data if isinstance(A, Tensor) else A
    U, S, Vh = np.linalg.svd(data)
    n = data.shape[-1]
    others = np.stack([np.prod(np.delete(S, i, -1), -1) for i in range(n)], -1)
    sign = np.linalg.det(U) * np.linalg.det(Vh)
    found = (np.asarray(sign)[..., None, None] * (U * others[..., None, :]) @ Vh).astype(data.dtype)
    return bare(found) if isinstance(A, Tensor) else found


@op(
    "LinalgSlogdetBackward0",
    several=True,
    called="linalg.slogdet",
    keeps=("LU", "pivots"),
    results=("sign", "logabsdet"),
    samples=square_samples(),
)
def slogdet_card(A):
    """The sign of the determinant, and the logarithm of its size."""
    check_square("linalg.slogdet", A)
    LU, pivots = factorized(A)
    diagonal = np.diagonal(LU, 0, -2, -1)
    swaps = determinant(np.eye(A.shape[-1], dtype=A.dtype) + 0 * LU, pivots)
    return (np.prod(np.sign(diagonal), -1) * swaps, np.add.reduce(np.log(np.abs(diagonal)), -1)), LU, pivots


@slogdet_card.wrt("A")
def _(grads, A, LU, pivots, sign):
    if grads[1] is None:
        return A * 0
    scale = unsqueeze(unsqueeze(grads[1], len(grads[1].shape)), len(grads[1].shape) + 1)
    return scale * transpose(inverse_of(A), -2, -1)


def slogdet(A):
    """The sign of the determinant, and the logarithm of its size.

    >>> import autograd_lab as torch
    >>> torch.linalg.slogdet(torch.tensor([[-2.0, 0.0], [0.0, 1.0]])).sign
    tensor(-1.)
    """
    return return_types.linalg_slogdet(*slogdet_card(A))


def logdet(A):
    """The logarithm of the determinant; nan if that is negative.

    >>> import autograd_lab as torch
    >>> torch.logdet(torch.tensor([[2.0, 0.0], [0.0, 2.0]]))
    tensor(1.3863)
    """
    sign, size = slogdet_card(A)
    return where(bare(np.asarray(sign._data == -1)[()]), float("nan"), size)
