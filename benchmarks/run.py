"""Measures the workloads, all libraries side by side in one run, and prints tables.

    python benchmarks/run.py                              # everything that is installed
    python benchmarks/run.py scalar vector --reps 41      # some workloads, more turns
    python benchmarks/run.py --markdown                   # one table of ratios, for docs/performance.md
    python benchmarks/run.py tiny --also new=/my/copy/autograd_lab    # a change beside the original

Workloads: scalar, vector, vector1024, tiny, mlp, cnn. Ratios of one run can be compared; nanoseconds of two
runs cannot. Beside this: deep.py (1,000,000 ops), imports.py, unused.py.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from typing import Any

from measure import Timing, one_thread, take_turns, warn_of_settings

one_thread()

import numpy as np  # noqa: E402
from libraries import LIBRARIES, Makers, copy_of, loaded  # noqa: E402
from workloads import WORKLOADS, Workload  # noqa: E402

REFERENCES = ("torch", "numpy")


def check(workload: Workload, makers: dict[str, Makers]) -> None:
    """Raise AssertionError unless the libraries compute the same values over a few steps, dropout left out."""
    options = {"dropout": 0.0} if workload.name == "cnn" else {}
    count = 1 if workload.ops else 3
    values: dict[str, Any] = {}
    for name, made in makers.items():
        if workload.name in made and not (name == "micrograd" and count > 1):
            step = made[workload.name](**options)
            values[name] = np.stack([np.asarray(step()[3], np.float64) for _ in range(count)])
    reference = next((values[name] for name in REFERENCES if name in values), None)
    for name, value in values.items():
        if reference is not None:
            np.testing.assert_allclose(value, reference, workload.tolerance, err_msg=f"{workload.name}: {name}")


def measure(workload: Workload, makers: dict[str, Makers], turns: int, per_turn: int) -> dict[str, Timing]:
    """Timings by library of one workload."""
    check(workload, makers)
    steps = {name: made[workload.name]() for name, made in makers.items() if workload.name in made}
    return take_turns(steps, turns, per_turn)


def table(workload: Workload, timings: dict[str, Timing]) -> str:
    """One workload in full, quickest first."""
    unit, scale = ("ns/op", 1e9 / workload.ops) if workload.ops else ("us", 1e6)
    known = [name for name in REFERENCES if name in timings]
    lines = [
        f"\n### {workload.title}\n",
        f"| library | forward, {unit} | backward, {unit} | total, {unit} |" + "".join(f" / {n} |" for n in known),
        "|---|--:|--:|--:|" + "--:|" * len(known),
    ]
    for name, timing in sorted(timings.items(), key=lambda item: item[1].total):
        cells = [f"{part * scale:,.0f}" for part in (timing.forward, timing.backward, timing.total)]
        cells += [ratio(timing, timings[reference]) for reference in known]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def ratio(timing: Timing, reference: Timing) -> str:
    value = timing.total / reference.total
    return f"{value:.2f}" if value < 100 else f"{value:,.0f}"


def summary(results: dict[str, dict[str, Timing]], reference: str) -> str:
    """All workloads in one table: each library's time over the reference's."""
    names = [n for n in dict.fromkeys(n for timings in results.values() for n in timings) if n != reference]
    lines = [
        f"\n| time over {reference}'s | " + " | ".join(names) + " |",
        "|---|" + "--:|" * len(names),
    ]
    for workload, timings in results.items():
        cells = [ratio(timings[n], timings[reference]) if n in timings else "-" for n in names]
        lines.append(f"| {WORKLOADS[workload].title} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def versions(makers: dict[str, Makers]) -> str:
    """One line that says what was measured with what."""
    parts = [f"Python {platform.python_version()}", f"NumPy {np.__version__}", platform.machine()]
    for name in makers:
        module = sys.modules.get(LIBRARIES[name].module) if name in LIBRARIES else None
        if name != "numpy" and hasattr(module, "__version__"):
            parts.append(f"{name} {module.__version__}")
    return ", ".join(parts) + "; CPU time, one thread, medians of interleaved turns"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("workloads", nargs="*", metavar="names", help=", ".join(WORKLOADS))
    parser.add_argument("--libraries", help="names separated by commas; all that are installed by default")
    parser.add_argument("--reps", type=int, default=21, help="turns of each library")
    parser.add_argument("--per-turn", type=int, default=1, help="steps measured in one turn")
    parser.add_argument("--also", action="append", default=[], metavar="NAME=FOLDER", help="a copy of the package")
    parser.add_argument("--markdown", action="store_true", help="one table of ratios instead of a table per workload")
    parser.add_argument("--json", action="store_true", help="seconds per step, for programs")
    chosen = parser.parse_args()
    for name in chosen.workloads:
        if name not in WORKLOADS:
            parser.error(f"no workload is called {name!r}; there are: {', '.join(WORKLOADS)}")
    names = chosen.libraries.split(",") if chosen.libraries else None
    for name in names or []:
        if name not in LIBRARIES:
            parser.error(f"no library is called {name!r}; there are: {', '.join(LIBRARIES)}")
    chosen.libraries = names
    return chosen


def main() -> None:
    chosen = arguments()
    makers, messages = loaded(chosen.libraries)
    makers.update(copy_of(text) for text in chosen.also)
    messages += [f"{name} is set: unset it, or matrix products are not what users have" for name in warn_of_settings()]
    for message in messages:
        print(message, file=sys.stderr)
    if not chosen.json:
        print(versions(makers))
    results = {}
    for name in chosen.workloads or WORKLOADS:
        results[name] = measure(WORKLOADS[name], makers, chosen.reps, chosen.per_turn)
        if not (chosen.json or chosen.markdown):
            print(table(WORKLOADS[name], results[name]), flush=True)
    if chosen.json:
        print(json.dumps({w: {n: t.total for n, t in timings.items()} for w, timings in results.items()}))
    elif chosen.markdown:
        for reference in REFERENCES:
            if reference in makers:
                print(summary(results, reference))


if __name__ == "__main__":
    main()
