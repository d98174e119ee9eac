"""What a learner installs: every notebook and its judge, and no solution."""

import zipfile
from pathlib import Path, PurePosixPath

import pytest

from autograd_lab.grading import known, load
from autograd_lab.grading.build import SOURCE, read_source
from autograd_lab.lab.course_files import course_files

ROOT = Path(__file__).parents[2]
PLACE = "autograd_lab/_course/exercises"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """{name: bytes} of the files in the wheel."""
    wheels = pytest.importorskip("hatchling.builders.wheel", reason="hatchling builds the wheel")
    folder = tmp_path_factory.mktemp("wheel")
    made = next(wheels.WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"]))
    with zipfile.ZipFile(made) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_wheel_has_each_exercise_and_none_of_its_solutions(wheel):
    packed = {PurePosixPath(name).name for name in wheel if name.startswith(PLACE)}
    assert packed - {"README.md"} == {"exercise.ipynb", "judge.py", "policy.toml"}
    assert SOURCE not in packed
    for slug in known():
        for name in ("exercise.ipynb", "judge.py", "policy.toml"):
            assert wheel[f"{PLACE}/{slug}/{name}"] == (ROOT / "exercises" / slug / name).read_bytes()
        solutions = [cell.source for cell in read_source(load(slug)) if cell.kind == "solution"]
        texts = [content for name, content in wheel.items() if name.startswith(f"{PLACE}/{slug}/")]
        assert not [text for text in solutions for content in texts if text.encode() in content]


def test_the_wheel_has_every_lesson_and_the_whole_package(wheel):
    lessons = {path.name for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert {PurePosixPath(name).name for name in wheel if name.startswith("autograd_lab/_course/notebooks")} == lessons
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "autograd_lab").rglob("*.py")}
    assert modules <= set(wheel)


def test_what_is_copied_into_the_work_folder_are_notebooks_only():
    copied = [file.path for file in course_files(ROOT)]
    assert {f"exercises/{slug}/exercise.ipynb" for slug in known()} <= set(copied)
    assert all(path.endswith(".ipynb") for path in copied)
