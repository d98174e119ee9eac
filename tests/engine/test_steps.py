"""`engine.steps`: the walk one node at a time, and the look that leaves no trace."""

import pytest

import autograd_lab as torch
from autograd_lab.engine import steps


def seeds(loss):
    return [torch.ones_like(loss.detach())]


def names(walk):
    return [type(s.node).__name__ for s in walk]


def test_newest_first_and_leaves_as_soon_as_they_are_ready():
    x = torch.tensor(2.0, requires_grad=True)
    loss = (x * 3 + 4) ** 2
    walk = list(steps([loss], seeds(loss), keep_graph=True))
    assert names(walk) == ["PowBackward0", "AddBackward0", "MulBackward0", "AccumulateGrad"]
    assert [s.grad_outputs[0].item() for s in walk] == [1.0, 20.0, 20.0, 60.0]


def test_the_order_equals_pytorchs_seen_through_hooks():
    real = pytest.importorskip("torch")

    def order(lib):
        a, b = lib.tensor(2.0, requires_grad=True), lib.tensor(3.0, requires_grad=True)
        h = a * b
        k = h + a
        loss = (h * k).exp() + k
        fired, todo, seen = [], [loss.grad_fn], set()
        while todo:
            node = todo.pop()
            if node is None or node in seen:
                continue
            seen.add(node)
            node.register_hook(lambda gi, go, node=node: fired.append(node.name()))
            todo += [n for n, _ in node.next_functions]
        loss.backward()
        return fired

    assert order(torch) == order(real)


def test_looking_leaves_no_trace():
    x = torch.tensor(2.0, requires_grad=True)
    x.grad = torch.tensor(1.0)
    called = []
    y = x**2
    y.register_hook(lambda g: called.append(g))
    loss = y * 3
    for _ in range(2):
        assert names(steps([loss], seeds(loss), looking=True))[-1] == "AccumulateGrad"
    assert x.grad.item() == 1.0 and called == []
    loss.backward()
    assert x.grad.item() == 1.0 + 12.0 and len(called) == 1


def test_a_paused_walk_does_not_leave_grad_mode_behind():
    x = torch.tensor(2.0, requires_grad=True)
    loss = x * x * x
    walk = steps([loss], seeds(loss), keep_graph=True)
    next(walk)
    assert torch.is_grad_enabled()
    assert (x * 2).requires_grad
