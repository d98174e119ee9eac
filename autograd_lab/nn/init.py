"""First values for parameters. Each function writes into a tensor, unrecorded, and returns it.

Formulas: Glorot and Bengio 2010 (xavier), He et al. 2015 (kaiming), Saxe et al. 2013 (orthogonal).
Read next: `linear.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._tensor import Tensor
from ..caution import warn
from ..generators import default_generator
from ..memory import bump

NO_OP = "Initializing zero-element tensors is a no-op"


def written(tensor: Tensor, values: Any) -> Tensor:
    """Write values into a tensor, whether it is tracked or not."""
    if not tensor.is_meta:
        np.copyto(tensor.array(), values, casting="unsafe")
        bump(tensor)
    return tensor


def source(generator: Any) -> np.random.Generator:
    return (generator or default_generator).numpy


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor by which a nonlinearity shrinks the spread of what passes through it.

    >>> calculate_gain("tanh")
    1.6666666666666667
    """
    if nonlinearity in ("linear", "sigmoid") or nonlinearity.startswith("conv"):
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        if param is None:
            slope = 0.01
        elif isinstance(param, (int, float)) and not isinstance(param, bool):
            slope = param
        else:
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity == "selu":
        return 3.0 / 4
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    """How many inputs feed one output of a weight, and how many outputs one input feeds."""
    shape = tensor.shape
    if len(shape) < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Uniform random numbers from [a, b)."""
    return written(tensor, source(generator).uniform(a, b, tensor.shape))


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Normal random numbers."""
    return written(tensor, source(generator).normal(mean, std, tensor.shape))


def trunc_normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, generator: Any = None
) -> Tensor:
    """Normal random numbers, drawn again until all lie in [a, b]."""
    rng = source(generator)
    values = rng.normal(mean, std, tensor.shape)
    for _ in range(1000):
        outside = (values < a) | (values > b)
        if not outside.any():
            break
        values[outside] = rng.normal(mean, std, int(outside.sum()))
    return written(tensor, np.clip(values, a, b))


def constant_(tensor: Tensor, val: float) -> Tensor:
    """One value everywhere.

    >>> import autograd_lab as torch
    >>> torch.nn.init.constant_(torch.empty(2), 0.5)
    tensor([0.5000, 0.5000])
    """
    return written(tensor, val)


def ones_(tensor: Tensor) -> Tensor:
    """Ones everywhere."""
    return written(tensor, 1)


def zeros_(tensor: Tensor) -> Tensor:
    """Zeros everywhere."""
    return written(tensor, 0)


def eye_(tensor: Tensor) -> Tensor:
    """A matrix with ones on the diagonal."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    return written(tensor, np.eye(*tensor.shape))


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Kernels of a convolution that hands its input channels on unchanged."""
    if tensor.ndim not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    shape = tuple(tensor.shape)
    if shape[0] % groups:
        raise ValueError("dim 0 must be divisible by groups")
    values, per_group = np.zeros(shape), shape[0] // groups
    centre = tuple(size // 2 for size in shape[2:])
    for group in range(groups):
        for channel in range(min(per_group, shape[1])):
            values[(group * per_group + channel, channel, *centre)] = 1
    return written(tensor, values)


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Uniform in ±gain * sqrt(6 / (fan_in + fan_out))."""
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    bound = gain * math.sqrt(6.0 / (fan_in + fan_out))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Normal with standard deviation gain * sqrt(2 / (fan_in + fan_out))."""
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / (fan_in + fan_out)), generator)


def kaiming_spread(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float | None:
    """gain / sqrt(fan): the standard deviation that keeps signals alive; None for an empty tensor."""
    if 0 in tensor.shape:
        warn(NO_OP)
        return None
    wanted = mode.lower()
    if wanted not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {wanted} not supported, please use one of ['fan_in', 'fan_out']")
    fans = dict(zip(("fan_in", "fan_out"), _calculate_fan_in_and_fan_out(tensor), strict=True))
    return calculate_gain(nonlinearity, a) / math.sqrt(fans[wanted])


def kaiming_uniform_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Uniform in ±gain * sqrt(3 / fan); `a` is the slope of the leaky_relu that follows."""
    spread = kaiming_spread(tensor, a, mode, nonlinearity)
    if spread is None:
        return tensor
    bound = math.sqrt(3.0) * spread
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Normal with standard deviation gain / sqrt(fan)."""
    spread = kaiming_spread(tensor, a, mode, nonlinearity)
    return tensor if spread is None else normal_(tensor, 0.0, spread, generator)


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """A random (semi-)orthogonal matrix; dimensions after the first count as columns."""
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if not tensor.numel():
        return tensor
    rows = tensor.shape[0]
    columns = math.prod(tensor.shape[1:])
    flat = source(generator).normal(size=(rows, columns))
    q, r = np.linalg.qr(flat.T if rows < columns else flat)
    q *= np.sign(np.diag(r))
    return written(tensor, gain * (q.T if rows < columns else q).reshape(tensor.shape))


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """Normal random numbers with a fraction `sparsity` of each column set to zero."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rng = source(generator)
    rows, columns = tensor.shape
    values = rng.normal(0, std, (rows, columns))
    for column in range(columns):
        values[rng.permutation(rows)[: math.ceil(sparsity * rows)], column] = 0
    return written(tensor, values)
