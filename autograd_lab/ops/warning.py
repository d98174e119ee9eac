"""Warnings that point at the learner's line, however deep in the package they arise."""

from __future__ import annotations

import sys
import warnings

PACKAGE = __name__.partition(".")[0]


def warn(text: str) -> None:
    """A UserWarning at the first line outside this package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == PACKAGE:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, UserWarning, stacklevel=level - 1)
