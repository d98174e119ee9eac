"""Losses of numbers as functions: mse, l1, huber, binary cross entropy and others.

All take `reduction` "mean" (default), "sum" or "none". Read next: `likelihood.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..._tensor import Tensor, bare
from ...caution import warn
from ...dtypes import TYPE_NAMES, promote
from ...funnel import mismatch
from ...grad_mode import no_grad
from ...ops.comparison import where
from ...ops.elementwise import abs as absolute
from ...ops.elementwise import exp, log
from ...ops.loss import (
    bce_card,
    bce_with_logits_card,
    huber_card,
    mse_loss_card,
    smooth_l1_card,
    soft_margin_card,
)
from ...ops.shape import clone, expand_to
from ...ops.special_ops import xlogy
from .reducing import finish, reduction_of, warn_of_sizes


def alike(input: Any, target: Any) -> tuple[Any, Any]:
    """Both tensors broadcast to one shape and promoted to one dtype."""
    a, b = input._data, target._data
    if a.dtype != b.dtype:
        kinds = [t.dtype for t in (input, target)]
        kind = promote([k for k, t in zip(kinds, (a, b), strict=True) if t.ndim],
                       [k for k, t in zip(kinds, (a, b), strict=True) if not t.ndim], [])  # fmt: skip
        input, target = input.to(kind), target.to(kind)
    if a.shape != b.shape:
        fault = mismatch([a.shape, b.shape])
        if fault is not None:
            raise fault
        shape = np.broadcast_shapes(a.shape, b.shape)
        input, target = expand_to(input, shape), expand_to(target, shape)
    return input, target


def mse_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean", weight: Any = None
) -> Any:
    """The squared difference.

    >>> import autograd_lab as torch
    >>> mse_loss(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    tensor(2.)
    """
    reduction = reduction_of(size_average, reduce, reduction)
    warn_of_sizes(input, target)
    input, target = alike(input, target)
    if weight is not None:
        losses = mse_loss_card(input, target, "none") * weight
        return losses.sum() / weight.expand_as(losses).sum() if reduction == "mean" else finish(losses, reduction)
    if input._data.dtype.kind not in "fc":
        raise NotImplementedError(f"\"mse_cpu\" not implemented for '{TYPE_NAMES[input.dtype.name]}'")
    return mse_loss_card(input, target, reduction)


def l1_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean", weight: Any = None
) -> Any:
    """The absolute difference."""
    reduction = reduction_of(size_average, reduce, reduction)
    warn_of_sizes(input, target)
    losses = absolute(input - target)
    if weight is not None:
        losses = losses * weight
        return losses.sum() / weight.expand_as(losses).sum() if reduction == "mean" else finish(losses, reduction)
    return finish(losses, reduction)


def smooth_l1_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean", beta: float = 1.0
) -> Any:
    """Squared where the difference is below `beta`, linear beyond."""
    reduction = reduction_of(size_average, reduce, reduction)
    warn_of_sizes(input, target)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    if beta == 0:
        return l1_loss(input, target, reduction=reduction)
    input, target = alike(input, target)
    return smooth_l1_card(input, target, reduction, beta)


def huber_loss(input: Any, target: Any, reduction: str = "mean", delta: float = 1.0, weight: Any = None) -> Any:
    """Half the square where the difference is below `delta`, linear beyond."""
    reduction = reduction_of(None, None, reduction)
    warn_of_sizes(input, target)
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    input, target = alike(input, target)
    if weight is None:
        return huber_card(input, target, reduction, delta)
    losses = huber_card(input, target, "none", delta) * weight
    return losses.sum() / weight.expand_as(losses).sum() if reduction == "mean" else finish(losses, reduction)


def binary_cross_entropy(
    input: Any, target: Any, weight: Any = None, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Any:
    """-(t log p + (1 - t) log(1 - p)) for probabilities; each log is at least -100.

    Raises RuntimeError for probabilities outside [0, 1].
    """
    reduction = reduction_of(size_average, reduce, reduction)
    if target._data.shape != input._data.shape:
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is "
            "deprecated. "
            "Please ensure they have the same size."
        )
    if input._data.dtype != target._data.dtype:
        raise RuntimeError(f"Found dtype {TYPE_NAMES[target.dtype.name]} but expected {TYPE_NAMES[input.dtype.name]}")
    data = input._data
    if data.size and not (data.min() >= 0 and data.max() <= 1):
        raise RuntimeError("all elements of input should be between 0 and 1")
    if weight is not None:
        weight = expand_to(weight, tuple(target.shape))
    return bce_card(input, target, weight, reduction)


def binary_cross_entropy_with_logits(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    pos_weight: Any = None,
) -> Any:
    """Binary cross entropy of sigmoid(input), computed without overflow."""
    reduction = reduction_of(size_average, reduce, reduction)
    if target._data.shape != input._data.shape:
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    if target._data.dtype.kind not in "fc":
        raise RuntimeError(
            f"result type {TYPE_NAMES[input.dtype.name]} can't be cast to the desired output type "
            f"{TYPE_NAMES[target.dtype.name]}"
        )
    if target._data.dtype != input._data.dtype:
        input, target = alike(input, target)
    for given in (weight, pos_weight):
        fault = None if given is None else mismatch([input._data.shape, given._data.shape])
        if fault is not None:
            raise fault
    return bce_with_logits_card(input, target, weight, pos_weight, reduction)


def soft_margin_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Any:
    """log(1 + e^(-t x)) for targets of 1 and -1."""
    reduction = reduction_of(size_average, reduce, reduction)
    fault = mismatch([target._data.shape, input._data.shape])
    if fault is not None:
        raise fault
    input, target = alike(input, target)
    return soft_margin_card(input, target, reduction)


def poisson_nll_loss(
    input: Any,
    target: Any,
    log_input: bool = True,
    full: bool = False,
    size_average: Any = None,
    eps: float = 1e-8,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """The negative log likelihood of counts; `input` is the log of the rate unless `log_input=False`."""
    reduction = reduction_of(size_average, reduce, reduction)
    losses = exp(input) - target * input if log_input else input - target * log(input + eps)
    if full:
        rest = target * log(target) - target + 0.5 * log(2 * math.pi * target)
        losses = losses + where(target > 1, rest, 0.0)
    return finish(losses, reduction)


def gaussian_nll_loss(
    input: Any, target: Any, var: Any, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Any:
    """The negative log likelihood of normal values with mean `input` and variance `var`."""
    if not isinstance(var, Tensor):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = bare(np.full(input._data.shape, var, input._data.dtype)[()])
    elif (var._data < 0).any():
        raise ValueError("var has negative entry/entries")
    if var._data.shape != input._data.shape:
        if tuple(input.shape[:-1]) == tuple(var.shape):
            var = var.unsqueeze(-1)
        elif not (tuple(input.shape[:-1]) == tuple(var.shape[:-1]) and var.shape[-1] == 1):
            raise ValueError("var is of incorrect size")
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")
    var = clone(var)
    with no_grad():  # the limit is not part of what is differentiated
        var.clamp_(min=eps)
    losses = 0.5 * (log(var) + (input - target) ** 2 / var)
    if full:
        losses = losses + 0.5 * math.log(2 * math.pi)
    return finish(losses, reduction)


def kl_div(
    input: Any,
    target: Any,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Any:
    """target * (log target - input): how far the distribution e^input is from `target`."""
    if reduction == "mean" and size_average is None and reduce is None:
        warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size."
            "'batchmean' divides only by the batch size, and aligns with the KL div math definition."
            "'mean' will be changed to behave the same as 'batchmean' in the next major release."
        )
    by_batch = reduction == "batchmean"
    reduction = reduction_of(size_average, reduce, "sum" if by_batch else reduction)
    if log_target:
        losses = exp(target) * (target - input)
    else:
        losses = xlogy(target, target) - target * input
    total = finish(losses, reduction)
    return total / input.shape[0] if by_batch and input.ndim else total


__all__ = [
    "binary_cross_entropy", "binary_cross_entropy_with_logits", "gaussian_nll_loss", "huber_loss", "kl_div", "l1_loss",
    "mse_loss", "poisson_nll_loss", "smooth_l1_loss", "soft_margin_loss",
]  # fmt: skip
