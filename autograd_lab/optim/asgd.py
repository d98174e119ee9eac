"""Averaged stochastic gradient descent. Source: Polyak and Juditsky 1992.

Read next: `rprop.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import bare
from .optimizer import Optimizer
from .rules import check, counted, evaluated, memory, number, refuse, subtract


class ASGD(Optimizer):
    """SGD with a fading step; the mean of the parameters is kept in the state as `ax`."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check(lr=(lr, "learning rate"), weight_decay=(weight_decay, "weight_decay value"))
        refuse(differentiable=differentiable, capturable=capturable)
        defaults = {
            "lr": lr,
            "lambd": lambd,
            "alpha": alpha,
            "t0": t0,
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
            lr, lambd = number(group["lr"]), group["lambd"]
            for p, grad in self.gradients(group):
                state = self.state[p]
                t = counted(state)
                state.setdefault("eta", bare(np.float32(lr)))
                state.setdefault("mu", bare(np.float32(1)))
                if group["weight_decay"]:
                    grad = grad + group["weight_decay"] * p._data
                eta, mu = float(state["eta"]._data), float(state["mu"]._data)
                subtract(p, (lambd * eta) * p._data)
                subtract(p, eta * grad)
                mean = memory(state, "ax", p)
                if mu == 1:
                    mean[...] = p._data
                else:
                    np.add(mean, mu * (p._data - mean), mean)
                state["eta"] = bare(np.float32(lr / (1 + lambd * lr * t) ** group["alpha"]))
                state["mu"] = bare(np.float32(1 / max(1, t - group["t0"])))
        return loss
