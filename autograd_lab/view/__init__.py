"""Drawings and steps: what you see of a graph.

`draw_graph(loss)` draws, `step_through(loss)` walks the same drawing forward and backward, `record()`
keeps the values and constants that a graph alone does not hold, `why(x)` says why `x.grad` is None, `reaches(loss,
params)` which parameters get a gradient. In a notebook, errors draw their place (`hook.py`). Read next: `parts.py`
(the words of a picture), then `picture.py`, `render.py`, `svg.py`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from autograd_lab.collecting import no_collection
from autograd_lab.view.hook import install

HOMES = {"draw_graph": "draw", "step_through": "stepper", "record": "tape", "why": "reason", "reaches": "reach"}
__all__ = ["draw_graph", "step_through", "record", "why", "reaches"]


def __getattr__(name: str) -> Any:
    """Each public name is imported when first asked for, so that a drawing does not load the widgets."""
    if name in HOMES:
        with no_collection():
            return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *HOMES])


install()  # does nothing outside a notebook
