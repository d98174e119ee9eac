"""Pictures: what they say of a graph, for our tensors and for PyTorch's, and what they leave unsaid."""

from __future__ import annotations

import pytest

import autograd_lab
from autograd_lab.recorder import watchers
from autograd_lab.view.names import Names, caller_names
from autograd_lab.view.picture import read_graph
from autograd_lab.view.recording import record


@pytest.fixture(autouse=True)
def no_background_recorder():
    """Nothing is recorded unless a test says so: a test runner that loads ipykernel looks like a notebook."""
    before = watchers[:]
    watchers.clear()
    yield
    watchers[:] = before


def pictured(make, library, names=True):
    """The picture of a program written once for both libraries; `make` returns (outputs, variables)."""
    outputs, variables = make(library)
    found = Names((name, tensor) for name, tensor in variables.items()) if names else Names()
    return read_graph(outputs, found)


def square_of_line(torch):
    x = torch.tensor(2.0, requires_grad=True)
    loss = (x * 3 + 4) ** 2
    return loss, {"x": x, "loss": loss}


def diamond(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x + x
    y.backward(retain_graph=True)
    return y, {"x": x, "y": y}


def broadcast_matmul(torch):
    w = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], requires_grad=True)
    x = torch.tensor([1.0, 2.0])
    b = torch.tensor(0.5, requires_grad=True)
    y = w @ x + b
    return y.mean(), {"w": w, "x": x, "b": b, "y": y}


def dead_relu(torch):
    x = torch.tensor([-1.0, -2.0], requires_grad=True)
    h = torch.relu(x)
    return h.sum(), {"x": x, "h": h}


def in_place(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    y.add_(1)
    return (y * y).sum(), {"x": x, "y": y}


def small_mlp(torch):
    X = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
    W1 = torch.tensor([[0.1, 0.2], [0.4, 0.5]], requires_grad=True)
    b1 = torch.tensor([0.0, 0.1], requires_grad=True)
    W2 = torch.tensor([[0.1], [0.2]], requires_grad=True)
    h = torch.tanh(X @ W1 + b1)
    out = h @ W2
    return (out**2).mean(), {"X": X, "W1": W1, "b1": b1, "W2": W2, "h": h, "out": out}


def several_outputs(torch):
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, double, triple):
            return double * 2 + triple * 3

    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    a, b = Twice.apply(x)
    return (a * b, b.exp()), {"x": x, "a": a, "b": b}


