"""Backward on graphs small enough to work out by hand."""

import math
import threading

import numpy as np
import pytest

import autograd_lab as torch


def leaf(value):
    return torch.tensor(value, requires_grad=True)


def test_the_chain_of_the_module_gives_60():
    x = leaf(2.0)
    y = x * 3
    z = y + 4
    loss = z**2
    loss.backward()
    assert (y.item(), z.item(), loss.item(), x.grad.item()) == (6.0, 10.0, 100.0, 60.0)


def test_the_second_chain_of_the_module_gives_28():
    x = leaf(2.0)
    ((x * 2 + 3) ** 2).backward()
    assert x.grad.item() == 28.0


def test_two_paths_to_one_leaf_add_up():
    x = leaf(4.0)
    (x**2 + 3 * x).backward()
    assert x.grad.item() == 2 * 4 + 3


def test_a_diamond_fires_each_node_once():
    x = leaf(3.0)
    y = x * x
    fired = []
    y.register_hook(lambda g: fired.append(g.item()))
    (y * 2 + y * 5).backward()
    assert fired == [7.0]
    assert x.grad.item() == 7 * 2 * 3


def test_gradients_accumulate_until_cleared():
    x = leaf(2.0)
    for _ in range(3):
        (x**2).backward()
    assert x.grad.item() == 12.0
    x.grad = None
    (x**2).backward()
    assert x.grad.item() == 4.0


def test_two_leaves_never_share_one_grad_array():
    a, b = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    (a + b).sum().backward()
    a.grad.mul_(10)
    assert b.grad.tolist() == [1.0, 1.0]


def test_the_gradient_given_by_the_caller_is_not_kept_as_grad():
    x, g = leaf([1.0, 2.0]), torch.tensor([1.0, 1.0])
    (x + 0).backward(g)
    x.grad.mul_(10)
    assert g.tolist() == [1.0, 1.0]


def test_broadcasting_is_summed_back():
    x, row = leaf([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), leaf([1.0, 10.0, 100.0])
    (x * row).sum().backward()
    assert row.grad.tolist() == [5.0, 7.0, 9.0]
    assert x.grad.tolist() == [[1.0, 10.0, 100.0]] * 2


def test_a_float_leaf_in_a_double_computation_gets_a_float_gradient():
    x = leaf([1.0, 2.0])
    (x * torch.tensor([1.0, 3.0], dtype=torch.float64)).sum().backward()
    assert x.grad.dtype is torch.float32 and x.grad.tolist() == [1.0, 3.0]


def test_second_and_third_derivatives():
    x = leaf(3.0)
    (first,) = torch.autograd.grad(x**4, x, create_graph=True)
    (second,) = torch.autograd.grad(first, x, create_graph=True)
    (third,) = torch.autograd.grad(second, x)
    assert (first.item(), second.item(), third.item()) == (108.0, 108.0, 72.0)


def test_a_chain_far_beyond_the_recursion_limit_runs_and_is_freed():
    x = leaf(1.0)
    y = x
    for _ in range(100_000):
        y = y * 1.0
    y.backward()
    assert x.grad.item() == 1.0
    del y


def test_the_fast_and_the_general_loop_agree_to_the_last_bit():
    rng = np.random.default_rng(0)
    values = rng.standard_normal((4, 5)).astype(np.float32)

    def loss(x):
        h = torch.tanh(x @ x.T) * x.sum(1)
        return (h * h + torch.exp(h)).mean()

    fast, general = leaf(values.copy()), leaf(values.copy())
    loss(fast).backward()
    loss(general).backward(retain_graph=True)
    assert np.array_equal(fast.grad.numpy(), general.grad.numpy())


def test_a_second_backward_names_the_freed_graph_and_a_sum_survives():
    x = leaf(2.0)
    y = x**2
    y.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.backward()
    z = x + 3
    z.backward()
    z.backward()  # nothing was saved, so nothing was freed


def test_an_overwritten_saved_value_is_an_error_with_the_note_that_explains_it():
    x = leaf([1.0, 2.0])
    y = x.exp()
    y += 1
    with pytest.raises(RuntimeError, match="which is output 0 of Exp, is at version 1; expected version 0") as caught:
        y.sum().backward()
    assert "saved 'result'" in caught.value.__notes__[0]
    assert [n.name() for n in caught.value.nodes] == ["ExpBackward0"]


def test_untracked_results_cannot_run_backward():
    with pytest.raises(RuntimeError, match="element 0 of tensors does not require grad") as caught:
        (torch.tensor(5.0) ** 2).backward()
    assert "requires_grad=True" in caught.value.__notes__[0]


def test_writing_into_a_view_reroutes_the_gradient_of_its_base():
    a = leaf([1.0, 1.0, 1.0])
    b = a * 2
    view = b[1]
    b[0] = 5
    view.mul_(3)
    b.sum().backward()
    assert b.tolist() == [5.0, 6.0, 2.0]
    assert a.grad.tolist() == [0.0, 6.0, 2.0]


def test_grad_mode_belongs_to_the_thread():
    seen = []
    with torch.no_grad():
        thread = threading.Thread(target=lambda: seen.append(torch.is_grad_enabled()))
        thread.start()
        thread.join()
    assert seen == [True] and torch.is_grad_enabled()


def test_two_threads_run_backward_on_graphs_of_their_own():
    results = {}

    def work(k):
        for _ in range(200):
            x = leaf(float(k))
            (x * x * x).backward()
            results[k] = x.grad.item()

    threads = [threading.Thread(target=work, args=(k,)) for k in (2, 3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert results == {2: 12.0, 3: 27.0}


@pytest.mark.parametrize("value", [0.3, 1.7, -0.4])
def test_a_composed_function_agrees_with_central_differences(value):
    def f(v):
        return math.tanh(v) * math.exp(v) / (1 + v * v)

    x = torch.tensor(value, dtype=torch.float64, requires_grad=True)
    (torch.tanh(x) * torch.exp(x) / (1 + x * x)).backward()
    assert x.grad.item() == pytest.approx((f(value + 1e-6) - f(value - 1e-6)) / 2e-6, rel=1e-8)


def test_an_error_in_a_hook_leaves_grad_mode_as_it_was():
    x = leaf(1.0)

    def bad(grad):
        raise ValueError("from the hook")

    x.register_hook(bad)
    with torch.no_grad():
        pass
    with pytest.raises(ValueError, match="from the hook"):
        (x * 2).backward()
    assert torch.is_grad_enabled()


# A node called by hand; values and texts from PyTorch 2.13 ------------------------------------------


def test_a_node_can_be_called_alone():
    x = torch.tensor(3.0, requires_grad=True)
    y = x**2
    assert str(y.grad_fn(torch.tensor(10.0))) == "tensor(60., grad_fn=<MulBackward0>)"
    assert str((x * 4).grad_fn(torch.tensor(10.0))) == "(tensor(40.), None)"
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    first, _ = w.unbind()
    assert first.grad_fn(torch.tensor(1.0), torch.tensor(2.0)).tolist() == [1.0, 2.0]
    assert x.grad is None
    y.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.grad_fn(torch.tensor(1.0))


def test_the_leafs_node_adds_when_it_is_called():
    x = torch.tensor(3.0, requires_grad=True)
    node = (x + 1).grad_fn.next_functions[0][0]
    assert node(torch.tensor(5.0)) == ()
    assert node(torch.tensor(2.0)) == ()
    assert x.grad.item() == 7
