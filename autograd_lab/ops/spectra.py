"""Matrices taken apart: eigh, svd, qr, and the pseudo-inverse.

Sources of the formulas: Giles, "Collected matrix derivative results for forward and reverse mode AD"
(2008); Walter and Lehmann, "Algorithmic differentiation of linear algebra functions" (2010).
Read next: `matrix_functions.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import Tensor, bare
from ..formulas import on_both
from ..op import op
from ..samples import Shape, shaped
from . import return_types
from .arranging import triu
from .dimensions import transpose, unsqueeze
from .joining import cat_card, narrow
from .linear_systems import by_columns, check_float, check_square, inverse_of
from .plain_products import matrices


@on_both
def mT(x):
    """Matrices transposed."""
    return transpose(x, -2, -1)


def eye_like(x: Any, n: int) -> Any:
    """The identity matrix in the number system and dtype of `x`."""
    data = np.eye(n, dtype=x._data.dtype if isinstance(x, Tensor) else x.dtype)
    return bare(data) if isinstance(x, Tensor) else data


@on_both
def gaps(values):
    """The differences value_j - value_i, with 1 on the diagonal."""
    return (
        unsqueeze(values, len(values.shape) - 1)
        - unsqueeze(values, len(values.shape))
        + eye_like(values, values.shape[-1])
    )


@on_both
def diagonal_matrix(values):
    """Matrices with these values on the diagonal."""
    return unsqueeze(values, len(values.shape)) * eye_like(values, values.shape[-1])


@on_both
def off_diagonal(x):
    return x - x * eye_like(x, x.shape[-1])


def symmetric_samples(rng: np.random.Generator) -> list[tuple[Any, ...]]:
    """Samples: a symmetric matrix with eigenvalues well apart."""
    root = np.linalg.qr(rng.uniform(-1, 1, (3, 3)))[0]
    return [(root @ np.diag([1.0, 2.5, 4.5]) @ root.T,)]


@op(
    "LinalgEighBackward0",
    several=True,
    called="linalg.eigh",
    results=("eigenvalues", "eigenvectors"),
    samples=symmetric_samples,
)
def eigh_card(A, UPLO="L"):
    """Eigenvalues and eigenvectors of symmetric matrices; only one triangle is read."""
    check_square("linalg.eigh", A)
    values, vectors = np.linalg.eigh(A, UPLO)
    return values, by_columns(vectors)


@eigh_card.wrt("A")
def _(grads, eigenvalues, eigenvectors):
    inner = 0 if grads[0] is None else diagonal_matrix(grads[0])
    if grads[1] is not None:
        turn = matrices(mT(eigenvectors), grads[1])
        inner = inner + off_diagonal((turn - mT(turn)) / 2 / gaps(eigenvalues))
    return matrices(eigenvectors, matrices(inner, mT(eigenvectors)))


def eigh(A, UPLO="L"):
    """Eigenvalues, in ascending order, and eigenvectors of symmetric matrices.

    >>> import autograd_lab as torch
    >>> torch.linalg.eigh(torch.tensor([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
    tensor([1., 2.])
    """
    return return_types.linalg_eigh(*eigh_card(A, UPLO))


def eigvalsh(A, UPLO="L"):
    """The eigenvalues of symmetric matrices, in ascending order."""
    return eigh_card(A, UPLO)[0]


LAST_SIZE = {"S_sym_argsize_minus_1": lambda S: None if S is None else S.shape[-1]}


@op(
    "LinalgSvdBackward0",
    several=True,
    called="linalg.svd",
    results=("U", "S", "Vh"),
    saved=("full_matrices",),
    shows=LAST_SIZE,
    samples=shaped((Shape(3, 3), False), (Shape(4, 2), False), (Shape(2, 3), False)),
)
def svd_card(A, full_matrices=True):
    """Singular values and vectors."""
    if A.ndim < 2:
        raise RuntimeError("linalg.svd: The input tensor A must have at least 2 dimensions.")
    check_float("linalg.svd", A)
    U, S, Vh = np.linalg.svd(A, full_matrices)
    return by_columns(U), S, by_columns(Vh)


@svd_card.wrt("A")
def _(grads, U, S, Vh, full_matrices):
    k = S.shape[-1]
    U, Vh = narrow(U, -1, 0, k), narrow(Vh, -2, 0, k)
    grad_U = None if grads[0] is None else narrow(grads[0], -1, 0, k)
    grad_V = None if grads[2] is None else mT(narrow(grads[2], -2, 0, k))
    inner = 0 if grads[1] is None else diagonal_matrix(grads[1])
    row, column = unsqueeze(S, len(S.shape) - 1), unsqueeze(S, len(S.shape))
    apart = gaps(S * S)
    if grad_U is not None:
        turn = matrices(mT(U), grad_U)
        inner = inner + off_diagonal((turn - mT(turn)) / apart) * row
    if grad_V is not None:
        turn = matrices(Vh, grad_V)
        inner = inner + off_diagonal((turn - mT(turn)) / apart) * column
    found = (
        matrices(U, matrices(inner, Vh)) if grads[1] is not None or grad_U is not None or grad_V is not None else None
    )
    if grad_U is not None and U.shape[-2] > k:
        scaled = grad_U / row
        found = found + matrices(scaled - matrices(U, matrices(mT(U), scaled)), Vh)
    if grad_V is not None and Vh.shape[-1] > k:
        scaled = mT(grad_V / row)
        found = found + matrices(U, scaled - matrices(matrices(scaled, mT(Vh)), Vh))
    return found


def svd(A, full_matrices=True, *, driver=None):
    """Singular values, descending, and singular vectors: A = U diag(S) Vh.

    >>> import autograd_lab as torch
    >>> torch.linalg.svd(torch.tensor([[3.0, 0.0], [0.0, 4.0]])).S
    tensor([4., 3.])
    """
    return return_types.linalg_svd(*svd_card(A, full_matrices))


def svdvals(A, *, driver=None):
    """The singular values, descending."""
    return svd_card(A, False)[1]


def svd_old(input, some=True, compute_uv=True):
    """`torch.svd`: as `torch.linalg.svd`, but with V instead of its transpose."""
    U, S, Vh = svd_card(input, not some)
    return return_types.svd(U, S, transpose(Vh, -2, -1))


@op(
    "LinalgQrBackward0",
    several=True,
    called="linalg.qr",
    results=("Q", "R"),
    shows={"mode": lambda how: how},
    hidden=("how",),
    samples=shaped((Shape(3, 3), "reduced"), (Shape(4, 2), "reduced"), (Shape(2, 3), "reduced")),
)
def qr_card(A, how="reduced"):
    """An orthogonal and a triangular factor."""
    if A.ndim < 2:
        raise RuntimeError("linalg.qr: The input tensor A must have at least 2 dimensions.")
    check_float("linalg.qr", A)
    if how == "r":
        return np.zeros((0,), A.dtype), np.linalg.qr(A, "r")
    Q, R = np.linalg.qr(A, how)
    return by_columns(Q), by_columns(R)


@qr_card.wrt("A")
def _(grads, Q, R, how):
    if how == "r":
        raise RuntimeError(
            "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use "
            "torch.linalg.qr(A, mode='reduced') if you are going to require gradients"
        )
    rows, width = R.shape[-2], R.shape[-1]
    if how == "complete" and Q.shape[-2] > width:
        raise RuntimeError("The QR decomposition is not differentiable when mode='complete' and nrows > ncols")
    if rows >= width:
        return square_qr(grads[0], grads[1], Q, R)
    # a wide matrix [X | Y]: X = Q U is square, and Y = Q V follows
    square, rest = narrow(R, -1, 0, rows), narrow(R, -1, rows, width - rows)
    grad_square = None if grads[1] is None else narrow(grads[1], -1, 0, rows)
    grad_rest = rest * 0 if grads[1] is None else narrow(grads[1], -1, rows, width - rows)
    grad_Q = matrices(matrices(Q, rest), mT(grad_rest)) + (0 if grads[0] is None else grads[0])
    return cat_card([square_qr(grad_Q, grad_square, Q, square), matrices(Q, grad_rest)], -1)


@on_both
def square_qr(grad_Q, grad_R, Q, R):
    """The gradient of A = Q R for a square R."""
    inner = 0
    if grad_R is not None:
        inner = matrices(grad_R, mT(R))
    if grad_Q is not None:
        inner = inner - matrices(mT(Q), grad_Q)
    upper = triu(inner, 0)
    found = matrices(Q, upper + mT(triu(inner, 1)))
    if grad_Q is not None:
        found = found + grad_Q
    return matrices(found, mT(inverse_of(R)))


def qr(A, mode="reduced"):
    """An orthogonal matrix Q and an upper triangular R with Q R = A.

    >>> import autograd_lab as torch
    >>> torch.linalg.qr(torch.tensor([[3.0], [4.0]])).R.abs()
    tensor([[5.]])
    """
    return return_types.linalg_qr(*qr_card(A, mode))
