"""What the rules share: writing into parameters, memory per parameter, checks of options.

Read next: `sgd.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from .._tensor import Tensor, bare
from ..grad_mode import enable_grad
from ..memory import Shared, bump


def evaluated(closure: Callable[[], Any] | None) -> Any:
    """What the closure returns, computed with recording on."""
    if closure is None:
        return None
    with enable_grad():
        return closure()


def number(value: Any) -> Any:
    """An option given as a number or as a one-element tensor."""
    return value.item() if isinstance(value, Tensor) else value


@lru_cache(256)
def factor(value: Any, kind: Any) -> Any:
    """An option as a 0-d array of a gradient's dtype, since a Python number beside an array costs 300 ns."""
    return np.array(value, kind)


def subtract(p: Any, change: Any) -> None:
    """p -= change, in p's memory, and count the write."""
    data = p._data
    if type(data) is np.ndarray:
        np.subtract(data, change, data)
    else:
        p._data = data.dtype.type(data - change)
    if type(p._counter) is Shared:
        p._counter[0] += 1
    else:
        bump(p)


def memory(state: dict[str, Any], name: str, p: Any, value: float = 0.0) -> Any:
    """The array of a state value in the shape of p; made, full of `value`, when first asked for."""
    found = state.get(name)
    if found is None:
        found = state[name] = bare(np.full_like(p._data, value, subok=False))
    return found.array()


def counted(state: dict[str, Any]) -> int:
    """The number of this step, kept in the state as a float tensor as PyTorch does."""
    found = state.get("step")
    if found is None:
        found = state["step"] = bare(np.float32(0))
    found._data = np.float32(found._data + 1)
    return int(found._data)


def decayed(p: Any, grad: Any, group: dict[str, Any], lr: Any) -> Any:
    """The gradient with weight decay in it; or as it is, and p shrunk, if the decay is decoupled."""
    decay = group["weight_decay"]
    if not decay:
        return grad
    if group["decoupled_weight_decay"]:
        subtract(p, (lr * decay) * p._data)
        return grad
    return grad + decay * p._data


def moments(state: dict[str, Any], p: Any, grad: Any, beta1: float, beta2: float) -> tuple[Any, Any]:
    """Adam's running means of the gradient and of its square, with this gradient in them."""
    mean, square = memory(state, "exp_avg", p), memory(state, "exp_avg_sq", p)
    np.add(mean, (1 - beta1) * (grad - mean), mean)
    np.multiply(square, beta2, square)
    np.add(square, (1 - beta2) * (grad * grad), square)
    return mean, square


def check(**limits: tuple[Any, str]) -> None:
    """Raise `ValueError("Invalid …: value")` for negative options, given as name=(value, words)."""
    for value, words in limits.values():
        if not number(value) >= 0.0:
            raise ValueError(f"Invalid {words}: {number(value)}")


def check_betas(betas: Any) -> None:
    """Raise ValueError unless both betas are in [0, 1)."""
    for i, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {i}: {beta}")


def refuse(**options: Any) -> None:
    """Options of PyTorch that are not here."""
    for name, value in options.items():
        if value:
            raise NotImplementedError(f"optimizers have no {name}=True here")
