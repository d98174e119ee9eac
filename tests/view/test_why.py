"""`why(t)`: each reason for a `.grad` of None, for our tensors and PyTorch's, is the one named, with its place."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import autograd_lab
from autograd_lab.recorder import watchers
from autograd_lab.view import reaches, record, why
from autograd_lab.view.answer import KINDS
from autograd_lab.view.names import Names
from autograd_lab.view.picture import read_graph
from autograd_lab.view.reason import explained
from autograd_lab.view.recording import record_in_background


@pytest.fixture(autouse=True)
def no_background_recorder():
    before = watchers[:]
    watchers.clear()
    yield
    watchers[:] = before


@pytest.fixture(params=["autograd_lab", "torch"])
def torch(request):
    return autograd_lab if request.param == "autograd_lab" else pytest.importorskip("torch")


def leaf(torch, *numbers):
    return torch.tensor(list(numbers), requires_grad=True)


def test_a_gradient_that_is_there(torch):
    x = leaf(torch, 1.0, 2.0)
    (x * x).sum().backward()
    answer = why(x)
    assert answer.kind == "has grad"
    assert "read before backward()" in str(answer)


def test_not_a_leaf_and_not_retained(torch):
    x = leaf(torch, 1.0)
    h = x * 2
    answer = why(h)
    assert answer.kind == "not a leaf"
    assert answer.place.startswith("MulBackward0")
    assert "h.retain_grad()" in answer.advice


def test_the_advice_for_a_non_leaf_works(torch):
    x = leaf(torch, 1.0)
    h = x * 2
    h.retain_grad()
    (h * 3).sum().backward()
    assert why(h).kind == "has grad" and h.grad.tolist() == [3.0]


def test_the_line_of_a_non_leaf_is_named_when_recorded_and_not_guessed_otherwise():
    x = leaf(autograd_lab, 1.0)
    with record():
        h = x * 2
    assert why(h).place == "MulBackward0, in the line `h = x * 2`"
    k = x * 3
    assert why(k).place == "MulBackward0; the line is not recorded"


def test_backward_not_called_yet(torch):
    x = leaf(torch, 1.0)
    loss = (x * x).sum()
    for answer in (why(x), why(x, loss)):
        assert answer.kind == "no backward"
        assert "backward() has not run on loss" in answer.says
    assert loss.grad_fn is not None and x.grad is None  # looking changed nothing
    loss.backward()
    assert x.grad.tolist() == [2.0]


def test_a_graph_that_saved_nothing_cannot_tell(torch):
    x = leaf(torch, 1.0)
    loss = x.sum()
    answer = why(x, loss)
    assert answer.kind == "no backward" and "or the gradient was cleared" in answer.says


def test_cleared(torch):
    x = leaf(torch, 1.0)
    loss = (x * x).sum()
    loss.backward()
    x.grad = None
    assert why(x, loss).kind == "cleared"
    assert "zero_grad()" in why(x).says


def test_a_gradient_taken_by_autograd_grad_is_named_as_a_possibility(torch):
    x = leaf(torch, 1.0)
    loss = (x * x).sum()
    torch.autograd.grad(loss, x)
    answer = why(x, loss)
    assert answer.kind == "cleared" and "autograd.grad()" in answer.says


def test_retained_too_late(torch):
    x = leaf(torch, 1.0)
    h = x * 2
    loss = (h * h).sum()
    loss.backward()
    h.retain_grad()
    assert why(h, loss).kind == "retained too late"


def test_not_reached_because_it_is_not_used(torch):
    x, other = leaf(torch, 1.0), leaf(torch, 2.0)
    loss = (x * x).sum()
    answer = why(other, loss)
    assert answer.kind == "not reached" and answer.place == "not recorded"
    assert "loss does not reach other" in answer.says


def test_not_reached_without_a_guess_but_with_a_recorder():
    x, other = leaf(autograd_lab, 1.0), leaf(autograd_lab, 2.0)
    with record():
        loss = (x * x).sum()
    assert why(other, loss).place == "no recorded operation leads from it to loss"


def test_not_reached_because_it_was_detached(torch):
    w, x = leaf(torch, 1.0, 2.0), leaf(torch, 2.0, 3.0)
    h = w * 2
    d = h.detach()
    loss = (d * x).sum()
    for answer in (why(w, loss), why(w)):
        assert answer.kind == "not reached"
        assert "cut at h.detach()" in answer.says
    assert why(x, loss).kind == "no backward"
    assert not d.requires_grad


def test_the_cut_is_the_first_op_that_lost_the_history():
    w, x = leaf(autograd_lab, 1.0), leaf(autograd_lab, 2.0)
    with record():
        with autograd_lab.no_grad():
            a = w * 3
            b = a + 1
        loss = (b * x).sum()
    answer = why(w, loss)
    assert answer.kind == "not reached"
    assert answer.place == "mul, in the line `a = w * 3`"
    assert why(b).kind == "no_grad" and "add then computed b" in why(b).says


def test_detached_itself(torch):
    x = leaf(torch, 1.0, 2.0)
    h = x * 2
    d = h.detach()
    answer = why(d)
    assert answer.kind == "detached" and "h.detach()" in answer.place


def test_made_under_no_grad():
    x = leaf(autograd_lab, 1.0)
    with record(), autograd_lab.no_grad():
        y = x * 3
    assert why(y).kind == "no_grad"
    assert why(y).place == "mul, in the line `y = x * 3`"
    with record(), autograd_lab.inference_mode():
        z = x * 4
    assert why(z).kind == "no_grad" and "inference_mode" in why(z).says


def test_a_view_made_under_no_grad():
    x = leaf(autograd_lab, 1.0, 2.0)
    y = x * 2
    with autograd_lab.no_grad():
        v = y[1:]
    assert why(v).kind == "no_grad" and "a view of y" in why(v).says


def test_what_was_not_recorded_is_not_guessed(torch):
    x = leaf(torch, 1.0)
    with torch.no_grad():
        y = x * 3
    answer = why(y)
    assert answer.kind == answer.place == "not recorded"


def test_frozen_parameter(torch):
    layer = torch.nn.Linear(1, 1)
    weight = layer.weight.requires_grad_(False)
    answer = why(weight)
    assert answer.kind == "frozen" and "weight.requires_grad_()" in answer.advice


def test_a_leaf_created_without_requires_grad_in_a_notebook():
    record_in_background()
    f = autograd_lab.tensor([1.0])
    assert why(f).kind == "frozen"


def test_integers_cannot_have_a_gradient(torch):
    i = torch.tensor([1, 2])
    assert why(i).kind == "untracked" and "int64" in why(i).says


def test_a_comparison_has_no_gradient(torch):
    x = leaf(torch, 1.0, 2.0)
    bigger = x > 1.5
    assert why(bigger).kind == "untracked" and "bool" in why(bigger).says


def test_a_leaf_that_nothing_uses(torch):
    x = leaf(torch, 1.0)
    assert why(x).kind == "no loss"


def test_an_untracked_loss(torch):
    x = leaf(torch, 1.0)
    loss = torch.tensor(3.0)
    assert "loss itself is not tracked" in why(x, loss).says


@pytest.mark.parametrize("bad", [3.0, None, "x", [1]])
def test_what_is_no_tensor_is_told_so(bad):
    with pytest.raises(TypeError, match=rf"why\(\) needs a tensor, got {type(bad).__name__}"):
        why(bad)
    with pytest.raises(TypeError, match="needs the loss as a tensor"):
        why(autograd_lab.tensor(1.0), "loss")


def test_a_notebook_shows_the_sentence_and_the_part_of_the_graph(torch):
    x = leaf(torch, 1.0)
    h = x * 2
    answer = why(h)
    bundle = answer._repr_mimebundle_()
    assert bundle["text/plain"] == str(answer) == repr(answer)
    asked = [node for node in answer.drawing.picture.nodes if node.why]
    assert [node.name for node in asked] == ["h"]
    svg = bundle["text/html"][bundle["text/html"].index("<svg") : bundle["text/html"].index("</svg>") + 6]
    assert ElementTree.fromstring(svg).tag.endswith("svg")


def test_the_drawing_shows_the_loss_that_was_found(torch):
    w, x = leaf(torch, 1.0, 2.0), leaf(torch, 2.0, 3.0)
    h = w * 2
    d = h.detach()
    loss = (d * x).sum()
    drawn = why(w).drawing.picture.nodes
    assert {"h", "d", "x", "loss"} <= {node.name.removesuffix(".detach()") for node in drawn}
    assert [node.tags[0] for node in drawn if node.why and node.kind == "op"] == ["cut here"]
    assert "loss" in {node.name for node in why(x).drawing.picture.nodes}
    assert loss.requires_grad


def test_only_the_part_around_it_is_drawn_in_a_large_graph():
    x = leaf(autograd_lab, 1.0)
    y = x
    for i in range(200):
        y = y * 2
        if i == 100:
            middle = y
    picture = why(middle, y).drawing.picture
    assert len(picture.nodes) <= 41
    assert any(note.startswith("Only the boxes nearest") for note in picture.notes)


def test_every_kind_has_words():
    assert all(KINDS.values()) and "not recorded" in KINDS


def test_notes_keep_no_graph_alive():
    import weakref

    x = leaf(autograd_lab, 1.0)
    with record():
        with autograd_lab.no_grad():
            y = x * 3
        dead = weakref.ref((x * 2).grad_fn)
    assert dead() is None
    gone = weakref.ref(x)
    del x
    assert gone() is None and why(y).kind == "no_grad"


def test_reaches_and_why_agree(torch):
    w, x = leaf(torch, 1.0), leaf(torch, 2.0)
    loss = (x * x).sum()
    answer = reaches(loss, {"w": w, "x": x})
    assert answer.missed == ("w",)
    assert why(w, loss).kind == "not reached" and why(x, loss).kind == "no backward"


def test_every_box_of_a_drawing_can_answer(torch):
    x, w = leaf(torch, 1.0), leaf(torch, 2.0)
    f = torch.tensor([3.0])
    h = x * w
    loss = (h * f).sum()
    names = Names([("x", x), ("w", w), ("f", f), ("h", h), ("loss", loss)])
    says = {n.name: n.why for n in explained(read_graph(loss, names), loss, names).nodes if n.name}
    assert says["x"] == "x.grad is None: backward() has not run."
    assert says["h"].startswith("h.grad is None: h is not a leaf.")
    assert says["f"].startswith("f.grad is None because f is not tracked")
    loss.backward()
    w.grad = None
    says = {n.name: n.why for n in explained(read_graph(loss, names), loss, names).nodes if n.name}
    assert says["x"] == ""
    assert says["w"].startswith("w.grad is None: it was cleared")
