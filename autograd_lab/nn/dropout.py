"""Dropout layers: random zeros in training, nothing in evaluation.

Read next: `loss.py`.
"""

from __future__ import annotations

from typing import Any

from . import functional as F
from .module import Module


class Dropping(Module):
    """What dropout layers share: the rate, and its check."""

    function: Any = None

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def forward(self, input: Any) -> Any:
        return type(self).function(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(Dropping):
    """Zero every element with probability p, and divide the others by 1 - p."""

    function = staticmethod(F.dropout)


class Dropout1d(Dropping):
    """Zero whole channels of (N, C, L)."""

    function = staticmethod(F.dropout1d)


class Dropout2d(Dropping):
    """Zero whole channels of (N, C, H, W)."""

    function = staticmethod(F.dropout2d)


class Dropout3d(Dropping):
    """Zero whole channels of (N, C, D, H, W)."""

    function = staticmethod(F.dropout3d)


class AlphaDropout(Dropping):
    """Dropout for selu networks: keeps mean and variance."""

    function = staticmethod(F.alpha_dropout)


class FeatureAlphaDropout(Dropping):
    """AlphaDropout of whole channels."""

    function = staticmethod(F.feature_alpha_dropout)
