"""RMSprop: steps divided by the root of a running mean of squared gradients.

Source: Hinton, lecture 6e of "Neural Networks for Machine Learning". Read next: `adagrad.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .optimizer import Optimizer
from .rules import check, counted, evaluated, memory, number, refuse, subtract


class RMSprop(Optimizer):
    """p = p - lr * grad / (sqrt(mean square) + eps); `centered` uses the variance instead."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check(
            lr=(lr, "learning rate"),
            eps=(eps, "epsilon value"),
            momentum=(momentum, "momentum value"),
            weight_decay=(weight_decay, "weight_decay value"),
            alpha=(alpha, "alpha value"),
        )
        refuse(differentiable=differentiable, capturable=capturable)
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "alpha": alpha,
            "eps": eps,
            "centered": centered,
            "weight_decay": weight_decay,
            "capturable": capturable,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def step(self, closure: Any = None) -> Any:
        """Change every parameter that has a gradient."""
        loss = evaluated(closure)
        for group in self.param_groups:
            lr, alpha, eps = number(group["lr"]), group["alpha"], group["eps"]
            for p, grad in self.gradients(group):
                state = self.state[p]
                counted(state)
                if group["weight_decay"]:
                    grad = grad + group["weight_decay"] * p._data
                square = memory(state, "square_avg", p)
                np.multiply(square, alpha, square)
                np.add(square, (1 - alpha) * (grad * grad), square)
                spread = square
                if group["centered"]:
                    mean = memory(state, "grad_avg", p)
                    np.add(mean, (1 - alpha) * (grad - mean), mean)
                    spread = square - mean * mean
                change = grad / (np.sqrt(spread) + eps)
                if group["momentum"] > 0:
                    buffer = memory(state, "momentum_buffer", p)
                    np.multiply(buffer, group["momentum"], buffer)
                    change = np.add(buffer, change, buffer)
                subtract(p, lr * change)
        return loss
