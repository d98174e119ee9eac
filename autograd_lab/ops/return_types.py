"""Named results, `torch.return_types.max` and its kin: tuples whose parts have names.

Read next: `reduction.py`.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

FIELDS = {
    "aminmax": "min max",
    "cummax": "values indices",
    "cummin": "values indices",
    "frexp": "mantissa exponent",
    "histogram": "hist bin_edges",
    "kthvalue": "values indices",
    "linalg_cholesky_ex": "L info",
    "linalg_eig": "eigenvalues eigenvectors",
    "linalg_eigh": "eigenvalues eigenvectors",
    "linalg_inv_ex": "inverse info",
    "linalg_lstsq": "solution residuals rank singular_values",
    "linalg_lu": "P L U",
    "linalg_lu_factor": "LU pivots",
    "linalg_qr": "Q R",
    "linalg_slogdet": "sign logabsdet",
    "linalg_svd": "U S Vh",
    "max": "values indices",
    "median": "values indices",
    "min": "values indices",
    "mode": "values indices",
    "nanmedian": "values indices",
    "qr": "Q R",
    "slogdet": "sign logabsdet",
    "sort": "values indices",
    "svd": "U S V",
    "topk": "values indices",
}


def shown(self: Any) -> str:
    """How PyTorch prints a named result."""
    parts = ",\n".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
    return f"torch.return_types.{type(self).__name__}(\n{parts})"


def named(name: str, fields: str) -> Any:
    """The type of the results of one op.

    >>> named("max", "values indices")(3, 0)
    torch.return_types.max(
    values=3,
    indices=0)
    """
    kind: Any = namedtuple(name, fields)
    kind.__module__, kind.__repr__ = "torch.return_types", shown
    return kind


def __getattr__(name: str) -> Any:
    """The type is made when it is first asked for."""
    if name not in FIELDS:
        raise AttributeError(f"module 'torch.return_types' has no attribute {name!r}")
    globals()[name] = made = named(name, FIELDS[name])
    return made
