"""Warnings that point at the learner's line, however deep in the package they arise."""

from __future__ import annotations

import sys
import warnings

PACKAGE = __name__.rpartition(".")[0]


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the nearest line outside the package, so that Python names (and counts) the learner's own line.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn("mind the gap")
    >>> str(caught[0].message)
    'mind the gap'
    """
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == PACKAGE:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
