"""How time is measured: libraries take turns, step by step, and medians of CPU time are compared.

CPU time of this process, because a process that had to wait for another is not charged for it. One thread,
because two would be charged twice. Turns, because a slow spell of the machine then falls on every library
alike: ratios of one run hold where nanoseconds of two runs do not. Read next: `workloads.py`.
"""

from __future__ import annotations

import gc
import os
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
BLAS_VARIABLES = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
SLOW = 0.3  # seconds: a step as long as this needs no warming up and gets fewer turns

clock = time.process_time

# A step runs one forward and one backward and returns the clock before, between and after them, and a value
# (a loss, or a gradient) that must be the same in every library.
Step = Callable[[], tuple[float, float, float, object]]


@dataclass(frozen=True)
class Timing:
    """Medians over the turns, in seconds."""

    forward: float
    backward: float  # with the optimizer's step, where there is one
    total: float
    turns: int


def one_thread() -> None:
    """Ask the linear algebra libraries for one thread; must run before NumPy is imported."""
    for name in THREAD_VARIABLES:
        os.environ[name] = "1"


def warn_of_settings() -> list[str]:
    """Variables that would make NumPy's matrix products slower or faster than usual."""
    return [name for name in BLAS_VARIABLES if name in os.environ]


def take_turns(steps: dict[str, Step], turns: int, per_turn: int = 1) -> dict[str, Timing]:
    """Run every step `turns` times, one library after the other in an order drawn anew each time."""
    laps: dict[str, list[tuple[float, float, float]]] = {name: [] for name in steps}
    order, draw = list(steps), random.Random(0)
    for turn in range(turns):
        draw.shuffle(order)
        for name in order:
            step, own = steps[name], laps[name]
            slow = bool(own) and own[-1][2] - own[-1][0] > SLOW
            if slow and turn > 2:
                continue
            gc.collect()
            if not slow:
                step()  # collecting has emptied the caches: warm them, as in a training loop
            own.extend(step()[:3] for _ in range(1 if slow else per_turn))
    return {name: medians(own) for name, own in laps.items()}


def medians(laps: list[tuple[float, float, float]]) -> Timing:
    """The median of each part."""
    return Timing(
        forward=statistics.median(middle - start for start, middle, _ in laps),
        backward=statistics.median(end - middle for _, middle, end in laps),
        total=statistics.median(end - start for start, _, end in laps),
        turns=len(laps),
    )
