"""Losses of numbers: how far predictions are from targets, element by element, then reduced.

Each card computes its loss with `reduction` "mean", "sum" or "none". Read next: `likelihood.py`.
"""

from __future__ import annotations

import numpy as np

from ..formulas import on_both
from ..op import op
from ..samples import draw, unary
from .activation import sigmoid
from .comparison import where
from .elementwise import sign
from .reduction import mean_all, sum_all


@on_both
def reduced(values, reduction):
    """Elementwise losses by "mean", "sum" or "none"."""
    if reduction == "mean":
        return mean_all(values)
    return sum_all(values) if reduction == "sum" else values


def total(values, reduction):
    """The same in a forward, on arrays."""
    if reduction == "none":
        return values
    summed = np.add.reduce(values, None)
    return summed if reduction == "sum" else np.true_divide(summed, values.dtype.type(values.size))


@on_both
def self_size(values):
    """The number of elements, of an array or a Tensor."""
    count = 1
    for n in values.shape:
        count *= n
    return count


@on_both
def shared_out(grad, reduction, values):
    """The gradient each element of a reduced loss gets."""
    return grad / self_size(values) if reduction == "mean" else grad


def pairs(*rest, low=-2.0, high=2.0, away=0.0, target_low=-2.0, target_high=2.0):
    """Samples of a prediction and a target of one shape."""
    return lambda rng: [
        (draw(rng, (2, 3), low, high), draw(rng, (2, 3), target_low, target_high, away), *rest, reduction)
        for reduction in ("mean", "sum", "none")
    ]


@op("MseLossBackward0", called="mse_loss", samples=pairs())
def mse_loss_card(self, target, reduction="mean"):
    """Squared differences."""
    difference = self - target
    return total(difference * difference, reduction)


@mse_loss_card.wrt("self", latex=r"\frac{2}{N} ($self - $target)")
def _(grad, self, target, reduction):
    return shared_out(2 * grad, reduction, self) * (self - target)


@mse_loss_card.wrt("target", latex=r"-\frac{2}{N} ($self - $target)")
def _(grad, self, target, reduction):
    return shared_out(-2 * grad, reduction, self) * (self - target)


@on_both
def smooth_l1_slope(difference, beta):
    """The slope of smooth_l1: difference / beta near zero, the sign elsewhere."""
    near = (difference < beta) & (difference > -beta)
    return where(near, difference / beta, sign(difference))


@op("SmoothL1LossBackward0", called="smooth_l1_loss", samples=lambda rng: [
    (draw(rng, (4,), -2, 2), draw(rng, (4,), -2, 2), r, 0.5) for r in ("mean", "sum", "none")
])  # fmt: skip
def smooth_l1_card(self, target, reduction="mean", beta=1.0):
    """Squared near zero, linear beyond `beta`."""
    difference, kind = np.abs(self - target), self.dtype.type
    near = kind(0.5) * difference * difference / kind(beta)
    return total(np.where(difference < beta, near, difference - kind(0.5 * beta))[()], reduction)


@smooth_l1_card.wrt("self")
def _(grad, self, target, reduction, beta):
    return shared_out(grad, reduction, self) * smooth_l1_slope(self - target, beta)


@smooth_l1_card.wrt("target")
def _(grad, self, target, reduction, beta):
    return -shared_out(grad, reduction, self) * smooth_l1_slope(self - target, beta)


@on_both
def huber_slope(difference, delta):
    """The slope of huber: the difference, limited to ±delta."""
    near = (difference <= delta) & (difference >= -delta)
    return where(near, difference, delta * sign(difference))


@op("HuberLossBackward0", called="huber_loss", samples=lambda rng: [
    (draw(rng, (4,), -2, 2), draw(rng, (4,), -2, 2), r, 0.5) for r in ("mean", "sum", "none")
])  # fmt: skip
def huber_card(self, target, reduction="mean", delta=1.0):
    """Half the square near zero, linear beyond `delta`."""
    difference, kind = np.abs(self - target), self.dtype.type
    near = kind(0.5) * difference * difference
    far = kind(delta) * (difference - kind(0.5 * delta))
    return total(np.where(difference <= delta, near, far)[()], reduction)


@huber_card.wrt("self")
def _(grad, self, target, reduction, delta):
    return shared_out(grad, reduction, self) * huber_slope(self - target, delta)


@huber_card.wrt("target")
def _(grad, self, target, reduction, delta):
    return -shared_out(grad, reduction, self) * huber_slope(self - target, delta)


