"""Progress is never lost: records are whole or absent, damaged files are kept, no folder is no crash."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograd_lab import progress
from autograd_lab.course import learner
from autograd_lab.progress import ProgressWarning

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    folder = tmp_path / "progress"
    monkeypatch.setenv("AUTOGRAD_LAB_HOME", str(folder))
    monkeypatch.delenv("AUTOGRAD_LAB_LEARNER", raising=False)
    monkeypatch.setattr(progress, "_warned", set())
    monkeypatch.setattr(progress, "_unwritten", {})
    return folder


@pytest.fixture
def unwritable(tmp_path, monkeypatch):
    """A progress folder that cannot be made: a file is in the way (this holds for root too)."""
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("AUTOGRAD_LAB_HOME", str(tmp_path / "file" / "progress"))


def test_a_record_comes_back():
    assert progress.remember("prompt", "04/p1", {"answer": 60, "right": True, "text": "ü ∂ \n"})
    assert progress.recall("prompt") == {"04/p1": {"answer": 60, "right": True, "text": "ü ∂ \n"}}
    assert progress.recall_one("prompt", "04/p1") == {"answer": 60, "right": True, "text": "ü ∂ \n"}
    assert progress.recall_one("prompt", "04/p2") is None
    assert progress.recall("exercise") == {}


def test_the_same_key_is_replaced_and_nothing_else(home):
    for answer in (1, 2, 3):
        progress.remember("prompt", "a", {"answer": answer})
    progress.remember("prompt", "b", {})
    progress.remember("exercise", "a", {"answer": 4})
    assert progress.recall("prompt") == {"a": {"answer": 3}, "b": {}}
    assert sorted(path.name for path in home.rglob("*.json")) == ["a.json", "a.json", "b.json"]
    assert list(home.rglob("*.part")) == []


@given(st.lists(st.text(min_size=1, max_size=20), min_size=2, max_size=2, unique=True))
def test_no_two_names_share_a_file(names):
    files = [progress.file_name(name) for name in names]
    assert files[0] != files[1]
    assert files[0].lower() != files[1].lower()
    assert not any(set(file) & set('/\\.:*?" ') for file in files)


def test_names_lead_nowhere_else(home, tmp_path):
    progress.remember("../../up", "../../../etc/x", {"a": 1})
    assert progress.recall("../../up") == {"../../../etc/x": {"a": 1}}
    assert [path.name for path in tmp_path.iterdir()] == ["progress"]


@pytest.mark.parametrize("name", ["", "a" * 201, "ü" * 40])
def test_a_name_of_the_wrong_length_is_a_sentence(name):
    with pytest.raises(ValueError) as caught:
        progress.remember("prompt", name, {})
    assert "has 1 to 200 bytes" in str(caught.value)


@pytest.mark.parametrize("value", [3, [1], None, "text"])
def test_a_record_is_a_dict(value):
    with pytest.raises(TypeError) as caught:
        progress.remember("prompt", "a", value)
    assert "A record is a dict" in str(caught.value)


def test_what_json_cannot_hold_is_refused_before_the_old_record_is_touched():
    progress.remember("prompt", "a", {"answer": 1})
    with pytest.raises(TypeError):
        progress.remember("prompt", "a", {"answer": object()})
    with pytest.raises(ValueError):
        progress.remember("prompt", "a", {"answer": float("nan")})
    assert progress.recall("prompt") == {"a": {"answer": 1}}


DAMAGED = [
    "",
    "{",
    "null",
    "3",
    "[]",
    "{}",
    '{"format": 2, "value": {}}',
    '{"format": 1, "value": 3}',
    "\x00" * 50,
]


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_record_is_kept_aside_and_reported(home, content):
    progress.remember("prompt", "a", {"answer": 1})
    progress.remember("prompt", "b", {"answer": 2})
    path = home / "prompt" / "a.json"
    path.write_text(content)
    with pytest.warns(ProgressWarning) as caught:
        assert progress.recall("prompt") == {"b": {"answer": 2}}
    aside = home / "prompt" / "a.json.damaged1"
    assert str(aside) in str(caught[0].message)
    assert aside.read_text() == content
    assert progress.recall("prompt") == {"b": {"answer": 2}}  # reported once


def test_a_second_damaged_file_does_not_replace_the_first(home):
    for content in ("{1", "{2"):
        progress.remember("prompt", "a", {})
        (home / "prompt" / "a.json").write_text(content)
        with pytest.warns(ProgressWarning):
            progress.recall("prompt")
    assert sorted(path.read_text() for path in home.rglob("*.damaged*")) == ["{1", "{2"]


def test_not_even_bytes_that_are_no_text_stop_it(home):
    progress.remember("prompt", "a", {})
    (home / "prompt" / "a.json").write_bytes(b"\xff\xfe\x00")
    with pytest.warns(ProgressWarning):
        assert progress.recall_one("prompt", "a") is None


@pytest.mark.usefixtures("unwritable")
def test_an_unwritable_folder_warns_once_and_remembers_meanwhile():
    with pytest.warns(ProgressWarning) as caught:
        assert not progress.remember("prompt", "a", {"answer": 1})
    assert not progress.remember("prompt", "a", {"answer": 2})  # a second warning would be an error
    assert len(caught) == 1
    assert "cannot be written" in str(caught[0].message)
    assert "AUTOGRAD_LAB_HOME" in str(caught[0].message)
    assert progress.recall("prompt") == {"a": {"answer": 2}}
    assert progress.recall_one("prompt", "a") == {"answer": 2}


def test_a_failed_write_leaves_the_old_record(home, monkeypatch):
    progress.remember("prompt", "a", {"answer": 1})

    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.warns(ProgressWarning, match="No space left"):
        progress.remember("prompt", "a", {"answer": 2})
    assert (home / "prompt" / "a.json").read_text() == '{"format": 1, "value": {"answer": 1}}'
    assert list(home.rglob("*.part")) == []


def test_many_writers_leave_one_whole_record():
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: progress.remember("prompt", "a", {"answer": i, "long": "x" * 5000}), range(80)))
    assert progress.recall("prompt")["a"]["long"] == "x" * 5000


def test_without_the_variable_the_system_has_a_place(monkeypatch):
    monkeypatch.delenv("AUTOGRAD_LAB_HOME")
    assert "autograd_lab" in str(progress.folder())
    monkeypatch.setenv("AUTOGRAD_LAB_HOME", "~/mine")
    assert progress.folder() == Path.home() / "mine"


# The learner's id


def test_the_id_is_made_once(home):
    made = learner.learner_id()
    assert learner.OURS.fullmatch(made)
    assert learner.learner_id() == made
    assert (home / "learner_id.txt").read_text() == f"{made}\n"
    assert [path.name for path in home.iterdir()] == ["learner_id.txt"]


def test_the_variable_overrides_and_makes_nothing(home, monkeypatch):
    monkeypatch.setenv("AUTOGRAD_LAB_LEARNER", " ada ")
    assert learner.learner_id() == "ada"
    assert not home.exists()
    monkeypatch.setenv("AUTOGRAD_LAB_LEARNER", "  ")
    assert learner.OURS.fullmatch(learner.learner_id())


def test_kernels_that_start_together_agree(home):
    command = [
        sys.executable,
        "-c",
        "from autograd_lab.course.learner import learner_id; print(learner_id())",
    ]
    started = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    ids = {process.communicate()[0] for process in started}
    assert ids == {(home / "learner_id.txt").read_text()}


def test_the_faster_kernel_decides(home, monkeypatch):
    def slow(size):
        home.mkdir()
        (home / "learner_id.txt").write_text("0123456789abcdef\n")  # the other kernel, meanwhile
        return "f" * 16

    monkeypatch.setattr(learner.secrets, "token_hex", slow)
    assert learner.learner_id() == "0123456789abcdef"


def test_a_damaged_id_is_kept_aside_and_reported(home):
    learner.learner_id()
    (home / "learner_id.txt").write_text("nobody\n")
    with pytest.warns(ProgressWarning, match="holds no learner id"):
        made = learner.learner_id()
    assert learner.learner_id() == made
    assert (home / "learner_id.txt.damaged1").read_text() == "nobody\n"


@pytest.mark.usefixtures("unwritable")
def test_where_nothing_can_be_written_the_id_is_the_same_every_time():
    with pytest.warns(ProgressWarning):
        first = learner.learner_id()
    assert learner.learner_id() == first
