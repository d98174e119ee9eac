"""Every scheduler sets PyTorch's rates, epoch by epoch."""

import pytest

import autograd_lab

SCHEDULERS = {
    "StepLR": lambda s, o: s.StepLR(o, 3, 0.5),
    "MultiStepLR": lambda s, o: s.MultiStepLR(o, [2, 5, 5], 0.5),
    "ConstantLR": lambda s, o: s.ConstantLR(o, 0.5, 4),
    "LinearLR": lambda s, o: s.LinearLR(o, 0.25, 0.75, 6),
    "ExponentialLR": lambda s, o: s.ExponentialLR(o, 0.9),
    "PolynomialLR": lambda s, o: s.PolynomialLR(o, 6, 2.0),
    "LambdaLR": lambda s, o: s.LambdaLR(o, lambda epoch: 1 / (1 + epoch)),
    "MultiplicativeLR": lambda s, o: s.MultiplicativeLR(o, [lambda epoch: 0.9, lambda epoch: 0.5]),
    "CosineAnnealingLR": lambda s, o: s.CosineAnnealingLR(o, 4, 0.01),
    "CosineAnnealingWarmRestarts": lambda s, o: s.CosineAnnealingWarmRestarts(o, 3, 2, 0.01),
    "CyclicLR": lambda s, o: s.CyclicLR(o, 0.1, 1.0, 3, 2),
    "CyclicLR triangular2": lambda s, o: s.CyclicLR(o, 0.1, 1.0, 2, mode="triangular2"),
    "CyclicLR exp_range": lambda s, o: s.CyclicLR(o, 0.1, 1.0, 2, mode="exp_range", gamma=0.9),
    "OneCycleLR": lambda s, o: s.OneCycleLR(o, 1.0, 14),
    "OneCycleLR linear": lambda s, o: s.OneCycleLR(
        o, [1.0, 2.0], epochs=7, steps_per_epoch=2, anneal_strategy="linear"
    ),
    "OneCycleLR three phases": lambda s, o: s.OneCycleLR(o, 1.0, 14, three_phase=True),
    "SequentialLR": lambda s, o: s.SequentialLR(
        o, [s.ConstantLR(o, 0.1, 3), s.ExponentialLR(o, 0.9), s.StepLR(o, 2, 0.5)], [3, 7]
    ),
    "ChainedScheduler": lambda s, o: s.ChainedScheduler([s.ConstantLR(o, 0.1, 3), s.ExponentialLR(o, 0.9)]),
}


def walk(lib, make, epochs=13):
    """Rates (and momentum) of two groups in the first epochs."""
    groups = [{"params": [lib.ones(1, requires_grad=True)]}, {"params": [lib.ones(1)], "lr": 0.2}]
    optimizer = lib.optim.SGD(groups, lr=1.0, momentum=0.9)
    scheduler = make(lib.optim.lr_scheduler, optimizer)
    found = []
    for _ in range(epochs):
        found.append([(g["lr"], g["momentum"]) for g in optimizer.param_groups])
        optimizer.step()
        scheduler.step()
        assert scheduler.get_last_lr() == [g["lr"] for g in optimizer.param_groups]
    return found


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="PyTorch is the source of the expected numbers")


@pytest.mark.parametrize("name", SCHEDULERS)
def test_rates_are_torchs(name, torch):
    ours, theirs = walk(autograd_lab, SCHEDULERS[name]), walk(torch, SCHEDULERS[name])
    for mine, other in zip(ours, theirs, strict=True):
        for a, b in zip(mine, other, strict=True):
            assert a == pytest.approx(b, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("options", [{}, {"mode": "max"}, {"threshold_mode": "abs", "threshold": 0.2}, {"cooldown": 2}])
def test_plateau(options, torch):
    def rates(lib):
        optimizer = lib.optim.SGD([lib.ones(1, requires_grad=True)], lr=1.0)
        scheduler = lib.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1, **options)
        found = []
        for metric in (1.0, 0.9, 0.95, 0.95, 0.95, 0.8, 0.81, 0.82, 0.83, 0.84, 0.85, 0.1):
            scheduler.step(metric)
            found.append((optimizer.param_groups[0]["lr"], scheduler.num_bad_epochs, scheduler.best))
        return found

    assert rates(autograd_lab) == rates(torch)


