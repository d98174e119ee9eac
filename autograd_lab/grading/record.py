"""What is kept of a question: how often it was checked, the best and the last result, and the help that was
taken.

Records live in the learner's progress folder, next to those of the lessons. Read next: `hints.py`.
"""

import hashlib
from dataclasses import asdict, dataclass, replace
from typing import Any

from autograd_lab import progress

from .judge import Policy
from .verdict import NOT_ATTEMPTED, OUTCOMES, RIGHT, Verdict

KIND = "exercise"


@dataclass(frozen=True)
class Record:
    """One question of one learner. `reason` is the id of the last diagnosed belief."""

    attempts: int = 0
    best: int = 0
    last: int = 0
    outcome: str = NOT_ATTEMPTED
    solved: bool = False
    reason: str = ""
    hints: int = 0
    solution_shown: bool = False

    def after(self, verdict: Verdict) -> "Record":
        """The record after one more check; looking before an answer is given does not count."""
        if verdict.outcome == NOT_ATTEMPTED:
            return self
        return replace(
            self,
            attempts=self.attempts + 1,
            best=max(self.best, verdict.points),
            last=verdict.points,
            outcome=verdict.outcome,
            solved=self.solved or verdict.outcome == RIGHT,
            reason=verdict.reason.id if verdict.reason else "",
        )

    def points(self, policy: Policy) -> float:
        """The points that count."""
        found = float(self.best if policy.counts == "best" else self.last)
        found -= policy.points_lost_per_hint * self.hints
        if self.solution_shown:
            found *= policy.share_kept_after_solution
        return max(found, 0.0)


class Book:
    """The records of one exercise and one learner."""

    def __init__(self, slug: str, learner: str) -> None:
        self.slug = slug
        self.mark = hashlib.sha256(learner.encode()).hexdigest()[:8]  # two learners may share a folder

    def key(self, question: str) -> str:
        return f"{self.slug}/{question}/{self.mark}"

    def read(self, question: str) -> Record:
        """The record of a question; an empty one if there is none or it makes no sense."""
        found = progress.recall_one(KIND, self.key(question))
        return Record(**found) if found and _sound(found) else Record()

    def write(self, question: str, record: Record) -> bool:
        """Keep a record; returns whether it is on the disk."""
        return progress.remember(KIND, self.key(question), asdict(record))


def _sound(found: dict[str, Any]) -> bool:
    """Whether a stored record has the fields of a Record, each of its kind."""
    expected = asdict(Record())
    if set(found) != set(expected) or found["outcome"] not in OUTCOMES:
        return False
    return all(type(found[name]) is type(value) for name, value in expected.items())
