"""What goes wrong around an exercise: each is one sentence that says what happened and what to do."""

import json
import os
import shutil

import pytest

import autograd_lab as torch
from autograd_lab.grading import ExerciseError, exercise, load
from autograd_lab.grading.judge import Policy
from autograd_lab.grading.notebook import NAME, faults
from autograd_lab.grading.record import Book, Record
from autograd_lab.progress import ProgressWarning

E2 = "e2_multiple_operations"


@pytest.mark.parametrize("name", ["e2", "e2_multiple_operation", "", None, 2])
def test_an_unknown_exercise_lists_the_known_ones(name):
    with pytest.raises(ExerciseError) as caught:
        torch.exercise(name)
    assert f"There is no exercise {name!r}." in str(caught.value)
    assert E2 in str(caught.value)


def test_a_misspelt_exercise_is_guessed():
    with pytest.raises(ExerciseError, match="Did you mean 'e2_multiple_operations'"):
        exercise("e2_multiple_operation")


@pytest.mark.parametrize("method", ["check", "hint", "show", "answer", "factors"])
def test_an_unknown_question_lists_the_known_ones(ex, method):
    with pytest.raises(ExerciseError) as caught:
        getattr(ex, method)("q9")
    assert str(caught.value) == "This exercise has no question 'q9'. Its questions are: q1, q2, q3, q4, q5."


def test_answer_needs_a_value_for_each_variable(ex):
    with pytest.raises(ExerciseError) as caught:
        ex.answer("q5", 1)
    assert 'ex.answer("q5", x, loss)' in str(caught.value)


@pytest.fixture
def copy(e2, tmp_path):
    folder = tmp_path / "exercises" / e2.slug
    shutil.copytree(e2.folder, folder)
    return folder, lambda: load(e2.slug, (folder.parent,))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("JUDGE = 3", "must define JUDGE = Judge(...), not a int"),
        ("raise RuntimeError('half a file')", "RuntimeError: half a file"),
        ("def draw(bits:", "SyntaxError"),
        ("", "must define JUDGE = Judge(...), not a NoneType"),
    ],
)
def test_a_broken_judge_is_named(copy, text, told):
    folder, reload = copy
    (folder / "judge.py").write_text(text, encoding="utf-8")
    with pytest.raises(ExerciseError) as caught:
        reload()
    assert told in str(caught.value)


@pytest.mark.parametrize("text", ["counts = 'first'", "points_lost = 3", "counts = ", "points_lost_per_hint = -1"])
def test_a_broken_policy_is_named(copy, text):
    folder, reload = copy
    (folder / "policy.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ExerciseError, match="The policy of an exercise cannot be used"):
        reload()


def test_a_missing_policy_is_the_mild_one(copy):
    folder, reload = copy
    (folder / "policy.toml").unlink()
    assert reload().policy == Policy()


def test_a_policy_may_make_help_cost():
    record = Record(attempts=2, best=2, last=1, hints=1, solution_shown=True)
    assert record.points(Policy()) == 2
    assert record.points(Policy("last", 0.25, 0.5)) == 0.375
    assert Record(best=1, hints=3).points(Policy(points_lost_per_hint=1)) == 0


# The exercise's notebook


def test_a_whole_notebook_has_no_faults(e2):
    assert faults(e2.folder / NAME, e2) == []


def edited(e2, tmp_path, change):
    """The faults of exercise 2's notebook after a change to its cells."""
    notebook = json.loads((e2.folder / NAME).read_text(encoding="utf-8"))
    cells = {cell["metadata"].get("autograd_lab", {}).get("question", ""): cell for cell in notebook["cells"]}
    change(notebook["cells"], cells)
    path = tmp_path / NAME
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return faults(path, e2)


def test_a_missing_answer_cell_is_named(e2, tmp_path):
    found = edited(e2, tmp_path, lambda cells, by: cells.remove(by["q3"]))
    assert len(found) == 1
    assert found[0].startswith("The answer cell of q3 is missing from exercise.ipynb.")
    assert 'name_of_loss = ... and ex.check("q3")' in found[0]


def test_an_answer_cell_that_is_there_twice_is_named(e2, tmp_path):
    found = edited(e2, tmp_path, lambda cells, by: cells.append(by["q3"]))
    assert found == ["q3 has 2 answer cells in exercise.ipynb; the last one counts."]


def test_a_broken_answer_cell_is_named(e2, tmp_path):
    found = edited(e2, tmp_path, lambda cells, by: by["q4"].update(source=["slope = (3 *\n", "ex.check('q4')"]))
    assert len(found) == 1
    assert found[0].startswith("Python cannot read the answer cell of q4 in line ")


def test_a_line_that_only_ipython_reads_is_no_fault(e2, tmp_path):
    found = edited(e2, tmp_path, lambda cells, by: by["q4"].update(source="%time slope = 3\n!ls\nex.check('q4')"))
    assert found == []


@pytest.mark.parametrize("order", [list.reverse, lambda cells: cells.insert(0, {"cell_type": "code"})])
def test_order_and_foreign_cells_do_not_matter(e2, tmp_path, order):
    assert edited(e2, tmp_path, lambda cells, by: order(cells)) == []


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"cells": 3}', "[" * 100_000, "\x00\x01"])
def test_a_file_that_is_no_notebook_is_a_sentence(e2, tmp_path, text):
    path = tmp_path / NAME
    path.write_text(text, encoding="utf-8")
    found = faults(path, e2)
    assert len(found) == 1
    assert found[0].startswith("exercise.ipynb cannot be read as a notebook (")


