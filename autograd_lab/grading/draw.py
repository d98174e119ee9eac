"""The numbers of an exercise: drawn from the learner's id, the same for one learner on every machine.

A key is HMAC-SHA256 over what the draw is for, with each part's length in front of it. NumPy promises the
bits of PCG64 for ever, but not its distributions, so the transform to integers is our own. Read next:
`judge.py`.
"""

import hmac
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from .verdict import ExerciseError

OPEN_KEY = b"autograd_lab: numbers that a learner may see"  # grading a class uses a secret instead
MOST_DRAWS = 10_000

Numbers = dict[str, Any]
Choice = TypeVar("Choice")


class Bits:
    """A stream of random numbers from a key.

    >>> bits = Bits(key("e2", "numbers", "ada"))
    >>> [bits.integer(1, 6) for _ in range(5)] == [Bits(key("e2", "numbers", "ada")).integer(1, 6)] * 5
    False
    """

    def __init__(self, seed: bytes) -> None:
        self._raw = np.random.PCG64(np.random.SeedSequence(int.from_bytes(seed, "big"))).random_raw

    def integer(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included, each equally likely."""
        size = high - low + 1
        limit = 2**64 - 2**64 % size  # above it some numbers would come more often
        while (found := int(self._raw())) >= limit:
            pass
        return low + found % size

    def pick(self, choices: Sequence[Choice]) -> Choice:
        """One of the choices, each equally likely."""
        return choices[self.integer(0, len(choices) - 1)]


def key(*parts: str, secret: bytes = OPEN_KEY) -> bytes:
    """The 32 bytes that belong to these parts and to no others."""
    encoded = [part.encode() for part in parts]
    message = b"".join(len(part).to_bytes(4, "big") + part for part in encoded)
    return hmac.new(secret, message, "sha256").digest()


def draw_numbers(
    draw: Callable[[Bits], Numbers], accepted: Callable[[Numbers], bool], exercise: str, learner: str
) -> Numbers:
    """The first accepted numbers in the learner's own series. Raises ExerciseError if none is accepted."""
    for attempt in range(MOST_DRAWS):
        numbers = draw(Bits(key(exercise, "numbers", learner, str(attempt))))
        if accepted(numbers):
            return numbers
    raise ExerciseError(
        f"The exercise {exercise!r} accepts none of {MOST_DRAWS} draws: its right and wrong answers collide. "
        "Draw from more numbers in its judge.py."
    )
