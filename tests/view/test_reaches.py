"""`reaches(loss, params)`: who gets a gradient. The answer is checked against the gradients that backward brings."""

from __future__ import annotations

import dataclasses
from xml.etree import ElementTree

import pytest

import autograd_lab
from autograd_lab.recorder import watchers
from autograd_lab.view import reaches, record


@pytest.fixture(autouse=True)
def no_background_recorder():
    before = watchers[:]
    watchers.clear()
    yield
    watchers[:] = before


@pytest.fixture(params=["autograd_lab", "torch"])
def torch(request):
    return autograd_lab if request.param == "autograd_lab" else pytest.importorskip("torch")


def two_layers(torch):
    return torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))


def test_a_whole_module(torch):
    net = two_layers(torch)
    loss = net(torch.ones(4, 2)).sum()
    answer = reaches(loss, net)
    assert [p.name for p in answer.parameters] == [name for name, _ in net.named_parameters()]
    assert answer.missed == ()
    assert answer.heading == "loss reaches 4 of 4 parameters"


@pytest.mark.parametrize("cut", [0, 1, 2])
def test_what_is_missed_is_what_backward_leaves_without_grad(torch, cut):
    net = two_layers(torch)
    h = torch.ones(4, 2)
    for i in range(3):
        h = net[i](h)
        if i == cut:
            h = h.detach()
    loss = h.sum() + 0 * sum(p.sum() for p in net[2].parameters())
    missed = set(reaches(loss, net).missed)
    loss.backward()
    assert missed == {name for name, p in net.named_parameters() if p.grad is None}


def test_the_users_of_a_parameter_are_counted(torch):
    x = torch.tensor(3.0, requires_grad=True)
    loss = x * x + x.exp()
    (found,) = reaches(loss, [x]).parameters
    assert found.used_by == ("MulBackward0", "ExpBackward0")
    assert found.where == "used by MulBackward0 ×2, ExpBackward0"


def test_frozen(torch):
    net = two_layers(torch)
    net[0].weight.requires_grad_(False)
    answer = reaches(net(torch.ones(1, 2)).sum(), net)
    assert answer.missed == ("0.weight",)
    assert answer.parameters[0].where == "frozen: requires_grad=False"


def test_first_cut_of_a_recorded_no_grad_block():
    net = two_layers(autograd_lab)
    with record():
        with autograd_lab.no_grad():
            h = net[0](autograd_lab.ones(1, 2))
        loss = net[2](h).sum()
    answer = reaches(loss, net)
    assert answer.missed == ("0.weight", "0.bias")
    for found in answer.parameters[:2]:
        assert found.cut.kind == "no_grad"
        assert found.cut.line == "h = net[0](autograd_lab.ones(1, 2))"
    # weight is transposed first, bias is added by addmm: each has its own first cut
    assert [p.cut.op for p in answer.parameters[:2]] == ["t", "addmm"]


def test_a_detached_tensor_is_found_by_its_memory_without_a_recorder(torch):
    w = torch.tensor([1.0], requires_grad=True)
    x = torch.tensor([1.0], requires_grad=True)
    h = w * 2
    loss = (h.detach() * x).sum()
    w_found, x_found = reaches(loss, {"w": w, "x": x}).parameters
    assert w_found.cut.kind == "detach" and w_found.cut.op == "h.detach()" and w_found.cut.line == ""
    assert x_found.reached


def test_unknown_cuts_are_not_guessed(torch):
    w = torch.tensor([1.0], requires_grad=True)
    x = torch.tensor([1.0], requires_grad=True)
    with torch.no_grad():
        h = w * 2
    loss = (h * x).sum()
    (found,) = reaches(loss, {"w": w}).parameters
    assert found.cut is None and found.where.startswith("not recorded")


def test_every_form_of_params(torch):
    a, b = (torch.tensor(1.0, requires_grad=True) for _ in "ab")
    loss = a * 2
    for params in ({"a": a, "b": b}, [a, b], (a, b), iter([a, b])):
        assert [(p.name, p.reached) for p in reaches(loss, params).parameters] == [("a", True), ("b", False)]
    assert [p.name for p in reaches(loss, a).parameters] == ["a"]
    assert [p.name for p in reaches(loss, [torch.tensor(1.0)]).parameters] == ["params[0]"]


def test_several_losses(torch):
    a, b = (torch.tensor(1.0, requires_grad=True) for _ in "ab")
    first, second = a * 2, b * 3
    assert reaches((first, second), [a, b]).missed == ()
    assert reaches((first, second), [a]).heading == "first, second reaches 1 of 1 parameter"


def test_a_leaf_as_its_own_loss(torch):
    x = torch.tensor(1.0, requires_grad=True)
    assert reaches(x, [x]).parameters[0].reached


@pytest.mark.parametrize("bad", [1.0, None, "loss"])
def test_bad_input(bad):
    x = autograd_lab.tensor(1.0, requires_grad=True)
    with pytest.raises(TypeError, match=r"reaches\(\) needs the loss as a tensor"):
        reaches(bad, [x])
    with pytest.raises(TypeError, match=r"reaches\(\) needs parameters that are tensors"):
        reaches(x * 2, {"a": bad})


def test_a_chain_of_20000_ops():
    x = autograd_lab.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(20_000):
        y = y + 1
    assert reaches(y, [x]).missed == ()


def test_the_answer_is_frozen_data_and_its_table_is_escaped():
    x = autograd_lab.tensor(1.0, requires_grad=True)
    answer = reaches(x * 2, {'<script>alert(1)</script>&"': x})
    with pytest.raises(dataclasses.FrozenInstanceError):
        answer.loss = "other"
    table = ElementTree.fromstring(answer._repr_mimebundle_()["text/html"])
    assert [cell.text for cell in table.iter("td")] == ["()", "yes", "used by MulBackward0"]
    assert not list(table.iter("script"))
    assert repr(answer) == str(answer) == answer.text()
