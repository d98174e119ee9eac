"""step_through: its errors, what a cell holds, and the table."""

import gc
import re
import subprocess
import sys
import weakref
from base64 import b64decode
from xml.etree import ElementTree

import pytest

import autograd_lab
from autograd_lab import recorder, step_through
from autograd_lab.view.tape import record


def leaf(value=2.0):
    return autograd_lab.tensor(value, requires_grad=True)


def walk(predict="none"):
    x = leaf()
    with record():
        y = x * 3
        loss = y**2
    return step_through(loss, predict=predict)


@pytest.mark.parametrize(("thing", "word"), [(3.0, "float"), (None, "NoneType"), ("loss", "str"), ([1], "list")])
def test_what_is_no_tensor_is_a_sentence(thing, word):
    with pytest.raises(TypeError) as caught:
        step_through(thing)
    assert str(caught.value) == (
        f"step_through() walks the graph of a tensor, of autograd_lab or of PyTorch; it got {word}. "
        "Pass the result of a computation on tensors, for example the loss."
    )


def test_an_untracked_tensor_gets_pytorchs_text_and_a_note():
    torch = pytest.importorskip("torch")
    with pytest.raises(RuntimeError) as theirs:
        torch.tensor(1.0).backward()
    with pytest.raises(RuntimeError) as ours:
        step_through(autograd_lab.tensor(1.0))
    assert str(ours.value) == str(theirs.value)
    assert "requires_grad=True" in ours.value.__notes__[0]


def test_a_result_with_a_shape_gets_pytorchs_text_and_a_note():
    torch = pytest.importorskip("torch")
    with pytest.raises(RuntimeError) as theirs:
        (torch.ones(3, requires_grad=True) * 2).backward()
    with pytest.raises(RuntimeError) as ours:
        step_through(autograd_lab.ones(3, requires_grad=True) * 2)
    assert str(ours.value) == str(theirs.value)
    assert "shape (3,)" in ours.value.__notes__[0]
    assert ".sum()" in ours.value.__notes__[0]


def test_a_freed_graph_gets_pytorchs_text_and_says_what_to_do():
    torch = pytest.importorskip("torch")
    loss = torch.tensor(2.0, requires_grad=True) ** 2
    loss.backward()
    with pytest.raises(RuntimeError) as theirs:
        loss.backward()
    loss = leaf() ** 2
    loss.backward()
    with pytest.raises(RuntimeError) as ours:
        step_through(loss)
    assert str(ours.value) == str(theirs.value)
    assert "retain_graph=True" in ours.value.__notes__[-1]
    assert "before loss.backward()" in ours.value.__notes__[-1]


def test_a_kept_graph_can_be_walked_after_backward():
    x = leaf()
    loss = x**2
    loss.backward(retain_graph=True)
    assert step_through(loss).frames[-1]["told"] == ["x.grad = 4 + 4 = 8"]
    assert x.grad.item() == 4.0


def test_a_saved_value_that_was_overwritten_is_the_last_frame_with_pytorchs_error():
    x = leaf()
    y = x * 2
    z = y**2
    y.add_(1)
    walk = step_through(z)
    with pytest.raises(RuntimeError) as caught:
        z.backward()
    last = walk.frames[-1]
    assert (last["kind"], last["node"]) == ("error", "PowBackward0")
    assert (last["error"]["type"], last["error"]["text"]) == ("RuntimeError", str(caught.value))
    assert last["error"]["notes"] == caught.value.__notes__
    assert set(last["mark"].values()) >= {"is-error"}
    assert x.grad is None
    assert "saved v0, now v1" in walk.frames[2]["saved"][0]["text"]


def test_an_unknown_predict_lists_the_choices():
    with pytest.raises(ValueError) as caught:
        step_through(leaf() * 2, predict="values")
    assert str(caught.value) == """predict must be one of "none", "gradients", "all", got 'values'."""


def test_names_are_the_callers():
    speed = leaf()
    energy = speed * 3
    assert str(step_through(energy)).startswith("steps of energy: 1 forward, 2 backward\n")


def test_the_table_has_a_line_for_each_step():
    lines = walk().text().splitlines()
    assert lines[0] == "steps of loss: 2 forward, 3 backward"
    assert lines[-1].split("  ")[0] == "6"
    assert lines[-1].endswith("x.grad = 36")


