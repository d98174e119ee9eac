"""`second_graph`: the recorded backward is drawn, walked, and can be differentiated again."""

import gc
import weakref

import pytest

import autograd_lab
from autograd_lab import step_through
from autograd_lab.widgets.second_graph import second_graph

torch = pytest.importorskip("torch")
both_libraries = pytest.mark.parametrize("lib", [autograd_lab, torch], ids=["ours", "PyTorch's"])


@both_libraries
def test_each_derivative_is_that_of_the_power_rule(lib):
    x = lib.tensor(2.0, requires_grad=True)
    y = x**4
    graph = second_graph(y, x)
    seen = [graph.gradient.item(), graph.second]
    for _ in range(2):
        graph = graph.again()
        seen.append(graph.second)
    assert seen == [32.0, 48.0, 48.0, 24.0]
    assert graph.order == 4
    assert x.grad is None
    y.backward()
    assert x.grad.item() == 32.0


@both_libraries
def test_the_text_says_what_the_drawing_shows(lib):
    x = lib.tensor(2.0, requires_grad=True)
    y = x**3
    graph = second_graph(y, x)
    lines = graph.text().splitlines()
    assert lines[0] == "y = 8"
    assert lines[1].startswith("first derivative: x_grad = 12, recorded as ")
    assert lines[2] == "second derivative: 12"
    assert "dy/dy = 1, recorded (create_graph=True)" in graph.text()
    assert any(cluster.kind == "order" for cluster in graph.walk.drawing.picture.clusters)
    names = {node.name for node in graph.walk.drawing.picture.nodes}
    assert {"x", "y", "x_grad"} <= names


def test_a_prediction_hides_the_derivatives():
    x = autograd_lab.tensor(2.0, requires_grad=True)
    graph = second_graph(x**3, x, predict="all")
    assert "second derivative: ?" in graph.text() and "12" not in graph.text()
    with pytest.raises(ValueError, match="predict must be one of"):
        second_graph(x**3, x, predict="some")


@both_libraries
def test_a_vector_is_differentiated_through_the_sum_of_its_gradient(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    graph = second_graph((x**3).sum(), x)
    assert graph.second == [6.0, 12.0]
    assert graph.gradient.item() == 15.0


@both_libraries
def test_errors_are_pytorchs(lib):
    x, other = (lib.tensor(2.0, requires_grad=True) for _ in "xy")
    with pytest.raises(RuntimeError, match="appears to not have been used in the graph"):
        second_graph(x**2, other)
    with pytest.raises(RuntimeError, match="does not require grad and does not have a grad_fn"):
        second_graph(x * 3, x)
    with pytest.raises(RuntimeError, match="only for scalar outputs"):
        second_graph(lib.ones(2, requires_grad=True) * 2, x)


def test_a_cell_holds_what_a_walk_holds(monkeypatch):
    monkeypatch.setenv("AUTOGRAD_LAB_OUTPUT", "stored")
    x = autograd_lab.tensor(2.0, requires_grad=True)
    bundle = second_graph(x**3, x)._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert "create_graph=True" in bundle["text/plain"]


def test_the_walk_of_the_second_order_keeps_no_graph_alive():
    def made_and_left():
        x = autograd_lab.tensor(2.0, requires_grad=True)
        y = x**3
        return step_through(y, order=2), weakref.ref(y.grad_fn)

    walk, node = made_and_left()
    gc.collect()
    assert node() is None and walk.text()
