"""Losses of classes: the negative log likelihood of target classes, and margins between classes.

Class numbers are int64 tensors; (N, C) scores go with (N,) targets, (N, C, *S) with (N, *S).
Read next: `convolution.py`.
"""

from __future__ import annotations

import numpy as np

from ..op import op
from .reduction import sum_all

UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def checked_targets(target, classes, ignore_index):
    """Flat class numbers, with 0 for ignored ones, and which of them count (None: all)."""
    flat = target.reshape(-1)
    if not 0 <= ignore_index < classes and (
        not flat.size or np.maximum.reduce(flat.view(UNSIGNED[flat.itemsize])) < classes
    ):
        return flat, None  # seen without signs a negative number is a large one: one look finds both
    counted = flat != ignore_index
    bad = flat[counted & ((flat < 0) | (flat >= classes))]
    if bad.size:
        raise IndexError(f"Target {bad[0]} is out of bounds.")
    return np.where(counted, flat, 0), counted


def factors_of(flat, counted, weight, kind):
    """What each sample's loss is multiplied by: its class weight, 0 if ignored."""
    factors = np.ones(flat.shape, kind) if weight is None else weight[flat]
    return factors if counted is None else factors * counted


def rows_of(scores):
    """(N, C, *S) as rows (N * S, C); (C,) as one row."""
    if scores.ndim > 2:
        scores = np.moveaxis(scores, 1, -1)
    return scores.reshape(-1, scores.shape[-1])


def class_count(shape):
    """The number of classes in scores of this shape."""
    return shape[0] if len(shape) == 1 else shape[1]


def nll(self, target, weight, reduction, ignore_index):
    """The forward of both cards below: the loss, and the sum of weights a mean is divided by."""
    flat, counted = checked_targets(target, class_count(self.shape), ignore_index)
    picked = rows_of(self)[np.arange(flat.size), flat]
    if weight is None and counted is None and reduction == "mean":
        total = self.dtype.type(flat.size)
        return np.add.reduce(picked) / -total, total
    factors = factors_of(flat, counted, weight, self.dtype)
    total = np.add.reduce(factors)
    losses = -picked * factors
    if reduction == "none":
        return losses.reshape(target.shape)[()], total
    summed = np.add.reduce(losses)
    return (summed / total if reduction == "mean" else summed), total


def class_samples(rng):
    target = np.array([2, 0])
    return [(rng.uniform(-2, 0, (2, 3)), target, None, reduction, -100) for reduction in ("mean", "sum", "none")]


def map_samples(rng):
    target, weight = np.array([[[2, 0]], [[1, -100]]]), rng.uniform(0.5, 2, (3,))
    return [(rng.uniform(-2, 0, (2, 3, 1, 2)), target, weight, reduction, -100) for reduction in ("mean", "none")]


@op("NllLossBackward0", called="nll_loss", inputs=("target", "weight"), keeps=("total_weight",), samples=class_samples)
def nll_loss_card(self, target, weight=None, reduction="mean", ignore_index=-100):
    """Minus the log probability of the target classes, for (N, C) or (C,)."""
    return nll(self, target, weight, reduction, ignore_index)


@op(
    "NllLoss2DBackward0", called="nll_loss2d", inputs=("target", "weight"), keeps=("total_weight",), samples=map_samples
)
def nll_loss2d_card(self, target, weight=None, reduction="mean", ignore_index=-100):
    """The same for maps of scores (N, C, H, W)."""
    return nll(self, target, weight, reduction, ignore_index)


def nll_gradient(grad, self_shape, target, weight, reduction, ignore_index, total_weight):
    scaled = grad / total_weight if reduction == "mean" else grad
    return scaled_picks(scaled, target, self_shape, weight, ignore_index)


nll_loss_card.wrt("self")(nll_gradient)
nll_loss2d_card.wrt("self")(nll_gradient)