def test_what_was_not_recorded_is_said():
    watchers = list(recorder.watchers)
    recorder.watchers.clear()  # also the one that a notebook has
    x = leaf()
    text = step_through((x * 3 + 1) ** 2).text()
    recorder.watchers[:] = watchers
    assert "not recorded" in text
    assert text.endswith("compute inside `with record():` to see them.")


def test_live_output_is_the_widget_and_the_table(monkeypatch):
    pytest.importorskip("anywidget")
    monkeypatch.delenv("AUTOGRAD_LAB_OUTPUT", raising=False)
    made = walk()
    data, _ = made._repr_mimebundle_()
    assert set(data) == {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"}
    assert data["text/plain"] == made.text()
    assert data["text/html"].startswith("<img ")  # what is left when the page is saved and reopened
    assert made.text().splitlines()[0] in data["text/html"]
    widget = made.widget
    assert widget.frames == made.frames
    assert widget.prefix in widget.svg
    assert widget.label == "Step through loss"


def test_stored_output_is_an_image_of_the_last_frame_and_the_table(monkeypatch):
    monkeypatch.setenv("AUTOGRAD_LAB_OUTPUT", "stored")
    made = walk()
    bundle = made._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert bundle["text/plain"] == made.text()
    data = re.match(r'<img src="data:image/svg\+xml;base64,([^"]+)" alt="([^"]+)">', bundle["text/html"])
    svg = b64decode(data[1]).decode()
    texts = [part.text for part in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert "36" in texts  # x.grad, which is None on the learner's own tensor
    assert "6 steps" in data[2]
    assert made.last_svg() == svg
    assert "widget" not in made.__dict__, "no widget is made for a stored output"


def test_stored_output_of_a_prediction_gives_nothing_away(monkeypatch):
    monkeypatch.setenv("AUTOGRAD_LAB_OUTPUT", "stored")
    bundle = walk(predict="all")._repr_mimebundle_()
    svg = b64decode(re.search(r"base64,([^\"]+)", bundle["text/html"])[1]).decode()
    for text in (svg, bundle["text/plain"]):
        assert "36" not in re.findall(r"(?<![\w.#-])\d+(?![\w.-])", re.sub(r"<style>.*?</style>|=\"[^\"]*\"", "", text))
    assert "x.grad = ?" in bundle["text/plain"]


def test_stored_output_is_the_same_each_time(monkeypatch):
    monkeypatch.setenv("AUTOGRAD_LAB_OUTPUT", "stored")
    assert walk()._repr_mimebundle_() == walk()._repr_mimebundle_()


def test_without_anywidget_a_cell_shows_drawing_table_and_what_to_install(monkeypatch):
    monkeypatch.delenv("AUTOGRAD_LAB_OUTPUT", raising=False)
    monkeypatch.delitem(sys.modules, "autograd_lab.view.widget", raising=False)
    monkeypatch.setitem(sys.modules, "anywidget", None)
    made = walk()
    bundle = made._repr_mimebundle_()
    assert "<svg" in bundle["text/html"]
    assert 'pip install "autograd-lab[lab]"' in bundle["text/html"].replace("&quot;", '"')
    with pytest.raises(ImportError) as caught:
        made.widget  # noqa: B018
    assert str(caught.value) == 'Stepping in the browser needs anywidget: pip install "autograd-lab[lab]"'


def test_a_walk_keeps_no_graph_alive():
    def made_and_left():
        loss = leaf() * 3
        return step_through(loss), weakref.ref(loss.grad_fn)

    made, node = made_and_left()
    gc.collect()
    assert node() is None
    assert made.text()


def test_an_order_beyond_two_is_refused():
    with pytest.raises(ValueError, match="order must be 1"):
        step_through(leaf() * 2, order=3)


def test_importing_the_package_loads_no_widget():
    code = "import sys, autograd_lab; print(sorted({'anywidget', 'ipywidgets', 'graphviz'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_several_hundred_nodes_are_walked():
    y = x = leaf(1.0)
    with record():
        for _ in range(350):
            y = y * x
    made = step_through(y)
    assert len(made.frames) == 1 + 350 + 1 + 351
    assert made.drawing.svg
    assert made.frames[-1]["say"].endswith("x.grad is now 351.")
