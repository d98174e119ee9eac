"""Losses of classes as functions: nll_loss, cross_entropy.

Both take `reduction` "mean" (default), "sum" or "none". Read next: `margins.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._tensor import bare
from ...dtypes import TYPE_NAMES
from ...menu import log_softmax
from ...ops.comparison import where
from ...ops.likelihood import nll_loss2d_card, nll_loss_card
from ...ops.shape import reshape
from .reducing import reduction_of

TARGET_DTYPES = (np.dtype("int64"), np.dtype("uint8"))


def nll_loss(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Minus the log probability of the target classes, for (N, C) and (N,), or (C,) and ().

    Raises IndexError for a class number outside 0 … C - 1 that is not `ignore_index`.
    """
    reduction = reduction_of(size_average, reduce, reduction)
    a, b = input._data, target._data
    if a.ndim < 1:
        raise ValueError(f"Expected 1 or more dimensions (got {a.ndim})")
    if a.ndim == 1:
        if b.ndim == 1 and b.size != 1:
            raise ValueError(f"For 1D input, 1D target must have size 1, but got target size: {b.size}")
    elif b.ndim and a.shape[0] != b.shape[0]:
        raise ValueError(f"Expected input batch_size ({a.shape[0]}) to match target batch_size ({b.shape[0]}).")
    if b.dtype not in TARGET_DTYPES:
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {kind_name(target)}")
    if a.ndim <= 2 and b.ndim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    classes = a.shape[0] if a.ndim == 1 else a.shape[1]
    if weight is not None and weight._data.shape != (classes,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of "
            f"shape: {list(weight.shape)}"
        )
    if a.ndim <= 2:
        return nll_loss_card(input, target, weight, reduction, ignore_index)
    check_maps(a.shape, b.shape)
    if a.ndim == 3:  # PyTorch computes sequences as maps of width 1
        input = reshape(input, a.shape[0], a.shape[1], 1, a.shape[2])
        target = target.unsqueeze(1)
        made = nll_loss2d_card(input, target, weight, reduction, ignore_index)
        return made.reshape(b.shape) if reduction == "none" else made
    return nll_loss2d_card(input, target, weight, reduction, ignore_index)


def check_maps(scores: tuple[int, ...], targets: tuple[int, ...]) -> None:
    """Raise PyTorch's errors if targets do not fit (N, C, *S)."""
    wanted = (scores[0], *scores[2:])
    if targets == wanted:
        return
    if len(scores) == 4:
        if len(targets) != 3:
            raise RuntimeError(
                f"only batches of spatial targets supported (3D tensors) but got targets of dimension: {len(targets)}"
            )
        raise RuntimeError(f"size mismatch (got input: {list(scores)} , target: {list(targets)}")
    raise RuntimeError(f"Expected target size {list(wanted)}, got {list(targets)}")


def kind_name(tensor: Any) -> str:
    return TYPE_NAMES[tensor.dtype.name]


def cross_entropy(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Any:
    """nll_loss of log_softmax, for scores (N, C, *S) and class numbers (N, *S) or probabilities (N, C, *S).

    >>> import autograd_lab as torch
    >>> cross_entropy(torch.tensor([[2.0, 1.0]]), torch.tensor([0]))
    tensor(0.3133)
    """
    reduction = reduction_of(size_average, reduce, reduction)
    if not 0.0 <= label_smoothing <= 1.0:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")
    probabilities = input._data.shape == target._data.shape
    if probabilities and target._data.dtype.kind != "f":
        raise RuntimeError(f"Expected floating point type for target with class probabilities, got {kind_name(target)}")
    dim = 1 if input._data.ndim > 1 else 0
    logs = log_softmax(input, dim)
    if probabilities:
        return soft_targets(logs, target, weight, reduction, label_smoothing, dim)
    if label_smoothing:
        return smoothed(logs, target, weight, ignore_index, reduction, label_smoothing, dim)
    return nll_loss(logs, target, weight, None, ignore_index, None, reduction)


def class_weights(weight: Any, logs: Any, dim: int) -> Any:
    """Class weights in the shape that meets scores."""
    return reshape(weight, (-1,) + (1,) * (logs.ndim - dim - 1))


def soft_targets(logs: Any, target: Any, weight: Any, reduction: str, smoothing: float, dim: int) -> Any:
    """Cross entropy with a probability for every class."""
    if smoothing:
        target = target * (1 - smoothing) + smoothing / logs.shape[dim]
    products = logs * target
    if weight is not None:
        products = products * class_weights(weight, logs, dim)
    if reduction == "none":
        return -products.sum(dim)
    total = -products.sum()
    return total / (logs.numel() / logs.shape[dim]) if reduction == "mean" else total


def smoothed(logs: Any, target: Any, weight: Any, ignore: int, reduction: str, smoothing: float, dim: int) -> Any:
    """Cross entropy where every class gets a share of `smoothing`."""
    sharp = nll_loss(logs, target, weight, None, ignore, None, reduction)
    spread = -(logs if weight is None else logs * class_weights(weight, logs, dim)).sum(dim)
    counted = target != ignore
    spread = where(counted, spread, 0.0)
    if reduction == "mean":
        if weight is None:
            count = counted.sum().to(logs.dtype)
        else:
            count = bare((weight._data[(target._data * counted._data)] * counted._data).sum()[()])
        spread = spread.sum() / count
    elif reduction == "sum":
        spread = spread.sum()
    return sharp * (1 - smoothing) + spread * (smoothing / logs.shape[dim])


__all__ = ["cross_entropy", "nll_loss"]
