"""Losses: one number that says how wrong a prediction is.

Read next: `convolution.py`.
"""

from __future__ import annotations

import numpy as np

from ..op import on_both, op
from .reduction import mean_all, sum_all


@on_both
def reduced(values, reduction):
    """Elementwise losses by "mean", "sum" or "none"."""
    if reduction == "mean":
        return mean_all(values)
    return sum_all(values) if reduction == "sum" else values


@on_both
def shared_out(grad, reduction, count):
    """The gradient each element of a reduced loss gets."""
    return grad / count if reduction == "mean" else grad


@op("MseLossBackward0", samples=lambda rng: [(rng.uniform(-2, 2, (3,)), rng.uniform(-2, 2, (3,)), "mean")])
def mse_loss_card(self, target, reduction="mean"):
    """The mean of squared differences."""
    return reduced(np.square(self - target), reduction)


@mse_loss_card.wrt("self", latex=r"\frac{2}{N} ($self - $target)")
def _(grad, self, target, reduction):
    return shared_out(grad, reduction, self_size(self)) * (2 * (self - target))


@mse_loss_card.wrt("target", latex=r"-\frac{2}{N} ($self - $target)")
def _(grad, self, target, reduction):
    return shared_out(grad, reduction, self_size(self)) * (-2 * (self - target))


@on_both
def self_size(values):
    """The number of elements, of an array or a Tensor."""
    count = 1
    for n in values.shape:
        count *= n
    return count


@op("NllLossBackward0", inputs=("target", "weight"), keeps=("total_weight",))
def nll_loss_card(self, target, weight=None, reduction="mean", ignore_index=-100):
    """The negative log likelihood of the target classes, for (N, C) or (C,) log probabilities."""
    classes = self.shape[-1]
    flat = target.reshape(-1)
    counted = flat != ignore_index
    for c in flat[counted]:
        if not 0 <= c < classes:
            raise IndexError(f"Target {c} is out of bounds.")
    safe = np.where(counted, flat, 0)
    factors = (np.ones(flat.shape, self.dtype) if weight is None else weight[safe]) * counted
    losses = -self.reshape(-1, classes)[np.arange(flat.size), safe] * factors
    total = np.add.reduce(factors)
    if reduction == "mean":
        return np.add.reduce(losses) / total, total
    return (np.add.reduce(losses) if reduction == "sum" else losses.reshape(target.shape)), total


@nll_loss_card.wrt("self")
def _(grad, self_shape, target, weight, reduction, ignore_index, total_weight):
    scaled = grad / total_weight if reduction == "mean" else grad
    return scaled_picks(scaled, target, self_shape, weight, ignore_index)


@op("NllLossBackwardBackward0", inputs=("target", "weight"))
def scaled_picks(self, target, shape, weight=None, ignore_index=-100):
    """Zeros of `shape` with minus the gradient (times the class weight) at each target."""
    flat = target.reshape(-1)
    counted = flat != ignore_index
    safe = np.where(counted, flat, 0)
    out = np.zeros((flat.size, shape[-1]), self.dtype)
    factors = (np.ones(flat.shape, self.dtype) if weight is None else weight[safe]) * counted
    out[np.arange(flat.size), safe] = -np.broadcast_to(self, target.shape).reshape(-1) * factors
    return out.reshape(shape)


@scaled_picks.wrt("self")
def _(grad, target, weight, ignore_index, self_shape):
    picked = -gathered(grad, target, weight, ignore_index)
    return sum_all(picked) if not len(self_shape) else picked


@op("GatherBackward0", inputs=("target", "weight"))
def gathered(self, target, weight=None, ignore_index=-100):
    """The entries of the target classes, times their weights."""
    flat = target.reshape(-1)
    counted = flat != ignore_index
    safe = np.where(counted, flat, 0)
    factors = (np.ones(flat.shape, self.dtype) if weight is None else weight[safe]) * counted
    return (self.reshape(-1, self.shape[-1])[np.arange(flat.size), safe] * factors).reshape(target.shape)


@gathered.wrt("self")
def _(grad, self_shape, target, weight, ignore_index):
    return -scaled_picks(grad, target, self_shape, weight, ignore_index)
