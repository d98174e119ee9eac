"""RAdam: Adam that holds back its scaling until the mean square can be trusted. Source: Liu et al. 2020.

Read next: `asgd.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .optimizer import Optimizer
from .rules import check, check_betas, counted, decayed, evaluated, moments, number, refuse, subtract


class RAdam(Optimizer):
    """Rectified Adam."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
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
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def step(self, closure: Any = None) -> Any:
        """Change every parameter that has a gradient."""
        loss = evaluated(closure)
        for group in self.param_groups:
            lr, (beta1, beta2) = number(group["lr"]), group["betas"]
            longest = 2 / (1 - beta2) - 1
            for p, grad in self.gradients(group):
                state = self.state[p]
                t = counted(state)
                grad = decayed(p, grad, group, lr)
                mean, square = moments(state, p, grad, beta1, beta2)
                change = mean / (1 - beta1**t)
                length = longest - 2 * t * beta2**t / (1 - beta2**t)
                if length > 5:
                    trust = (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
                    scale = math.sqrt(trust * (1 - beta2**t))
                    change = change * (scale / (np.sqrt(square) + group["eps"]))
                subtract(p, lr * change)
        return loss
