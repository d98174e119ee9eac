"""Adam and AdamW: steps scaled by running means of the gradient and of its square.

    m = m + (1 - beta1) * (grad - m)          v = beta2 * v + (1 - beta2) * grad ** 2
    p = p - lr * m' / (sqrt(v') + eps)        m' = m / (1 - beta1 ** t), v' = v / (1 - beta2 ** t)

AdamW shrinks the parameter by lr * weight_decay instead of adding to the gradient. Sources: Kingma and Ba
2015; Loshchilov and Hutter 2019. Read next: `rmsprop.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .optimizer import Optimizer
from .rules import check, check_betas, counted, decayed, evaluated, memory, moments, number, refuse, subtract


class Adam(Optimizer):
    """Adaptive moments; see the head of this file."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
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
            "amsgrad": amsgrad,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, defaults)

    def step(self, closure: Any = None) -> Any:
        """Change every parameter that has a gradient."""
        loss = evaluated(closure)
        for group in self.param_groups:
            lr, eps = number(group["lr"]), group["eps"]
            beta1, beta2 = (number(b) for b in group["betas"])
            for p, grad in self.gradients(group):
                state = self.state[p]
                t = counted(state)
                grad = decayed(p, grad, group, lr)
                mean, square = moments(state, p, grad, beta1, beta2)
                if group["amsgrad"]:
                    largest = memory(state, "max_exp_avg_sq", p)
                    square = np.maximum(largest, square, out=largest)
                root = np.sqrt(square) / math.sqrt(1 - beta2**t)
                subtract(p, (lr / (1 - beta1**t)) * (mean / (root + eps)))
        return loss


class AdamW(Adam):
    """Adam whose weight decay shrinks the parameters directly."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )
