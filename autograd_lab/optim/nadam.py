"""NAdam: Adam that looks one momentum step ahead. Source: Dozat 2016.

Read next: `radam.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .optimizer import Optimizer
from .rules import check, check_betas, counted, decayed, evaluated, memory, moments, number, refuse, subtract


class NAdam(Optimizer):
    """Adam with Nesterov momentum; the momentum itself warms up by `momentum_decay`."""

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check(lr=(lr, "learning rate"), eps=(eps, "epsilon value"))
        check_betas(betas)
        check(weight_decay=(weight_decay, "weight_decay value"), momentum=(momentum_decay, "momentum_decay value"))
        refuse(differentiable=differentiable, capturable=capturable)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
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
                grad = decayed(p, grad, group, lr)
                momentum = beta1 * (1 - 0.5 * 0.96 ** (t * group["momentum_decay"]))
                ahead = beta1 * (1 - 0.5 * 0.96 ** ((t + 1) * group["momentum_decay"]))
                product = memory(state, "mu_product", one_number, 1.0)
                product[()] = product * momentum
                mean, square = moments(state, p, grad, beta1, beta2)
                root = np.sqrt(square / (1 - beta2**t)) + group["eps"]
                seen = float(product)
                now, then = lr * (1 - momentum) / (1 - seen), lr * ahead / (1 - seen * ahead)
                subtract(p, now * (grad / root) + then * (mean / root))
        return loss


class one_number:
    """The shape and dtype of the running product."""

    _data = np.float32(0)