@op("NllLossBackwardBackward0", inputs=("target", "weight"), samples=lambda rng: [
    (rng.uniform(-2, 2, (2,)), np.array([2, 0]), (2, 3), rng.uniform(0.5, 2, (3,)), -100),
    (rng.uniform(-2, 2, ()), np.array([[2, 0], [-100, 1]]), (2, 3, 2), None, -100),
])  # fmt: skip
def scaled_picks(self, target, shape, weight=None, ignore_index=-100):
    """Zeros of `shape` with minus the gradient (times the class weight) at each target."""
    flat, counted = checked_targets(target, class_count(shape), ignore_index)
    out = np.zeros((flat.size, class_count(shape)), self.dtype)
    if weight is None and counted is None and not np.ndim(self):
        out[np.arange(flat.size), flat] = -self
        return (
            out.reshape(shape) if len(shape) <= 2 else np.moveaxis(out.reshape(shape[0], *shape[2:], shape[1]), -1, 1)
        )
    factors = factors_of(flat, counted, weight, self.dtype)
    out[np.arange(flat.size), flat] = -np.broadcast_to(self, target.shape).reshape(-1) * factors
    if len(shape) <= 2:
        return out.reshape(shape)
    return np.moveaxis(out.reshape(shape[0], *shape[2:], shape[1]), -1, 1)


@scaled_picks.wrt("self")
def _(grad, target, weight, ignore_index, self_shape):
    picked = minus_picked(grad, target, weight, ignore_index)
    return picked if len(self_shape) or not len(picked.shape) else sum_all(picked)


@op("GatherBackward0", inputs=("target", "weight"), samples=lambda rng: [
    (rng.uniform(-2, 2, (2, 3)), np.array([2, 0]), rng.uniform(0.5, 2, (3,)), -100),
    (rng.uniform(-2, 2, (2, 3, 2)), np.array([[2, 0], [-100, 1]]), None, -100),
])  # fmt: skip
def minus_picked(self, target, weight=None, ignore_index=-100):
    """Minus the entries of the target classes, times their weights."""
    flat, counted = checked_targets(target, class_count(self.shape), ignore_index)
    factors = factors_of(flat, counted, weight, self.dtype)
    return -(rows_of(self)[np.arange(flat.size), flat] * factors).reshape(target.shape)


@minus_picked.wrt("self")
def _(grad, self_shape, target, weight, ignore_index):
    return scaled_picks(grad, target, self_shape, weight, ignore_index)


def not_again(name):
    """PyTorch has no second derivative of these two losses, and says so."""
    raise RuntimeError(f"derivative for aten::{name} is not implemented")


@op("MultiMarginLossBackward0", called="multi_margin_loss", inputs=("target", "weight"), samples=lambda rng: [
    (rng.uniform(-2, 2, (2, 3)), np.array([2, 0]), 2, 1.0, None, "mean")
])  # fmt: skip
def multi_margin_card(self, target, p=1, margin=1.0, weight=None, reduction="mean"):
    """How far other classes come within `margin` of the target class, to the power p, summed, over C."""
    rows, flat = rows_of(self), target.reshape(-1)
    gaps, factors = margins(rows, flat, margin, weight)
    losses = np.add.reduce(gaps**p, 1) * factors / rows.dtype.type(rows.shape[1])
    if reduction == "none":
        return losses.reshape(target.shape)[()]
    return np.add.reduce(losses) / rows.dtype.type(flat.size if reduction == "mean" else 1)


def margins(rows, flat, margin, weight):
    """max(0, margin - (target score - score)) for all other classes, and class weights."""
    if flat.size and not (flat.min() >= 0 and flat.max() < rows.shape[1]):
        raise RuntimeError("target out of range")
    own = rows[np.arange(flat.size), flat][:, None]
    gaps = np.maximum(rows.dtype.type(margin) - own + rows, 0)
    gaps[np.arange(flat.size), flat] = 0
    return gaps, factors_of(flat, None, weight, rows.dtype)


