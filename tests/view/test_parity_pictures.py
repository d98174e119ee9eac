"""200 random programs, run under both libraries, recorded and not: the two pictures are equal."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

import autograd_lab
from autograd_lab.recorder import watchers
from autograd_lab.view.names import Names
from autograd_lab.view.picture import read_graph
from autograd_lab.view.recording import record
from autograd_lab.view.sums import with_sums
from autograd_lab.view.walk import visit
from autograd_lab.view.wanted import Wanted

PROGRAMS = Path(__file__).parent.parent / "programs"
SEEDS = range(200)
AT_ONCE = 20


@pytest.fixture(autouse=True)
def nothing_is_recorded():
    """PyTorch's operations are told to nobody, so ours are told to nobody either."""
    before = watchers[:]
    watchers.clear()
    yield
    watchers[:] = before


@pytest.fixture(params=SEEDS[::AT_ONCE])
def programs(request, monkeypatch):
    """Some of the random programs."""
    torch = pytest.importorskip("torch")
    monkeypatch.syspath_prepend(str(PROGRAMS))
    from drawing_programs import draw

    return [draw(seed, torch) for seed in range(request.param, request.param + AT_ONCE)]


def results(library, program, recorded=False):
    """Run a program; its tracked results of float64, newest last, and the names of all its tensors."""
    from running import Session

    session = Session(library)
    with record() if recorded else nullcontext():
        session.run(program.lines)
    tensors = {name: value for name, value in session.names.items() if name[:1] == "v" and name[1:].isdigit()}
    tensors = {name: value for name, value in tensors.items() if isinstance(value, session.lib.Tensor)}
    tracked = [t for t in tensors.values() if t.requires_grad and t.grad_fn is not None]
    return session, tensors, tracked[-3:]


def renewed(node):
    """Whether the history behind a node has a view that was renewed after a write."""
    seen, todo = set(), [node]
    while todo:
        node = todo.pop()
        if node is not None and node not in seen:
            seen.add(node)
            todo += [n for n, _ in node.next_functions]
    return any(n.name() == "AsStridedBackward0" for n in seen)


def test_random_programs_have_equal_pictures(programs):
    drawn = 0
    for program in programs:
        ours, theirs = (results(library, program) for library in ("autograd_lab", "torch"))
        assert set(ours[1]) == set(theirs[1]), program.text
        if not ours[2]:
            continue
        drawn += 1
        for options in (Wanted(), Wanted(show_saved=True, roll=True, max_nodes=5)):
            if options.roll is True and any(renewed(t.grad_fn) for t in ours[2]):
                continue  # a view's history is renewed when somebody looks: its number says nothing of when it ran
            pictures = [
                read_graph(found, Names(iter(tensors.items())), options=options) for _, tensors, found in (ours, theirs)
            ]
            assert pictures[0] == pictures[1], difference(*pictures) + "\n" + program.text
    assert drawn > AT_ONCE // 2
    assert "drawing_programs" in sys.modules
    assert autograd_lab.is_grad_enabled()


HISTORY_RENEWED = {"AsStridedBackward0", "CopySlices"}  # made anew when somebody looks: no op that ran is behind them
NOT_ONE_CALL = {
    "torch::autograd::NotImplemented",  # PyTorch has no derivative, and says of the node only that
    "LinalgCholeskyExBackward0",  # PyTorch runs it with a second result that says whether it worked
    "ScatterAddBackward0",  # the same name of a node for ops with one input and with two
}


def test_recorded_programs_have_equal_pictures(programs):
    compared = 0
    for program in programs:
        ours, theirs = (results(library, program, recorded=True) for library in ("autograd_lab", "torch"))
        if not ours[2]:
            continue
        unrecorded = results("torch", program)[2]
        assert names_of_nodes(theirs[2]) == names_of_nodes(unrecorded), program.text  # recording changes no graph
        if set(names_of_nodes(ours[2])) & (HISTORY_RENEWED | NOT_ONE_CALL):
            continue
        compared += 1
        pictures = [read_graph(found, Names(iter(tensors.items()))) for _, tensors, found in (ours, theirs)]
        assert pictures[0] == pictures[1], difference(*pictures) + "\n" + program.text
    assert compared > AT_ONCE // 2


def test_after_backward_both_say_the_same_of_what_was_added(programs):
    told = 0
    for program in programs:
        both = [sums_of(library, program) for library in ("autograd_lab", "torch")]
        if None in both or None in {sum_ for sums in both for sum_ in sums}:  # one of them cannot be computed again
            continue
        told += 1
        assert both[0] == both[1], program.text
    assert told > AT_ONCE // 2


def sums_of(library, program):
    """What stands in each AccumulateGrad after backward from the last result; None if backward cannot run."""
    _, tensors, found = results(library, program, recorded=True)
    names = Names(iter(tensors.items()))
    try:
        with record():
            total = found[-1].sum()
        total.backward()
    except (IndexError, RuntimeError):
        return None
    return [node.value for node in with_sums(read_graph(total, names), total, names).nodes if node.kind == "accumulate"]


def names_of_nodes(tensors):
    return [node.name() for node in visit(tensors)]


def difference(ours, theirs):
    """The first thing that differs, for the message of a failure."""
    for field in ("nodes", "edges", "roots", "notes", "clusters"):
        for one, other in zip(getattr(ours, field), getattr(theirs, field), strict=False):
            if one != other:
                return f"ours   {one}\ntheirs {other}"
        if len(getattr(ours, field)) != len(getattr(theirs, field)):
            return f"{field}: {len(getattr(ours, field))} and {len(getattr(theirs, field))}"
    return "equal"
