"""What a drawing should show: the options of `draw_graph` as plain data, checked once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from autograd_lab.view.parts import SHOWN

VIEWS = ("both", "forward", "backward")
DIRECTIONS = ("LR", "TB")


@dataclass(frozen=True)
class Wanted:
    """Options by the names that `draw_graph` gives them."""

    view: str = "both"
    rankdir: str = "LR"
    show: tuple[str, ...] = SHOWN
    show_saved: bool = False
    show_local_grads: bool = True
    modules: bool = True
    max_depth: int | None = None
    collapse: tuple[str, ...] = ()
    roll: Any = "auto"
    max_nodes: int = 300


def wanted(**options: Any) -> Wanted:
    """The options, or a ValueError or TypeError that says what may stand there.

    >>> wanted(rankdir="TB").view
    'both'
    """
    one_of("view", options.get("view", "both"), VIEWS)
    one_of("rankdir", options.get("rankdir", "LR"), DIRECTIONS)
    show = names_in("show", options.get("show", SHOWN))
    for word in show:
        one_of("show", word, SHOWN)
    roll = options.get("roll", "auto")
    if roll not in ("auto", True, False):
        raise ValueError(f'roll must be "auto", True or False, got {roll!r}.')
    for name in ("max_depth", "max_nodes"):
        number = options.get(name)
        if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < 1):
            raise ValueError(f"{name} must be a whole number from 1 on, got {number!r}.")
    collapse = names_in("collapse", options.get("collapse", ()))
    given = {name: value for name, value in options.items() if value is not None}
    return Wanted(**{**given, "show": show, "collapse": collapse})


def one_of(option: str, value: Any, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{option} must be one of {', '.join(map(repr, choices))}, got {value!r}.")


def names_in(option: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    value = tuple(value) if isinstance(value, Iterable) else (value,)
    if not all(isinstance(word, str) for word in value):
        raise TypeError(f"{option} must be a name or several names, got {value!r}.")
    return value
