"""No garbage collection while many small things are made that all stay: a third of the time of a large drawing.

Python looks for cycles whenever the number of living objects has grown by some hundreds. A picture, and this package
when it is imported, is thousands of objects that stay, so each of these looks finds nothing; and with PyTorch in the
process one thorough look takes five times as long as the import.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """A block, or a function as `@no_collection()`, in which Python does not look for cycles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
