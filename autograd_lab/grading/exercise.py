"""What a notebook holds: `ex = exercise("e2_multiple_operations")`, then `ex.check("q1")` after each
answer.

An answer is a variable of the notebook; the exercise finds it by name where `check` is called. Nothing that
an answer does makes a check raise: every outcome is a page that says what to do next. Read next:
`build.py`.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Any

from autograd_lab import progress
from autograd_lab.course import learner

from . import pages
from .answers import attempted, find
from .draw import draw_numbers
from .hints import LEVELS, ladder
from .judge import Loaded, load
from .notebook import NAME, faults
from .questions import Question
from .record import Book, Record
from .show import Code, Page, Paragraph, Shown
from .verdict import ExerciseError, Verdict


def exercise(name: str) -> "Exercise":
    """Open an exercise with your own numbers.

    Raises ExerciseError, listing the exercises there are, for a name it does not know.

    >>> from tempfile import TemporaryDirectory
    >>> from unittest.mock import patch
    >>> with TemporaryDirectory() as home, patch.dict("os.environ", AUTOGRAD_LAB_HOME=home):
    ...     exercise("e2_multiple_operations").answer("q1", "MulBackward0")
    q1: right, 2 of 2 points
      Your answer: 'MulBackward0'
    """
    return Exercise(load(name), learner.learner_id())


class Exercise:
    """One learner's exercise. Show it in a cell to read the task."""

    def __init__(self, loaded: Loaded, learner_id: str) -> None:
        self._loaded, self._learner = loaded, learner_id
        self._case = loaded.judge.case(loaded.numbers(learner_id))
        self._book = Book(loaded.slug, learner_id)
        self._given: dict[str, tuple[Any, ...]] = {}

    @property
    def numbers(self) -> Mapping[str, Any]:
        """The numbers of your program, by name."""
        return MappingProxyType(self._case.numbers)

    def check(self, question: str) -> Shown:
        """Judge the answer in your variables: right, partly right, not right, raised, or not answered yet."""
        asked = self._question(question)
        verdict = self._judge(asked, _spaces(sys._getframe(1)))
        return self._keep(asked, verdict)

    def answer(self, question: str, *values: Any) -> Shown:
        """Give an answer directly instead of in a variable, and check it."""
        asked = self._question(question)
        if len(values) != len(asked.entries):
            expected = f'ex.answer("{asked.id}", {", ".join(asked.entries)})'
            raise ExerciseError(f"{asked.id} takes {len(asked.entries)} value(s), you gave {len(values)}: {expected}")
        self._given[asked.id] = values
        return self._keep(asked, asked.judge(self._case, values, {}))

    def factors(self, question: str, *values: Any) -> Shown:
        """Give the factors of your product one by one, the result's first: which one is wrong?"""
        asked = self._question(question)
        return Shown(pages.factors_page(asked, asked.first_difference(self._case, values)))

    def hint(self, question: str) -> Shown:
        """The next of three hints, chosen by your last answer; the third works it with other numbers."""
        asked = self._question(question)
        record = self._book.read(asked.id)
        if record.hints >= LEVELS:
            return Shown(pages.no_more_hints_page(asked))
        text = ladder(asked, self._case, self._sibling(), record.reason)[record.hints]
        taken = Record(**{**vars(record), "hints": record.hints + 1})
        self._book.write(asked.id, taken)
        return Shown(pages.hint_page(asked, taken.hints, text), text)

    def show(self, question: str) -> Shown:
        """The solution with your numbers. It is remembered that you looked."""
        asked = self._question(question)
        record = self._book.read(asked.id)
        self._book.write(asked.id, Record(**{**vars(record), "solution_shown": True}))
        return Shown(pages.solution_page(asked, self._case))

    def progress(self) -> Shown:
        """Every question with your points so far."""
        records = self._records()
        return Shown(pages.progress_page(self._loaded, records), records)

    def hand_in(self, folder: str | Path = ".") -> Shown:
        """Check every answer once more and write one file for your instructor, beside the notebook.

        Save the notebook first: the file says which of its answer cells are missing or do not compile.
        """
        spaces = _spaces(sys._getframe(1))
        for asked in self._loaded.judge.questions:
            verdict, before = self._judge(asked, spaces), self._book.read(asked.id)
            if (verdict.outcome, verdict.points) != (
                before.outcome,
                before.last,
            ):  # not checked since it changed
                self._keep(asked, verdict)
        place = Path(folder)
        notebook = place / NAME
        troubles = faults(notebook, self._loaded) if notebook.exists() else []
        path = place / f"hand_in_{self._loaded.slug}.json"
        try:
            progress.write_whole(path, json.dumps(self._sheet(troubles), indent=1).encode())
        except OSError as error:
            raise ExerciseError(
                f"{path.resolve()} cannot be written: {error.strerror or error}. Name a folder of your own: "
                'ex.hand_in("my_folder")'
            ) from error
        page = self.progress().page
        said = tuple(Paragraph(trouble, lead="Look here:") for trouble in troubles)
        written = Paragraph("Send this file, and the saved notebook, to your instructor:")
        blocks = (*page.blocks, *said, written, Code(str(path.resolve())))
        return Shown(Page(page.heading, blocks, facts=page.facts), path)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return Shown(pages.task_page(self._loaded, self._case))._repr_mimebundle_()

    def __repr__(self) -> str:
        return repr(Shown(pages.task_page(self._loaded, self._case)))

    def _question(self, name: str) -> Question:
        questions = self._loaded.judge.questions
        for question in questions:
            if question.id == name:
                return question
        listed = ", ".join(question.id for question in questions)
        raise ExerciseError(f"This exercise has no question {name!r}. Its questions are: {listed}.")

    def _judge(self, asked: Question, spaces: tuple[Mapping[str, Any], ...]) -> Verdict:
        given = find(spaces, asked.entries)
        if not all(map(attempted, given)) and asked.id in self._given:
            given = self._given[asked.id]
        names = self._case.reference.tensors
        space = dict(zip(names, find(spaces, tuple(names)), strict=True))
        return asked.judge(self._case, given, space)

    def _keep(self, asked: Question, verdict: Verdict) -> Shown:
        before = self._book.read(asked.id)
        record = before.after(verdict)
        kept = record == before or self._book.write(asked.id, record)
        return Shown(pages.verdict_page(self._loaded, asked, verdict, record, kept), verdict)

    def _records(self) -> dict[str, Record]:
        return {question.id: self._book.read(question.id) for question in self._loaded.judge.questions}

    def _sibling(self) -> Any:
        """The same exercise with numbers that are not the learner's."""
        judge, slug = self._loaded.judge, self._loaded.slug
        others = (draw_numbers(judge.draw, judge.accepted, slug, f"sibling {i} of {self._learner}") for i in range(99))
        return judge.case(next(numbers for numbers in others if numbers != self._case.numbers))

    def _sheet(self, troubles: list[str]) -> dict[str, Any]:
        policy = self._loaded.policy
        rows = {
            question.id: {**vars(record), "points": record.points(policy), "out_of": question.points}
            for question, record in zip(self._loaded.judge.questions, self._records().values(), strict=True)
        }
        return {
            "format": 1,
            "exercise": self._loaded.slug,
            "learner": self._learner,
            "numbers": self._case.numbers,
            "points": sum(row["points"] for row in rows.values()),
            "out_of": self._loaded.judge.points,
            "questions": rows,
            "notebook": troubles,
        }


def _spaces(frame: FrameType) -> tuple[Mapping[str, Any], ...]:
    """The variables where a method was called: a cell's, or a function's and its module's."""
    return frame.f_locals, frame.f_globals
