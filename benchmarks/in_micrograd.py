"""The workloads that micrograd can do: numbers only, one Python object per number, a recursive sort.

The MLP runs point by point, as its own demonstration does. Read next: `run.py`.
"""

from __future__ import annotations

import math
import sys
from typing import Any

from measure import Step, clock
from workloads import LINKS, PENALTY, TINY_RATE, chain_arrays, moons

DEPTH = 100_000  # at Python's default recursion limit the sort fails on a chain of 1,000


def chain(value_class: Any) -> Step:
    sys.setrecursionlimit(DEPTH)
    numbers = [float(a) for a in chain_arrays(())]

    def tanh(x: Any) -> Any:
        """It has none; this is how its own ops are written."""
        y = math.tanh(x.data)
        out = value_class(y, (x,), "tanh")

        def backward() -> None:
            x.grad += (1 - y * y) * out.grad

        out._backward = backward
        return out

    def step() -> tuple[float, float, float, float]:
        x, w, b = map(value_class, numbers)
        start = clock()
        for _ in range(LINKS):
            x = x * w
            x = x + b
            x = tanh(x)
            x = x**2
        middle = clock()
        x.backward()
        return start, middle, clock(), b.grad

    return step


def tiny(value_class: Any) -> Step:
    from micrograd.nn import MLP

    sys.setrecursionlimit(DEPTH)
    data, net = moons(), MLP(2, [16, 16, 1])
    for layer, weight, bias in zip(net.layers, data.weights, data.biases, strict=True):
        for j, neuron in enumerate(layer.neurons):
            neuron.b.data = float(bias[j])
            for i, value in enumerate(neuron.w):
                value.data = float(weight[i, j])
    weights = [value for layer in net.layers for neuron in layer.neurons for value in neuron.w]
    points = [
        ([float(c) for c in row], float(target[0])) for row, target in zip(data.inputs, data.targets, strict=True)
    ]

    def step() -> tuple[float, float, float, float]:
        start = clock()
        losses = [(1 + -target * net([value_class(c) for c in row])).relu() for row, target in points]
        loss = sum(losses) * 0.01 + PENALTY * sum(p * p for p in weights)
        middle = clock()
        net.zero_grad()
        loss.backward()
        for p in net.parameters():
            p.data -= TINY_RATE * p.grad
        return start, middle, clock(), loss.data

    return step


def makers(_: Any) -> dict[str, Any]:
    """Workload name -> function that makes its step."""
    from micrograd.engine import Value

    return {"scalar": lambda: chain(Value), "tiny": lambda: tiny(Value)}
