"""What hooks, observers and stepping cost when nobody uses them, and what version checks cost.

    python benchmarks/unused.py [--reps N]

Copies of the package run side by side in one process. From the code that they write for their cards these
lines are left out: in one copy what tells watchers and observers (and the engine's look for hooks), in
another the version checks, which include "freed" and "modified in place". A third copy is unchanged: how
far it is from the first one is the noise of the measurement.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from measure import Timing, one_thread, take_turns

one_thread()

import in_torch  # noqa: E402
from copies import load_copy  # noqa: E402
from workloads import CHAIN_SHAPES  # noqa: E402

Patterns = tuple[tuple[str, str], ...]

# What is left out, as (pattern, replacement); each pattern must be found, or the benchmark no longer knows the code.
TELLING: Patterns = (
    (r" *if mode is not True: mode\.noticed\(node, result\)\n", ""),
    (r" *if watchers: tell\(.*\)\n", ""),
)
VERSIONS: Patterns = (
    (r"; v = \w+\._counter; node\.version_\w+ = v if type\(v\) is int else v\[0\]", ""),
    (r" *if [^\n]*_counter[^\n]*: \w+ = stale\(.*\)\n", ""),
    (r" *node\.saved_\w+ = FREED\n", ""),
    (
        r"node\.saved_result, node\.counter_result, node\.version_result = result_data, None, 0",
        "node.saved_result = result_data",
    ),
    (r" *if node\.counter_result is not None: .*\n", ""),
    (r" *node\.saved_result, node\.counter_result = None, FREED\n", ""),
    (r" *result\._counter = 0\n", ""),
)


def without(name: str, patterns: Patterns) -> tuple[ModuleType, set[str]]:
    """A copy of the package whose cards lack these lines, and the set of patterns that were met so far."""
    package = load_copy(name)
    writing = sys.modules[f"{name}.writing"]
    met: set[str] = set()

    def filtered(write: Callable[..., str]) -> Callable[..., str]:
        def written(*args: Any, **options: Any) -> str:
            text = write(*args, **options)
            for pattern, replacement in patterns:
                text, count = re.subn(pattern, replacement, text)
                if count:
                    met.add(pattern)
            return text

        return written

    for function in ("write_function", "write_run"):
        setattr(writing, function, filtered(getattr(writing, function)))
    return package, met


def always_plain(package: ModuleType) -> None:
    """Let `backward` go to the fast loop without looking for hooks and observers."""
    engine, seeds = (sys.modules[f"{package.__name__}.{name}"] for name in ("engine", "seeds"))

    def backward(self: Any, gradient: Any = None) -> None:
        engine.fast(self._edge, seeds.seed(0, self, gradient)._data)

    package.Tensor.backward = backward


def measure(turns: int, per_turn: int, workload: str = "vector") -> dict[str, Timing]:
    """Timings of the four copies on a chain.

    Raises RuntimeError if a line to be left out was not found in the code of the cards.
    """
    whole, twin = load_copy("lab_whole"), load_copy("lab_twin")
    silent, found_telling = without("lab_silent", TELLING)
    always_plain(silent)
    unversioned, found_versions = without("lab_unversioned", VERSIONS)
    copies = {"whole": whole, "whole, again": twin, "no hooks, observers, stepping": silent, "no versions": unversioned}
    steps = {name: in_torch.makers(package)[workload]() for name, package in copies.items()}
    for step in steps.values():
        step()
    missing = {p for p, _ in TELLING + VERSIONS} - found_telling - found_versions
    if missing:
        raise RuntimeError(f"the code written for cards has changed; not found: {sorted(missing)}")
    return take_turns(steps, turns, per_turn)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("workload", nargs="?", default="vector", choices=CHAIN_SHAPES)
    parser.add_argument("--reps", type=int, default=61)
    parser.add_argument("--per-turn", type=int, default=3)
    chosen = parser.parse_args()
    timings = measure(chosen.reps, chosen.per_turn, chosen.workload)
    whole = timings["whole"].total
    print(f"| {chosen.workload} | us per step | what it costs |\n|---|--:|--:|")
    for name, timing in timings.items():
        cost = "" if name == "whole" else f"{(whole / timing.total - 1) * 100:+.1f} %"
        print(f"| {name} | {timing.total * 1e6:,.0f} | {cost} |")


if __name__ == "__main__":
    main()