@pytest.mark.parametrize("cell", [3, None, {}, {"cell_type": "code", "metadata": 4}, {"cell_type": "code"}])
def test_a_cell_that_is_no_cell_is_passed_over(e2, tmp_path, cell):
    assert edited(e2, tmp_path, lambda cells, by: cells.append(cell)) == []


def test_handing_in_tells_of_broken_cells_and_writes_the_sheet(ex, e2, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    edited(e2, tmp_path, lambda cells, by: cells.remove(by["q3"]))
    name_of_y = "MulBackward0"  # noqa: F841
    shown = ex.hand_in()
    sheet = json.loads(shown.of.read_text(encoding="utf-8"))
    assert (sheet["points"], sheet["out_of"], sheet["learner"]) == (2, 10, "ada")
    assert sheet["numbers"] == dict(ex.numbers)
    assert sheet["questions"]["q1"]["outcome"] == "right"
    assert sheet["questions"]["q2"]["outcome"] == "not attempted"
    assert len(sheet["notebook"]) == 1
    assert "The answer cell of q3 is missing" in repr(shown)


def test_handing_in_where_nothing_can_be_written_is_a_sentence(ex, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ExerciseError) as caught:
        ex.hand_in(tmp_path / "file" / "below")
    assert "cannot be written" in str(caught.value)
    assert 'ex.hand_in("my_folder")' in str(caught.value)


# The progress folder


def test_a_damaged_record_is_kept_aside_and_the_check_goes_on(ex, home):
    ex.answer("q1", "MulBackward0")
    ex.answer("q2", "AddBackward0")
    path = next((home / "exercise").glob("*q1*.json"))
    path.write_text('{"format": 1, "value": {"atte')
    with pytest.warns(ProgressWarning, match="could not be read"):
        verdict = ex.answer("q1", "PowBackward0").of
    assert verdict.outcome == "wrong"
    aside = path.with_name(path.name + ".damaged1")
    assert aside.read_text() == '{"format": 1, "value": {"atte'
    assert ex.progress().of["q2"].outcome == "right"


@pytest.mark.parametrize("value", [{"attempts": "many"}, {}, {"outcome": "perfect"}])
def test_a_record_that_makes_no_sense_counts_as_none(ex, value):
    from autograd_lab import progress

    book = Book(E2, "ada")
    progress.remember("exercise", book.key("q1"), value)
    assert ex.progress().of["q1"] == Record()


def test_a_folder_that_cannot_be_written_costs_no_verdict(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("AUTOGRAD_LAB_HOME", str(tmp_path / "file" / "progress"))
    ex = exercise(E2)
    with pytest.warns(ProgressWarning) as caught:
        shown = ex.answer("q1", "MulBackward0")
    ex.answer("q2", "MulBackward0")  # a second warning would be an error
    assert len(caught) == 1
    assert "AUTOGRAD_LAB_HOME" in str(caught[0].message)
    assert shown.of.outcome == "right"
    assert "only until you stop the kernel" in repr(shown)
    assert [ex.progress().of[q].outcome for q in ("q1", "q2")] == ["right", "wrong"]


def test_two_learners_share_a_folder(monkeypatch):
    exercise(E2).answer("q1", "MulBackward0")
    monkeypatch.setenv("AUTOGRAD_LAB_LEARNER", "grace")
    assert exercise(E2).progress().of["q1"] == Record()
    monkeypatch.setenv("AUTOGRAD_LAB_LEARNER", "ada")
    assert exercise(E2).progress().of["q1"].best == 2


def test_checks_of_the_same_folder_from_two_kernels_lose_nothing(ex):
    other = exercise(E2)
    ex.answer("q1", "MulBackward0")
    other.answer("q2", "AddBackward0")
    assert [r.best for r in ex.progress().of.values()] == [2, 2, 0, 0, 0]


def test_handing_in_counts_no_check_twice(ex, tmp_path):
    ex.answer("q1", "MulBackward0")
    ex.hand_in(tmp_path)
    assert [r.attempts for r in ex.progress().of.values()] == [1, 0, 0, 0, 0]


def test_only_records_and_no_parts_are_left(ex):
    ex.answer("q1", "MulBackward0")
    assert os.listdir(os.environ["AUTOGRAD_LAB_HOME"]) == ["exercise"]
