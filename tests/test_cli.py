"""The command line: the learner's files are safe, and every trouble is a sentence that says what to do."""

import json
import os
import socket
import subprocess
import sys

import pytest

from autograd_lab import cli
from autograd_lab.course import outline
from autograd_lab.lab import Trouble, course_files, doctor, serve, work_folder

LESSON = "notebooks/00_one.ipynb"
EXERCISE = "exercises/e1_two/exercise.ipynb"


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A small course: one lesson, one exercise with a judge; `course(text)` changes what their cell says."""
    root = tmp_path / "course"

    def write(text="1 + 1"):
        for name, title in ((LESSON, "# One"), (EXERCISE, "# Two")):
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            output = {"output_type": "stream", "name": "stdout", "text": "2"}
            code = {"cell_type": "code", "id": "b", "metadata": {}, "source": text, "execution_count": 4}
            cells = [
                {"cell_type": "markdown", "id": "a", "metadata": {}, "source": [title, "\nread"]},
                {**code, "outputs": [output]},
            ]
            metadata = {"widgets": {"state": {}}}
            notebook = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
            path.write_text(json.dumps(notebook))
        (root / EXERCISE).with_name("judge.py").write_text("answer = 2")

    write()
    monkeypatch.setattr(course_files, "course_root", lambda: root)
    monkeypatch.setattr(work_folder, "course_root", lambda: root)
    return write


@pytest.fixture
def work(tmp_path):
    return tmp_path / "work"


def lab(folder, *options):
    return cli.main(["lab", str(folder), "--no-serve", *options])


def states(folder):
    return {entry.path: entry.state for entry in work_folder.fill(folder, course_files.course_files())}


def test_lab_copies_lessons_and_exercises_without_outputs_and_says_where(course, work, capsys):
    assert lab(work) == 0
    assert str(work) in capsys.readouterr().out
    notebook = json.loads((work / LESSON).read_text())
    assert notebook["cells"][1]["outputs"] == []
    assert notebook["cells"][1]["execution_count"] is None
    assert notebook["metadata"] == {}
    assert (work / EXERCISE).exists()


def test_judges_and_solutions_stay_with_the_course(course, work):
    lab(work)
    files = {path.relative_to(work).as_posix() for path in work.rglob("*") if path.is_file()}
    assert files == {LESSON, EXERCISE, work_folder.LIST_NAME}


def test_a_source_file_that_a_lesson_links_to_can_be_read_beside_it(course, work):
    course("[the tensor](../autograd_lab/_tensor.py) and [the engine](../autograd_lab/engine.py)")
    lab(work)
    assert "[the engine](../source/engine.py)" in (work / LESSON).read_text()
    assert (work / "source/engine.py").read_bytes() == (outline.PACKAGE / "engine.py").read_bytes()
    (work / "source/engine.py").write_text("mine")
    assert states(work)[LESSON] == "as it was"
    lab(work)
    assert (work / "source/engine.py").read_text() == "mine"


def test_a_second_run_changes_nothing(course, work):
    assert set(states(work).values()) == {"new"}
    assert set(states(work).values()) == {"as it was"}


def test_an_unchanged_file_follows_the_course(course, work):
    states(work)
    course("2 + 2")
    assert states(work)[LESSON] == "updated"
    assert "2 + 2" in (work / LESSON).read_text()


def test_a_changed_file_is_never_overwritten(course, work, capsys):
    lab(work)
    (work / LESSON).write_text("mine")
    assert states(work)[LESSON] == "yours"
    course("2 + 2")
    lab(work)
    assert (work / LESSON).read_text() == "mine"
    assert "2 + 2" in (work / "notebooks/00_one.new.ipynb").read_text()
    assert "00_one.new.ipynb" in capsys.readouterr().out
    assert states(work)[LESSON] == "yours", "the newer version is offered once"


def test_a_changed_newer_version_is_kept_too(course, work):
    states(work)
    (work / LESSON).write_text("mine")
    course("2 + 2")
    states(work)
    (work / "notebooks/00_one.new.ipynb").write_text("mine as well")
    course("3 + 3")
    states(work)
    assert (work / LESSON).read_text() == "mine"
    assert (work / "notebooks/00_one.new.ipynb").read_text() == "mine as well"
    assert "3 + 3" in (work / "notebooks/00_one.new2.ipynb").read_text()


def test_a_file_that_was_there_before_the_course_is_kept(course, work):
    (work / "notebooks").mkdir(parents=True)
    (work / LESSON).write_text("older than the course")
    assert states(work)[LESSON] == "beside"
    assert (work / LESSON).read_text() == "older than the course"


def test_a_deleted_file_comes_back(course, work):
    states(work)
    (work / LESSON).unlink()
    assert states(work)[LESSON] == "new"


def test_lessons_are_listed_with_their_titles(course, capsys):
    assert cli.main(["lessons"]) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        [LESSON, "One"],
        [EXERCISE, "Two"],
    ]


def trouble(capsys, code):
    """The sentence on standard error, after checking that there is no traceback."""
    assert code == 1
    text = capsys.readouterr().err
    assert text.startswith("autograd-lab: ")
    assert "Traceback" not in text
    return text


def test_a_work_folder_that_cannot_be_written(course, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    text = trouble(capsys, lab(tmp_path / "file" / "work"))
    assert "cannot be written" in text
    assert "Choose a folder of your own" in text


@pytest.fixture
def a_common_user():
    """Root may write everywhere, so root becomes nobody for this test."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if root:
        os.seteuid(65534)
    yield
    if root:
        os.seteuid(0)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permission")
