"""Losses with margins, and losses of pairs and triplets, as functions.

All take `reduction` "mean" (default), "sum" or "none". Read next: `distance.py`.
"""

from __future__ import annotations

from typing import Any

from ...ops.choice import clamp_min
from ...ops.comparison import where
from ...ops.elementwise import sqrt
from ...ops.likelihood import multi_margin_card, multilabel_margin_card
from ...ops.smooth import logsigmoid
from .distance import pairwise_distance
from .reducing import finish, reduction_of


def multi_margin_loss(
    input: Any,
    target: Any,
    p: int = 1,
    margin: float = 1.0,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """How far other classes come within `margin` of the target class."""
    reduction = reduction_of(size_average, reduce, reduction)
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.ndim != 1:
        raise ValueError("weight must be one-dimensional")
    return multi_margin_card(input, target, p, margin, weight, reduction)


def multilabel_margin_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Any:
    """The margin loss for several target classes per sample; each list ends at the first -1."""
    return multilabel_margin_card(input, target, reduction_of(size_average, reduce, reduction))


def multilabel_soft_margin_loss(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Binary cross entropy of every class, averaged over classes."""
    reduction = reduction_of(size_average, reduce, reduction)
    losses = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        losses = losses * weight
    return finish(losses.sum(-1) / input.shape[-1], reduction)


def hinge_embedding_loss(
    input: Any,
    target: Any,
    margin: float = 1.0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """The distance itself for targets 1, and how far it falls below `margin` for targets -1."""
    reduction = reduction_of(size_average, reduce, reduction)
    far = where(target != 1, clamp_min(margin - input, 0), 0.0)
    near = where(target != -1, input, 0.0)
    return finish(far + near, reduction)


def margin_ranking_loss(
    input1: Any,
    input2: Any,
    target: Any,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """max(0, -t (x1 - x2) + margin): t = 1 wants x1 to rank higher."""
    reduction = reduction_of(size_average, reduce, reduction)
    if not input1.ndim == input2.ndim == target.ndim:
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: "
            f"{input1.size()}, input2: {input2.size()}, target: {target.size()} "
        )
    return finish(clamp_min(-target * (input1 - input2) + margin, 0), reduction)


def cosine_embedding_loss(
    input1: Any,
    input2: Any,
    target: Any,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """1 - cosine for targets 1, and how far the cosine exceeds `margin` for targets -1."""
    reduction = reduction_of(size_average, reduce, reduction)
    if target.ndim not in (0, 1):
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    eps, dim = 1e-12, target.ndim
    lengths = ((input1 * input1).sum(dim) + eps) * ((input2 * input2).sum(dim) + eps)
    cosine = (input1 * input2).sum(dim) / sqrt(lengths)
    near = where(target == 1, 1 - cosine, 0.0)
    far = where(target == -1, clamp_min(cosine - margin, 0), 0.0)
    return finish(near + far, reduction)


def triplet_margin_loss(
    anchor: Any,
    positive: Any,
    negative: Any,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """max(0, distance to the positive - distance to the negative + margin)."""
    reduction = reduction_of(size_average, reduce, reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")

    def distance(a: Any, b: Any) -> Any:
        return pairwise_distance(a, b, p, eps)

    return triplet(anchor, positive, negative, distance, margin, swap, reduction)


def triplet_margin_with_distance_loss(
    anchor: Any,
    positive: Any,
    negative: Any,
    *,
    distance_function: Any = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Any:
    """The triplet loss with a distance of your own."""
    return triplet(
        anchor,
        positive,
        negative,
        distance_function or pairwise_distance,
        margin,
        swap,
        reduction_of(None, None, reduction),
    )


def triplet(anchor: Any, positive: Any, negative: Any, distance: Any, margin: float, swap: bool, reduction: str) -> Any:
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        other = distance(positive, negative)
        far = where(far < other, far, other)
    return finish(clamp_min(margin + near - far, 0), reduction)


__all__ = [
    "cosine_embedding_loss", "hinge_embedding_loss", "margin_ranking_loss", "multi_margin_loss",
    "multilabel_margin_loss", "multilabel_soft_margin_loss", "triplet_margin_loss", "triplet_margin_with_distance_loss",
]  # fmt: skip
