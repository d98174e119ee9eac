"""A scheduler that watches a number: the rate falls when the number stops improving.

Read next: `combined.py`.
"""

from __future__ import annotations

import math
from typing import Any

from ...caution import warn
from .base import EPOCH_TEXT, LRScheduler, checked, rates, set_rate


class ReduceLROnPlateau(LRScheduler):
    """The rate times `factor` after more than `patience` epochs without improvement; call `step(metric)`."""

    def __init__(
        self,
        optimizer: Any,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: Any = 0,
        eps: float = 1e-8,
    ) -> None:
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        self.optimizer, self.factor = checked(optimizer), factor
        groups = len(optimizer.param_groups)
        self.min_lrs = list(min_lr) if isinstance(min_lr, (list, tuple)) else [min_lr] * groups
        if len(self.min_lrs) != groups:
            raise ValueError(f"expected {groups} min_lrs, got {len(self.min_lrs)}")
        if mode not in ("min", "max"):
            raise ValueError(f"mode {mode} is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"threshold mode {threshold_mode} is unknown!")
        self.mode, self.threshold, self.threshold_mode = mode, threshold, threshold_mode
        self.patience, self.cooldown, self.eps = patience, cooldown, eps
        self.last_epoch, self.cooldown_counter, self.num_bad_epochs = 0, 0, 0
        self.best = math.inf if mode == "min" else -math.inf
        self._last_lr = rates(optimizer)

    @property
    def in_cooldown(self) -> bool:
        """Whether bad epochs do not count at present."""
        return self.cooldown_counter > 0

    def better(self, value: float) -> bool:
        """Whether a value improves on the best so far by more than the threshold."""
        sign = -1 if self.mode == "min" else 1
        if self.threshold_mode == "rel":
            return sign * value > sign * self.best * (1 + sign * self.threshold)
        return sign * value > sign * (self.best + sign * self.threshold)

    def step(self, metrics: Any, epoch: int | None = None) -> None:
        """Note the metric of an epoch; lower the rate if it is time."""
        value = float(metrics)
        if epoch is not None:
            warn(EPOCH_TEXT)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self.better(value):
            self.best, self.num_bad_epochs = value, 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter, self.num_bad_epochs = self.cooldown_counter - 1, 0
        if self.num_bad_epochs > self.patience:
            for group, least in zip(self.optimizer.param_groups, self.min_lrs, strict=True):
                old = float(group["lr"])
                new = max(old * self.factor, least)
                if old - new > self.eps:
                    set_rate(group, new)
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = rates(self.optimizer)
