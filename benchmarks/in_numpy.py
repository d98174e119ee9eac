"""The floor: the workloads in NumPy with a backward written by hand, no graph and no checks.

What remains between this and a library is the price of recording. Read next: `in_numpy_cnn.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from in_numpy_cnn import cnn
from measure import Step, clock
from workloads import (
    BATCH,
    CHAIN_SHAPES,
    DROPOUT,
    LINKS,
    MLP_RATE,
    MOMENTUM,
    PENALTY,
    TINY_RATE,
    chain_arrays,
    digits,
    moons,
)

ZERO, ONE = np.array(0, np.float32), np.array(1, np.float32)  # quicker than Python numbers beside an array
total = np.add.reduce


def chain(shape: tuple[int, ...]) -> Step:
    first, w, b = (a[()] for a in chain_arrays(shape))  # NumPy scalars where 0-d: the quickest there is
    one = np.float32(1) if not shape else ONE
    zeros, ones = np.zeros(shape, np.float32)[()], np.ones(shape, np.float32)[()]

    def step() -> tuple[float, float, float, Any]:
        saved, x = [], first
        start = clock()
        for _ in range(LINKS):
            saved.append(x)
            x = x * w
            x = x + b
            x = np.tanh(x)
            saved.append(x)
            x = x * x
        middle = clock()
        grad, grad_w, grad_b = ones, zeros, zeros
        for i in reversed(range(LINKS)):
            y = saved[2 * i + 1]
            grad = grad * (y + y)
            grad = grad * (one - y * y)
            grad_b = grad_b + grad
            grad_w = grad_w + grad * saved[2 * i]
            grad = grad * w
        return start, middle, clock(), grad_b

    return step


def tiny() -> Step:
    data = moons()
    inputs, minus = data.inputs, -data.targets
    (w1, w2, w3), (b1, b2, b3) = data.weights, data.biases
    rate, scale = np.array(TINY_RATE, np.float32), np.array(0.01, np.float32)
    penalty, twice = np.float32(PENALTY), np.array(2 * PENALTY, np.float32)

    def step() -> tuple[float, float, float, float]:
        start = clock()
        h1 = inputs @ w1
        h1 += b1
        h1 = np.maximum(h1, ZERO)
        h2 = h1 @ w2
        h2 += b2
        h2 = np.maximum(h2, ZERO)
        score = h2 @ w3
        score += b3
        hinge = np.maximum(score * minus + ONE, ZERO)
        loss = total(hinge, None) * scale
        loss = loss + penalty * (total(w1 * w1, None) + total(w2 * w2, None) + total(w3 * w3, None))
        middle = clock()
        grad = (hinge > ZERO) * minus
        grad *= scale
        grad_w3, grad_b3 = h2.T @ grad, total(grad, 0)
        grad = grad @ w3.T
        grad *= h2 > ZERO
        grad_w2, grad_b2 = h1.T @ grad, total(grad, 0)
        grad = grad @ w2.T
        grad *= h1 > ZERO
        grad_w1, grad_b1 = inputs.T @ grad, total(grad, 0)
        for weight, change in ((w1, grad_w1), (w2, grad_w2), (w3, grad_w3)):
            change += weight * twice
            change *= rate
            weight -= change
        for bias, change in ((b1, grad_b1), (b2, grad_b2), (b3, grad_b3)):
            change *= rate
            bias -= change
        return start, middle, clock(), float(loss)

    return step


def mlp() -> Step:
    data = digits()
    inputs, targets, rows = data.inputs, data.targets, np.arange(BATCH)
    w1, w2 = (np.ascontiguousarray(w.T) for w in data.weights)  # (out, in), as in PyTorch
    b1, b2 = data.biases
    update = momentum([w1, b1, w2, b2], MLP_RATE)

    def step() -> tuple[float, float, float, float]:
        start = clock()
        hidden = inputs @ w1.T
        hidden += b1
        np.maximum(hidden, ZERO, out=hidden)
        scores = hidden @ w2.T
        scores += b2
        scores -= scores.max(1, keepdims=True)
        grad = np.exp(scores)
        sums = total(grad, 1, keepdims=True)
        loss = total(np.log(sums)[:, 0] - scores[rows, targets]) / BATCH
        middle = clock()
        grad /= sums
        grad[rows, targets] -= ONE
        grad /= np.float32(BATCH)
        grad_w2, grad_b2 = grad.T @ hidden, total(grad, 0)
        grad = grad @ w2
        grad *= hidden > ZERO
        update([grad.T @ inputs, total(grad, 0), grad_w2, grad_b2])
        return start, middle, clock(), float(loss)

    return step


def momentum(parameters: list[np.ndarray], rate: float) -> Any:
    """Stochastic gradient descent with momentum, in place and without temporaries."""
    speed, keep = np.array(rate, np.float32), np.array(MOMENTUM, np.float32)
    buffers = [np.zeros_like(p) for p in parameters]
    changes = [np.empty_like(p) for p in parameters]

    def update(grads: list[np.ndarray]) -> None:
        for parameter, grad, buffer, change in zip(parameters, grads, buffers, changes, strict=True):
            buffer *= keep
            buffer += grad
            np.multiply(buffer, speed, change)
            parameter -= change

    return update


def makers(_: Any) -> dict[str, Any]:
    """Workload name -> function that makes its step."""
    found: dict[str, Any] = {name: lambda s=shape: chain(s) for name, shape in CHAIN_SHAPES.items()}
    return found | {"tiny": tiny, "mlp": mlp, "cnn": lambda dropout=DROPOUT: cnn(momentum, dropout)}