def test_a_work_folder_without_write_permission(course, work, request):
    work.mkdir(mode=0o500)
    files = course_files.course_files()
    request.getfixturevalue("a_common_user")
    with pytest.raises(Trouble, match="cannot be written"):
        work_folder.fill(work, files)


def test_a_full_disk_leaves_no_half_notebook(course, work, monkeypatch, capsys):
    def full(source, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert "No space left on device" in trouble(capsys, lab(work))
    assert not list(work.rglob("*.ipynb*"))


@pytest.mark.parametrize("content", ["{", "[]", '{"format": 99, "files": {}}', '{"format": 1, "files": {"a": 3}}'])
def test_a_broken_list_of_copied_files(course, work, capsys, content):
    lab(work)
    (work / LESSON).write_text("mine")
    (work / work_folder.LIST_NAME).write_text(content)
    assert "Delete that one file and start again" in trouble(capsys, lab(work))
    (work / work_folder.LIST_NAME).unlink()
    assert lab(work) == 0
    assert (work / LESSON).read_text() == "mine"


@pytest.mark.parametrize("inside", ["", "notebooks", "exercises/e1_two"])
def test_the_course_itself_is_no_work_folder(course, tmp_path, capsys, inside):
    before = (tmp_path / "course" / LESSON).read_text()
    assert "holds the course itself" in trouble(capsys, lab(tmp_path / "course" / inside))
    assert (tmp_path / "course" / LESSON).read_text() == before


def test_a_course_file_that_is_no_notebook(course, tmp_path, work, capsys):
    (tmp_path / "course" / LESSON).write_text("not json")
    assert "is no notebook" in trouble(capsys, lab(work))


def test_a_package_without_lessons(tmp_path, monkeypatch, work, capsys):
    monkeypatch.setattr(outline, "ROOTS", (tmp_path / "autograd_lab/_course", tmp_path))
    assert "Install the package again" in trouble(capsys, cli.main(["lessons"]))


def test_a_missing_extra_names_the_pip_line(course, work, monkeypatch, capsys):
    monkeypatch.setattr(serve, "NEEDED", ("jupyterlab", "no_such_module"))
    text = trouble(capsys, cli.main(["lab", str(work)]))
    assert "no_such_module not installed" in text
    assert 'pip install "autograd-lab[lab]"' in text
    assert not work.exists()


def test_a_port_in_use(course, work, capsys):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        text = trouble(capsys, cli.main(["lab", str(work), "--port", str(other.getsockname()[1])]))
    assert "cannot be used" in text
    assert "--port" in text


def test_a_number_that_is_no_port(course, work, capsys):
    assert "no port number" in trouble(capsys, cli.main(["lab", str(work), "--port", "70000"]))


def test_a_word_that_is_no_port_and_a_missing_command(course, capsys):
    for arguments in (["lab", "--port", "many"], [], ["dance"]):
        with pytest.raises(SystemExit, match="2"):
            cli.main(arguments)


def test_the_server_gets_the_save_hook_and_the_folder(tmp_path):
    arguments = serve.arguments(tmp_path, LESSON, 9999, browser=False)
    assert f"--ServerApp.root_dir={tmp_path.resolve()}" in arguments
    assert "--FileContentsManager.pre_save_hook=autograd_lab.lab.save_hook.drop_widget_state" in arguments
    assert "--ServerApp.port_retries=0" in arguments
    assert "--no-browser" in arguments
    assert "--no-browser" not in serve.arguments(tmp_path, None, None, browser=True)


def test_doctor_finds_what_is_here(capsys):
    findings = {finding.what: finding for finding in doctor.examine()}
    import numpy

    assert findings["numpy"].state == numpy.__version__
    assert findings["Python"].state == ".".join(map(str, sys.version_info[:3]))
    assert findings["renderer"].state
    assert cli.main(["doctor"]) == 0
    assert "Nothing essential is missing." in capsys.readouterr().out


def test_doctor_says_what_to_type_for_what_is_missing(monkeypatch, capsys):
    parts = (doctor._Part("no-such-package", "dreams", "lab"), *doctor.PARTS)
    monkeypatch.setattr(doctor, "PARTS", parts)
    assert cli.main(["doctor"]) == 0, "an extra is not essential"
    text = capsys.readouterr().out
    assert "no-such-package" in text
    assert 'pip install "autograd-lab[lab]"' in text


def test_doctor_fails_when_something_essential_is_missing(monkeypatch, capsys):
    monkeypatch.setattr(doctor, "PARTS", (doctor._Part("no-such-package", "everything"),))
    assert cli.main(["doctor"]) == 1
    assert "MISSING, essential" in capsys.readouterr().out


def test_doctor_speaks_without_rich(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "rich", None)
    cli.main(["doctor"])
    assert "numpy" in capsys.readouterr().out


def test_the_module_runs_as_a_command():
    command = [sys.executable, "-m", "autograd_lab", "lessons"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "04_chain_rule" in done.stdout


def test_trouble_is_plain_text():
    assert str(Trouble("Say it.")) == "Say it."


def test_a_reader_that_stops_early_is_no_error():
    """`autograd-lab check 04 | head -1` ends without a traceback."""
    command = f"{sys.executable} -m autograd_lab check 04 | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    assert done.stdout.startswith("Lesson 04")
