"""Adagrad: steps divided by the root of the sum of all squared gradients.

Source: Duchi et al. 2011. Read next: `adadelta.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import bare
from .optimizer import Optimizer
from .rules import check, counted, evaluated, memory, number, refuse, subtract


class Adagrad(Optimizer):
    """p = p - lr / (1 + (t - 1) * lr_decay) * grad / (sqrt(sum of squares) + eps)."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check(
            lr=(lr, "learning rate"),
            lr_decay=(lr_decay, "lr_decay value"),
            weight_decay=(weight_decay, "weight_decay value"),
            initial=(initial_accumulator_value, "initial_accumulator_value value"),
            eps=(eps, "epsilon value"),
        )
        refuse(differentiable=differentiable)
        defaults = {
            "lr": lr,
            "lr_decay": lr_decay,
            "eps": eps,
            "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p]["step"] = bare(np.float32(0))
                memory(self.state[p], "sum", p, group["initial_accumulator_value"])

    def step(self, closure: Any = None) -> Any:
        """Change every parameter that has a gradient."""
        loss = evaluated(closure)
        for group in self.param_groups:
            lr = number(group["lr"])
            for p, grad in self.gradients(group):
                state = self.state[p]
                t = counted(state)
                if group["weight_decay"]:
                    grad = grad + group["weight_decay"] * p._data
                total = memory(state, "sum", p, group["initial_accumulator_value"])
                np.add(total, grad * grad, total)
                rate = lr / (1 + (t - 1) * group["lr_decay"])
                subtract(p, rate * (grad / (np.sqrt(total) + group["eps"])))
        return loss
