"""In a notebook: after a cell that raised, draw where in the graph it happened.

Registers one function with IPython, which looks at one attribute after each cell and does nothing more unless an error
was raised; and has tracebacks shortened (`short_traceback.py`). Outside a notebook nothing is registered. Read next:
`traceback.py`, which finds and draws the place.
"""

from __future__ import annotations

import sys
from typing import Any

from autograd_lab.view import short_traceback


def notebook() -> Any:
    """IPython's shell if this process is a notebook's kernel, else None. Imports nothing."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell if hasattr(shell, "kernel") else None


def install(shell: Any = None) -> bool:
    """Draw after failed cells from now on; a second call changes nothing. Says whether there is a notebook."""
    shell = notebook() if shell is None else shell
    if shell is None:
        return False
    if after_cell not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", after_cell)
        short_traceback.install(shell)
    return True


def after_cell(result: Any) -> None:
    """Called by IPython after each cell, when its traceback, if any, is on the page."""
    error = result.error_in_exec
    if isinstance(error, Exception):
        show(error)


def show(error: Exception) -> None:
    """Display the drawing of an error's place, if it has one. Trouble here must not hide the learner's own error."""
    try:
        from autograd_lab.view.traceback import drawing_of_error

        drawing = drawing_of_error(error)
        if drawing is not None:
            from IPython.display import display

            display(drawing)
    except Exception as trouble:
        error.__dict__["drawing_failed"] = trouble
