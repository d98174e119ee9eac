"""A wrong answer: the number that one wrong belief gives, and what to tell whoever types it.

Steps (`beliefs.py`), lessons and exercises compute such answers from the graph at hand; here are the words that
they share, and the rule that one number has one reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isfinite

OR = " Or: "
NEAR = 2e-3  # two answers closer than this (relative) count as the same typed number


@dataclass(frozen=True)
class WrongAnswer:
    """A number that a wrong belief gives, which belief (`rule`), and what to tell.

    A rare one gives way wherever a more frequent belief has the same number.
    """

    value: float
    reason: str
    rule: str
    rare: bool = False


def kept(right: float, wrong: Iterable[WrongAnswer]) -> tuple[WrongAnswer, ...]:
    """The wrong answers that differ from the right one, one for each number.

    Where two beliefs give the same number nobody can tell which one it was, so both reasons are given.

    >>> reasons = [WrongAnswer(4.0, "A.", "a"), WrongAnswer(4.001, "B.", "b"), WrongAnswer(60.0, "C.", "c")]
    >>> [(answer.reason, answer.rule) for answer in kept(60.0, reasons)]
    [('A. Or: B.', 'a')]
    """
    found: list[WrongAnswer] = []
    for answer in wrong:
        if not isfinite(answer.value) or near(answer.value, right):
            continue
        place = next((i for i, other in enumerate(found) if near(answer.value, other.value)), None)
        if place is None:
            found.append(answer)
        elif answer.rule != found[place].rule and OR not in found[place].reason:
            found[place] = replace(found[place], reason=f"{found[place].reason}{OR}{answer.reason}")
    return tuple(found)


def near(a: float, b: float) -> bool:
    """Whether two answers would read as the same typed number."""
    return abs(a - b) <= max(NEAR * max(abs(a), abs(b)), 1e-9)
