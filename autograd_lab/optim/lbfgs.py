"""L-BFGS: quasi-Newton steps from the last changes of position and gradient. Source: Liu and Nocedal 1989.

Each step calls a closure that computes the loss and its gradients several times. Read next:
`lr_scheduler/base.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..grad_mode import enable_grad
from .optimizer import Optimizer
from .rules import check, number, subtract


class LBFGS(Optimizer):
    """Quasi-Newton steps with a limited memory; `step(closure)` needs a closure that returns the loss."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        check(lr=(lr, "learning rate"))
        if line_search_fn is not None:
            raise NotImplementedError(f"LBFGS has no line_search_fn={line_search_fn!r} here")
        defaults = {
            "lr": lr,
            "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change,
            "history_size": history_size,
            "line_search_fn": line_search_fn,
        }
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")

    def flat_gradient(self) -> Any:
        """All gradients in one vector."""
        parts = []
        for p in self.param_groups[0]["params"]:
            grad = getattr(p, "_grad", None)
            parts.append(np.zeros(p._data.size, p._data.dtype) if grad is None else np.ravel(grad._data))
        return np.concatenate(parts)

    def move(self, change: Any) -> None:
        """Add a flat vector to the parameters."""
        start = 0
        for p in self.param_groups[0]["params"]:
            size = p._data.size
            subtract(p, -change[start : start + size].reshape(p._data.shape))
            start += size

    def step(self, closure: Any) -> Any:
        """Up to `max_iter` steps; returns the loss before the first."""
        group, state = self.param_groups[0], self.state[self.param_groups[0]["params"][0]]
        lr, small = number(group["lr"]), group["tolerance_change"]
        first = self.asked(closure, state)
        loss, gradient, calls = float(number(first)), self.flat_gradient(), 1
        if np.abs(gradient).max() <= group["tolerance_grad"]:
            return first
        for i in range(1, group["max_iter"] + 1):
            direction = self.direction(gradient, state, group["history_size"])
            length = lr if state["n_iter"] > 1 else min(1.0, 1.0 / float(np.abs(gradient).sum())) * lr
            state["d"], state["t"], state["prev_flat_grad"], state["prev_loss"] = direction, length, gradient, loss
            if gradient @ direction > -small:
                break
            self.move(length * direction)
            if i == group["max_iter"]:
                break
            before, loss = loss, float(number(self.asked(closure, state)))
            gradient, calls = self.flat_gradient(), calls + 1
            if (
                calls >= group["max_eval"]
                or np.abs(gradient).max() <= group["tolerance_grad"]
                or np.abs(length * direction).max() <= small
                or abs(loss - before) < small
            ):
                break
        return first

    def asked(self, closure: Any, state: dict[str, Any]) -> Any:
        """The loss, counted."""
        state["func_evals"] = state.get("func_evals", 0) + 1
        with enable_grad():
            return closure()

    def direction(self, gradient: Any, state: dict[str, Any], history: int) -> Any:
        """Minus the gradient, bent by what earlier steps told about the curvature."""
        state["n_iter"] = state.get("n_iter", 0) + 1
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1.0)
            return -gradient
        turned, moved = gradient - state["prev_flat_grad"], state["d"] * state["t"]
        curvature = turned @ moved
        if curvature > 1e-10:
            for name, value in (("old_dirs", turned), ("old_stps", moved), ("ro", 1.0 / curvature)):
                state[name] = [*state[name], value][-history:]
            state["H_diag"] = curvature / (turned @ turned)
        pairs = list(zip(state["old_dirs"], state["old_stps"], state["ro"], strict=True))
        q, weights = -gradient, []
        for turned, moved, inverse in reversed(pairs):
            weights.append((moved @ q) * inverse)
            q = q - weights[-1] * turned
        q = q * state["H_diag"]
        for (turned, moved, inverse), weight in zip(pairs, reversed(weights), strict=True):
            q = q + (weight - (turned @ q) * inverse) * moved
        return q
