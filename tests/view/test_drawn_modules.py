"""A module that is called has frames around its parts; a part can be one box."""

from __future__ import annotations

import pytest

import autograd_lab
from autograd_lab import draw_graph
from autograd_lab.recorder import watchers

from .test_draw import parsed


@pytest.fixture(autouse=True)
def no_background_recorder():
    """Nothing is recorded unless a test says so."""
    before = watchers[:]
    watchers.clear()
    yield
    watchers[:] = before


class Block(autograd_lab.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = autograd_lab.nn.Linear(2, 2)
        self.act = autograd_lab.nn.Tanh()

    def forward(self, x):
        return self.act(self.fc(x)) + x


class Net(autograd_lab.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()
        self.head = autograd_lab.nn.Linear(2, 1)

    def forward(self, x):
        return self.head(self.block(x)).sum()


def net_drawing(**options):
    return draw_graph(Net(), autograd_lab.ones(1, 2), **options)


def by_kind(drawing, kind):
    return [node for node in drawing.picture.nodes if node.kind == kind]


def test_a_module_call_has_nested_frames_under_attribute_names():
    drawing = net_drawing()
    titles = {cluster.key: (cluster.title, cluster.parent) for cluster in drawing.picture.clusters}
    assert titles == {
        "m0": ("Net", ""),
        "m1": ("block : Block", "m0"),
        "m2": ("fc : Linear", "m1"),
        "m3": ("act : Tanh", "m1"),
        "m4": ("head : Linear", "m0"),
    }
    inside = {node.title: node.cluster for node in by_kind(drawing, "op")}
    assert inside["TanhBackward0"] == "m3"
    assert inside["SumBackward0"] == "m0"
    assert {n.name: n.cluster for n in by_kind(drawing, "param")} == {
        "block.fc.weight": "m2",
        "block.fc.bias": "m2",
        "head.weight": "m4",
        "head.bias": "m4",
    }
    assert [node.name for node in drawing.picture.nodes if node.key in drawing.picture.roots] == ["output"]


def test_a_shared_module_has_a_frame_for_each_call():
    class Twice(autograd_lab.nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = autograd_lab.nn.Linear(2, 2)

        def forward(self, x):
            return self.fc(self.fc(x))

    drawing = draw_graph(Twice(), autograd_lab.ones(1, 2))
    assert [c.title for c in drawing.picture.clusters] == ["Twice", "fc : Linear", "fc : Linear (call 2)"]
    weight = next(n for n in by_kind(drawing, "param") if n.name == "fc.weight")
    assert weight.cluster == "m0"  # both calls use it, so it stands around both


def test_the_model_is_left_without_hooks_and_an_error_of_its_forward_arrives():
    net = Net()
    with pytest.raises(RuntimeError):
        draw_graph(net, autograd_lab.ones(1, 3))
    called = []
    net.block.register_forward_hook(lambda *args: called.append(1))
    net(autograd_lab.ones(1, 2))
    assert called == [1]
    assert not net.head._before and not net.head._after


def test_pytorch_modules_have_the_same_frames_and_boxes():
    torch = pytest.importorskip("torch")
    pictures = []
    for library in (autograd_lab, torch):
        nn = library.nn
        net = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
        for number, parameter in enumerate(net.parameters()):
            with library.no_grad():
                parameter.fill_(0.1 * (number + 1))
        pictures.append(draw_graph(net, library.ones(1, 2)).picture)
    ours, theirs = pictures
    assert ours.clusters == theirs.clusters
    kinds = ("op", "param")  # how many results are known differs: our recorder hears of what F.linear does inside
    assert [(n.kind, n.name, n.title, n.cluster) for n in ours.nodes if n.kind in kinds] == [
        (n.kind, n.name, n.title, n.cluster) for n in theirs.nodes if n.kind in kinds
    ]
    assert [n.value for n in theirs.nodes if n.title == "" and n.kind == "result"][-1] is not None


def test_a_model_that_returns_several_things():
    class Two(autograd_lab.nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = autograd_lab.nn.Linear(2, 2)

        def forward(self, x):
            y = self.fc(x)
            return {"y": y, "more": (y * 2, 3, y.detach())}

    drawing = draw_graph(Two(), autograd_lab.ones(1, 2))
    assert [drawing.picture.by_key[key].name for key in drawing.picture.roots] == ["outputs[0]", "outputs[1]"]


def test_a_model_without_a_graph_is_told():
    with pytest.raises(ValueError, match="What Tanh returned has no graph"):
        draw_graph(autograd_lab.nn.Tanh(), autograd_lab.ones(2))
    x = autograd_lab.tensor(1.0, requires_grad=True)
    with pytest.raises(TypeError, match=r"only after a module: draw_graph\(model, x\)"):
        draw_graph(x * 2, x)


def test_modules_false_draws_no_frames():
    drawing = net_drawing(modules=False)
    assert drawing.picture.clusters == ()
    assert len(by_kind(drawing, "op")) == 7


@pytest.mark.parametrize(("options", "folds", "operations"), [
    ({"max_depth": 1}, ["block : Block", "head : Linear"], 1),
    ({"max_depth": 2}, ["fc : Linear", "act : Tanh"], 4),
    ({"collapse": ("block",)}, ["block : Block"], 3),
    ({"collapse": "Linear"}, ["fc : Linear", "head : Linear"], 3),
])  # fmt: skip
def test_collapsed_modules_are_one_box_each(options, folds, operations):
    drawing = net_drawing(**options)
    assert [node.name for node in by_kind(drawing, "fold")] == folds
    assert len(by_kind(drawing, "op")) == operations
    assert any(note.startswith("Modules are collapsed: ") for note in drawing.picture.notes)
    parsed(drawing)


def test_a_big_model_is_collapsed_by_itself_and_says_so():
    net = autograd_lab.nn.Sequential(*(Block() for _ in range(40)))
    drawing = draw_graph(net, autograd_lab.ones(1, 2), max_nodes=50)
    assert len(by_kind(drawing, "fold")) == 40
    assert drawing.picture.notes[0] == (
        "Modules are collapsed: 160 of 160 operations are in 40 boxes. "
        "draw_graph(..., max_depth=2, max_nodes=160) opens them."
    )
