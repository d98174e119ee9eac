"""Every optimizer walks the same path as PyTorch's, option by option; bad options get PyTorch's words."""

import copy

import numpy as np
import pytest

import autograd_lab

OPTIMIZERS = {
    "SGD": [
        {"lr": 0.1},
        {"lr": 0.1, "momentum": 0.9},
        {"lr": 0.1, "momentum": 0.9, "dampening": 0.5, "weight_decay": 0.1},
        {"lr": 0.1, "momentum": 0.9, "nesterov": True},
        {"lr": 0.1, "maximize": True},
    ],
    "Adam": [{"lr": 0.1}, {"lr": 0.1, "weight_decay": 0.1, "betas": (0.5, 0.9)}, {"lr": 0.1, "amsgrad": True}],
    "AdamW": [{"lr": 0.1}, {"lr": 0.1, "weight_decay": 0.3, "maximize": True}],
    "RMSprop": [{"lr": 0.05}, {"lr": 0.05, "momentum": 0.5, "centered": True, "weight_decay": 0.1}],
    "Adagrad": [{"lr": 0.1}, {"lr": 0.1, "lr_decay": 0.1, "initial_accumulator_value": 0.5, "weight_decay": 0.1}],
    "Adadelta": [{}, {"lr": 0.5, "rho": 0.8, "weight_decay": 0.1}],
    "Adamax": [{"lr": 0.1}, {"lr": 0.1, "weight_decay": 0.1}],
    "NAdam": [{"lr": 0.1}, {"lr": 0.1, "weight_decay": 0.1, "decoupled_weight_decay": True}],
    "RAdam": [{"lr": 0.1}, {"lr": 0.1, "weight_decay": 0.1, "betas": (0.8, 0.9)}],
    "ASGD": [{"lr": 0.1}, {"lr": 0.1, "t0": 2, "weight_decay": 0.1}],
    "Rprop": [{"lr": 0.1}, {"lr": 0.1, "etas": (0.3, 1.5), "step_sizes": (0.01, 0.2)}],
}
CASES = [(name, options) for name, all_options in OPTIMIZERS.items() for options in all_options]


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="PyTorch is the source of the expected numbers")


def loss_of(w, b, k):
    """A loss whose curvature differs from element to element and whose slopes turn around."""
    return ((w * w).sum() * (1 + k % 3) + (w.sum() - 1) ** 2 + 3 * (b - 0.5) ** 2) * (-1) ** (k == 4)


def path(lib, name, options, steps=8, reload_at=None):
    """Where a matrix and a number go in a few steps."""
    w = lib.tensor([[1.0, -2.0], [0.5, 3.0]], dtype=lib.float64, requires_grad=True)
    b = lib.tensor(2.0, dtype=lib.float64, requires_grad=True)
    optimizer = getattr(lib.optim, name)([w, b], **options)
    places = []
    for k in range(steps):
        optimizer.zero_grad()
        loss_of(w, b, k).backward()
        optimizer.step()
        if k == reload_at:
            saved = copy.deepcopy(optimizer.state_dict())
            optimizer = getattr(lib.optim, name)([w, b], **{**options, "lr": 7.0})
            optimizer.load_state_dict(saved)
        places.append([*w.detach().numpy().ravel(), b.item()])
    return np.array(places), optimizer


@pytest.mark.parametrize(("name", "options"), CASES)
def test_paths_are_torchs(name, options, torch):
    ours, optimizer = path(autograd_lab, name, options)
    theirs, expected = path(torch, name, options)
    np.testing.assert_allclose(ours, theirs, 1e-6, 1e-7)
    assert repr(optimizer) == repr(expected)


@pytest.mark.parametrize(("name", "options"), CASES)
def test_states_are_named_and_shaped_as_torchs(name, options, torch):
    _, ours = path(autograd_lab, name, options, 3)
    _, theirs = path(torch, name, options, 3)
    mine, other = ours.state_dict(), theirs.state_dict()
    assert mine["param_groups"] == other["param_groups"]
    assert sorted(mine["state"]) == sorted(other["state"])
    for key, state in other["state"].items():
        kept = {n: v for n, v in state.items() if v is not None}
        assert sorted(mine["state"][key]) == sorted(kept)
        for n, value in kept.items():
            np.testing.assert_allclose(np.asarray(mine["state"][key][n]), np.asarray(value), 1e-6, 1e-7)


@pytest.mark.parametrize(("name", "options"), CASES)
def test_a_loaded_state_continues_the_path(name, options):
    straight, _ = path(autograd_lab, name, options)
    reloaded, _ = path(autograd_lab, name, options, reload_at=3)
    np.testing.assert_allclose(reloaded, straight, 1e-8)


