"""Random number generators. Seeds repeat here; the numbers are not PyTorch's."""

from __future__ import annotations

import secrets
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
        self.numpy = np.random.Generator(np.random.PCG64(self._seed % 2**64))
        return self

    def seed(self) -> int:
        """Start from a seed nobody knows; returns it."""
        self.manual_seed(secrets.randbits(63))
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
