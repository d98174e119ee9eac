"""What `import autograd_lab` costs over `import numpy`, and what it loads.

    python benchmarks/imports.py [modules] [--reps N]

Each module is imported in a new process that has NumPy already; processes of all modules take turns and the
medians of their CPU time are shown. PyTorch and the peers are there for comparison.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

MODULES = ("autograd_lab", "mygrad", "autograd.numpy", "torch")
CHILD = """
import json, sys, time
import numpy
before = set(sys.modules)
start = time.process_time()
import {module}
spent = time.process_time() - start
new = {{name.partition(".")[0] for name in set(sys.modules) - before}}
print(json.dumps([spent, sorted(new - set(sys.stdlib_module_names)), len(set(sys.modules) - before)]))
"""


def imported(module: str) -> tuple[float, list[str], int] | None:
    """Seconds, the packages loaded beyond NumPy and the standard library, and how many modules in all."""
    root = str(Path(__file__).resolve().parent.parent)
    command = [sys.executable, "-c", CHILD.format(module=module)]
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    child = subprocess.run(command, capture_output=True, text=True, cwd=root, env=settings)
    if child.returncode:
        if "ModuleNotFoundError" in child.stderr:
            return None
        raise RuntimeError(child.stderr)
    seconds, packages, count = json.loads(child.stdout)
    return seconds, packages, count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("modules", nargs="*", default=MODULES)
    parser.add_argument("--reps", type=int, default=15)
    chosen = parser.parse_args()
    found: dict[str, list[tuple[float, list[str], int]]] = {}
    for _ in range(chosen.reps + 1):
        for module in chosen.modules:
            result = imported(module)
            if result is not None:
                found.setdefault(module, []).append(result)
    print("| module | CPU ms over `import numpy` | modules | packages loaded |\n|---|--:|--:|---|")
    for module, results in found.items():
        later = results[1:]  # the first one may have compiled the sources
        milliseconds = statistics.median(seconds for seconds, _, _ in later) * 1e3
        packages = later[0][1]
        shown = ", ".join(packages[:4]) + (f" and {len(packages) - 4} more" if len(packages) > 4 else "")
        print(f"| {module} | {milliseconds:.0f} | {later[0][2]} | {shown} |")
    for module in chosen.modules:
        if module not in found:
            print(f"{module} is left out: it is not installed", file=sys.stderr)


if __name__ == "__main__":
    main()
