"""The notebooks are what their sources give; a source that does not fit its judge is refused."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import build_exercises
import pytest

import autograd_lab as torch
from autograd_lab.grading import ExerciseError, exercise, known, load
from autograd_lab.grading.build import build, notebook_text, read_source
from autograd_lab.grading.notebook import NAME

ROOT = Path(__file__).parents[2]


def code_cells(text):
    cells = json.loads(text)["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


@pytest.mark.parametrize("slug", known())
def test_the_notebook_on_the_disk_is_current(slug):
    assert build_exercises.current(slug), "run python tools/build_exercises.py"


@pytest.mark.parametrize("slug", known())
def test_the_learners_notebook_holds_no_outputs_and_no_solution(slug):
    loaded = load(slug)
    notebook = json.loads((loaded.folder / NAME).read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None
            assert len(cell["source"]) <= 15
    learners = "\n".join(code_cells(json.dumps(notebook)))
    for cell in read_source(loaded):
        if cell.kind == "solution":
            assert cell.source not in learners
    assert "assert" not in learners


@pytest.mark.parametrize("slug", known())
def test_a_lesson_that_an_exercise_names_has_its_slug(slug):
    assert load(slug).judge.lesson[:2].isdigit()


@pytest.mark.parametrize("slug", known())
def test_an_untouched_notebook_runs_without_error_and_earns_nothing(slug):
    space = {}
    for source in code_cells((load(slug).folder / NAME).read_text(encoding="utf-8")):
        exec(source, space)
    records = exercise(slug).progress().of
    assert {record.outcome for record in records.values()} == {"not attempted"}


@pytest.mark.parametrize("slug", known())
@pytest.mark.parametrize("learner", ["ada", "grace", "emmy", "mary"])
def test_the_solution_notebook_earns_every_point(slug, learner, monkeypatch):
    monkeypatch.setenv("AUTOGRAD_LAB_LEARNER", learner)
    loaded = load(slug)
    space = {}
    for source in code_cells(notebook_text(loaded, read_source(loaded), solved=True)):
        exec(source, space)
    records = exercise(slug).progress().of
    assert {record.outcome for record in records.values()} == {"right"}
    assert sum(record.points(loaded.policy) for record in records.values()) == loaded.judge.points


def test_the_seed_numbers_are_one_variant(e2):
    assert e2.judge.accepted({"x": 3, "factor": 4, "shift": 5, "power": 2})
    assert not e2.judge.accepted({"x": 2, "factor": 2, "shift": 2, "power": 3})  # value and slope are both 216


@pytest.fixture
def copy(e2, tmp_path):
    """A copy of exercise 2 whose files a test may break; gives its folder and a way to load it."""
    folder = tmp_path / "exercises" / e2.slug
    shutil.copytree(e2.folder, folder)
    return folder, lambda: load(e2.slug, (folder.parent,))


BROKEN_SOURCES = [
    ("# %% answer id=q2 points=2", "# %% id=q2", "q2 has 0 answer cells"),
    ("# %% answer id=q2 points=2", "# %% answer id=q1 points=2", "q1 has 2 answer cells"),
    (
        "# %% answer id=q2 points=2",
        "# %% answer id=q2 points=3",
        "q2 has 2 points in judge.py, 3 in source.py",
    ),
    ('name_of_z = ...\nex.check("q2")', "name_of_z = ...", 'does not call ex.check("q2")'),
    ("# %% solution id=q3", "# %% solution id=q8", "needs one place of this id"),
    ('# %% solution id=q3\nname_of_loss = "PowBackward0"\nex.check("q3")\n', "", "q3 has no solution cell"),
    ("name_of_y = ...", "name_of_y = = ...", "is no Python"),
    ("# %% answer id=q2 points=2", "# %% answers id=q2", "is no cell header"),
    ("# %% answer id=q2 points=2", "# %% answer id=q2 points=2 hard=1", "has an option 'hard'"),
    ("x = ...\ny = ...\nz = ...\nloss = ...\n", "", "is empty"),
]


@pytest.mark.parametrize(("old", "new", "told"), BROKEN_SOURCES)
def test_a_source_that_does_not_fit_is_refused(copy, old, new, told):
    folder, reload = copy
    text = (folder / "source.py").read_text(encoding="utf-8")
    assert old in text
    (folder / "source.py").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ExerciseError) as caught:
        read_source(reload())
    assert told in str(caught.value)


def test_a_missing_source_is_a_sentence(copy):
    folder, reload = copy
    (folder / "source.py").unlink()
    with pytest.raises(ExerciseError) as caught:
        read_source(reload())
    assert "cannot be read" in str(caught.value)


def test_build_writes_both_notebooks(e2, tmp_path, monkeypatch):
    before = (e2.folder / NAME).read_bytes()
    assert build(e2.slug, tmp_path / "out") == e2.folder / NAME
    assert (e2.folder / NAME).read_bytes() == before
    solved = (tmp_path / "out" / "e2_multiple_operations_solution.ipynb").read_text(encoding="utf-8")
    assert 'name_of_y = \\"MulBackward0\\"' in solved


def test_the_command_checks_and_says_what_is_wrong():
    command = [sys.executable, "tools/build_exercises.py", "--check", "e2_multiple_operations", "e0_none"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "e2_multiple_operations: current" in done.stdout
    assert "There is no exercise 'e0_none'" in done.stdout


def test_the_notebook_is_found_from_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert torch.exercise("e2_multiple_operations").numbers


def test_the_packed_course_comes_before_the_clone(e2, tmp_path, monkeypatch):
    packed = tmp_path / "_course" / "exercises"
    shutil.copytree(e2.folder, packed / e2.slug)
    assert known((packed, tmp_path / "nothing")) == (e2.slug,)
    assert load(e2.slug, (packed, e2.folder.parent)).folder == packed / e2.slug