@multi_margin_card.wrt("self")
def _(grad, self, target, p, margin, weight, reduction):
    return multi_margin_backward(grad, self, target, p, margin, weight, reduction)


@op("NotImplemented", inputs=("target", "weight"), samples=lambda rng: [
    (rng.uniform(-2, 2, ()), rng.uniform(-2, 2, (2, 3)), np.array([2, 0]), 1, 1.0, rng.uniform(0.5, 2, (3,)), "mean")
])  # fmt: skip
def multi_margin_backward(grad_output, self, target, p, margin, weight=None, reduction="mean"):
    """The gradient of the scores."""
    rows, flat = rows_of(self), target.reshape(-1)
    gaps, factors = margins(rows, flat, margin, weight)
    slopes = (gaps > 0) * factors[:, None] if p == 1 else 2 * gaps * factors[:, None]
    slopes = slopes.astype(rows.dtype) / rows.dtype.type(rows.shape[1])
    slopes[np.arange(flat.size), flat] = -np.add.reduce(slopes, 1)
    grads = np.reshape(grad_output, (-1, 1)) / rows.dtype.type(flat.size if reduction == "mean" else 1)
    return (slopes * grads).reshape(self.shape)


@multi_margin_backward.wrt("grad_output")
def _(grad):
    return not_again("multi_margin_loss_backward")


@multi_margin_backward.wrt("self")
def _(grad):
    return not_again("multi_margin_loss_backward")


@op("MultilabelMarginLossBackward0", called="multilabel_margin_loss", inputs=("target",), samples=lambda rng: [
    (rng.uniform(-2, 2, (2, 4)), np.array([[3, 0, -1, 1], [0, -1, 2, 3]]), "mean")
])  # fmt: skip
def multilabel_margin_card(self, target, reduction="mean"):
    """The margin loss for several target classes per sample; the list ends at the first -1."""
    losses, _ = multilabel(rows_of(self), target.reshape(-1, target.shape[-1]))
    if reduction == "none":
        return losses.reshape(self.shape[:-1])[()]
    return np.add.reduce(losses) / self.dtype.type(losses.size if reduction == "mean" else 1)


def multilabel(rows, targets):
    """Losses and their slopes."""
    losses, slopes = np.zeros(len(rows), rows.dtype), np.zeros_like(rows)
    classes = rows.dtype.type(rows.shape[1])
    for i, (row, labels) in enumerate(zip(rows, targets, strict=True)):
        stop = np.flatnonzero(labels < 0)
        wanted = labels[: stop[0]] if stop.size else labels
        others = np.setdiff1d(np.arange(row.size), wanted)
        gaps = 1 - row[wanted][:, None] + row[others]
        losses[i] = np.maximum(gaps, 0).sum() / classes
        slopes[i, others] += (gaps > 0).sum(0) / classes
        np.add.at(slopes[i], wanted, -(gaps > 0).sum(1) / classes)
    return losses, slopes


@multilabel_margin_card.wrt("self")
def _(grad, self, target, reduction):
    return multilabel_margin_backward(grad, self, target, reduction)


@op("NotImplemented", inputs=("target",), samples=lambda rng: [
    (rng.uniform(-2, 2, ()), rng.uniform(-2, 2, (2, 4)), np.array([[3, 0, -1, 1], [0, -1, 2, 3]]), "mean")
])  # fmt: skip
def multilabel_margin_backward(grad_output, self, target, reduction="mean"):
    """The gradient of the scores."""
    _, slopes = multilabel(rows_of(self), target.reshape(-1, target.shape[-1]))
    grads = np.reshape(grad_output, (-1, 1)) / self.dtype.type(len(slopes) if reduction == "mean" else 1)
    return (slopes * grads).reshape(self.shape)


@multilabel_margin_backward.wrt("grad_output")
def _(grad):
    return not_again("multilabel_margin_loss_backward")


@multilabel_margin_backward.wrt("self")
def _(grad):
    return not_again("multilabel_margin_loss_backward")
