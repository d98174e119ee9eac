"""Dropout: random zeros while training, nothing otherwise.

Read next: `normalization.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..._tensor import bare
from ...caution import warn
from ...generators import default_generator

ALPHA = -1.7580993408473766  # the value selu approaches on the left


def check_rate(p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def kept(shape: tuple[int, ...], p: float, kind: Any) -> Any:
    """Ones with probability 1 - p, else zeros."""
    return (default_generator.numpy.random(shape, np.float32) >= p).astype(kind)


def dropped(input: Any, shape: tuple[int, ...], p: float, inplace: bool) -> Any:
    """The input times a random mask of `shape`, scaled so that the mean stays."""
    kind = input._data.dtype
    mask = kept(shape, p, kind)
    mask *= kind.type(0 if p == 1 else 1 / (1 - p))
    noise = bare(mask if mask.ndim else mask[()])
    return input.mul_(noise) if inplace else input * noise


def dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """In training, zero every element with probability `p` and divide the others by 1 - p.

    >>> import autograd_lab as torch
    >>> dropout(torch.ones(2), 0.5, training=False)
    tensor([1., 1.])
    """
    check_rate(p)
    if not training or p == 0:
        return input
    return dropped(input, input._data.shape, p, inplace)


def channels(input: Any, p: float, training: bool, inplace: bool, name: str, good: tuple[int, ...]) -> Any:
    """Dropout of whole channels."""
    check_rate(p)
    if input.ndim not in good:
        texts = " or ".join(f"{n}-D" for n in good)
        warn(
            f"{name}: Received a {input.ndim}-D input to {name}, which is deprecated and will result in an error in a "
            f"future release. To retain the behavior and silence this warning, please use dropout instead. Note that "
            f"{name} exists to provide channel-wise dropout on inputs with {good[0] - 1} spatial dimensions, a channel "
            f"dimension, and an optional batch dimension (i.e. {texts} inputs)."
        )
    if not training or p == 0:
        return input
    return dropped(input, (*input.shape[:2], *(1,) * (input.ndim - 2)), p, inplace)


def dropout1d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Zero whole channels of (N, C, L) or (C, L)."""
    if input.ndim == 2:
        return dropped_unbatched(input, p, training, inplace)
    if input.ndim != 3:
        check_rate(p)
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {input.ndim}D input. Note that dropout1d exists to "
            "provide channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an "
            "optional batch "
            "dimension (i.e. 2D or 3D inputs)."
        )
    return channels(input, p, training, inplace, "dropout1d", (2, 3))


def dropped_unbatched(input: Any, p: float, training: bool, inplace: bool) -> Any:
    """Channels of an input without batch dimension."""
    check_rate(p)
    if not training or p == 0:
        return input
    return dropped(input, (input.shape[0], *(1,) * (input.ndim - 1)), p, inplace)


def dropout2d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Zero whole channels of (N, C, H, W)."""
    return channels(input, p, training, inplace, "dropout2d", (3, 4))


def dropout3d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Zero whole channels of (N, C, D, H, W)."""
    if input.ndim == 4:
        return dropped_unbatched(input, p, training, inplace)
    return channels(input, p, training, inplace, "dropout3d", (4, 5))


def alpha_dropout(input: Any, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    """Dropout for selu networks: keeps mean and variance (Klambauer et al. 2017)."""
    check_rate(p)
    if not training or p == 0:
        return input
    return alpha_dropped(input, input._data.shape, p)


def feature_alpha_dropout(input: Any, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    """alpha_dropout of whole channels."""
    check_rate(p)
    if not training or p == 0:
        return input
    return alpha_dropped(input, (*input.shape[:2], *(1,) * (input.ndim - 2)), p)


def alpha_dropped(input: Any, shape: tuple[int, ...], p: float) -> Any:
    if p == 1:
        return input * 0
    kind = input._data.dtype
    mask = kept(shape, p, kind)
    a = 1 / math.sqrt((ALPHA**2 * p + 1) * (1 - p))
    shift = (1 - mask) * kind.type(a * ALPHA) - kind.type(a * ALPHA * p)
    return input * bare(mask * kind.type(a)) + bare(shift.astype(kind))


__all__ = ["alpha_dropout", "dropout", "dropout1d", "dropout2d", "dropout3d", "feature_alpha_dropout"]
