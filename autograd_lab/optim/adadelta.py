"""Adadelta: steps scaled by how large earlier steps and gradients were, without a learning rate of their own.

Source: Zeiler 2012. Read next: `adamax.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .optimizer import Optimizer
from .rules import check, counted, evaluated, memory, number, refuse, subtract


class Adadelta(Optimizer):
    """p = p - lr * grad * sqrt(mean squared step + eps) / sqrt(mean squared grad + eps)."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check(lr=(lr, "learning rate"))
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        check(eps=(eps, "epsilon value"), weight_decay=(weight_decay, "weight_decay value"))
        refuse(differentiable=differentiable, capturable=capturable)
        defaults = {
            "lr": lr,
            "rho": rho,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "capturable": capturable,
            "foreach": foreach,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def step(self, closure: Any = None) -> Any:
        """Change every parameter that has a gradient."""
        loss = evaluated(closure)
        for group in self.param_groups:
            lr, rho, eps = number(group["lr"]), group["rho"], group["eps"]
            for p, grad in self.gradients(group):
                state = self.state[p]
                counted(state)
                if group["weight_decay"]:
                    grad = grad + group["weight_decay"] * p._data
                square, steps = memory(state, "square_avg", p), memory(state, "acc_delta", p)
                np.multiply(square, rho, square)
                np.add(square, (1 - rho) * (grad * grad), square)
                change = np.sqrt(steps + eps) / np.sqrt(square + eps) * grad
                np.multiply(steps, rho, steps)
                np.add(steps, (1 - rho) * (change * change), steps)
                subtract(p, lr * change)
        return loss
