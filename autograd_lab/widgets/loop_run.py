"""The lines of a training loop, run in any order by the real engine, and what happened, as plain data.

Each line is executed as it is written. Beside it a ledger notes which gradients lie in `.grad` and how old they are,
so that what an order does is a fact that was seen, not a guess from the order. Read next: `loop_effects.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import autograd_lab as torch
from autograd_lab.view.walk import visit

LINES = {
    "zero": "optimizer.zero_grad()",
    "forward": "output = w * x + b",
    "loss": "loss = (output - target) ** 2",
    "backward": "loss.backward()",
    "step": "optimizer.step()",
    "total": "total = total + loss",
    "item": "total = total + loss.item()",
    "detach": "loss = loss.detach()",
}
RIGHT = ("zero", "forward", "loss", "backward", "step")


@dataclass(frozen=True)
class Start:
    """The numbers that a training begins with."""

    w: float = 3.0
    b: float = 1.0
    x: float = 2.0
    target: float = 10.0
    lr: float = 0.05


@dataclass(frozen=True)
class Round:
    """What one time through the lines left: the loss it computed, the weights, `w.grad`, and the living nodes."""

    number: int
    loss: float | None
    w: float
    b: float
    grad: float | None
    nodes: int


@dataclass(frozen=True)
class Update:
    """One `optimizer.step()`: for each gradient that lay in `.grad`, how many updates old it was."""

    round: int
    ages: tuple[int, ...]


@dataclass(frozen=True)
class Raised:
    """The error that ended a run."""

    round: int
    line: str
    name: str
    message: str


@dataclass(frozen=True)
class Run:
    """A whole run of an order of lines."""

    order: tuple[str, ...]
    rounds: tuple[Round, ...]
    updates: tuple[Update, ...]
    raised: Raised | None


def run(order: Sequence[str], start: Start, rounds: int) -> Run:
    """Run these lines `rounds` times, or until one raises.

    >>> done = run(RIGHT, Start(), 2)
    >>> [(r.loss, round(r.w, 4), round(r.b, 4)) for r in done.rounds]
    [(9.0, 3.6, 1.3), (2.25, 3.9, 1.45)]
    """
    w, b = (torch.tensor(float(value), requires_grad=True) for value in (start.w, start.b))
    optimizer = torch.optim.SGD([w, b], lr=start.lr)
    names: dict[str, Any] = {
        "w": w,
        "b": b,
        "x": torch.tensor(float(start.x)),
        "target": torch.tensor(float(start.target)),
    }
    names |= {"optimizer": optimizer, "total": 0.0}
    ledger = Ledger()
    seen: list[Round] = []
    for number in range(1, rounds + 1):
        for key in order:
            try:
                exec(LINES[key], names)  # our own lines, never what somebody typed
            except (RuntimeError, NameError, TypeError) as error:
                raised = Raised(number, key, type(error).__name__, str(error).splitlines()[0])
                return Run(tuple(order), tuple(seen), tuple(ledger.updates), raised)
            ledger.note(key, number)
        loss = names.get("loss")
        grad = None if w.grad is None else w.grad.item()
        seen.append(Round(number, None if loss is None else loss.item(), w.item(), b.item(), grad, living(names)))
    return Run(tuple(order), tuple(seen), tuple(ledger.updates), None)


class Ledger:
    """Which gradients lie in `.grad`: for each, after how many updates its forward pass ran."""

    def __init__(self) -> None:
        self.count = 0
        self.forward_at = self.loss_at = 0
        self.held: list[int] = []
        self.updates: list[Update] = []

    def note(self, key: str, number: int) -> None:
        """A line has run."""
        if key == "zero":
            self.held.clear()
        elif key == "forward":
            self.forward_at = self.count
        elif key == "loss":
            self.loss_at = self.forward_at
        elif key == "backward":
            self.held.append(self.loss_at)
        elif key == "step":
            self.updates.append(Update(number, tuple(self.count - at for at in self.held)))
            self.count += bool(self.held)


def living(names: dict[str, Any]) -> int:
    """The nodes that the variables of the loop keep alive."""
    roots = [value for value in names.values() if isinstance(value, torch.Tensor) and value.grad_fn is not None]
    return len(visit(roots))
