"""What AccumulateGrad added, use by use: after backward, for graphs that are kept or recorded, and never guessed."""

from __future__ import annotations

import pytest

import autograd_lab
from autograd_lab import draw_graph, record
from autograd_lab.view.recording import recording_always

LIBRARIES = ["autograd_lab", "torch"]


@pytest.fixture(params=LIBRARIES)
def torch(request):
    return pytest.importorskip(request.param)


def sums(loss, **leaves):
    """The words in each AccumulateGrad, by the name of its leaf."""
    picture = draw_graph(loss, params=leaves).picture
    return {picture.by_key[n.of].name: n.value for n in picture.nodes if n.kind == "accumulate"}


def squared_line(torch):
    x, w = torch.tensor(2.0, requires_grad=True), torch.tensor(3.0, requires_grad=True)
    with record():
        y = x * w + x  # 8
        loss = y**2
    return x, w, loss


def test_each_use_is_a_term_in_the_order_of_arrival(torch):
    x, w, loss = squared_line(torch)
    assert sums(loss, x=x, w=w) == {"x": None, "w": None}
    loss.backward()
    assert sums(loss, x=x, w=w) == {
        "x": "+= 16 + 48",
        "w": "+= 32",
    }  # d loss / d y = 16, and 16 * w
    assert "+= 16 + 48" in draw_graph(loss).svg


def test_a_second_backward_adds_the_same_terms_to_what_is_there(torch):
    x, _, first = squared_line(torch)
    first.backward()
    with record():
        second = x * 5 + x
    second.backward()
    assert x.grad.item() == 64 + 6
    assert sums(second, x=x) == {"x": "+= 1 + 5"}


def test_values_are_those_of_the_forward_pass_although_the_leaf_has_changed(torch):
    x, w, loss = squared_line(torch)
    loss.backward()
    with torch.no_grad():
        x -= 1
        w *= 0
    assert sums(loss, x=x, w=w) == {"x": "+= 16 + 48", "w": "+= 32"}


def test_a_kept_graph_is_asked_without_a_recorder_and_leaves_no_trace(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x * 3
    y.backward(retain_graph=True)
    assert sums(y, x=x) == {"x": "+= 6 + 6"}
    assert x.grad.item() == 12
    y.backward()
    assert x.grad.item() == 24


def test_what_is_not_known_is_not_told(torch):
    assert not recording_always()
    x = torch.tensor(2.0, requires_grad=True)
    nobody = x * x * 3
    nobody.backward()
    assert sums(nobody, x=x) == {"x": None}  # freed, and nobody recorded
    kept = x * x
    x.grad = torch.tensor(7.0)  # from elsewhere
    assert sums(kept, x=x) == {"x": None}
    kept.backward(retain_graph=True)
    assert sums(kept, x=x) == {"x": None}  # 7 + 4: two sources
    vector = (x * torch.ones(3)).sum() * torch.ones(2)
    assert sums(vector, x=x) == {"x": None}  # backward has not gone through it, and needs a gradient


def test_lists_views_and_several_results(torch):
    a, b = torch.tensor(2.0, requires_grad=True), torch.tensor(3.0, requires_grad=True)
    with record():
        loss = torch.cat([a.reshape(1), b.reshape(1)]).max() + torch.stack([a, a]).sum()
    loss.backward()
    assert sums(loss, a=a, b=b) == {"a": "+= 1 + 1 + 0", "b": "+= 1"}


def test_long_terms_are_counted(torch):
    m = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    with record():
        loss = (m @ m).sum() + m.mean()
    loss.backward()
    assert sums(loss, m=m) == {"m": "+= 3 terms"}
    with record():
        once = m.sum()
    m.grad = None
    once.backward()
    assert sums(once, m=m) == {"m": "+= [[1, 1], [1, 1]]"}


def test_large_drawings_do_not_ask(torch):
    x = torch.tensor(1.0, requires_grad=True)
    with record():
        y = x
        for _ in range(20):
            y = y * x
    y.backward(retain_graph=True)
    assert set(sums(y).values()) == {None}


def test_the_learners_recorder_hears_nothing_of_it():
    x = autograd_lab.tensor(2.0, requires_grad=True)
    with record() as tape:
        y = x * x
        y.backward()
        before = len(tape)
        draw_graph(y)
    assert len(tape) == before


def test_a_function_of_the_learner_is_not_run(torch):
    ran = []

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            ran.append(grad)
            return grad * 2

    x = torch.tensor(2.0, requires_grad=True)
    with record():
        y = Double.apply(x) * x
    y.backward(retain_graph=True)
    assert sums(y, x=x) == {"x": None}
    assert len(ran) == 1


def test_the_learners_random_numbers_stay_as_they_are():
    def training(drawn):
        autograd_lab.manual_seed(3)
        x = autograd_lab.tensor(0.5, requires_grad=True)
        with record():
            y = x * autograd_lab.bernoulli(x * 1) * 2
        y.backward()
        if drawn:
            assert "n0" in draw_graph(y).text()
        return autograd_lab.rand(3).tolist()

    assert training(drawn=True) == training(drawn=False)
