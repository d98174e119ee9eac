"""Attention: a weighted mean of values, with weights from how well queries fit keys.

Read next: `../rnn.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..._tensor import bare
from ...menu import softmax
from ...ops.comparison import where
from ...ops.matmul import matmul
from ...ops.shape import transpose
from .dropout import dropout


def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Any:
    """softmax(query @ key.T / sqrt(E)) @ value, for (…, L, E), (…, S, E) and (…, S, V).

    A bool mask says what may be looked at; a float mask is added to the scores. Source: Vaswani et al. 2017.
    """
    if enable_gqa:
        raise NotImplementedError("scaled_dot_product_attention() with enable_gqa=True is not supported")
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = matmul(query, transpose(key, -2, -1)) * factor
    if is_causal:
        if attn_mask is not None:
            raise RuntimeError(
                "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True"
            )
        attn_mask = bare(np.tri(query.shape[-2], key.shape[-2], dtype=bool))
    if attn_mask is not None:
        if attn_mask._data.dtype.kind == "b":
            scores = where(attn_mask, scores, -math.inf)
        else:
            scores = scores + attn_mask
    return matmul(dropout(softmax(scores, -1), dropout_p), value)


__all__ = ["scaled_dot_product_attention"]
