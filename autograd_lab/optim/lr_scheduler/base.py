"""What a learning-rate scheduler is: after each epoch it sets `lr` in every group of an optimizer.

A scheduler defines `get_lr()`, which computes the new rates from the present ones (and from `base_lrs`, the
first ones). Read next: `factors.py`.
"""

from __future__ import annotations

from typing import Any

from ..._tensor import Tensor
from ...caution import warn
from ..optimizer import Optimizer

STEP_ORDER = (
    "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you should "
    "call them in "
    "the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will result in PyTorch "
    "skipping the first value of the learning rate schedule. See more details at "
    "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
)
EPOCH_TEXT = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use "
    "`scheduler.step()` to step the scheduler. During the deprecation, if epoch is different from None, the "
    "closed form is "
    "used instead of the new chainable form, where available. Please open an issue if you are unable to "
    "replicate your use "
    "case: https://github.com/pytorch/pytorch/issues/new/choose."
)


def checked(optimizer: Any) -> Any:
    """The optimizer; raises TypeError if it is none."""
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
    return optimizer


def rates(optimizer: Any, key: str = "lr") -> list[Any]:
    """The values of one option in all groups."""
    return [g[key].clone() if isinstance(g[key], Tensor) else g[key] for g in optimizer.param_groups]


def set_rate(group: dict[str, Any], lr: Any) -> None:
    """Give a group a new learning rate; one that is a tensor is written into."""
    if isinstance(group["lr"], Tensor):
        group["lr"].fill_(float(lr))
    else:
        group["lr"] = lr


class LRScheduler:
    """The base of schedulers: `step()` after each epoch (and after `optimizer.step()`)."""

    _is_initial = False
    _asked_within_step = False

    def __init__(self, optimizer: Any, last_epoch: int = -1) -> None:
        self.optimizer = checked(optimizer)
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                lr = group["lr"]
                group.setdefault("initial_lr", lr.clone() if isinstance(lr, Tensor) else lr)
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{i}] when resuming scheduler with "
                    "last_epoch >= 0.\n"
                    "This typically happens when:\n"
                    "1. You're trying to resume training from a checkpoint but haven't properly loaded the "
                    "optimizer state\n"
                    "2. You're using last_epoch >= 0 for a fresh training run (not recommended)"
                )
        self.base_lrs = rates(optimizer, "initial_lr")
        self.last_epoch = last_epoch
        self._initial_step()

    def _initial_step(self) -> None:
        """Set the rates of the first epoch."""
        self._step_count = 0
        self._is_initial = True
        self.step()
        self._is_initial = False

    def get_lr(self) -> list[Any]:
        """The rates of this epoch; each scheduler defines its own."""
        raise NotImplementedError

    def get_last_lr(self) -> list[Any]:
        """The rates that were set last."""
        return self._last_lr

    def step(self, epoch: int | None = None) -> None:
        """Go to the next epoch."""
        if self._step_count == 1 and not self.optimizer._opt_called:
            warn(STEP_ORDER)
        self._step_count += 1
        if epoch is not None:
            warn(EPOCH_TEXT)
        self._update_lr(epoch)

    def _update_lr(self, epoch: int | None = None) -> None:
        self._asked_within_step = True
        if epoch is None:
            self.last_epoch += 1
            new = self.get_lr()
        else:
            self.last_epoch = epoch
            new = getattr(self, "_get_closed_form_lr", self.get_lr)()
        self._asked_within_step = False
        for group, lr in zip(self.optimizer.param_groups, new, strict=True):
            set_rate(group, lr)
        self._last_lr = rates(self.optimizer)

    def _warn_if_asked(self) -> None:
        if not self._asked_within_step:
            warn("To get the last learning rate computed by the scheduler, please use `get_last_lr()`.")

    def times(self, factor: Any) -> list[Any]:
        """The present rates, times a factor."""
        return [group["lr"] * factor for group in self.optimizer.param_groups]

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer."""
        return {k: v for k, v in self.__dict__.items() if k not in ("optimizer", "_asked_within_step", "_is_initial")}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over a saved state."""
        self.__dict__.update(state_dict)
