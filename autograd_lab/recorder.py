"""Who is told of each op as it runs.

The graph alone does not hold constants, names, or most values. A watcher in `watchers` hears of
every op: the card, its arguments, its result. While the list is empty an op pays one truth test.
The drawing and the stepper bring the watchers; this floor knows none of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol


class Watcher(Protocol):
    """What a watcher must offer."""

    def recorded(self, card: Any, arguments: dict[str, Any], result: Any, in_place: bool = False) -> None:
        """An op ran: `arguments` by parameter name as the op got them, `result` a tensor or a tuple."""


watchers: list[Watcher] = []


@contextmanager
def watch(watcher: Watcher) -> Iterator[Watcher]:
    """Tell `watcher` of every op in this block."""
    watchers.append(watcher)
    try:
        yield watcher
    finally:
        watchers.remove(watcher)


def tell(card: Any, values: tuple[Any, ...], result: Any, in_place: bool = False) -> None:
    """Called by the funnel, only if somebody watches."""
    plain = (getattr(v, "wrapped_number", v) for v in values)  # a Python number is told as itself
    arguments = dict(zip(card.names, plain, strict=True))
    for watcher in tuple(watchers):
        if in_place:
            watcher.recorded(card, arguments, result, in_place=True)
        else:
            watcher.recorded(card, arguments, result)
