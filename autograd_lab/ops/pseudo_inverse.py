"""The pseudo-inverse of a matrix that has no inverse, and least squares, which it solves.

Read next: `matrix_functions.py`.
"""

from __future__ import annotations

import numpy as np

from ..formulas import on_both
from ..op import op
from ..samples import Shape, shaped
from .plain_products import matrices
from .spectra import mT


@op("LinalgPinvBackward0", called="linalg.pinv", samples=shaped((Shape(3, 2),), (Shape(2, 3),)))
def pinv_card(self):
    """The pseudo-inverse."""
    return np.linalg.pinv(self)


@pinv_card.wrt("self")
def _(grad, self, result):
    return pinv_slope(grad, self, result)


@on_both
def pinv_slope(grad, self, result):
    """The gradient of a pseudo-inverse. Source: Golub and Pereyra (1973)."""
    flipped, back = mT(result), mT(grad)
    left = matrices(back, matrices(result, flipped))
    right = matrices(matrices(flipped, result), back)
    straight = matrices(flipped, matrices(grad, flipped))
    return left - matrices(self, matrices(result, left)) + right - matrices(matrices(right, result), self) - straight


def pinv(A, rcond=None, hermitian=False, *, atol=None, rtol=None):
    """The pseudo-inverse of matrices.

    >>> import autograd_lab as torch
    >>> torch.linalg.pinv(torch.tensor([[2.0], [0.0]]))
    tensor([[0.5000, 0.0000]])
    """
    return pinv_card(A)
