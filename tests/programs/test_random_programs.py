"""Random programs under PyTorch and under autograd_lab: everything an onlooker can see is equal.

Values, gradients, `grad_fn` names, `next_functions`, hooks' sights, types and texts of errors. Programs are drawn from
the registry of cards; a card, view, in-place form, hook or mistake that was met too seldom fails the test, so that
nothing drops out of the drawing unseen. More programs: AUTOGRAD_LAB_PROGRAMS=100000 pytest tests/programs -m slow
"""

import collections
import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="torch is not installed")

import drawing_programs  # noqa: E402
from drawing_programs import MISTAKES, VIEWS, WRITES, draw, registered  # noqa: E402
from running import Session, difference  # noqa: E402
from shrinking import smallest  # noqa: E402

COUNT = 2000
AT_LEAST = 20


def compared(lines):
    """The first difference between the two libraries, or None."""
    logs = []
    for library in ("torch", "autograd_lab"):
        session = Session(library)
        session.run(lines)
        logs.append(session.finish())
    if any(entry[1] == "NameError" for entry in logs[0] if len(entry) == 3):
        return None  # shrinking left out a statement that others need
    return difference(*logs)


def account(program):
    """What a failing program and its smallest form look like in a report."""
    lines = smallest(program.lines, lambda lines: compared(lines) is not None)
    return "\n".join(lines) + f"\n{compared(lines)}"


def run_many(first, count):
    """Run programs; returns what was met and an account of each that differs."""
    met, failures = collections.Counter(), []
    for seed in range(first, first + count):
        program = draw(seed, torch)
        met.update(set(program.met))
        if compared(program.lines) is not None:
            failures.append(f"seed {seed}\n{account(program)}")
            if len(failures) == 10:
                break
    return met, failures


@pytest.mark.filterwarnings("ignore")
def test_programs_agree_with_pytorch(capsys):
    met, failures = run_many(0, COUNT)
    with capsys.disabled():
        print(f"\n{COUNT} random programs met:", ", ".join(f"{name} {n}" for name, n in sorted(met.items())))
    assert not failures, "\n\n".join(failures)
    wanted = [f"card {name}" for name in registered(torch)]
    wanted += [f"view {name}" for name in VIEWS] + [f"write {name}" for name in WRITES]
    wanted += [f"mistake {name}" for name in MISTAKES]
    wanted += ["hook look", "hook change", "hook node", "retain_grad", "no_grad", "branch"]
    seldom = {name: met[name] for name in wanted if met[name] < AT_LEAST}
    assert not seldom


@pytest.mark.slow
@pytest.mark.skipif("AUTOGRAD_LAB_PROGRAMS" not in os.environ, reason="set AUTOGRAD_LAB_PROGRAMS=100000")
@pytest.mark.filterwarnings("ignore")
def test_many_programs_agree_with_pytorch():
    count = int(os.environ["AUTOGRAD_LAB_PROGRAMS"])
    assert not run_many(COUNT, count)[1]


class Shrinkable:
    """The draws of `drawing_programs`, made by hypothesis, so that it can shrink a program that fails."""

    def __init__(self, source):
        self.source = source

    def random(self, shape=None):
        return self.source.random() if shape is None else self.uniform(0.0, 1.0, shape)

    def integers(self, low, high=None):
        return self.source.randrange(low) if high is None else self.source.randrange(low, high)

    def choice(self, items, size=None, replace=True, p=None):
        items = list(range(items)) if isinstance(items, int) else list(items)
        if size is None:
            return self.source.choice(items)
        return np.asarray(self.source.choices(items, k=size) if replace else self.source.sample(items, size))

    def permutation(self, items):
        items = list(range(items)) if isinstance(items, int) else list(items)
        return self.source.sample(items, len(items))

    def uniform(self, low=0.0, high=1.0, shape=()):
        shape = (shape,) if isinstance(shape, int) else shape
        return np.asarray([self.source.uniform(low, high) for _ in range(int(np.prod(shape)))]).reshape(shape)

    def standard_normal(self, shape=()):
        return self.uniform(-2.0, 2.0, shape)


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_programs_that_hypothesis_draws_agree_too(source):
    program = drawing_programs.drawn(Shrinkable(source), torch, 12)
    assert compared(program.lines) is None, program.text