@pytest.mark.parametrize("name", ["StepLR", "CosineAnnealingLR", "LambdaLR", "SequentialLR", "CyclicLR"])
def test_a_loaded_state_continues(name):
    lib, make = autograd_lab, SCHEDULERS[name]
    straight = walk(lib, make)

    def fresh():
        groups = [{"params": [lib.ones(1, requires_grad=True)]}, {"params": [lib.ones(1)], "lr": 0.2}]
        optimizer = lib.optim.SGD(groups, lr=1.0, momentum=0.9)
        return optimizer, make(lib.optim.lr_scheduler, optimizer)

    optimizer, scheduler = fresh()
    found = []
    for k in range(13):
        if k == 4:
            states = optimizer.state_dict(), scheduler.state_dict()
            optimizer, scheduler = fresh()
            optimizer.load_state_dict(states[0])
            scheduler.load_state_dict(states[1])
        found.append([(g["lr"], g["momentum"]) for g in optimizer.param_groups])
        optimizer.step()
        scheduler.step()
    assert found == straight


def sgd(t, **options):
    return t.optim.SGD([t.ones(1, requires_grad=True)], lr=1.0, **options)


BAD = {
    "no optimizer": lambda t, s: s.StepLR("sgd", 1),
    "lambdas": lambda t, s: s.LambdaLR(sgd(t), [abs, abs]),
    "constant": lambda t, s: s.ConstantLR(sgd(t), 2.0),
    "linear": lambda t, s: s.LinearLR(sgd(t), 0.0),
    "restarts": lambda t, s: s.CosineAnnealingWarmRestarts(sgd(t), 0),
    "one cycle": lambda t, s: s.OneCycleLR(sgd(t, momentum=0.9), 1.0),
    "one cycle steps": lambda t, s: s.OneCycleLR(sgd(t, momentum=0.9), 1.0, -1),
    "plateau": lambda t, s: s.ReduceLROnPlateau(sgd(t), factor=1.0),
    "plateau mode": lambda t, s: s.ReduceLROnPlateau(sgd(t), mode="x"),
    "sequence": lambda t, s: s.SequentialLR(sgd(t), [], []),
    "milestones": lambda t, s: (lambda o: s.SequentialLR(o, [s.StepLR(o, 1)], [2]))(sgd(t)),
    "resume": lambda t, s: s.StepLR(sgd(t), 1, last_epoch=3),
}


@pytest.mark.parametrize("name", BAD)
def test_error_texts_are_torchs(name, torch):
    texts = []
    for lib in (autograd_lab, torch):
        with pytest.raises(Exception) as caught:
            BAD[name](lib, lib.optim.lr_scheduler)
        texts.append((type(caught.value).__name__, str(caught.value)))
    assert texts[0] == texts[1]


def test_asking_for_the_rate_outside_step_warns():
    scheduler = autograd_lab.optim.lr_scheduler.StepLR(sgd(autograd_lab), 1)
    with pytest.warns(UserWarning, match="please use `get_last_lr"):
        scheduler.get_lr()


def test_your_own_scheduler_needs_get_lr_only():
    class Halving(autograd_lab.optim.lr_scheduler.LRScheduler):
        def get_lr(self):
            return [lr / 2**self.last_epoch for lr in self.base_lrs]

    optimizer = sgd(autograd_lab)
    scheduler = Halving(optimizer)
    optimizer.step()
    scheduler.step()
    assert scheduler.get_last_lr() == [0.5]
