"""What recording costs: a program on vectors of 64, unrecorded, recorded, and walked.

    python benchmarks/recording.py

Forward and backward of 24 ops, four ways that take turns: with the fast loop, with the general loop (which hooks,
`retain_graph` and `inputs=` use), with the general loop inside `record()`, and as a tape: recorded forward, then
`tape_of`, which holds every number of the walk. The promise: recorded at most 2 times the general loop.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from measure import clock, one_thread, take_turns

OPS, SIZE = 24, 64


def program(torch: Any, x: Any, w: Any) -> Any:
    """24 ops, as small networks have them."""
    h = x
    for _ in range(OPS // 4):
        h = torch.tanh(h * w + x)
        h = h - w
    return h.sum()


def ways() -> dict[str, Callable[[], Any]]:
    """The four ways as steps that `take_turns` measures."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    import autograd_lab as torch
    from autograd_lab.view.tape import tape_of

    torch.manual_seed(0)
    x, w = (torch.randn(SIZE, requires_grad=True) for _ in "xw")

    def step(recorded: bool, backward: Callable[[Any], Any]) -> Callable[[], Any]:
        def run() -> Any:
            x.grad = w.grad = None
            start = clock()
            with torch.record() if recorded else nullcontext():
                loss = program(torch, x, w)
            middle = clock()
            backward(loss)
            return start, middle, clock(), 0.0

        return run

    return {
        "fast loop": step(False, lambda loss: loss.backward()),
        "general loop": step(False, lambda loss: loss.backward(retain_graph=True)),
        "recorded": step(True, lambda loss: loss.backward(retain_graph=True)),
        "tape": step(True, tape_of),
    }


def measured(turns: int = 41) -> dict[str, float]:
    """Seconds of a forward and backward, each way."""
    return {name: timing.total for name, timing in take_turns(ways(), turns, per_turn=5).items()}


def main() -> None:
    one_thread()
    seconds = measured()
    for name, value in seconds.items():
        print(
            f"{name:13} {value * 1e6:8.0f} us  {value / seconds['general loop']:5.2f} x general loop"
            f"  {value / seconds['fast loop']:5.2f} x fast loop"
        )
    print(f"recording costs at most 2 times the general loop: {seconds['recorded'] <= 2 * seconds['general loop']}")


if __name__ == "__main__":
    main()
