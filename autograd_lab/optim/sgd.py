"""Stochastic gradient descent, with momentum and Nesterov's variant.

    buffer = momentum * buffer + (1 - dampening) * grad      p = p - lr * buffer

PyTorch's form: the learning rate multiplies the buffer, and the first buffer is the gradient itself. Nesterov
uses grad + momentum * buffer instead of the buffer. Read next: `adam.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import bare
from .optimizer import Optimizer
from .rules import check, evaluated, factor, number, refuse, subtract


class SGD(Optimizer):
    """p = p - lr * grad, with momentum, weight decay, dampening, nesterov and maximize.

    >>> import autograd_lab as torch
    >>> w = torch.tensor([1.0], requires_grad=True)
    >>> optimizer = torch.optim.SGD([w], lr=0.1)
    >>> (w * 3).backward()
    >>> optimizer.step()
    >>> w
    tensor([0.7000], requires_grad=True)
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check(
            lr=(lr, "learning rate"),
            momentum=(momentum, "momentum value"),
            weight_decay=(weight_decay, "weight_decay value"),
        )
        refuse(differentiable=differentiable)
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
            "foreach": foreach,
            "differentiable": differentiable,
            "fused": fused,
        }
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, defaults)

    def step(self, closure: Any = None) -> Any:
        """Change every parameter that has a gradient."""
        loss = evaluated(closure)
        for group in self.param_groups:
            lr, decay, momentum = number(group["lr"]), number(group["weight_decay"]), group["momentum"]
            if not (decay or momentum or group["maximize"]):
                for p in group["params"]:
                    grad = getattr(p, "_grad", None)
                    if grad is not None:
                        change = grad._data
                        subtract(p, change * factor(lr, change.dtype))
                continue
            for p, grad in self.gradients(group):
                if decay:
                    grad = grad + decay * p._data
                if momentum:
                    buffer = moved(self.state[p], grad, momentum, group["dampening"])
                    grad = grad + momentum * buffer if group["nesterov"] else buffer
                subtract(p, grad * factor(lr, grad.dtype))
        return loss


def moved(state: dict[str, Any], grad: Any, momentum: float, dampening: float) -> Any:
    """The momentum buffer after this gradient."""
    kept = state.get("momentum_buffer")
    if kept is None:
        kept = state["momentum_buffer"] = bare(np.array(grad))
        return kept._data
    buffer = kept.array()
    np.multiply(buffer, factor(momentum, buffer.dtype), buffer)
    np.add(buffer, grad if not dampening else (1 - dampening) * grad, buffer)
    return buffer
