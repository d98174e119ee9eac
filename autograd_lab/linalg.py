"""`torch.linalg`: matrices inverted, solved and taken apart."""

from __future__ import annotations

from typing import Any

from .menu.front import front
from .ops import (
    contractions,
    diagonals,
    linear_systems,
    matrix_functions,
    norms,
    pseudo_inverse,
    solving,
    spectra,
    triangular,
)
from .ops.linear_systems import _LinAlgError as LinAlgError  # noqa: F401  (offered under this name)
from .ops.matmul import matmul as product

norm = front(matrix_functions.linalg_norm, "linalg_norm")
vector_norm = front(norms.vector_norm, "linalg_vector_norm")
matrix_norm = front(matrix_functions.matrix_norm, "linalg_matrix_norm")
inv = front(linear_systems.inv, "linalg_inv")
det = front(linear_systems.det, "linalg_det")
slogdet = front(linear_systems.slogdet, "linalg_slogdet")
solve = front(solving.solve, "linalg_solve")
solve_triangular = front(triangular.solve_triangular, "linalg_solve_triangular")
cholesky = front(triangular.cholesky, "linalg_cholesky")
eigh = front(spectra.eigh, "linalg_eigh")
eigvalsh = front(spectra.eigvalsh, "linalg_eigvalsh")
svd = front(spectra.svd, "linalg_svd")
svdvals = front(spectra.svdvals, "linalg_svdvals")
qr = front(spectra.qr, "linalg_qr")
pinv = front(pseudo_inverse.pinv, "linalg_pinv")
lstsq = front(matrix_functions.lstsq, "linalg_lstsq")
matrix_power = front(matrix_functions.matrix_power, "linalg_matrix_power")
matrix_exp = front(matrix_functions.matrix_exp, "linalg_matrix_exp")
matrix_rank = front(matrix_functions.matrix_rank, "linalg_matrix_rank")
cond = front(matrix_functions.cond, "linalg_cond")
multi_dot = front(matrix_functions.multi_dot, "linalg_multi_dot")
vecdot = front(matrix_functions.vecdot, "linalg_vecdot")
vander = front(matrix_functions.vander, "linalg_vander")
matmul = front(product, "linalg_matmul")


def cross(input: Any, other: Any, *, dim: Any = -1) -> Any:
    """The cross products of vectors of three elements along `dim`.

    >>> import autograd_lab as torch
    >>> torch.linalg.cross(torch.tensor([1.0, 0.0, 0.0]), torch.tensor([0.0, 1.0, 0.0]))
    tensor([0., 0., 1.])
    """
    return contractions.cross(input, other, dim)


def diagonal(A: Any, *, offset: Any = 0, dim1: Any = -2, dim2: Any = -1) -> Any:
    """The diagonals of matrices; a view."""
    return diagonals.diagonal(A, offset, dim1, dim2)
