"""A question about the meaning of a gradient's sign: which way must each parameter go so that the loss falls?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograd_lab.view.texts import number_text

from .answers import short
from .questions import Case, Question
from .reference import Reference
from .verdict import Criterion, Reason, Verdict, judged

GROW, SHRINK = "grow", "shrink"
WORDS = {
    GROW: (GROW, "grows", "up", "increase", "larger"),
    SHRINK: (SHRINK, "shrinks", "down", "decrease", "smaller"),
}


@dataclass(frozen=True)
class Direction(Question):
    """For each of the leaves `wrts`: "grow" or "shrink", so that `of` becomes smaller."""

    of: str = ""
    wrts: tuple[str, ...] = ()

    @property
    def asks(self) -> str:
        return f'"{GROW}" or "{SHRINK}": which way {" and ".join(self.wrts)} should go so that {self.of} falls'

    def find(self, case: Case, given: tuple[Any, ...], space: Mapping[str, Any]) -> Verdict:
        rights = [self.right(case.reference, wrt) for wrt in self.wrts]
        said = [word_in(answer) for answer in given]
        share = self.points // len(self.wrts)
        criteria = tuple(
            Criterion(f"the way of {wrt}", word == right, share)
            for wrt, word, right in zip(self.wrts, said, rights, strict=True)
        )
        texts = ", ".join(f"{name} = {short(answer)}" for name, answer in zip(self.entries, given, strict=True))
        return judged(self.id, criteria, texts, self._reason(case.reference, given, said, rights))

    def right(self, reference: Reference, wrt: str) -> str:
        return SHRINK if reference.slope(self.of, wrt) > 0 else GROW

    def _reason(
        self, reference: Reference, given: tuple[Any, ...], said: list[str], rights: list[str]
    ) -> Reason | None:
        for name, answer, word in zip(self.entries, given, said, strict=True):
            if not word:
                text = f'{name} should be "{GROW}" or "{SHRINK}", in quotes. You gave {short(answer)}.'
                return Reason("none.wrong-type", text)
        wrong = [wrt for wrt, word, right in zip(self.wrts, said, rights, strict=True) if word != right]
        if not wrong:
            return None
        wrt = wrong[0]
        sign = "positive" if reference.slope(self.of, wrt) > 0 else "negative"
        moves = "grows with it" if sign == "positive" else "falls"
        return Reason(
            "sign.meaning",
            f"d{self.of}/d{wrt} is {sign}: when {wrt} grows, {self.of} {moves}. You want {self.of} to fall. So which "
            f"way does {wrt} have to go?",
        )

    def solution(self, case: Case) -> str:
        lines = []
        for wrt in self.wrts:
            slope = case.reference.slope(self.of, wrt)
            sign = "positive" if slope > 0 else "negative"
            word = self.right(case.reference, wrt)
            lines.append(f'{wrt}: "{word}", because d{self.of}/d{wrt} = {number_text(slope)} is {sign}')
        return "\n".join(lines)

    nudge = "A gradient says what {result} does when {leaf} grows. What do you want {result} to do?"

    def between(self, reference: Reference) -> tuple[str, str]:
        return self.of, self.wrts[0]

    def part(self, reference: Reference) -> str:
        rows = "\n".join(f"    {reference.line(name)}" for name in reference.computed())
        return (
            f"Take a small step in your mind: let {self.wrts[0]} grow by 0.1, and follow it down the lines:\n\n"
            f"{rows}\n\nDid {self.of} grow or fall?"
        )

    def worked(self, sibling: Reference) -> str:
        rows = []
        for wrt in self.wrts:
            slope = number_text(sibling.slope(self.of, wrt))
            rows.append(f"    d{self.of}/d{wrt} = {slope}, so {wrt} should {self.right(sibling, wrt)}")
        return "With other numbers:\n\n" + "\n".join(rows)


def word_in(answer: Any) -> str:
    """ "grow", "shrink", or "" for an answer that is neither.

    >>> word_in(" Grow "), word_in("down"), word_in(-12)
    ('grow', 'shrink', '')
    """
    if not isinstance(answer, str):
        return ""
    plain = answer.strip().lower()
    return next((word for word, spellings in WORDS.items() if plain in spellings), "")
