"""Each test has a progress folder of its own, and a learner of its own if it asks for one."""

import pytest

from autograd_lab import progress
from autograd_lab.grading import Judge, exercise, load

E2 = "e2_multiple_operations"
MODULE = {"x": 3, "factor": 4, "shift": 5, "power": 2}  # the numbers of the module


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """The progress folder of this test."""
    folder = tmp_path / "progress"
    monkeypatch.setenv("AUTOGRAD_LAB_HOME", str(folder))
    monkeypatch.setenv("AUTOGRAD_LAB_LEARNER", "ada")
    monkeypatch.setattr(progress, "_warned", set())
    monkeypatch.setattr(progress, "_unwritten", {})
    return folder


@pytest.fixture
def e2():
    """Exercise 2 as its files define it."""
    return load(E2)


@pytest.fixture
def case(e2):
    """Exercise 2 with the numbers of the module."""
    return e2.judge.case(MODULE)


@pytest.fixture
def ex():
    """Exercise 2 of the learner `ada`."""
    return exercise(E2)


@pytest.fixture
def judge_of():
    """Makes a judge from a program without numbers and some questions."""

    def make(program, *questions):
        return Judge("test", "04_chain_rule", program, lambda bits: {}, tuple(questions))

    return make
