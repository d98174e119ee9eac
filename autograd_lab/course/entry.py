"""A question in words: the right answer, why it is right, and wrong answers that each have a reason.

The entries themselves are in `questions/`, one file for each lesson.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from autograd_lab.course.prompt import Choice


@dataclass(frozen=True)
class Entry:
    """One question: the right answer, why, and wrong answers {answer: (reason, belief)}."""

    key: str
    text: str
    right: str
    because: str
    wrong: dict[str, tuple[str, str]]

    @property
    def lesson(self) -> str:
        """The two digits of the lesson that teaches it."""
        return self.key.partition("/")[0]

    def choices(self) -> tuple[Choice, ...]:
        """Right and wrong answers in one fixed order."""
        made = [Choice(self.right, right=True)]
        made += [Choice(text, reason=reason, rule=belief) for text, (reason, belief) in self.wrong.items()]
        return in_no_usual_place(made)


def in_no_usual_place(choices: list[Choice]) -> tuple[Choice, ...]:
    """The choices in an order that depends on their words alone, so that the right one has no usual place."""
    return tuple(sorted(choices, key=lambda choice: hashlib.sha256(choice.text.encode()).digest()))
