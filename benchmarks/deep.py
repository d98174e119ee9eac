"""A chain of 1,000,000 ops, forward, backward and freed, each library in a process of its own.

    python benchmarks/deep.py                     # 1,000,000 ops
    python benchmarks/deep.py --ops 100000 --libraries autograd_lab,torch

The chain is x = x * w on single numbers, at Python's default recursion limit. The gradient of w is checked.
Memory is what the process's peak grew by during forward and backward, per op; it is read from Linux's
/proc and shown as "-" elsewhere.
"""

from __future__ import annotations

import argparse
import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from measure import clock, one_thread

MODULES = {"autograd_lab": "autograd_lab", "torch": "torch", "mygrad": "mygrad", "autograd": "autograd"}
SECONDS = 120  # a library that needs longer is said to


def memory(field: str) -> int | None:
    """A field of this process's memory in bytes: VmRSS is now, VmHWM the peak."""
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    line = next(line for line in status.read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) * 1024


def links(x: Any, w: Any, ops: int) -> Any:
    for _ in range(ops):
        x = x * w
    return x


def run(name: str, ops: int) -> dict[str, float | None]:
    """Build the chain in one library, go back, free it; nanoseconds and bytes per op."""
    module = importlib.import_module(MODULES[name])
    if name == "torch":
        module.set_num_threads(1)
    before, start = memory("VmRSS"), clock()
    if name == "autograd":
        import numpy as np
        from autograd.core import make_vjp

        one = np.float32(1)
        result, _ = make_vjp(lambda pair: links(*pair, ops), (one, one))
        middle = clock()
        slope = float(result(one)[1])
    else:
        options: dict[str, Any] = {} if name == "mygrad" else {"requires_grad": True}
        x, w = (module.tensor(1.0, **options) for _ in "xw")
        result = links(x, w, ops)
        middle = clock()
        result.backward()
        slope = float(w.grad)
    end, peak = clock(), memory("VmHWM")
    del result
    freed = clock()
    if abs(slope / ops - 1) > 1e-3:
        raise AssertionError(f"{name}: the gradient is {slope}, not {ops}")
    grown = None if before is None or peak is None else (peak - before) / ops
    times = {"forward": middle - start, "backward": end - middle, "free": freed - end}
    return {**{part: seconds / ops * 1e9 for part, seconds in times.items()}, "bytes": grown}


def measured(name: str, ops: int) -> dict[str, float | None] | str:
    """`run` in a child process; a text says why there is no result."""
    command = [sys.executable, __file__, "--child", name, "--ops", str(ops)]
    root = str(Path(__file__).resolve().parent.parent)
    try:
        child = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, cwd=root)
    except subprocess.TimeoutExpired:
        return f"over {SECONDS} s"
    if child.returncode == 0:
        found: dict[str, float | None] = json.loads(child.stdout)
        return found
    last = (child.stderr.strip().splitlines() or [f"ended by signal {-child.returncode}"])[-1]
    return "not installed" if last.startswith("ModuleNotFoundError") else last


def row(name: str, found: dict[str, float | None] | str) -> str:
    """A line of the table."""
    if isinstance(found, str):
        return f"| {name} | no: {found} | | | | |"
    cells = ["-" if found[part] is None else f"{found[part]:,.0f}" for part in ("forward", "backward", "free", "bytes")]
    return f"| {name} | yes | " + " | ".join(cells) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--ops", type=int, default=1_000_000)
    parser.add_argument("--libraries", default=",".join(MODULES))
    parser.add_argument("--child", choices=MODULES, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    one_thread()
    if chosen.child:
        sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
        print(json.dumps(run(chosen.child, chosen.ops)))
        return
    print(f"| {chosen.ops:,} ops | survives | forward, ns/op | backward, ns/op | free, ns/op | peak bytes/op |")
    print("|---|---|--:|--:|--:|--:|")
    for name in chosen.libraries.split(","):
        if name not in MODULES:
            parser.error(f"no library is called {name!r}; there are: {', '.join(MODULES)}")
        print(row(name, measured(name, chosen.ops)), flush=True)


if __name__ == "__main__":
    main()
