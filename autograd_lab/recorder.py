"""Who is told of each op as it runs.

The graph alone does not hold constants, names, or most values. A watcher in `watchers` hears of
every op: the card, its arguments, its result. While the list is empty an op pays one truth test.
The drawing and the stepper bring the watchers; this floor knows none of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Protocol


class Watcher(Protocol):
    """What a watcher must offer."""

    def recorded(self, card: Any, arguments: dict[str, Any], result: Any, in_place: bool = False) -> None:
        """An op ran: `arguments` by parameter name as the op got them, `result` a tensor or a tuple."""


class Event:
    """Stands where a card would, for what is no op but that a watcher should hear of."""

    def __init__(self, name: str, names: tuple[str, ...]) -> None:
        self.name, self.node_name, self.names, self.tensors = name, "", names, names
        self.targets: tuple[str, ...] = ()
        self.formulas: dict[str, Any] = {}
        self.latex: dict[str, str] = {}
        self.pointwise = False


on_call: list[Any] = []  # what wants to know which module is running: makes the block of a module's call


@contextmanager
def running(module: Any) -> Iterator[None]:
    """The block of a module's call, while somebody watches."""
    with ExitStack() as stack:
        for block in on_call:
            stack.enter_context(block(module))
        yield


DETACH = Event("detach", ("self",))
watchers: list[Watcher] = []


@contextmanager
def watch(watcher: Watcher) -> Iterator[Watcher]:
    """Tell `watcher` of every op in this block."""
    watchers.append(watcher)
    try:
        yield watcher
    finally:
        watchers.remove(watcher)


def tell(card: Any, values: tuple[Any, ...], result: Any) -> None:
    """Called by the funnel, only if somebody watches."""
    given = [getattr(v, "_as_given", None) for v in values]  # a number is told as itself, a cast operand uncast
    plain = [v if g is None else g for v, g in zip(values, given, strict=True)]
    arguments = dict(zip(card.names, plain, strict=True))
    for watcher in tuple(watchers):
        watcher.recorded(card, arguments, result)


def announce(card: Any, arguments: dict[str, Any], result: Any) -> None:
    """Tell of an op whose result was written in place."""
    for watcher in tuple(watchers):
        watcher.recorded(card, arguments, result, in_place=True)


class Held:
    """Collects what watchers would have been told."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, dict[str, Any], Any]] = []

    def recorded(self, card: Any, arguments: dict[str, Any], result: Any, in_place: bool = False) -> None:
        self.told.append((card, arguments, result))


@contextmanager
def held() -> Iterator[list[tuple[Any, dict[str, Any], Any]]]:
    """Keep ops of this block from the watchers and collect them: an in-place op tells only of its end."""
    collector, before = Held(), watchers[:]
    watchers[:] = [collector]
    try:
        yield collector.told
    finally:
        watchers[:] = before
