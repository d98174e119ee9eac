"""Things to do with a graph: each is one call in a cell, and works by keyboard, by mouse, and as text.

`sheet.py` is a table whose cells the learner fills in before they are shown; `firing_order.py` and `scissors.py` are
moves on the drawing of a graph. Every widget is plain data made from real tensors, and leaves no trace on the graph
or on any `.grad`. Read next: `sheet.py`, then `inspector.py`, the simplest widget.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

HOMES = {
    name: name
    for name in (
        "inspector", "ledger", "leaf_sorter", "timeline", "version_tags", "path_check", "firing_order", "scissors",
        "second_graph", "nudge_lens", "vjp_bench", "loop_lab", "flow_bars", "mode_meter", "digit_monitor",
    )
}  # fmt: skip
__all__ = list(HOMES)


class Door(ModuleType):
    """This package: a widget and its file have one name, and the name means the widget, whoever imports the file."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in HOMES and isinstance(value, ModuleType):
            value = getattr(value, name)
        super().__setattr__(name, value)


def __getattr__(name: str) -> Any:
    """Each widget is imported when first asked for; its file has its name."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *HOMES])


sys.modules[__name__].__class__ = Door
