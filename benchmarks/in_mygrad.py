"""The workloads in MyGrad: a NumPy-backed autograd with views and memory guarding, its defaults kept.

Read next: `in_autograd.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from measure import Step, clock
from workloads import (
    BATCH,
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


def chain(mygrad: Any, shape: tuple[int, ...]) -> Step:
    arrays, tanh = chain_arrays(shape), mygrad.tanh

    def step() -> tuple[float, float, float, Any]:
        x, w, b = (mygrad.tensor(a) for a in arrays)
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


def tiny(mygrad: Any) -> Step:
    from mygrad.nnet.activations import relu

    data, matmul, rate = moons(), mygrad.matmul, np.float32(TINY_RATE)
    inputs, minus = mygrad.tensor(data.inputs, constant=True), mygrad.tensor(-data.targets, constant=True)
    parameters = [mygrad.tensor(a) for a in data.weights + data.biases]
    w1, w2, w3, b1, b2, b3 = parameters

    def step() -> tuple[float, float, float, float]:
        start = clock()
        hidden = relu(matmul(inputs, w1) + b1)
        hidden = relu(matmul(hidden, w2) + b2)
        score = matmul(hidden, w3) + b3
        loss = relu(score * minus + 1.0).sum() * 0.01
        loss = loss + ((w1 * w1).sum() + (w2 * w2).sum() + (w3 * w3).sum()) * PENALTY
        middle = clock()
        loss.backward()
        for p in parameters:
            p.data -= rate * p.grad
        return start, middle, clock(), float(loss.data)

    return step


def momentum(parameters: list[Any], rate: float) -> Any:
    """Stochastic gradient descent with momentum: MyGrad has no optimizers."""
    buffers = [np.zeros_like(p.data) for p in parameters]
    speed, keep = np.float32(rate), np.float32(MOMENTUM)

    def update() -> None:
        for p, buffer in zip(parameters, buffers, strict=True):
            buffer *= keep
            buffer += p.grad
            p.data -= speed * buffer

    return update


def mlp(mygrad: Any) -> Step:
    from mygrad.nnet.activations import relu
    from mygrad.nnet.losses import softmax_crossentropy

    data, matmul = digits(), mygrad.matmul
    inputs = mygrad.tensor(data.inputs, constant=True)
    parameters = [mygrad.tensor(a) for a in data.weights + data.biases]
    w1, w2, b1, b2 = parameters
    update = momentum(parameters, MLP_RATE)

    def step() -> tuple[float, float, float, float]:
        start = clock()
        loss = softmax_crossentropy(matmul(relu(matmul(inputs, w1) + b1), w2) + b2, data.targets)
        middle = clock()
        loss.backward()
        update()
        return start, middle, clock(), float(loss.data)

    return step


def cnn(mygrad: Any, dropout: float) -> Step:
    from mygrad.nnet.activations import relu
    from mygrad.nnet.layers import conv_nd, max_pool
    from mygrad.nnet.losses import softmax_crossentropy

    data, draw, matmul = pictures(), np.random.default_rng(5), mygrad.matmul
    images = mygrad.tensor(data.inputs, constant=True)
    k1, k2 = (mygrad.tensor(a) for a in data.weights[:2])
    w1, w2 = (mygrad.tensor(a.T.copy()) for a in data.weights[2:])
    c1, c2 = (mygrad.tensor(a.reshape(1, -1, 1, 1)) for a in data.biases[:2])
    b1, b2 = (mygrad.tensor(a) for a in data.biases[2:])
    update = momentum([k1, k2, w1, w2, c1, c2, b1, b2], CNN_RATE)

    def step() -> tuple[float, float, float, float]:
        start = clock()
        made = max_pool(relu(conv_nd(images, k1, stride=1, padding=2) + c1), (2, 2), 2)
        made = max_pool(relu(conv_nd(made, k2, stride=1, padding=2) + c2), (2, 2), 2)
        hidden = relu(matmul(made.reshape(BATCH, 392), w1) + b1)
        hidden = hidden * ((draw.random(hidden.shape, np.float32) >= dropout) * np.float32(1 / (1 - dropout)))
        loss = softmax_crossentropy(matmul(hidden, w2) + b2, data.targets)
        middle = clock()
        loss.backward()
        update()
        return start, middle, clock(), float(loss.data)

    return step


def makers(mygrad: Any) -> dict[str, Any]:
    """Workload name -> function that makes its step."""
    found: dict[str, Any] = {name: lambda s=shape: chain(mygrad, s) for name, shape in CHAIN_SHAPES.items()}
    return found | {
        "tiny": lambda: tiny(mygrad),
        "mlp": lambda: mlp(mygrad),
        "cnn": lambda dropout=DROPOUT: cnn(mygrad, dropout),
    }