def log_limited(p):
    """log, not below -100: what binary cross entropy uses at 0."""
    return np.maximum(np.log(p), p.dtype.type(-100))


def probabilities(rng):
    return [
        (draw(rng, (3,), 0.2, 0.8), draw(rng, (3,), 0.1, 0.9), None, reduction) for reduction in ("mean", "sum", "none")
    ]


@op("BinaryCrossEntropyBackward0", called="binary_cross_entropy", inputs=("weight",), samples=probabilities)
def bce_card(self, target, weight=None, reduction="mean"):
    """-(t log p + (1 - t) log(1 - p)), each log limited to -100 below."""
    losses = (target - 1) * log_limited(1 - self) - target * log_limited(self)
    return total(losses if weight is None else losses * weight, reduction)


@bce_card.wrt("self", latex=r"\frac{$self - $target}{$self (1 - $self)}")
def _(grad, self, target, weight, reduction):
    grad = shared_out(grad, reduction, self)
    if weight is not None:
        grad = grad * weight
    spread = (1 - self) * self
    return grad * (self - target) / where(spread > 1e-12, spread, 1e-12)


@bce_card.wrt("target")
def _(grad, self, target, weight, reduction):
    grad = shared_out(grad, reduction, self)
    if weight is not None:
        grad = grad * weight
    return grad * (limited_log(1 - self) - limited_log(self))


@op("LogBackward0", pointwise=True, samples=unary(low=0.2, high=2.0))
def limited_log(self):
    """log, not below -100."""
    return log_limited(self)


@limited_log.wrt("self", latex=r"\frac{1}{$self}")
def _(grad, self):
    return grad / self


def logits(rng):
    reductions = ("mean", "sum", "none")
    return [(draw(rng, (2, 3), -2, 2), draw(rng, (2, 3), 0.1, 0.9), None, None, r) for r in reductions]


@op("BinaryCrossEntropyWithLogitsBackward0", called="bce_with_logits", inputs=("weight", "pos_weight"), samples=logits)
def bce_with_logits_card(self, target, weight=None, pos_weight=None, reduction="mean"):
    """Binary cross entropy of sigmoid(self), without overflow."""
    zero = self.dtype.type(0)
    if pos_weight is None:
        losses = (1 - target) * self + np.logaddexp(-self, zero)
    else:
        losses = (1 - target) * self + (1 + (pos_weight - 1) * target) * np.logaddexp(-self, zero)
    losses = losses.astype(self.dtype, copy=False)
    return total(losses if weight is None else losses * weight, reduction)


@bce_with_logits_card.wrt("self", latex=r"\sigma($self) - $target")
def _(grad, self, target, weight, pos_weight, reduction):
    grad = shared_out(grad, reduction, self)
    if weight is not None:
        grad = grad * weight
    if pos_weight is None:
        return grad * (sigmoid(self) - target)
    return grad * ((target * (pos_weight - 1) + 1) * sigmoid(self) - pos_weight * target)


@bce_with_logits_card.wrt("target")
def _(grad, self, weight, pos_weight, reduction):
    grad = shared_out(grad, reduction, self)
    if weight is not None:
        grad = grad * weight
    if pos_weight is None:
        return -grad * self
    return grad * (logsigmoid_of(-self) - pos_weight * logsigmoid_of(self))


@op("LogSigmoidBackward0", pointwise=True, samples=unary())
def logsigmoid_of(self):
    """log(sigmoid(x)), without overflow."""
    return -np.logaddexp(-self, self.dtype.type(0))


@logsigmoid_of.wrt("self", latex=r"\sigma(-$self)")
def _(grad, self):
    return grad * sigmoid(-self)


def signs(rng):
    return [(draw(rng, (4,), -2, 2), np.array([1.0, -1.0, 1.0, -1.0]), r) for r in ("mean", "sum", "none")]


@op("SoftMarginLossBackward0", called="soft_margin_loss", inputs=("target",), samples=signs)
def soft_margin_card(self, target, reduction="mean"):
    """log(1 + e^(-t x)) for targets of 1 and -1."""
    return total(np.logaddexp(-target * self, self.dtype.type(0)), reduction)


@soft_margin_card.wrt("self", latex=r"-$target \cdot \sigma(-$target \cdot $self)")
def _(grad, self, target, reduction):
    return shared_out(-grad, reduction, self) * target * sigmoid(-target * self)
