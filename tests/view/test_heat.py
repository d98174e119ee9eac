"""Heat: the norms are those of the gradients, found independently; what is alarming is said in words."""

from __future__ import annotations

import math

import numpy as np
import pytest

import autograd_lab
from autograd_lab.view.drawing import drawing_of
from autograd_lab.view.heat import EXPLODING, KEPT_ONLY, ONES, VANISHING, heated
from autograd_lab.view.names import Names
from autograd_lab.view.picture import read_graph


@pytest.fixture(params=["autograd_lab", "torch"])
def torch(request):
    return autograd_lab if request.param == "autograd_lab" else pytest.importorskip("torch")


def warm(outputs, heat=True, **names):
    return heated(read_graph(outputs, Names(names.items())), outputs, heat)


def named(picture, name):
    return next(node for node in picture.nodes if node.name == name)


def test_norms_are_those_of_the_gradients(torch):
    x = torch.tensor([[1.0, 2.0], [3.0, -1.0]], requires_grad=True)
    w = torch.tensor([[0.5], [2.0]], requires_grad=True)
    h = torch.tanh(x @ w)
    loss = (h * h).sum()
    picture = warm(loss, x=x, w=w, h=h)
    assert x.grad is None and w.grad is None  # looking leaves no trace
    t = np.tanh(np.array([[1.0, 2.0], [3.0, -1.0]]) @ np.array([[0.5], [2.0]]))
    at_h = 2 * t
    at_product = at_h * (1 - t * t)
    expected = {
        "h": at_h,
        "x": at_product @ np.array([[0.5, 2.0]]),
        "w": np.array([[1.0, 2.0], [3.0, -1.0]]).T @ at_product,
    }
    for name, gradient in expected.items():
        assert named(picture, name).heat == pytest.approx(np.linalg.norm(gradient), rel=1e-5)


def test_the_norm_at_an_edge_is_what_flows_along_it(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = torch.tensor(4.0, requires_grad=True)
    picture = warm(x * y, x=x, y=y)
    flows = {picture.by_key[e.source].name: e.heat for e in picture.edges if picture.by_key[e.target].kind == "op"}
    assert flows == {"x": 4.0, "y": 3.0}


def test_contributions_of_two_uses_are_summed_at_the_leaf_only(torch):
    x = torch.tensor(3.0, requires_grad=True)
    picture = warm(x * x, x=x)
    assert named(picture, "x").heat == 6.0
    assert [e.heat for e in picture.edges if picture.by_key[e.source].name == "x"] == [3.0, 3.0]


@pytest.mark.parametrize(
    ("factor", "words"),
    [
        (1e-9, ("norm 1e-09", "vanishing < 1e-7")),
        (0.0, ("norm 0", "vanishing < 1e-7")),
        (1e4, ("norm 1e+04", "exploding > 1e3")),
        (math.inf, ("norm inf", "exploding > 1e3")),
        (math.nan, ("norm nan", "NaN")),
        (2.0, ("norm 2",)),
        (999.0, ("norm 999",)),
        (2e-7, ("norm 2e-07",)),
    ],
)
def test_words(torch, factor, words):
    x = torch.tensor(1.0, requires_grad=True)
    assert named(warm(x * factor, x=x), "x").tags[-len(words) :] == words


def test_the_thresholds_are_those_of_the_words():
    assert (VANISHING, EXPLODING) == (1e-7, 1e3)


def test_a_deep_chain_of_sigmoids_vanishes(torch):
    x = torch.tensor(0.5, requires_grad=True)
    y = x
    for _ in range(20):
        y = torch.sigmoid(y)
    picture = warm(y, x=x)
    heats = [node.heat for node in picture.nodes if node.kind == "op"]
    assert heats == sorted(heats) and heats[-1] == 1.0
    assert "vanishing < 1e-7" in named(picture, "x").tags


def test_a_freed_graph_shows_what_was_kept(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    y.backward()
    picture = warm(y, x=x)
    assert named(picture, "x").heat == 6.0 and KEPT_ONLY in picture.notes
    assert all(node.heat is None for node in picture.nodes if node.kind == "op")


def test_several_elements_and_several_results(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    picture = warm(x * 3, x=x)
    assert named(picture, "x").heat == pytest.approx(math.hypot(3, 3)) and ONES in picture.notes
    a, b = x.sum(), (x * 2).sum()
    picture = heated(read_graph((a, b), Names([("x", x)])), (a, b), "grad")
    assert named(picture, "x").heat == pytest.approx(math.hypot(3, 3))


def test_both_libraries_agree():
    torch = pytest.importorskip("torch")

    def made(library):
        x = library.tensor([1.0, -2.0, 3.0], requires_grad=True)
        h = library.relu(x * 2)
        return warm((h * x).mean(), x=x, h=h)

    assert made(torch) == made(autograd_lab)


def test_folded_operations_show_their_range():
    x = autograd_lab.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(100):
        y = y * 2
    picture = heated(read_graph(y, Names([("x", x)]), max_nodes=10), y)
    (fold,) = (node for node in picture.nodes if node.kind not in ("op", "leaf", "accumulate", "result", "number"))
    assert any(tag.startswith("norms ") and " to " in tag for tag in fold.tags)
    assert "exploding > 1e3" in fold.tags


@pytest.mark.parametrize("heat", ["norm", "yes", 3.5, (1,)])
def test_an_unknown_heat_is_told_what_there_is(heat):
    x = autograd_lab.tensor(1.0, requires_grad=True)
    with pytest.raises(ValueError, match=r'Use heat="grad"'):
        warm(x * 2, heat)


def test_empty_and_complex_tensors():
    x = autograd_lab.ones(0, requires_grad=True)
    assert named(warm(x.sum(), x=x), "x").heat == 0.0
    z = autograd_lab.tensor([1 + 1j], requires_grad=True)
    assert named(warm((z * z.conj()).real.sum(), z=z), "z").heat == pytest.approx(2 * math.sqrt(2))


def test_the_drawing_says_it_in_text():
    x = autograd_lab.tensor(1.0, requires_grad=True)
    drawing = drawing_of(warm(x * 1e-9, x=x))
    assert "vanishing &lt; 1e-7" in drawing.svg and "norm 1e-09" in drawing.svg
