"""Two numbers that are answered together: one belief makes both wrong, so they are diagnosed as a pair.

Where the two mistakes of a pair would be ambiguous one by one (is -6 the other parameter's gradient, or half of the
right one?), the pair tells them apart. Read next: `slope_pair.py`, `step.py`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import nan
from typing import Any

from autograd_lab.course.wrong_answers import near

from . import rules, tensors
from .answers import Unusable, number, short
from .questions import Case, Question
from .verdict import Criterion, Reason, Verdict, judged

Two = tuple[float, float]


@dataclass(frozen=True)
class WrongPair:
    """Two numbers that one belief gives, and what to tell. A typical pair must never equal another one."""

    values: Two
    reason: Reason
    typical: bool = True


@dataclass(frozen=True)
class NumberPair(Question):
    """Two numbers. Each earns half of the points; the explanation looks at both."""

    def rights(self, case: Case) -> Two:
        raise NotImplementedError

    def wrongs(self, case: Case) -> Iterable[WrongPair]:
        """The pairs that beliefs give, the more telling first."""
        raise NotImplementedError

    def alone(self, case: Case, position: int, value: float) -> Reason:
        """The reason of one wrong number, where no belief explains both."""
        raise NotImplementedError

    def find(self, case: Case, given: tuple[Any, ...], space: Mapping[str, Any]) -> Verdict:
        rights, values, troubles = self.rights(case), [], []
        for answer in given:
            try:
                values.append(number(answer))
            except Unusable as error:
                values.append(nan)
                troubles.append(error.reason)
        good = [rules.equals(value, right, 1e-5) for value, right in zip(values, rights, strict=True)]
        half = self.points // 2
        criteria = tuple(
            Criterion(f"{name} is right", met, points)
            for name, met, points in zip(self.entries, good, (half, self.points - half), strict=True)
        )
        reason = None
        if troubles:
            reason = troubles[0]
        elif not all(good):
            reason = self._reason(case, (values[0], values[1]), good)
            if reason.id == "unknown":  # the numbers may come from a program that differs
                reason = tensors.other_program(case.reference, space) or reason
        texts = ", ".join(f"{name} = {short(answer)}" for name, answer in zip(self.entries, given, strict=True))
        return judged(self.id, criteria, texts, reason)

    def _reason(self, case: Case, values: Two, good: list[bool]) -> Reason:
        for wrong in self.wrongs(case):
            if same(values, wrong.values) and not same(wrong.values, self.rights(case)):
                return wrong.reason
        position = 1 if good[0] else 0
        return self.alone(case, position, values[position])

    def collides(self, case: Case) -> bool:
        typical = [wrong for wrong in self.wrongs(case) if wrong.typical]
        pairs = [self.rights(case), *(wrong.values for wrong in typical)]
        return any(same(a, b) for i, a in enumerate(pairs) for b in pairs[:i])


def same(a: Two, b: Two) -> bool:
    """Whether two pairs would read as the same typed numbers.

    >>> same((-12.0, -6.0), (-12.0, -6.001)), same((-12.0, -6.0), (-6.0, -12.0))
    (True, False)
    """
    return near(a[0], b[0]) and near(a[1], b[1])
