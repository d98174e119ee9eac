"""`vmap`: one function call per entry of a dimension, results stacked."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from .._tensor import Tensor
from ..ops.indexing import select
from ..ops.shape import stack
from .transforms import mapped


def sliced(value: Any, dim: Any, k: int) -> Any:
    """Entry `k` of every tensor that is mapped over."""
    if isinstance(value, Tensor):
        return value if dim is None else select(value, dim, k)
    if isinstance(dim, (tuple, list)):
        return type(value)(sliced(v, d, k) for v, d in zip(value, dim, strict=True))
    return mapped(lambda v: sliced(v, dim, k), value)


def sizes(value: Any, dim: Any) -> list[int]:
    """The sizes of the mapped dimensions."""
    if isinstance(value, Tensor):
        return [] if dim is None else [int(value.shape[dim])]
    parts = list(value.values()) if isinstance(value, dict) else list(value) if isinstance(value, (tuple, list)) else []
    dims = dim if isinstance(dim, (tuple, list)) else [dim] * len(parts)
    return [n for v, d in zip(parts, dims, strict=True) for n in sizes(v, d)]


def joined(results: list[Any], dim: int) -> Any:
    """Results of the single calls, stacked part by part."""
    first = results[0]
    if isinstance(first, Tensor):
        return stack(results, dim)
    if isinstance(first, (tuple, list)):
        return type(first)(joined([r[i] for r in results], dim) for i in range(len(first)))
    if isinstance(first, dict):
        return {k: joined([r[k] for r in results], dim) for k in first}
    raise ValueError(f"vmap(...): Expected to return Tensors, got type {type(first)}. Did you mean to return a tensor?")


def vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: int = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[..., Any]:
    """A function that maps `func` over a dimension of its inputs.

    >>> import autograd_lab as torch
    >>> torch.func.vmap(lambda v: v.sum())(torch.ones(2, 3))
    tensor([3., 3.])
    """

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        dims = in_dims if isinstance(in_dims, (tuple, list)) else (in_dims,) * len(args)
        if len(dims) != len(args):
            raise ValueError(
                f"vmap({func.__name__}, in_dims={in_dims}, ...)(<inputs>): in_dims is not compatible with the "
                "structure of `inputs`."
            )
        counts = [n for a, d in zip(args, dims, strict=True) for n in sizes(a, d)]
        if not counts:
            raise ValueError("vmap(...): got no inputs to map over: at least one in_dim must not be None")
        if any(n != counts[0] for n in counts):
            raise ValueError(
                f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {counts} for "
                "the mapped dimension"
            )
        results = [
            func(*(sliced(a, d, k) for a, d in zip(args, dims, strict=True)), **kwargs) for k in range(counts[0])
        ]
        return joined(results, out_dims)

    return wrapper
