"""Progress over the whole course: what was answered counts, what was not does not, and nothing is run."""

import pytest

from autograd_lab import cli, progress
from autograd_lab.course.lesson import open_lesson, question_id
from autograd_lab.course.outline import outline_of, outlines
from autograd_lab.grading import course_progress, lesson_progress

FIRST = "04_chain_rule/predict/which-number-does-loss-hold"


@pytest.fixture(autouse=True)
def nobody(tmp_path, monkeypatch):
    monkeypatch.setenv("AUTOGRAD_LAB_HOME", str(tmp_path))


def row(number):
    lessons, _ = course_progress().of
    return next(row for row in lessons if row.name == number)


def test_the_outline_of_a_lesson_is_what_it_asks_when_it_runs():
    """The ids read from the notebook are those under which the running lesson keeps its answers."""
    (outline,) = [outline for outline in outlines() if outline.number == "04"]
    names = {}
    import nbformat

    from autograd_lab.course.outline import course_root

    for cell in nbformat.read(course_root() / "notebooks/04_chain_rule.ipynb", as_version=4).cells:
        if cell.cell_type == "code":
            exec(cell.source, names)
    assert [question.id for question in outline.questions] == list(names["lesson"].asked)


def test_a_right_answer_counts_and_a_wrong_one_does_not():
    before = row("04")
    progress.remember("question", FIRST, {"state": "wrong", "typed": "7", "tries": 1, "answer": "100"})
    assert row("04").done == before.done == 0
    progress.remember("question", FIRST, {"state": "right", "typed": "100", "tries": 2, "answer": "100"})
    assert row("04").done == 1
    assert row("04").of == before.of > 10
    assert "right at try 2" in repr(lesson_progress("04"))


def test_points_of_an_exercise_count():
    from autograd_lab.grading import exercise

    exercise("e2_multiple_operations").answer("q1", "MulBackward0")
    _, exercises = course_progress().of
    assert next(row.done for row in exercises if row.name == "E2") == 2


def test_a_notebook_that_the_learner_left_half_written_still_has_an_outline():
    cells = [
        {"cell_type": "markdown", "source": ["# Title"]},
        {"cell_type": "code", "source": ["x = ("]},
        {"cell_type": "code", "source": ['lesson.predict("How many?", of=1)']},
    ]
    outline = outline_of("00_x", {"cells": cells})
    assert [question.id for question in outline.questions] == [question_id("00_x", "predict", "How many?")]


@pytest.mark.parametrize("command", [["progress"], ["check", "04"], ["check", "E2"]])
def test_the_commands_print_a_table(command, capsys):
    assert cli.main(command) == 0
    assert len(capsys.readouterr().out.splitlines()) > 2


def test_an_unknown_lesson_is_a_sentence(capsys):
    assert cli.main(["check", "77"]) == 1
    assert capsys.readouterr().err.startswith("autograd-lab: There is no lesson 77. Lessons: 0")


def test_a_question_needs_words():
    with pytest.raises(ValueError):
        open_lesson("04_chain_rule").predict(" ", of=1)
