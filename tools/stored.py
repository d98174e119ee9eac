"""The surroundings in which stored outputs are made: a learner who answered nothing, drawings as images.

`regenerate.py` makes outputs in them, and pytest's notebook run compares in them.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def stored_environment() -> Iterator[dict[str, str]]:
    """The variables for one kernel; the progress folder is new, empty, and removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="autograd_lab_home_") as home:
        yield {
            "AUTOGRAD_LAB_OUTPUT": "stored",
            "AUTOGRAD_LAB_HOME": home,
            "AUTOGRAD_LAB_LEARNER": "stored",
        }


@contextmanager
def exported(variables: dict[str, str]) -> Iterator[None]:
    """Put variables into this process's environment for a while; child processes inherit them."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
