"""What is measured: five workloads, and the numbers they start from.

Every library builds each workload from the arrays made here, so that all of them compute the same thing and
their first gradient or losses can be compared. Read next: `libraries.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

LINKS = 250  # of a chain: each is x = tanh(x * w + b) ** 2, four ops
BATCH = 64
TINY_RATE, MLP_RATE, CNN_RATE, MOMENTUM = 0.01, 0.01, 0.001, 0.9
PENALTY = 1e-4
DROPOUT = 0.5


@dataclass(frozen=True)
class Workload:
    """One thing to measure; `ops` per step if figures are per op, else 0 and figures are per step."""

    name: str
    title: str
    ops: int = 0
    tolerance: float = 2e-3


WORKLOADS = {
    w.name: w
    for w in (
        Workload("scalar", "scalar chain of 1,000 ops", 4 * LINKS),
        Workload("vector", "chain of 1,000 ops on vectors of 64", 4 * LINKS),
        Workload("vector1024", "chain of 1,000 ops on vectors of 1,024", 4 * LINKS),
        Workload("tiny", "MLP 2-16-16-1, batch 100, one step"),
        Workload("mlp", "MLP 784-128-10, batch 64, one step with momentum"),
        Workload("cnn", "small CNN, batch 64, one step with momentum"),
    )
}
CHAIN_SHAPES = {"scalar": (), "vector": (64,), "vector1024": (1024,)}


def chain_arrays(shape: tuple[int, ...]) -> list[np.ndarray]:
    """x, w and b of a chain, chosen so that 250 links neither vanish nor explode."""
    draw = np.random.default_rng(0)
    return [np.asarray(draw.random(shape) * 0.01 + start, np.float32) for start in (0.17, 1.30, 0.21)]


@dataclass(frozen=True)
class Training:
    """Inputs, targets, and the starting weights as (in, out) matrices with their biases."""

    inputs: np.ndarray
    targets: np.ndarray
    weights: list[np.ndarray]
    biases: list[np.ndarray]


def moons() -> Training:
    """Two half moons of 50 points, targets 1 and -1: what micrograd's demonstration learns."""
    draw = np.random.default_rng(1)
    angle = draw.random(50) * np.pi
    upper = np.stack([np.cos(angle), np.sin(angle)], 1)
    lower = np.stack([1 - np.cos(angle), 0.5 - np.sin(angle)], 1)
    targets = np.repeat([1.0, -1.0], 50)[:, None].astype(np.float32)
    sizes = ((2, 16), (16, 16), (16, 1))
    weights = [draw.uniform(-1, 1, size).astype(np.float32) for size in sizes]
    biases = [np.zeros(size[1], np.float32) for size in sizes]
    return Training(np.concatenate([upper, lower]).astype(np.float32), targets, weights, biases)


def digits() -> Training:
    """Random pictures of 28 by 28 as rows, with random classes, for an MLP of one hidden layer."""
    draw = np.random.default_rng(2)
    inputs = draw.random((BATCH, 784), np.float32)
    targets = draw.integers(0, 10, BATCH)
    weights = [normal(draw, (i, o), i) for i, o in ((784, 128), (128, 10))]
    return Training(inputs, targets, weights, [np.zeros(128, np.float32), np.zeros(10, np.float32)])


def pictures() -> Training:
    """The same as images; weights of the CNN in PyTorch's layout: kernels (O, C, 5, 5), matrices (out, in)."""
    draw = np.random.default_rng(3)
    inputs = draw.random((BATCH, 1, 28, 28), np.float32)
    targets = draw.integers(0, 10, BATCH)
    shapes = ((4, 1, 5, 5), (8, 4, 5, 5), (512, 392), (10, 512))
    weights = [normal(draw, shape, int(np.prod(shape[1:]))) for shape in shapes]
    return Training(inputs, targets, weights, [np.zeros(shape[0], np.float32) for shape in shapes])


def normal(draw: np.random.Generator, shape: tuple[int, ...], fan_in: int) -> np.ndarray:
    """Normal numbers with the variance that suits relu."""
    return (draw.standard_normal(shape) * np.sqrt(2 / fan_in)).astype(np.float32)
