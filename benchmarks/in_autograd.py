"""The workloads in autograd (HIPS): NumPy itself, wrapped. It has no convolution of its own.

Read next: `in_micrograd.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from measure import Step, clock
from workloads import BATCH, CHAIN_SHAPES, LINKS, MLP_RATE, MOMENTUM, PENALTY, TINY_RATE, chain_arrays, digits, moons


def chain(shape: tuple[int, ...]) -> Step:
    from autograd import numpy as wrapped
    from autograd.core import make_vjp

    arrays, ones, tanh = tuple(chain_arrays(shape)), np.ones(shape, np.float32), wrapped.tanh

    def value(parameters: tuple[Any, ...]) -> Any:
        x, w, b = parameters
        for _ in range(LINKS):
            x = x * w
            x = x + b
            x = tanh(x)
            x = x**2
        return x

    def step() -> tuple[float, float, float, Any]:
        start = clock()
        backward, _ = make_vjp(value, arrays)
        middle = clock()
        grads = backward(ones)
        return start, middle, clock(), grads[2]

    return step


def tiny() -> Step:
    from autograd import numpy as wrapped
    from autograd.core import make_vjp

    data, rate = moons(), np.float32(TINY_RATE)
    inputs, minus, parameters = data.inputs, -data.targets, tuple(data.weights + data.biases)
    maximum, total = wrapped.maximum, wrapped.sum

    def value(parameters: tuple[Any, ...]) -> Any:
        w1, w2, w3, b1, b2, b3 = parameters
        hidden = maximum(inputs @ w1 + b1, 0)
        hidden = maximum(hidden @ w2 + b2, 0)
        hinge = maximum((hidden @ w3 + b3) * minus + 1, 0)
        return total(hinge) * 0.01 + PENALTY * (total(w1 * w1) + total(w2 * w2) + total(w3 * w3))

    def step() -> tuple[float, float, float, float]:
        nonlocal parameters
        start = clock()
        backward, loss = make_vjp(value, parameters)
        middle = clock()
        grads = backward(np.float32(1))
        parameters = tuple(p - rate * g for p, g in zip(parameters, grads, strict=True))
        return start, middle, clock(), float(loss)

    return step


def mlp() -> Step:
    from autograd import numpy as wrapped
    from autograd.core import make_vjp

    data = digits()
    inputs, parameters = data.inputs, (*data.weights, *data.biases)
    hits, buffers = np.eye(10, dtype=np.float32)[data.targets], [np.zeros_like(p) for p in parameters]
    rate, keep = np.float32(MLP_RATE), np.float32(MOMENTUM)

    def value(parameters: tuple[Any, ...]) -> Any:
        w1, w2, b1, b2 = parameters
        scores = wrapped.maximum(inputs @ w1 + b1, 0) @ w2 + b2
        scores = scores - wrapped.max(scores, 1, keepdims=True)
        logs = wrapped.log(wrapped.sum(wrapped.exp(scores), 1))
        return wrapped.sum(logs - wrapped.sum(scores * hits, 1)) / np.float32(BATCH)

    def step() -> tuple[float, float, float, float]:
        start = clock()
        backward, loss = make_vjp(value, parameters)
        middle = clock()
        for p, grad, buffer in zip(parameters, backward(np.float32(1)), buffers, strict=True):
            buffer *= keep
            buffer += grad
            p -= rate * buffer
        return start, middle, clock(), float(loss)

    return step


def makers(_: Any) -> dict[str, Any]:
    """Workload name -> function that makes its step."""
    found: dict[str, Any] = {name: lambda s=shape: chain(s) for name, shape in CHAIN_SHAPES.items()}
    return found | {"tiny": tiny, "mlp": mlp}
