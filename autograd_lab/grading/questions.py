"""What all questions share: from the variables that hold an answer to a verdict, whatever they hold.

Marks come from values that the judge computes itself, on its own run of the program (`Case.reference`).
What is read from the learner's tensors only chooses the explanation. Each kind of question is plain frozen
data, so that a `judge.py` is a list of them. Read next: `node_name.py`, `slope.py`, `after_backward.py`,
`function.py`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from .answers import MISSING, Raised, Unusable, attempted, short
from .draw import Numbers
from .reference import Reference
from .verdict import Criterion, Verdict, judged, not_attempted, raised


@dataclass(frozen=True)
class Case:
    """One learner's variant: the numbers, the run of the program, and how to run it with other numbers."""

    numbers: Numbers
    reference: Reference
    again: Callable[[Numbers], Reference] = field(repr=False)


@dataclass(frozen=True)
class Question:
    """What all kinds share: an id, the variables that hold the answer, and the points."""

    id: str
    entries: tuple[str, ...]
    points: int = 2

    def judge(self, case: Case, given: tuple[Any, ...], space: Mapping[str, Any]) -> Verdict:
        """The verdict on an answer, whatever it is: nothing that a learner gives makes this raise."""
        texts = ", ".join(short(answer) for answer in given)
        for name, answer in zip(self.entries, given, strict=True):
            if answer is MISSING:
                why = f"{name} does not exist yet. Run the cell that says {name} = ..., with your answer in it."
                return not_attempted(self.id, self.points, why)
            if not attempted(answer):
                why = f"Replace the three dots after {name} = and run that cell."
                return not_attempted(self.id, self.points, why)
        try:
            return self.find(case, given, space)
        except Unusable as error:
            return judged(self.id, (Criterion(self.asks, False, self.points),), texts, error.reason)
        except Raised as error:
            return raised(self.id, self.points, texts, str(error))
        except Exception as error:  # a tensor of the learner's that misbehaves
            return raised(self.id, self.points, texts, f"Reading your answer raised {type(error).__name__}: {error}")

    @property
    def asks(self) -> str:
        """The question in a few words."""
        raise NotImplementedError

    def find(self, case: Case, given: tuple[Any, ...], space: Mapping[str, Any]) -> Verdict:
        raise NotImplementedError

    def solution(self, case: Case) -> str:
        """The answer, as `show` tells it."""
        raise NotImplementedError

    # The three hints: a question back, a part of the learner's graph, the same step worked on a sibling.

    nudge: ClassVar[str] = ""

    def between(self, reference: Reference) -> tuple[str, str]:
        """The names of the result and of the leaf that the question is about."""
        return reference.computed()[-1], reference.leaves()[0]

    def part(self, reference: Reference) -> str:
        raise NotImplementedError

    def worked(self, sibling: Reference) -> str:
        raise NotImplementedError

    def first_difference(self, case: Case, factors: tuple[Any, ...]) -> str:
        """Where the learner's factors, given one by one, first go wrong."""
        return f"{self.id} asks for {self.asks}, which has no factors."

    def collides(self, case: Case) -> bool:
        """Whether two different mistakes cannot be told apart with these numbers."""
        return False
