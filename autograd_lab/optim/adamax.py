"""Adamax: Adam with the largest gradient seen (fading) instead of the mean square.

Source: Kingma and Ba 2015, section 7. Read next: `nadam.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .optimizer import Optimizer
from .rules import check, check_betas, counted, evaluated, memory, number, refuse, subtract


class Adamax(Optimizer):
    """p = p - lr / (1 - beta1 ** t) * mean / max(beta2 * largest, |grad| + eps)."""

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check(lr=(lr, "learning rate"), eps=(eps, "epsilon value"))
        check_betas(betas)
        check(weight_decay=(weight_decay, "weight_decay value"))
        refuse(differentiable=differentiable, capturable=capturable)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
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
            lr, (beta1, beta2) = number(group["lr"]), group["betas"]
            for p, grad in self.gradients(group):
                state = self.state[p]
                t = counted(state)
                if group["weight_decay"]:
                    grad = grad + group["weight_decay"] * p._data
                mean, largest = memory(state, "exp_avg", p), memory(state, "exp_inf", p)
                np.add(mean, (1 - beta1) * (grad - mean), mean)
                np.maximum(beta2 * largest, np.abs(grad) + group["eps"], out=largest)
                subtract(p, (lr / (1 - beta1**t)) * (mean / largest))
        return loss
