"""Triangular matrices: the Cholesky root, and systems whose matrix is triangular.

Read next: `spectra.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..formulas import on_both
from ..op import op
from .arranging import tril, triu
from .dimensions import transpose
from .linear_systems import _LinAlgError, by_columns, check_square, inverse_of
from .plain_products import matrices


def positive_samples(rng: np.random.Generator) -> list[tuple[Any, ...]]:
    """Samples: a positive definite matrix."""
    root = rng.uniform(-1, 1, (3, 3))
    return [(root @ root.T + 2 * np.eye(3), False)]


@op("LinalgCholeskyExBackward0", several=True, called="linalg.cholesky", results=("L",), samples=positive_samples)
def cholesky_card(A, upper=False):
    """The triangular root of positive definite matrices."""
    return (root_of("linalg.cholesky", A, upper),)


def root_of(name: str, A: Any, upper: bool) -> Any:
    """The Cholesky root, read from one triangle of A; PyTorch's error if A is not positive definite."""
    check_square(name, A)
    lower = np.swapaxes(A, -2, -1) if upper and name == "cholesky" else A
    try:
        root = np.linalg.cholesky(lower)
        if np.isnan(root).any():
            raise np.linalg.LinAlgError  # NumPy lets nan pass
    except np.linalg.LinAlgError:
        raise _LinAlgError(
            f"{name}: The factorization could not be completed because the input is not positive-definite (the leading "
            f"minor of order {first_bad_minor(lower)} is not positive-definite)."
        ) from None
    return np.ascontiguousarray(np.swapaxes(root, -2, -1)) if upper else by_columns(root)


def first_bad_minor(A: Any) -> int:
    """The order of the first leading minor that is not positive, seen in the lower triangle."""
    for matrix in np.asarray(A).reshape(-1, *A.shape[-2:]):
        full = np.tril(matrix) + np.tril(matrix, -1).T
        for k in range(1, A.shape[-1] + 1):
            with np.errstate(all="ignore"):  # nan is not positive either
                positive = np.linalg.det(full[:k, :k]) > 0
            if not positive:
                return k
    return int(A.shape[-1])


@cholesky_card.wrt("A")
def _(grads, L, upper):
    return root_slope(grads[0], L, upper)


@on_both
def root_slope(grad, L, upper):
    """The gradient of a Cholesky root. Source: Murray, "Differentiation of the Cholesky decomposition" (2016)."""
    grad, root = (transpose(grad, -2, -1), transpose(L, -2, -1)) if upper else (grad, L)
    inner = matrices(transpose(root, -2, -1), grad)
    half = (tril(inner, 0) + tril(inner, -1)) / 2  # the diagonal counts half
    outside = inverse_of(root)
    found = matrices(transpose(outside, -2, -1), matrices(half, outside))
    return (found + transpose(found, -2, -1)) / 2


def cholesky(A, *, upper=False):
    """The triangular matrix L with L L^T = A, for positive definite A.

    >>> import autograd_lab as torch
    >>> torch.linalg.cholesky(torch.tensor([[4.0, 0.0], [0.0, 9.0]]))
    tensor([[2., 0.],
            [0., 3.]])
    """
    return cholesky_card(A, upper)[0]


@op("CholeskyBackward0", called="cholesky", samples=positive_samples)
def cholesky_old(A, upper=False):
    """`torch.cholesky`: as `torch.linalg.cholesky`.

    >>> import autograd_lab as torch
    >>> torch.cholesky(torch.tensor([[4.0]]))
    tensor([[2.]])
    """
    return root_of("cholesky", A, upper)


@cholesky_old.wrt("A")
def _(grad, result, upper):
    return root_slope(grad, result, upper)


@op(
    "LinalgSolveTriangularBackward0",
    called="linalg.solve_triangular",
    samples=lambda rng: [
        (np.triu(rng.uniform(-1, 1, (3, 3)) + 3 * np.eye(3)), rng.uniform(-1, 1, (3, 2)), True, True, False)
    ],
)
def solve_triangular_card(self, B, upper, left=True, unitriangular=False):
    """The solution of a system whose matrix is triangular."""
    A = np.triu(self) if upper else np.tril(self)
    if unitriangular:
        A = A - A * np.eye(A.shape[-1], dtype=A.dtype) + np.eye(A.shape[-1], dtype=A.dtype)
    if left:
        return np.linalg.solve(A, B)
    return np.swapaxes(np.linalg.solve(np.swapaxes(A, -2, -1), np.swapaxes(B, -2, -1)), -2, -1)


@solve_triangular_card.wrt("self")
def _(grad, self, upper, left, unitriangular, result):
    back = solve_triangular_card(transpose(self, -2, -1), grad, not upper, left, unitriangular)
    known = transpose(result, -2, -1)
    found = -matrices(back, known) if left else -matrices(known, back)
    if upper:
        return triu(found, 1 if unitriangular else 0)
    return tril(found, -1 if unitriangular else 0)


@solve_triangular_card.wrt("B")
def _(grad, self, upper, left, unitriangular):
    return solve_triangular_card(transpose(self, -2, -1), grad, not upper, left, unitriangular)


def solve_triangular(A, B, *, upper, left=True, unitriangular=False):
    """The solution X of A X = B for a triangular A.

    >>> import autograd_lab as torch
    >>> torch.linalg.solve_triangular(torch.tensor([[2.0, 1.0], [0.0, 4.0]]), torch.tensor([[3.0], [4.0]]), upper=True)
    tensor([[1.],
            [1.]])
    """
    return solve_triangular_card(A, B, upper, left, unitriangular)
