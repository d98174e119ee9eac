"""Distances between vectors.

Read next: `attention.py`.
"""

from __future__ import annotations

from typing import Any


def pairwise_distance(x1: Any, x2: Any, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Any:
    """The p-norm of x1 - x2 + eps along the last dimension."""
    return (x1 - x2 + eps).norm(p, -1, keepdim)


def cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Any:
    """The cosine of the angle between vectors along `dim`."""
    first = x1 / x1.norm(2, dim, True).clamp_min(eps)
    second = x2 / x2.norm(2, dim, True).clamp_min(eps)
    return (first * second).sum(dim)


def pdist(input: Any, p: float = 2.0) -> Any:
    """The p-norm distances of all pairs of rows, (N (N - 1) / 2,)."""
    rows = [i for i in range(input.shape[0]) for _ in range(i + 1, input.shape[0])]
    others = [j for i in range(input.shape[0]) for j in range(i + 1, input.shape[0])]
    return (input[rows] - input[others]).norm(p, -1)


__all__ = ["cosine_similarity", "pairwise_distance", "pdist"]
