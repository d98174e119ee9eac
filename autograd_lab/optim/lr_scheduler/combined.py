"""Schedulers made of schedulers: one after the other, or all at once.

Read next: `base.py`, if you came here first.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from .base import LRScheduler, rates, set_rate
from .plateau import ReduceLROnPlateau


class Combined(LRScheduler):
    """What both share: their parts, checked."""

    def hold(self, optimizer: Any, schedulers: Any, none_text: str) -> None:
        """Check the parts and keep them."""
        name = type(self).__name__
        if not schedulers:
            raise ValueError(f"{name} expects at least one scheduler{none_text}, but got no scheduler.")
        self.optimizer = schedulers[0].optimizer if optimizer is None else optimizer
        for i, part in enumerate(schedulers):
            if not hasattr(part, "optimizer"):
                raise TypeError(f"{name} at index {i} should have `optimizer` as its attribute.")
            if isinstance(part, ReduceLROnPlateau):
                raise ValueError(
                    f"{name} does not support `ReduceLROnPlateau` scheduler as it requires additional kwargs "
                    "to be specified "
                    f"when calling `step`, but got one at index {i} in the given schedulers sequence."
                )
            if part.optimizer is not self.optimizer:
                raise ValueError(
                    f"{name} expects all schedulers to belong to the same optimizer, but got scheduler "
                    f"{type(part).__name__} "
                    f"at index {i} has {part.optimizer}, which is different from {type(self.optimizer).__name__}."
                )
        self._schedulers = list(schedulers)

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer, with the states of the parts."""
        return {**super().state_dict(), "_schedulers": [part.state_dict() for part in self._schedulers]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over a saved state."""
        saved = dict(state_dict)
        for part, state in zip(self._schedulers, saved.pop("_schedulers"), strict=True):
            part.load_state_dict(state)
        super().load_state_dict(saved)


class SequentialLR(Combined):
    """One scheduler until the first milestone, the next from there, and so on."""

    def __init__(self, optimizer: Any, schedulers: list[Any], milestones: list[int], last_epoch: int = -1) -> None:
        self.hold(optimizer, schedulers, "")
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of "
                "milestone "
                f"points, but got number of schedulers {len(schedulers)} and the number of milestones to be equal to "
                f"{len(milestones)}"
            )
        self._milestones, self.last_epoch = list(milestones), last_epoch + 1
        for group in self.optimizer.param_groups:
            set_rate(group, group["initial_lr"])
        undo(self._schedulers)
        self._schedulers[0]._initial_step()
        self._last_lr = self._schedulers[0].get_last_lr()

    def step(self, epoch: int | None = None) -> None:
        """Go to the next epoch."""
        self.last_epoch += 1
        i = bisect_right(self._milestones, self.last_epoch)
        part = self._schedulers[i]
        if i and self._milestones[i - 1] == self.last_epoch:
            part._update_lr(0)
        else:
            part.step()
        self._last_lr = part.get_last_lr()


def undo(schedulers: list[Any]) -> None:
    """Take back the first step that each part made when it was built."""
    todo = list(schedulers)
    while todo:
        part = todo.pop()
        if hasattr(part, "_schedulers"):
            todo += part._schedulers
        else:
            part.last_epoch -= 1


class ChainedScheduler(Combined):
    """All schedulers step together; their factors multiply."""

    def __init__(self, schedulers: Any, optimizer: Any = None) -> None:
        self.hold(optimizer, schedulers, " to be chained")
        self._last_lr = rates(self.optimizer)

    def step(self, epoch: int | None = None) -> None:
        """Go to the next epoch."""
        for part in self._schedulers:
            part.step()
        self._last_lr = rates(self.optimizer)
