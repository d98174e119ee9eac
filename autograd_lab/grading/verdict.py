"""What a check found, as plain data: the outcome, the points, each criterion, and the reason if it was wrong.

Verdicts are made by `questions.py`, stored by `record.py`, and shown by `show.py`. Nothing here decides or
prints.
"""

from dataclasses import dataclass, replace

RIGHT, PARTLY, WRONG, RAISED, NOT_ATTEMPTED = "right", "partly", "wrong", "raised", "not attempted"
OUTCOMES = (RIGHT, PARTLY, WRONG, RAISED, NOT_ATTEMPTED)


class ExerciseError(ValueError):
    """A sentence for the learner or the author: what is wrong with an exercise, a name or a file."""


@dataclass(frozen=True)
class Criterion:
    """One thing that earns points, and whether it was met."""

    text: str
    passed: bool
    points: int


@dataclass(frozen=True)
class Reason:
    """The belief behind a wrong answer: its id in the catalogue, and what to tell the learner."""

    id: str
    text: str


@dataclass(frozen=True)
class Verdict:
    """The answer to one question, judged. `given` is the answer as text, shortened."""

    question: str
    outcome: str
    points: int
    out_of: int
    given: str = ""
    criteria: tuple[Criterion, ...] = ()
    reason: Reason | None = None


def judged(question: str, criteria: tuple[Criterion, ...], given: str, reason: Reason | None = None) -> Verdict:
    """The verdict that follows from the criteria: right if all are met, partly if some are.

    >>> judged("q1", (Criterion("a", True, 1), Criterion("b", False, 1)), "4").outcome
    'partly'
    """
    points = sum(criterion.points for criterion in criteria if criterion.passed)
    out_of = sum(criterion.points for criterion in criteria)
    outcome = RIGHT if points == out_of else PARTLY if points else WRONG
    return Verdict(question, outcome, points, out_of, given, criteria, None if outcome == RIGHT else reason)


def not_attempted(question: str, out_of: int, why: str) -> Verdict:
    """No answer yet; `why` says what to do."""
    return Verdict(question, NOT_ATTEMPTED, 0, out_of, reason=Reason("none.not-attempted", why))


def raised(question: str, out_of: int, given: str, text: str) -> Verdict:
    """The learner's code raised while the judge used it."""
    return Verdict(question, RAISED, 0, out_of, given, reason=Reason("none.raised", text))


def for_question(verdict: Verdict, question: str) -> Verdict:
    """The same verdict under another question's id."""
    return replace(verdict, question=question)
