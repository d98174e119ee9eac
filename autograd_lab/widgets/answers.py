"""When two answers are the same, and which wrong answers a cell keeps.

An answer is a text: a number ("8", "0.3333"), several ("[2, 4, 6]"), or a word ("None", "leaf, tracked").
`shared.js` reads what a learner types by the same rules, and allows more spellings. Read next: `sheet.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

NEAR = 2e-3  # two numbers closer than this (relative) count as the same typed number
OR = " Or: "
CALL = re.compile(r"^(?:torch\.)?tensor\((.*?)(?:,\s*(?:dtype|grad_fn|requires_grad|device)=.*)?\)$", re.DOTALL)


@dataclass(frozen=True)
class Wrong:
    """A wrong answer, what to tell whoever gives it, and the belief (M1 to M24) or rule behind it."""

    answer: str
    reason: str
    rule: str


def numbers(text: str) -> list[float] | None:
    """The numbers of an answer, or None if it is a word.

    >>> numbers("[[1, 2.5]]"), numbers("tensor(8.)"), numbers("None")
    ([1.0, 2.5], [8.0], None)
    """
    text = text.strip()
    text = found[1] if (found := CALL.match(text)) else text
    parts = re.sub(r"[\[\](),;]", " ", text).split()
    try:
        found_numbers = [float(part) for part in parts]
    except ValueError:
        return None
    return found_numbers if found_numbers and all(abs(n) < float("inf") for n in found_numbers) else None


def same(one: str, other: str) -> bool:
    """Whether two answers would read as the same.

    >>> same("0.3333", "0.33331"), same("None", "none"), same("8", "80"), same("None", "0")
    (True, True, False, False)
    """
    a, b = numbers(one), numbers(other)
    if a is None or b is None:
        return a is b and word(one) == word(other)
    return len(a) == len(b) and all(near(x, y) for x, y in zip(a, b, strict=True))


def near(a: float, b: float) -> bool:
    return abs(a - b) <= max(NEAR * max(abs(a), abs(b)), 1e-9)


def word(text: str) -> str:
    return re.sub(r"[\s\"'`]+", "", text).lower()


def kept(right: str, wrong: Iterable[Wrong]) -> tuple[Wrong, ...]:
    """The wrong answers that differ from the right one, one for each answer.

    Where two beliefs give the same answer nobody can tell which one it was, so both reasons are given.

    >>> told = [Wrong("4", "A.", "M7"), Wrong("4.001", "B.", "M9"), Wrong("60", "C.", "M1")]
    >>> [(answer.reason, answer.rule) for answer in kept("60", told)]
    [('A. Or: B.', 'M7')]
    """
    found: list[Wrong] = []
    for answer in wrong:
        if same(answer.answer, right):
            continue
        place = next((i for i, other in enumerate(found) if same(answer.answer, other.answer)), None)
        if place is None:
            found.append(answer)
        elif answer.reason not in found[place].reason and OR not in found[place].reason:
            found[place] = replace(found[place], reason=f"{found[place].reason}{OR}{answer.reason}")
    return tuple(found)
