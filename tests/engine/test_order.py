"""The engine fires nodes in PyTorch's order, seen through hooks, on random graphs."""

import random

import pytest

import autograd_lab

torch = pytest.importorskip("torch", reason="torch is not installed")


def program(lib, seed):
    """A random graph of up to 25 ops on four leaves, with shared inputs and several roots' worth of branches."""
    rng = random.Random(seed)
    made = [lib.tensor(1.0 + 0.1 * k, requires_grad=rng.random() < 0.8) for k in range(4)]
    made.append(lib.tensor(2.0, requires_grad=True) * 1)
    ops = [
        lambda a, b: a * b,
        lambda a, b: a + b,
        lambda a, b: a.tanh(),
        lambda a, b: a / (b * b + 1),
        lambda a, b: a - b,
        lambda a, b: a * 2,
    ]
    for _ in range(rng.randrange(3, 25)):
        a, b = rng.choice(made), rng.choice(made)
        made.append(rng.choice(ops)(a, b))
    loss = made[-1]
    for t in rng.sample(made[4:], min(4, len(made) - 4)):
        loss = loss + t
    return loss


def firing_order(loss):
    """The numbers of the nodes, in the order of a walk over `next_functions`, as they fired."""
    number, fired, todo = {}, [], [loss.grad_fn]
    while todo:
        node = todo.pop(0)
        if node is None or node in number:
            continue
        number[node] = (len(number), node.name())
        node.register_hook(lambda gi, go, name=number[node]: fired.append(name))
        todo += [n for n, _ in node.next_functions]
    loss.backward()
    return fired


@pytest.mark.parametrize("seed", range(150))
def test_the_firing_order_is_pytorchs(seed):
    assert firing_order(program(autograd_lab, seed)) == firing_order(program(torch, seed))


@pytest.mark.parametrize(
    ("count", "order"),
    [(3, [0, 1, 2]), (4, [0, 2, 1, 3]), (6, [0, 2, 5, 4, 1, 3]), (9, [0, 2, 6, 8, 5, 7, 4, 1, 3])],
)
def test_leaves_that_are_ready_together_come_in_the_order_of_pytorchs_heap(count, order):
    leaves, seen = [autograd_lab.ones(1, requires_grad=True) for _ in range(count)], []
    for i, x in enumerate(leaves):
        x.register_hook(lambda grad, i=i: seen.append(i))
    autograd_lab.cat(leaves).sum().backward()
    assert seen == order


def test_a_leaf_before_an_op_without_derivative_still_gets_its_hook():
    x, y, seen = autograd_lab.ones(1, requires_grad=True), autograd_lab.ones(1, requires_grad=True), []
    x.register_hook(seen.append)
    with pytest.raises(RuntimeError, match="derivative for aten::floor_divide is not implemented"):
        autograd_lab.atan2(x, y // y).sum().backward()
    assert len(seen) == 1
