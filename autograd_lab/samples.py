"""Example inputs for cards: what the tests, the docs and the learner's own ops are checked with.

A card's `samples=` is a function of a random generator that returns a list of argument tuples, with
float64 arrays where tensors go. The values keep away from kinks and poles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Samples = Callable[[Any], list[tuple[Any, ...]]]  # of a numpy.random.Generator


def draw(rng: Any, shape: tuple[int, ...], low: float, high: float, away: float = 0.0) -> Any:
    """Uniform values in [low, high], none closer than `away` to zero."""
    values = rng.uniform(low, high, shape)
    return np.where(np.abs(values) < away, np.copysign(away, values) + values, values) if away else values


def unary(*rest: Any, low: float = -2.0, high: float = 2.0, away: float = 0.0) -> Samples:
    """One tensor, then the plain arguments `rest`; 0-d, vector and matrix."""
    return lambda rng: [(draw(rng, shape, low, high, away), *rest) for shape in ((), (3,), (2, 3))]


def binary(*rest: Any, low: float = -2.0, high: float = 2.0, away: float = 0.0) -> Samples:
    """Two tensors that broadcast."""
    shapes = (((), ()), ((3,), (3,)), ((2, 3), (3,)), ((2, 1), (1, 3)), ((), (2,)))
    return lambda rng: [(draw(rng, a, low, high, away), draw(rng, b, low, high, away), *rest) for a, b in shapes]


def shaped(*cases: tuple[Any, ...], low: float = -2.0, high: float = 2.0) -> Samples:
    """Cases given as (shape or plain argument, …): a `Shape` becomes a tensor of that shape."""
    return lambda rng: [
        tuple(draw(rng, a.sizes, low, high) if isinstance(a, Shape) else a for a in case) for case in cases
    ]


class Shape:
    """Marks an argument of `shaped` that is a tensor."""

    def __init__(self, *sizes: int) -> None:
        self.sizes = sizes
