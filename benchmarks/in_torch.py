"""The workloads in PyTorch's words: for PyTorch itself, and for autograd_lab, which speaks them.

Each function takes the module that is called `torch` and returns a step. Read next: `in_numpy.py`.
"""

from __future__ import annotations

from typing import Any

from measure import Step, clock
from workloads import (
    CHAIN_SHAPES,
    CNN_RATE,
    DROPOUT,
    LINKS,
    MLP_RATE,
    MOMENTUM,
    PENALTY,
    TINY_RATE,
    chain_arrays,
    digits,
    moons,
    pictures,
)


def chain(torch: Any, shape: tuple[int, ...]) -> Step:
    arrays = chain_arrays(shape)
    ones = torch.ones(shape)

    def step() -> tuple[float, float, float, Any]:
        x, w, b = (torch.tensor(a, requires_grad=True) for a in arrays)
        start = clock()
        for _ in range(LINKS):
            x = x * w
            x = x + b
            x = x.tanh()
            x = x**2
        middle = clock()
        x.backward(ones)
        return start, middle, clock(), b.grad.numpy()

    return step


def watched_chain(torch: Any, shape: tuple[int, ...]) -> Step:
    """The same while a hook hangs somewhere else: backward then takes the engine's general loop."""
    plain = chain(torch, shape)

    def step() -> tuple[float, float, float, Any]:
        other = torch.tensor(1.0, requires_grad=True) * 2
        handle = other.register_hook(lambda grad: None)
        times = plain()
        handle.remove()
        return times

    return step


def filled(torch: Any, net: Any, weights: list[Any], biases: list[Any]) -> Any:
    """The network with our starting weights."""
    arrays = [a for pair in zip(weights, biases, strict=True) for a in pair]
    with torch.no_grad():
        for parameter, array in zip(net.parameters(), arrays, strict=True):
            parameter.copy_(torch.tensor(array))
    return net


def tiny(torch: Any) -> Step:
    nn, data = torch.nn, moons()
    net = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 1))
    filled(torch, net, [w.T for w in data.weights], data.biases)
    inputs, minus = torch.tensor(data.inputs), torch.tensor(-data.targets)
    optimizer = torch.optim.SGD(net.parameters(), lr=TINY_RATE)
    weights = [net[i].weight for i in (0, 2, 4)]

    def step() -> tuple[float, float, float, float]:
        start = clock()
        hinge = (net(inputs) * minus + 1.0).relu().sum() * 0.01
        a, b, c = weights
        loss = hinge + ((a * a).sum() + (b * b).sum() + (c * c).sum()) * PENALTY
        middle = clock()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return start, middle, clock(), loss.item()

    return step


def classifier(torch: Any, net: Any, data: Any, rate: float) -> Step:
    """A step of training with cross entropy and momentum."""
    inputs, targets = torch.tensor(data.inputs), torch.tensor(data.targets)
    optimizer = torch.optim.SGD(net.parameters(), lr=rate, momentum=MOMENTUM)
    cross_entropy = torch.nn.functional.cross_entropy

    def step() -> tuple[float, float, float, float]:
        start = clock()
        loss = cross_entropy(net(inputs), targets)
        middle = clock()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return start, middle, clock(), loss.item()

    return step


def mlp(torch: Any) -> Step:
    nn, data = torch.nn, digits()
    net = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))
    filled(torch, net, [w.T for w in data.weights], data.biases)
    return classifier(torch, net, data, MLP_RATE)


def cnn(torch: Any, dropout: float = DROPOUT) -> Step:
    nn, data = torch.nn, pictures()
    net = nn.Sequential(
        nn.Conv2d(1, 4, 5, padding=2),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(4, 8, 5, padding=2),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(392, 512),
        nn.ReLU(),
        nn.Dropout(dropout),
        nn.Linear(512, 10),
    )
    filled(torch, net, data.weights, data.biases)
    return classifier(torch, net, data, CNN_RATE)


def makers(torch: Any) -> dict[str, Any]:
    """Workload name -> function that makes its step."""
    found: dict[str, Any] = {name: lambda s=shape: chain(torch, s) for name, shape in CHAIN_SHAPES.items()}
    return found | {
        "tiny": lambda: tiny(torch),
        "mlp": lambda: mlp(torch),
        "cnn": lambda dropout=DROPOUT: cnn(torch, dropout),
    }


def watched_makers(torch: Any) -> dict[str, Any]:
    """The chains again, with a hook somewhere."""
    return {name: lambda s=shape: watched_chain(torch, s) for name, shape in CHAIN_SHAPES.items()}
