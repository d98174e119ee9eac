"""Systems of linear equations: the X of A X = B.

Read next: `triangular.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import TYPE_NAMES, of
from ..formulas import on_both
from ..op import op
from .dimensions import squeeze_dim, transpose, unsqueeze
from .linear_systems import _LinAlgError, by_columns, check_square, factorized, inverse_of, square_samples, zero_pivot
from .plain_products import matrices
from .views import sized


def is_vector(A: Any, B: Any) -> bool:
    """Whether the right side of a system is a vector (or a batch of them)."""
    return len(B.shape) == 1 or (len(A.shape) - 1 == len(B.shape) and tuple(B.shape) == tuple(A.shape[:-1]))


@op(
    "LinalgSolveExBackward0",
    called="linalg.solve",
    keeps=("LU", "pivots"),
    hidden=("B_shape",),
    samples=square_samples(extra=(3, 2)),
)
def solve_card(A, B, left=True):
    """The solution X of A X = B (or X A = B)."""
    check_square("linalg.solve", A)
    if A.dtype != B.dtype:
        raise RuntimeError(
            f"linalg.solve: Expected A and B to have the same dtype, but found A of type {TYPE_NAMES[of(A).name]} "
            "and B of type "
            f"{TYPE_NAMES[of(B).name]} instead"
        )
    vector = is_vector(A, B)
    right = B[..., None] if vector else B if left else np.swapaxes(B, -2, -1)
    if right.shape[-2] != A.shape[-1]:
        raise RuntimeError(
            f"linalg.solve: Incompatible shapes of A and B for the equation {'AX' if left else 'XA'} = B "
            f"({A.shape[-2]}x{A.shape[-1]} and {right.shape[-2]}x{right.shape[-1]})"
        )
    LU, pivots = factorized(A)
    if zero_pivot(LU):
        raise _LinAlgError("torch.linalg.solve: The solver failed because the input matrix is singular.")
    found = by_columns(np.linalg.solve(A if left else np.swapaxes(A, -2, -1), right))
    if vector:
        return found[..., 0], LU, pivots
    return found if left else np.swapaxes(found, -2, -1), LU, pivots


@solve_card.wrt("A")
def _(grad, A, LU, pivots, left, result):
    vector = is_vector(A, result)
    back = solved(transpose(A, -2, -1), columns(grad, vector), left)
    known = columns(result, vector)
    if left:
        return sized(-matrices(back, transpose(known, -2, -1)), tuple(A.shape))
    return sized(-matrices(transpose(known, -2, -1), back), tuple(A.shape))


@solve_card.wrt("B")
def _(grad, A, LU, pivots, left, result, B_shape):
    vector = is_vector(A, result)
    back = solved(transpose(A, -2, -1), columns(grad, vector), left)
    return sized(squeeze_dim(back, -1) if vector else back, B_shape)


@on_both
def columns(x, vector):
    """A vector as a matrix of one column."""
    return unsqueeze(x, len(x.shape)) if vector else x


@on_both
def solved(A, B, left):
    """The solution for formulas: through the inverse, which may be differentiated again."""
    return matrices(inverse_of(A), B) if left else matrices(B, inverse_of(A))


def solve(A, B, *, left=True):
    """The solution X of A X = B; a vector B gives a vector.

    >>> import autograd_lab as torch
    >>> torch.linalg.solve(torch.tensor([[2.0, 0.0], [0.0, 4.0]]), torch.tensor([2.0, 2.0]))
    tensor([1.0000, 0.5000])
    """
    return solve_card(A, B, left)
