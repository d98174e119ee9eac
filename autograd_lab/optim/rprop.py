"""Rprop: only the signs of gradients count; each element has a step of its own.

Source: Riedmiller and Braun 1993. Read next: `lbfgs.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .optimizer import Optimizer
from .rules import check, counted, evaluated, memory, number, refuse, subtract


class Rprop(Optimizer):
    """Steps grow while the sign of the gradient stays, and shrink when it turns."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check(lr=(lr, "learning rate"))
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        refuse(differentiable=differentiable, capturable=capturable)
        defaults = {
            "lr": lr,
            "etas": etas,
            "step_sizes": step_sizes,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def step(self, closure: Any = None) -> Any:
        """Change every parameter that has a gradient."""
        loss = evaluated(closure)
        for group in self.param_groups:
            (shrink, grow), (least, most) = group["etas"], group["step_sizes"]
            for p, grad in self.gradients(group):
                state = self.state[p]
                counted(state)
                before = memory(state, "prev", p)
                size = memory(state, "step_size", p, number(group["lr"]))
                agreement = np.sign(grad * before)
                factor = np.where(agreement > 0, grow, np.where(agreement < 0, shrink, 1.0))
                np.clip(size * factor.astype(size.dtype), least, most, size)
                kept = np.where(agreement < 0, 0, grad)
                subtract(p, np.sign(kept) * size)
                before[...] = kept
        return loss
