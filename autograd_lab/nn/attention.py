"""Multi-head attention: several weighted means at once, each in its own projection.

Source: Vaswani et al. 2017. Read next: `functional/attention.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._tensor import bare
from ..menu import softmax
from ..ops.comparison import where
from ..ops.creation import empty
from ..ops.matmul import matmul
from ..ops.reduction import mean_dim
from ..ops.shape import narrow, permute, reshape, transpose, unsqueeze
from . import functional as F
from . import init
from .linear import Linear
from .module import Module
from .parameter import Parameter


class NonDynamicallyQuantizableLinear(Linear):
    """A Linear layer; PyTorch prints it by this name inside MultiheadAttention."""


class MultiheadAttention(Module):
    """Attention with `num_heads` heads for (L, N, E), or (N, L, E) with `batch_first`, or (L, E).

    Returns the output and the attention weights, averaged over heads.
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        for name, value in (("add_bias_kv", add_bias_kv), ("add_zero_attn", add_zero_attn)):
            if value:
                raise NotImplementedError(f"MultiheadAttention has no {name}=True here")
        if (kdim or embed_dim) != embed_dim or (vdim or embed_dim) != embed_dim:
            raise NotImplementedError("MultiheadAttention has no kdim or vdim other than embed_dim here")
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and "
                f"num_heads={num_heads} instead"
            )
        if embed_dim % num_heads:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self.embed_dim, self.num_heads, self.dropout, self.batch_first = embed_dim, num_heads, dropout, batch_first
        self.head_dim = embed_dim // num_heads
        place = {"device": device, "dtype": dtype}
        self.in_proj_weight = Parameter(empty(3 * embed_dim, embed_dim, **place))
        self.register_parameter("in_proj_bias", Parameter(empty(3 * embed_dim, **place)) if bias else None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias, **place)
        init.xavier_uniform_(self.in_proj_weight)
        if bias:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)

    def heads(self, x: Any, place: int) -> Any:
        """(N, L, E) projected and cut into heads: (N, H, L, E / H)."""
        size = self.embed_dim
        bias = None if self.in_proj_bias is None else narrow(self.in_proj_bias, 0, place * size, size)
        made = F.linear(x, narrow(self.in_proj_weight, 0, place * size, size), bias)
        return transpose(reshape(made, *x.shape[:2], self.num_heads, self.head_dim), 1, 2)

    def forward(
        self,
        query: Any,
        key: Any,
        value: Any,
        key_padding_mask: Any = None,
        need_weights: bool = True,
        attn_mask: Any = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Any, Any]:
        batched = query.ndim == 3
        if not batched:
            inputs = [unsqueeze(t, 0) for t in (query, key, value)]
        elif self.batch_first:
            inputs = [query, key, value]
        else:
            inputs = [transpose(t, 0, 1) for t in (query, key, value)]
        q, k, v = (self.heads(t, i) for i, t in enumerate(inputs))
        scores = matmul(q * math.sqrt(1.0 / self.head_dim), transpose(k, -2, -1))
        scores = masked(scores, attn_mask, self.num_heads)
        if key_padding_mask is not None:
            mask = key_padding_mask if batched else unsqueeze(key_padding_mask, 0)
            scores = masked(scores, reshape(mask, mask.shape[0], 1, 1, -1), self.num_heads)
        weights = softmax(scores, -1)
        means = matmul(F.dropout(weights, self.dropout, self.training), v)
        joined = reshape(permute(means, (0, 2, 1, 3)), *inputs[0].shape)
        output = self.out_proj(joined)
        if average_attn_weights:
            weights = mean_dim(weights, 1)
        if not batched:
            return output.squeeze(0), weights.squeeze(0) if need_weights else None
        return (output if self.batch_first else transpose(output, 0, 1)), weights if need_weights else None


def masked(scores: Any, mask: Any, heads: int) -> Any:
    """Scores (N, H, L, S) with a mask applied: True (or -inf) means "may not look there"."""
    if mask is None:
        return scores
    if mask.ndim == 3:
        mask = reshape(mask, -1, heads, *mask.shape[1:])
    if mask._data.dtype.kind == "b":
        return where(bare(np.logical_not(mask._data)), scores, -math.inf)
    return scores + mask