def freed(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = (x * x).exp()
    y.backward()
    return y, {"x": x, "y": y}


def retained(torch):
    x = torch.tensor(2.0, requires_grad=True)
    h = x * 3
    h.retain_grad()
    y = h * h
    y.backward(retain_graph=True)
    return y, {"x": x, "h": h, "y": y}


def numbers_of_many_kinds(torch):
    x = torch.tensor([float("nan"), float("inf"), 1e-9], requires_grad=True)
    e = torch.zeros(0, requires_grad=True)
    i = torch.tensor([1, 2])
    d = torch.tensor([0.5, 1.5], dtype=torch.float64, requires_grad=True)
    return (x.exp() * 1, e * 2, d * i), {"x": x, "e": e, "i": i, "d": d}


PROGRAMS = [
    square_of_line,
    diamond,
    broadcast_matmul,
    dead_relu,
    in_place,
    small_mlp,
    several_outputs,
    freed,
    retained,
    numbers_of_many_kinds,
]


@pytest.mark.parametrize("make", PROGRAMS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("names", [True, False], ids=["named", "nameless"])
def test_a_program_has_the_same_picture_under_pytorch(make, names):
    torch = pytest.importorskip("torch")
    assert pictured(make, autograd_lab, names) == pictured(make, torch, names)


def kinds(picture):
    return [node.kind for node in picture.nodes]


def node_named(picture, name):
    return next(node for node in picture.nodes if node.name == name)


def test_boxes_come_in_the_order_of_the_formula():
    picture = pictured(square_of_line, autograd_lab)
    assert [(n.key, n.kind, n.name or n.symbol) for n in picture.nodes] == [
        ("n0", "leaf", "x"),
        ("n1", "accumulate", "+="),
        ("n2", "number", ""),
        ("n3", "op", "×"),
        ("n4", "number", ""),
        ("n5", "op", "+"),
        ("n6", "result", "t2"),
        ("n7", "number", ""),
        ("n8", "op", "**"),
        ("n9", "result", "loss"),
    ]
    assert picture.roots == ("n9",)


def test_each_use_is_an_edge():
    picture = pictured(diamond, autograd_lab)
    leaf = node_named(picture, "x").key
    assert [(e.target, e.number) for e in picture.edges if e.source == leaf] == [
        ("n2", 0),
        ("n2", 1),
        ("n3", 1),
    ]


def test_leaf_has_its_gradient_and_results_do_not_keep_theirs():
    picture = pictured(diamond, autograd_lab)
    assert node_named(picture, "x").grad == "7"  # d(x*x + x)/dx = 2x + 1 at 3
    assert node_named(picture, "y").grad == "not kept"
    assert node_named(pictured(retained, autograd_lab), "h").grad == "12"  # d(h*h)/dh = 2h at 6


def test_local_derivatives_are_those_of_mathematics():
    picture = pictured(square_of_line, autograd_lab)
    slopes = [edge.local for edge in picture.edges if edge.backward and edge.local]
    assert slopes == ["3", "1", "20"]  # of x*3, t+4, and t**2 at t=10


def test_recorder_knows_constants_and_values_in_between():
    with record():
        loss, _ = square_of_line(autograd_lab)
    picture = read_graph(loss)
    assert [n.value for n in picture.nodes if n.kind == "number"] == ["3", "4", "2"]
    assert [n.value for n in picture.nodes if n.kind == "result"] == ["6", "10", "100"]
    assert picture.notes == ()


def test_what_nobody_recorded_is_said_not_guessed():
    picture = pictured(square_of_line, autograd_lab, names=False)
    added = next(e for e in picture.edges if e.argument == "other" and picture.by_key[e.target].name == "+")
    assert picture.by_key[added.source].value is None
    assert picture.notes == ("1 result and 1 constant not recorded.",)


def test_a_tensor_without_gradient_is_one_frozen_box():
    x = autograd_lab.tensor([1.0, 2.0])
    w = autograd_lab.tensor([3.0, 4.0], requires_grad=True)
    loss = (w * x).sum() + (w * x).sum()
    picture = read_graph(loss, Names([("x", x)]))
    frozen = [n for n in picture.nodes if n.kind == "frozen"]
    assert [(n.name, n.value, n.tags) for n in frozen] == [("x", "[1, 2]", ("no grad",))]


def test_freed_graph_is_marked():
    picture = pictured(freed, autograd_lab)
    assert [n.tags for n in picture.nodes if n.kind == "op"] == [("freed",), ("freed",)]


def test_overwritten_value_is_marked():
    x = autograd_lab.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    z = y * y
    y.add_(1)
    picture = read_graph(z)
    assert [n.tags for n in picture.nodes if n.kind == "op"] == [(), ("overwritten",)]


def test_settings_of_an_op_are_told():
    x = autograd_lab.tensor([[1.0, 2.0]], requires_grad=True)
    with record():
        y = x.sum(dim=1)
    assert node_named(read_graph(y), "sum").tags == ("dim=1",)


def test_key_of_finds_nodes_leaves_and_results():
    loss, variables = square_of_line(autograd_lab)
    picture = read_graph(loss, Names(iter(variables.items())))
    x = variables["x"]
    mul = loss.grad_fn.next_functions[0][0].next_functions[0][0]
    accumulate = mul.next_functions[0][0]
    assert picture.key_of(x) == "n0"
    assert picture.key_of(accumulate) == picture.accumulate_key("n0") == "n1"
    assert picture.key_of(mul) == "n3"
    assert picture.key_of(loss) == "n9"
    assert picture.key_of(loss.grad_fn) == "n8"
    assert picture.edge_into("n3", 0).forward_id == "e0-3-0"
    assert picture.edge_into("n3", 0).backward_id == "e3-0-0"
    assert picture.edge_out("n8").target == "n9"
    assert picture.key_of(autograd_lab.tensor(1.0)) is None
    assert picture.without_places().key_of(x) is None


def test_names_come_from_variables_lists_and_modules():
    class Model:
        def __init__(self):
            self.weight = autograd_lab.tensor(1.0, requires_grad=True)

        def named_parameters(self):
            yield "weight", self.weight

    def inside():
        x = autograd_lab.tensor(1.0, requires_grad=True)
        params = [x, autograd_lab.tensor(2.0, requires_grad=True)]
        model = Model()
        loss = x * params[1] * model.weight
        import sys

        return read_graph(loss, Names(caller_names(sys._getframe())))

    picture = inside()
    assert [n.name for n in picture.nodes if n.kind == "leaf"] == ["x", "params[1]", "model.weight"]


def test_symbols_leave_out_names_in_use():
    t1 = autograd_lab.tensor(1.0, requires_grad=True)
    with record():
        y = t1 * 2 + 1
    picture = read_graph(y, Names([("t1", t1)]))
    assert [n.symbol for n in picture.nodes if n.kind == "result"] == ["t2", "t3"]


def test_big_graph_is_folded_and_says_so():
    x = y = autograd_lab.tensor(1.0, requires_grad=True)
    for _ in range(5000):
        y = y * 1.0
    picture = read_graph(y)
    assert sum(n.kind == "op" for n in picture.nodes) == 3  # the first, and the first and last of the equal ones
    assert picture.notes[0] == (
        "Repeated steps are folded: 4,997 of 5,000 operations are in one box. "
        "draw_graph(..., roll=False, max_nodes=5000) draws each of them."
    )
    fold = next(n for n in picture.nodes if n.kind == "fold")
    assert fold.name == "4,997 × [×]"
    middle = y.grad_fn
    for _ in range(100):
        middle = middle.next_functions[0][0]
    assert picture.key_of(middle) == fold.key
    assert picture.key_of(x) == "n0"


def test_far_uses_of_one_leaf_become_references():
    w = autograd_lab.tensor(1.0, requires_grad=True)
    y = w * 1.0
    for _ in range(50):
        y = y * w
    picture = read_graph(y, Names([("w", w)]))
    leaf = node_named(picture, "w")
    chips = [n for n in picture.nodes if n.kind == "ref"]
    assert len(chips) == 50
    assert {(n.name, n.of) for n in chips} == {("w", leaf.key)}
    assert kinds(picture).count("leaf") == 1


def test_large_tensor_is_summarised():
    x = autograd_lab.ones(1000, 1000).requires_grad_()
    picture = read_graph(x * 2, Names([("x", x)]))
    assert node_named(picture, "x").value == "all 1"
    assert node_named(picture, "x").shape == (1000, 1000)
