"""Where a learner stands: every lesson and every exercise of the course, and what was answered.

Reads the records that lessons and exercises keep in the progress folder; nothing is asked, run or changed. The start
page shows it, and the commands `autograd-lab progress` and `autograd-lab check NN`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autograd_lab import progress
from autograd_lab.course import learner
from autograd_lab.course.outline import Outline, outlines
from autograd_lab.course.prompt import state_word

from .exercise import exercise
from .judge import known, load
from .record import Book
from .show import Page, Paragraph, Shown, Table


@dataclass(frozen=True)
class Row:
    """A lesson or an exercise: how many of its questions, or points, are done."""

    name: str
    title: str
    done: float
    of: float

    @property
    def bar(self) -> str:
        """Ten places, filled as far as the work is done.

        >>> Row("04", "The chain rule", 9, 18).bar
        '#####.....'
        """
        filled = int(10 * self.done / self.of) if self.of else 0
        return "#" * filled + "." * (10 - filled)


def course_progress() -> Shown:
    """Your progress over lessons and exercises, as a table; in a notebook and in a terminal."""
    lessons, exercises = lesson_rows(), exercise_rows()
    answered, asked = sum(row.done for row in lessons), sum(row.of for row in lessons)
    points, most = sum(row.done for row in exercises), sum(row.of for row in exercises)
    blocks = (
        Paragraph(f"{answered:g} of {asked:g} questions answered right in {len(lessons)} lessons."),
        Table(("lesson", "title", "right", ""), tuple(_cells(row) for row in lessons)),
        Paragraph(f"{points:g} of {most:g} points in {len(exercises)} exercises."),
        Table(("exercise", "title", "points", ""), tuple(_cells(row) for row in exercises)),
    )
    return Shown(Page("Your progress", blocks), (lessons, exercises))


def one_progress(name: str) -> Shown:
    """The progress of a lesson ("04", "04_chain_rule") or an exercise ("E2"); KeyError lists what there is."""
    slugs = {slug.partition("_")[0]: slug for slug in known()}
    if name.partition("_")[0].lower() in slugs:
        return exercise(slugs[name.partition("_")[0].lower()]).progress()
    try:
        return lesson_progress(name[:2])
    except KeyError as error:
        listed = ", ".join(slug.upper() for slug in slugs)
        raise KeyError(f"{error.args[0]} Exercises: {listed}.") from error


def lesson_progress(number: str) -> Shown:
    """Every question of one lesson with what you answered; `number` is its two digits.

    Raises KeyError, listing the lessons there are, for a number that is none.
    """
    found = {outline.number: outline for outline in outlines()}
    if number not in found:
        raise KeyError(f"There is no lesson {number}. Lessons: {', '.join(found)}.")
    outline = found[number]
    kept = progress.recall("question")
    rows = tuple((q.label, q.text, state_word(_answered(kept.get(q.id)))) for q in outline.questions)
    row = _lesson_row(outline, kept)
    lead = Paragraph(f"{row.done:g} of {row.of:g} questions answered right.")
    return Shown(Page(f"Lesson {number}: {outline.title}", (lead, Table(("", "question", "state"), rows))), row)


def lesson_rows() -> Sequence[Row]:
    """One row for each lesson: questions answered right, of all."""
    kept = progress.recall("question")
    return [_lesson_row(outline, kept) for outline in outlines()]


def exercise_rows() -> Sequence[Row]:
    """One row for each exercise: points, of all."""
    rows = []
    for slug in known():
        loaded = load(slug)
        book = Book(loaded.slug, learner.learner_id())
        points = sum(book.read(question.id).points(loaded.policy) for question in loaded.judge.questions)
        name, _, title = loaded.judge.title.partition(" ")
        rows.append(Row(name, title, points, loaded.judge.points))
    return rows


def _lesson_row(outline: Outline, kept: dict[str, dict]) -> Row:
    right = sum((kept.get(question.id) or {}).get("state") == "right" for question in outline.questions)
    return Row(outline.number, outline.title, right, len(outline.questions))


def _answered(state: dict | None) -> dict | None:
    return None if state is None or state.get("state") == "open" else state


def _cells(row: Row) -> tuple[str, ...]:
    return row.name, row.title, f"{row.done:g} of {row.of:g}", row.bar
