"""May a leaf keep a gradient array as its `.grad`, or must it copy? One small cleverness, kept apart.

`a + b` hands both leaves the same array; kept twice, `a.grad.mul_(2)` would change `b.grad`. An array
that nobody else holds can be kept without a copy, and reference counts tell. What count means "nobody
else" depends on the Python version, so it is measured once, on a known case, in the very shape of the
caller's code; where the measurement makes no sense everything is copied.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


def _references(array: Any) -> int:
    return sys.getrefcount(array)


def _count(array: Any) -> int:
    return _references(array)  # called as `owned` is, and calls on as it does


def _measure() -> int:
    """The count seen for an array held by one local name of the caller only, or -1."""
    alone = {0: np.ones(2)}
    twice = {0: np.ones(2)}
    other = twice[0]
    _, array = alone.popitem()
    one = _count(array)
    _, array = twice.popitem()
    two = _count(array)
    return one if two == one + 1 and other is array else -1


ALONE = _measure()


def owned(array: Any) -> bool:
    """Whether the caller's local name is the only holder of this array and of its memory.

    >>> owned(np.float32(2))
    True
    """
    if not isinstance(array, np.ndarray):
        return True  # NumPy scalars cannot change
    if not array.flags.c_contiguous or not array.flags.writeable:
        return False
    base = array.base
    if base is None:
        return _references(array) == ALONE
    # a view of the whole of another array, which only this view holds, such as a transpose of a transpose
    whole = type(base) is np.ndarray and base.base is None and base.size == array.size
    return whole and _references(base) == ALONE and _references(array) == ALONE
