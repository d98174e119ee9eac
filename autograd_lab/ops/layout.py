"""How a result lies in memory, as in PyTorch: in reading order, or as its input does.

One sees it by `.stride()`, and by whether `reshape` gives a view or a copy. Read next: `views.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def in_order(array: Any) -> Any:
    """The array in reading order, copied only if it is not."""
    return array if not array.ndim else np.asarray(array, order="C")


def copied(array: Any) -> Any:
    """A copy that lies as the original does; one of an expanded array lies in reading order."""
    return array.copy("K") if isinstance(array, np.ndarray) and 0 not in array.strides else array.copy()


def laid_as(model: Any, array: Any) -> Any:
    """The array, of the model's shape, lying as a copy of the model would."""
    if array.ndim < 2 or model.flags.c_contiguous or 0 in model.strides:
        return in_order(array)
    laid = np.empty_like(model, array.dtype)
    laid[...] = array
    return laid
