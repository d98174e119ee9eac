"""Errors of forward and backward carry their place: the failing node, drawn with what it got."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

import autograd_lab
from autograd_lab.view import hook, short_traceback
from autograd_lab.view.traceback import drawing_of_error, picture_of_error


@pytest.fixture(params=["autograd_lab", "torch"])
def torch(request):
    return autograd_lab if request.param == "autograd_lab" else pytest.importorskip("torch")


def error_of(function):
    with pytest.raises(Exception) as caught:
        function()
    return caught.value


def failed(picture):
    return [node for node in picture.nodes if node.failed]


def into(picture, key):
    return {edge.argument: picture.by_key[edge.source] for edge in picture.edges if edge.target == key}


def test_a_shape_mismatch_shows_both_operands(torch):
    x = torch.ones(3, requires_grad=True)
    h = x * 2
    other = torch.ones(2)
    picture = picture_of_error(error_of(lambda: h + other))
    (node,) = failed(picture)
    assert node.name == "add" and node.tags == ("failed here",)
    assert "The size of tensor a (3) must match the size of tensor b (2)" in node.why
    shapes = [picture.by_key[e.source].shape for e in picture.edges if e.target == node.key]
    assert shapes == [(3,), (2,)]
    assert {n.name for n in picture.nodes} >= {"h", "other"}
    assert picture.roots == (node.key,)


def test_a_layer_of_the_wrong_size_shows_weight_and_input(torch):
    layer = torch.nn.Linear(3, 2)
    batch = torch.ones(4, 5)
    picture = picture_of_error(error_of(lambda: layer(batch)))
    (node,) = failed(picture)
    assert (4, 5) in {n.shape for n in into(picture, node.key).values()}
    assert {n.name for n in picture.nodes} >= {"layer.weight", "batch" if torch is not autograd_lab else "layer.bias"}


def test_tensors_in_a_list(torch):
    a, b = torch.ones(3, requires_grad=True), torch.ones(2, 2)
    picture = picture_of_error(error_of(lambda: torch.cat([a, b])))
    (node,) = failed(picture)
    assert node.name == "cat"
    assert sorted(n.shape for n in into(picture, node.key).values()) == [(2, 2), (3,)]


def test_a_second_backward_marks_the_node_whose_values_are_gone(torch):
    x = torch.ones(3, requires_grad=True)
    loss = (x * x).sum()
    loss.backward()
    picture = picture_of_error(error_of(lambda: loss.backward(inputs=[x])))
    (node,) = failed(picture)
    assert node.title == "MulBackward0" and node.tags[0] == "failed here"
    assert {"x", "loss"} <= {n.name for n in picture.nodes}


def test_an_in_place_change_marks_the_node_that_had_saved_the_value(torch):
    x = torch.ones(3, requires_grad=True)
    y = x.exp()
    loss = (y * 2).sum()
    y.add_(1)
    picture = picture_of_error(error_of(loss.backward))
    (node,) = failed(picture)
    assert node.title == "ExpBackward0"
    assert "is at version 1; expected version 0" in node.why


def test_an_untracked_loss(torch):
    loss = torch.ones(2).sum()
    picture = picture_of_error(error_of(lambda: loss.backward()))
    (node,) = failed(picture)
    assert node.name == "loss" and "no grad" in node.tags


def test_a_result_with_several_elements(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    picture = picture_of_error(error_of(lambda: y.backward()))
    (node,) = failed(picture)
    assert node.name == "y"
    assert "scalar outputs" in node.why


def test_autograd_grad(torch):
    x = torch.ones(2, requires_grad=True)
    loss = (x * x).sum()
    loss.backward()
    assert failed(picture_of_error(error_of(lambda: torch.autograd.grad(loss, x))))[0].title == "MulBackward0"


def test_a_backward_of_ones_own_that_raises():
    class Broken(autograd_lab.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            raise ValueError("my own mistake")

    x = autograd_lab.ones(2, requires_grad=True)
    loss = Broken.apply(x).sum()
    (node,) = failed(picture_of_error(error_of(loss.backward)))
    assert node.title == "BrokenBackward" and node.why == "ValueError: my own mistake"


def test_a_far_failure_in_a_long_graph_is_drawn_with_its_surroundings():
    x = autograd_lab.ones(3, requires_grad=True)
    y = x
    for _ in range(500):
        y = y * 2
    picture = picture_of_error(error_of(lambda: y + autograd_lab.ones(2)))
    assert len(failed(picture)) == 1 and len(picture.nodes) <= 42


@pytest.mark.parametrize(
    "broken",
    [
        lambda: 1 / 0,
        lambda: [][1],
        lambda: autograd_lab.tensor(1.0).nothing,
        lambda: int("x"),
        lambda: autograd_lab.draw_graph(3),
    ],
    ids=["division", "list", "attribute", "value", "view"],
)
def test_other_errors_have_no_drawing(broken):
    assert drawing_of_error(error_of(broken)) is None


def test_an_error_that_was_never_raised():
    assert drawing_of_error(RuntimeError("x")) is None


def test_no_property_of_the_learners_objects_runs():
    torch = pytest.importorskip("torch")

    class Trap:
        touched = False

        @property
        def weight(self):
            Trap.touched = not Trap.touched
            return torch.ones(2)

    trap, x = Trap(), torch.ones(3, requires_grad=True)
    error = error_of(lambda: x + trap.weight)
    Trap.touched = False
    assert failed(picture_of_error(error)) and not Trap.touched


def shell():
    registered = []
    events = SimpleNamespace(
        callbacks={"post_run_cell": registered}, register=lambda name, function: registered.append(function)
    )
    return SimpleNamespace(events=events, kernel=object())


def test_installed_once_in_a_notebook_and_never_elsewhere(monkeypatch):
    monkeypatch.setattr(hook, "notebook", lambda: None)
    assert hook.install() is False
    notebook = shell()
    assert hook.install(notebook) and hook.install(notebook)
    assert notebook.events.callbacks["post_run_cell"] == [hook.after_cell]


def test_nothing_happens_after_a_cell_that_did_not_fail(monkeypatch):
    monkeypatch.setattr(hook, "show", lambda error: pytest.fail("shown"))
    hook.after_cell(SimpleNamespace(error_in_exec=None))
    hook.after_cell(SimpleNamespace(error_in_exec=KeyboardInterrupt()))


def test_trouble_while_drawing_stays_silent(monkeypatch):
    monkeypatch.setattr("autograd_lab.view.traceback.drawing_of_error", lambda error: 1 / 0)
    error = RuntimeError("the learner's own")
    hook.show(error)
    assert isinstance(error.drawing_failed, ZeroDivisionError)


CELLS = ["import autograd_lab as torch", "x = torch.ones(3, requires_grad=True)", "x + torch.ones(2)", "1 / 0"]


def test_in_a_real_kernel_the_drawing_stands_under_the_traceback():
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
    nbclient.NotebookClient(notebook, allow_errors=True, timeout=120).execute()
    outputs = [[out.output_type for out in cell.outputs] for cell in notebook.cells]
    assert outputs == [[], [], ["error", "display_data"], ["error"]]
    assert "failed here" in notebook.cells[2].outputs[1].data["text/plain"]


def test_silent_in_a_script():
    source = "import autograd_lab as torch; torch.ones(3, requires_grad=True) + torch.ones(2)"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, env=os.environ, check=False)
    assert done.stdout == "" and done.stderr.rstrip().splitlines()[-1].startswith("RuntimeError: The size of tensor a")


def test_lower_floors_do_not_load_it():
    source = "import sys, json, autograd_lab; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert [name for name in json.loads(done.stdout) if name.startswith("autograd_lab.view")] == []


# Short tracebacks ----------------------------------------------------------------------------------


class Shell:
    """As much of IPython's shell as the handler of exceptions needs."""

    def __init__(self, handled=()):
        self.custom_exceptions, self.handler, self.shown = handled, None, []

    def set_custom_exc(self, kinds, handler):
        self.custom_exceptions, self.handler = kinds, handler

    def showtraceback(self, exc_tuple, tb_offset=None):
        self.shown.append(exc_tuple)


def test_a_traceback_shows_the_learners_lines_and_the_place_that_raised():
    def learner(x):
        return x.backward()

    shell = Shell()
    short_traceback.install(shell)
    with pytest.raises(RuntimeError) as caught:
        learner(autograd_lab.ones(2))
    shell.handler(shell, caught.type, caught.value, caught.tb)
    (_, error, short), names = shell.shown[0], []
    while short is not None:
        names.append(short.tb_frame.f_code.co_name)
        short = short.tb_next
    assert names[-2:] == ["learner", "seed"] and error is caught.value
    assert len([name for name in names if name in ("backward", "run_backward")]) == 0


def test_an_error_of_the_learners_own_is_shown_whole_and_other_handlers_stay():
    shell, taken = Shell(), Shell((KeyError,))
    short_traceback.install(shell)
    short_traceback.install(taken)
    assert taken.handler is None
    with pytest.raises(ZeroDivisionError) as caught:
        print(1 / int("0"))
    shell.handler(shell, caught.type, caught.value, caught.tb)
    assert shell.shown[0][2].tb_frame is caught.tb.tb_frame
