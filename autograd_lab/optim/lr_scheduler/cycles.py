"""Schedulers that follow a curve: cosine, warm restarts, cycles, one cycle.

Sources: Loshchilov and Hutter 2017; Smith 2017; Smith and Topin 2018. Read next: `combined.py`.
"""

from __future__ import annotations

import math
from typing import Any

from .base import LRScheduler, checked, rates, set_rate


class CosineAnnealingLR(LRScheduler):
    """The rate follows half a cosine from its first value to eta_min in T_max epochs, and back."""

    def __init__(self, optimizer: Any, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_if_asked()
        if self._is_initial:
            return rates(self.optimizer)
        epoch, period, low = self.last_epoch, self.T_max, self.eta_min
        if self._step_count == 1 and epoch > 0:
            return self._get_closed_form_lr()
        groups = self.optimizer.param_groups
        if (epoch - 1 - period) % (2 * period) == 0:
            rise = (1 - math.cos(math.pi / period)) / 2
            return [g["lr"] + (lr - low) * rise for lr, g in zip(self.base_lrs, groups, strict=True)]
        ratio = (1 + math.cos(math.pi * epoch / period)) / (1 + math.cos(math.pi * (epoch - 1) / period))
        return [ratio * (g["lr"] - low) + low for g in groups]

    def _get_closed_form_lr(self) -> list[Any]:
        part = (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2
        return [self.eta_min + (lr - self.eta_min) * part for lr in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half a cosine down to eta_min, then a jump back up; each period is T_mult times the last."""

    def __init__(self, optimizer: Any, T_0: int, T_mult: int = 1, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, (float, int)):
            raise ValueError(f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}")
        self.T_0 = self.T_i = T_0
        self.T_mult, self.eta_min, self.T_cur = T_mult, eta_min, last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_if_asked()
        part = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (lr - self.eta_min) * part for lr in self.base_lrs]

    def step(self, epoch: float | None = None) -> None:
        """Go to the next epoch, or to a given one, which may lie between two."""
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur, self.T_i = self.T_cur % self.T_i, self.T_i * self.T_mult
        elif epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        else:
            self._place(epoch)
        self.last_epoch = math.floor(epoch)
        self._asked_within_step = True
        for group, lr in zip(self.optimizer.param_groups, self.get_lr(), strict=True):
            set_rate(group, lr)
        self._asked_within_step = False
        self._last_lr = rates(self.optimizer)

    def _place(self, epoch: Any) -> None:
        """Find the period an epoch lies in."""
        if epoch < self.T_0:
            self.T_cur, self.T_i = epoch, self.T_0
        elif self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        else:
            n = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            self.T_cur = epoch - self.T_0 * (self.T_mult**n - 1) / (self.T_mult - 1)
            self.T_i = self.T_0 * self.T_mult**n


def for_groups(name: str, optimizer: Any, value: Any) -> list[Any]:
    """An option given once, or once per group."""
    groups = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        return [value] * groups
    if len(value) != groups:
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has {len(value)} values, "
            "param_groups has "
            f"{groups}."
        )
    return list(value)


def set_momentum(group: dict[str, Any], value: Any) -> None:
    """Set the momentum of a group: `momentum`, or Adam's first beta."""
    if "betas" in group:
        group["betas"] = (value, *group["betas"][1:])
    else:
        group["momentum"] = value


def start_momentum(optimizer: Any, low: Any, high: Any) -> None:
    """Note the range of the momentum in every group, and start at its top."""
    lows, highs = for_groups("base_momentum", optimizer, low), for_groups("max_momentum", optimizer, high)
    for group, base, top in zip(optimizer.param_groups, lows, highs, strict=True):
        group["base_momentum"], group["max_momentum"] = base, top
        set_momentum(group, top)


class CyclicLR(LRScheduler):
    """The rate climbs from base_lr to max_lr and falls back, again and again; momentum does the opposite."""

    def __init__(
        self,
        optimizer: Any,
        base_lr: Any,
        max_lr: Any,
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Any = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: Any = 0.8,
        max_momentum: Any = 0.9,
        last_epoch: int = -1,
    ) -> None:
        lows = for_groups("base_lr", checked(optimizer), base_lr)
        if last_epoch == -1:
            for group, lr in zip(optimizer.param_groups, lows, strict=True):
                set_rate(group, lr)
        self.max_lrs = for_groups("max_lr", optimizer, max_lr)
        down = step_size_up if step_size_down is None else step_size_down
        self.total_size = float(step_size_up + down)
        self.step_ratio = step_size_up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode, self.gamma, self._scale_fn = mode, gamma, scale_fn
        self.scale_mode = scale_mode if scale_fn is not None else "iterations" if mode == "exp_range" else "cycle"
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
                raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
            start_momentum(optimizer, base_momentum, max_momentum)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = lows

    def scale_fn(self, x: float) -> float:
        """By how much the height of a cycle (or iteration) is scaled."""
        if self._scale_fn is not None:
            return float(self._scale_fn(x))
        return {"triangular": 1.0, "triangular2": 1 / 2.0 ** (x - 1)}.get(self.mode, self.gamma**x)

    def get_lr(self) -> list[Any]:
        self._warn_if_asked()
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        height = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        height *= self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            for group in self.optimizer.param_groups:
                low, high = group["base_momentum"], group["max_momentum"]
                set_momentum(group, high - (high - low) * height)
        return [low + (high - low) * height for low, high in zip(self.base_lrs, self.max_lrs, strict=True)]


class OneCycleLR(LRScheduler):
    """One climb to max_lr and one long fall below the first rate, over the whole training."""

    def __init__(
        self,
        optimizer: Any,
        max_lr: Any,
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: Any = 0.85,
        max_momentum: Any = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        checked(optimizer)
        if total_steps is None:
            if epochs is None or steps_per_epoch is None:
                raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
            positive("epochs", epochs)
            positive("steps_per_epoch", steps_per_epoch)
            total_steps = epochs * steps_per_epoch
        positive("total_steps", total_steps)
        if not isinstance(pct_start, float) or not 0 <= pct_start <= 1:
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self.total_steps, self.anneal_strategy, self.cycle_momentum = total_steps, anneal_strategy, cycle_momentum
        peak = float(pct_start * total_steps) - 1
        up = (peak, "initial_lr", "max_lr", "max_momentum", "base_momentum")
        down = (total_steps - 1, "max_lr", "min_lr", "base_momentum", "max_momentum")
        back = (2 * float(pct_start * total_steps) - 2, "max_lr", "initial_lr", "base_momentum", "max_momentum")
        out = (total_steps - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum")
        self.phases = [up, back, out] if three_phase else [up, down]
        if last_epoch == -1:
            for group, top in zip(optimizer.param_groups, for_groups("max_lr", optimizer, max_lr), strict=True):
                group["initial_lr"], group["max_lr"] = top / div_factor, top
                group["min_lr"] = group["initial_lr"] / final_div_factor
        if cycle_momentum:
            if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
                raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
            start_momentum(optimizer, base_momentum, max_momentum)
        super().__init__(optimizer, last_epoch)

    def between(self, start: float, end: float, part: float) -> float:
        """The value at a part of the way from start to end."""
        if self.anneal_strategy == "linear":
            return (end - start) * part + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * part) + 1)

    def get_lr(self) -> list[Any]:
        self._warn_if_asked()
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(f"Tried to step {step} times. The specified number of total steps is {self.total_steps}")
        begin = 0.0
        for end, *names in self.phases:
            if step <= end:
                break
            if (end, *names) != self.phases[-1]:
                begin = end
        part = (step - begin) / (end - begin)
        found = []
        for group in self.optimizer.param_groups:
            first, last, first_momentum, last_momentum = (group.get(name) for name in names)
            found.append(self.between(first, last, part))
            if self.cycle_momentum:
                set_momentum(group, self.between(first_momentum, last_momentum, part))
        return found


def positive(name: str, value: Any) -> None:
    if not isinstance(value, int) or value <= 0:
        raise ValueError(f"Expected positive integer {name}, but got {value}")
