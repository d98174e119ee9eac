"""Things to do with a graph: each is one call in a cell, and works by keyboard, by mouse, and as text.

`sheet.py` is a table whose cells the learner fills in before they are shown; `game.py` are moves on the drawing of a
graph. Every widget is plain data made from real tensors, and leaves no trace on the graph or on any `.grad`.
Read next: `sheet.py`, then `inspector.py`, the simplest widget.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

HOMES = {
    name: name
    for name in (
        "inspector", "ledger", "leaf_sorter", "timeline", "version_tags", "path_check", "firing_order", "scissors",
        "second_graph", "nudge_lens", "vjp_bench", "loop_lab", "flow_bars", "mode_meter", "digit_monitor",
    )
}  # fmt: skip
__all__ = list(HOMES)


def __getattr__(name: str) -> Any:
    """Each widget is imported when first asked for; its file has its name."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{HOMES[name]}"), name)
    globals()[name] = found  # else the file, which has the same name, would stand here from now on
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *HOMES])
