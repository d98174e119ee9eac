"""Questions in words: each belongs to the lesson that teaches its answer, and later lessons ask it again.

A key is `lesson/name`, and lesson 04 has its questions in `lesson_04.py`. Every wrong choice says why it is wrong,
and where it is a known belief, which one (M1 to M24).
`WRONG` in the same file has the wrong answers of predictions and checks, as functions of the cell's variables: {answer:
reason} or {answer: (reason, belief)}.
"""

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from autograd_lab.course.entry import Entry


def find(key: str) -> Entry:
    """The question with this key; KeyError lists the keys of its lesson.

    >>> find("04/two-in-a-row").right
    '20'
    """
    entries = of_lesson(key.partition("/")[0])
    for entry in entries:
        if entry.key == key:
            return entry
    raise KeyError(f"No question {key!r}. Keys of this lesson: {', '.join(e.key for e in entries) or 'none'}.")


def of_lesson(number: str) -> tuple[Entry, ...]:
    """The questions of the lesson with these two digits; none if there is no such lesson."""
    entries: tuple[Entry, ...] = getattr(_file(number), "ENTRIES", ())
    return entries


def wrong_of_lesson(number: str) -> dict[str, Callable[..., Any]]:
    """The wrong answers that a lesson keeps for its predictions and checks: {question: function of variables}."""
    found: dict[str, Callable[..., Any]] = getattr(_file(number), "WRONG", {})
    return found


def _file(number: str) -> Any:
    """The module of a lesson's questions, or None."""
    name = f"{__name__}.lesson_{number}"
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None


def every() -> tuple[Entry, ...]:
    """All questions, in the order of the lessons."""
    numbers = sorted(module.name.removeprefix("lesson_") for module in iter_modules(__path__))
    return tuple(entry for number in numbers for entry in of_lesson(number))
