"""An exercise's judge: found by name, loaded from its `judge.py`, with the policy beside it.

A clone keeps `exercises/` beside the package, a wheel carries it in `autograd_lab/_course/`; the learner's
work folder holds notebooks only, and finds the judge through the installed package. Read next: `record.py`.
"""

import difflib
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .draw import Bits, Numbers, draw_numbers
from .questions import Case, Question
from .reference import Reference
from .verdict import ExerciseError

PACKAGE = Path(__file__).resolve().parent.parent
ROOTS = (PACKAGE / "_course" / "exercises", PACKAGE.parent / "exercises")


@dataclass(frozen=True)
class Judge:
    """What a `judge.py` defines under the name JUDGE.

    `program` is the learner's program with {names} for the numbers that `draw` makes, or a function of the
    numbers where the lines themselves differ. `task` says what the learner is shown in its place, under the
    name `task_name`: a diagram of a program that they shall write, or the program with what belongs to it.
    `accepts` may refuse numbers, for example too large ones; numbers with which two mistakes look alike are
    refused anyway.
    """

    title: str
    lesson: str
    program: str | Callable[[Numbers], str]
    draw: Callable[[Bits], Numbers]
    questions: tuple[Question, ...]
    accepts: Callable[[Reference], bool] = lambda reference: True
    task: Callable[[Numbers], str] | None = None
    task_name: str = "Your program."

    def case(self, numbers: Numbers) -> Case:
        """The variant with these numbers."""
        made: dict[str, Reference] = {}  # a function is called with the same inputs at every check

        def again(others: Numbers) -> Reference:
            key = repr(sorted(others.items()))
            if key not in made:
                made[key] = self.reference(others)
            return made[key]

        return Case(dict(numbers), self.reference(numbers), again)

    def reference(self, numbers: Numbers) -> Reference:
        """The program with these numbers, run."""
        text = self.program.format(**numbers) if isinstance(self.program, str) else self.program(numbers)
        return Reference(text.strip())

    def shown(self, case: Case) -> str:
        """What the learner reads: the program, or the diagram in its place."""
        return self.task(case.numbers) if self.task else case.reference.program

    def accepted(self, numbers: Numbers) -> bool:
        """Whether every mistake has a number of its own, and `accepts` agrees."""
        case = self.case(numbers)
        return self.accepts(case.reference) and not any(question.collides(case) for question in self.questions)

    @property
    def points(self) -> int:
        return sum(question.points for question in self.questions)


@dataclass(frozen=True)
class Policy:
    """What counts, and what help costs: the lines of `policy.toml`."""

    counts: str = "best"
    points_lost_per_hint: float = 0
    share_kept_after_solution: float = 1


@dataclass(frozen=True)
class Loaded:
    """An exercise as it lies on the disk."""

    slug: str
    folder: Path
    judge: Judge
    policy: Policy

    def numbers(self, learner: str) -> Numbers:
        """The numbers of one learner, always the same."""
        return draw_numbers(self.judge.draw, self.judge.accepted, self.slug, learner)


def known(roots: tuple[Path, ...] = ROOTS) -> tuple[str, ...]:
    """The names of all exercises."""
    return tuple(sorted({path.parent.name for root in roots for path in root.glob("*/judge.py")}))


def load(slug: str, roots: tuple[Path, ...] = ROOTS) -> Loaded:
    """The exercise of this name.

    Raises ExerciseError listing the known ones, or naming what is broken in its files.

    >>> load("e2_multiple_operations").judge.title
    'E2 Multiple operations'
    """
    names = known(roots)
    if slug not in names:
        listed = ", ".join(names) or "none: install autograd-lab again"
        near = difflib.get_close_matches(str(slug), names, 1)
        meant = f" Did you mean {near[0]!r}?" if near else ""
        raise ExerciseError(f"There is no exercise {slug!r}.{meant} The exercises are: {listed}.")
    folder = next(root / slug for root in roots if (root / slug / "judge.py").is_file())
    return _read(slug, folder)


@cache
def _read(slug: str, folder: Path) -> Loaded:
    path = folder / "judge.py"
    space: dict[str, Any] = {"__name__": f"judge_of_{slug}", "__file__": str(path)}
    try:  # run as text: an import would leave compiled files in the course's folder
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), space)
        judge = space.get("JUDGE")
    except Exception as error:
        raise ExerciseError(
            f"The judge of {slug!r} does not load: {type(error).__name__}: {error} ({path}). Restore the "
            "file from "
            "the project, or install autograd-lab again."
        ) from error
    if not isinstance(judge, Judge):
        raise ExerciseError(f"{path} must define JUDGE = Judge(...), not a {type(judge).__name__}.")
    return Loaded(slug, folder, judge, _policy(folder / "policy.toml"))


def _policy(path: Path) -> Policy:
    if not path.exists():
        return Policy()
    try:
        lines = tomllib.loads(path.read_text(encoding="utf-8"))
        policy = Policy(**lines)
        if policy.counts not in ("best", "last"):
            raise ValueError(f'counts must be "best" or "last", not {policy.counts!r}')
        if policy.points_lost_per_hint < 0 or not 0 <= policy.share_kept_after_solution <= 1:
            raise ValueError("points_lost_per_hint is 0 or more, share_kept_after_solution is from 0 to 1")
    except (ValueError, TypeError) as error:
        raise ExerciseError(f"The policy of an exercise cannot be used: {error} ({path}).") from error
    return policy