def test_lbfgs_walks_torchs_path(torch):
    def places(lib):
        w = lib.tensor([4.0, -3.0], dtype=lib.float64, requires_grad=True)
        optimizer = lib.optim.LBFGS([w], lr=0.5, max_iter=6, history_size=3)

        def closure():
            optimizer.zero_grad()
            loss = (
                ((w - lib.tensor([1.0, 2.0], dtype=lib.float64)) ** 4).sum() + w.prod() ** 2
                if lib is torch
                else ((w - lib.tensor([1.0, 2.0], dtype=lib.float64)) ** 4).sum() + (w[0] * w[1]) ** 2
            )
            loss.backward()
            return loss

        found = []
        for _ in range(3):
            found.append(optimizer.step(closure).item())
            found += w.tolist()
        return found

    np.testing.assert_allclose(places(autograd_lab), places(torch), 1e-6)


def test_a_step_counts_as_a_write():
    w = autograd_lab.tensor([1.0, 2.0], requires_grad=True)
    optimizer = autograd_lab.optim.SGD([w], lr=0.1)
    loss = (w * w).sum()
    loss.backward(retain_graph=True)
    optimizer.step()
    assert w._version == 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_a_parameter_keeps_its_memory():
    w = autograd_lab.ones(3, requires_grad=True)
    alias = w.detach()
    optimizer = autograd_lab.optim.Adam([w], lr=0.5)
    w.sum().backward()
    optimizer.step()
    np.testing.assert_allclose(alias.numpy(), 0.5, 1e-6)
    assert w.is_leaf


def test_step_hooks_run_around_the_step():
    w = autograd_lab.ones(1, requires_grad=True)
    optimizer = autograd_lab.optim.SGD([w], lr=1.0)
    seen = []
    before = optimizer.register_step_pre_hook(lambda o, a, k: seen.append(("before", w.item())))
    optimizer.register_step_post_hook(lambda o, a, k: seen.append(("after", w.item())))
    w.sum().backward()
    optimizer.step()
    before.remove()
    optimizer.step()
    assert seen == [("before", 1.0), ("after", 0.0), ("after", -1.0)]


def test_named_parameters_keep_their_names(torch):
    def groups(lib):
        return lib.optim.SGD(lib.nn.Linear(2, 1).named_parameters(), lr=0.1).state_dict()["param_groups"]

    assert groups(autograd_lab) == groups(torch)


BAD = {
    "negative lr": lambda t: t.optim.SGD([t.ones(1, requires_grad=True)], lr=-1.0),
    "negative momentum": lambda t: t.optim.SGD([t.ones(1, requires_grad=True)], lr=1.0, momentum=-0.1),
    "negative decay": lambda t: t.optim.SGD([t.ones(1, requires_grad=True)], lr=1.0, weight_decay=-0.1),
    "nesterov": lambda t: t.optim.SGD([t.ones(1, requires_grad=True)], lr=1.0, nesterov=True),
    "betas": lambda t: t.optim.Adam([t.ones(1, requires_grad=True)], betas=(0.9, 1.0)),
    "adam eps": lambda t: t.optim.Adam([t.ones(1, requires_grad=True)], eps=-1.0),
    "rho": lambda t: t.optim.Adadelta([t.ones(1, requires_grad=True)], rho=2.0),
    "etas": lambda t: t.optim.Rprop([t.ones(1, requires_grad=True)], etas=(1.0, 2.0)),
    "empty": lambda t: t.optim.SGD([], lr=0.1),
    "a tensor": lambda t: t.optim.SGD(t.ones(1, requires_grad=True), lr=0.1),
    "a non-leaf": lambda t: t.optim.SGD([t.ones(1, requires_grad=True) * 2], lr=0.1),
    "a number": lambda t: t.optim.SGD([1.0], lr=0.1),
    "a set": lambda t: t.optim.SGD([{"params": {t.ones(1)}}], lr=0.1),
    "in two groups": lambda t: (lambda p: t.optim.SGD([{"params": [p]}, {"params": [p]}], lr=0.1))(t.ones(1)),
    "group is a list": lambda t: t.optim.SGD([t.ones(1)], lr=0.1).add_param_group([t.ones(1)]),
    "lbfgs groups": lambda t: t.optim.LBFGS([{"params": [t.ones(1)]}, {"params": [t.ones(2)]}]),
    "other groups": lambda t: t.optim.SGD([t.ones(1)], lr=0.1).load_state_dict({"state": {}, "param_groups": []}),
    "other sizes": lambda t: t.optim.SGD([t.ones(1)], lr=0.1).load_state_dict(
        {"state": {}, "param_groups": [{"params": [0, 1]}]}
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_error_texts_are_torchs(name, torch):
    texts = []
    for lib in (autograd_lab, torch):
        with pytest.raises(Exception) as caught:
            BAD[name](lib)
        texts.append((type(caught.value).__name__, str(caught.value)))
    assert texts[0] == texts[1]


def test_duplicates_warn():
    w = autograd_lab.ones(1, requires_grad=True)
    with pytest.warns(UserWarning, match="optimizer contains a parameter group with duplicate parameters"):
        autograd_lab.optim.SGD([w, w], lr=0.1)


def test_options_that_are_not_here_say_so():
    with pytest.raises(NotImplementedError, match="differentiable"):
        autograd_lab.optim.SGD([autograd_lab.ones(1)], lr=0.1, differentiable=True)
