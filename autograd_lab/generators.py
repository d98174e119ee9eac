"""Random number generators. Seeds repeat here; the numbers are not PyTorch's."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np


class Generator:
    """A source of random numbers with a state of its own.

    >>> a, b = Generator().manual_seed(1), Generator().manual_seed(1)
    >>> bool(a.numpy.random() == b.numpy.random())
    True
    """

    def __init__(self, device: Any = "cpu") -> None:
        self.device = device
        self.manual_seed(67280421310721)

    def manual_seed(self, seed: int) -> Generator:
        """Start again from `seed`."""
        self._seed = int(seed)
        self.__dict__.pop("numpy", None)
        return self

    @cached_property
    def numpy(self) -> Any:
        """NumPy's generator; made when first used, since numpy.random is slow to import."""
        return np.random.Generator(np.random.PCG64(self._seed % 2**64))

    def seed(self) -> int:
        """Start from a seed nobody knows; returns it."""
        self.manual_seed(int.from_bytes(os.urandom(7), "little"))
        return self._seed

    def initial_seed(self) -> int:
        return self._seed


default_generator = Generator()
default_generator.seed()


def manual_seed(seed: int) -> Generator:
    """Seed the default generator, so that the following random numbers repeat."""
    return default_generator.manual_seed(seed)


def initial_seed() -> int:
    """The seed of the default generator."""
    return default_generator.initial_seed()


def seed() -> int:
    """Seed the default generator with a number nobody knows."""
    return default_generator.seed()


@contextmanager
def left_alone() -> Iterator[None]:
    """A block after which the default generator goes on as if the block had not been.

    >>> _ = manual_seed(0)
    >>> with left_alone():
    ...     a = default_generator.numpy.random()
    >>> bool(a == default_generator.numpy.random())
    True
    """
    made = default_generator.__dict__.get("numpy")
    state = None if made is None else made.bit_generator.state
    try:
        yield
    finally:
        if made is None:
            default_generator.__dict__.pop("numpy", None)
        else:
            default_generator.__dict__["numpy"] = made
            made.bit_generator.state = state
