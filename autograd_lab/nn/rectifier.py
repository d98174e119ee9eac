"""Activation layers with kinks: ReLU and its family.

Read next: `conv.py`.
"""

from __future__ import annotations

from typing import Any

from ..ops.creation import empty
from . import functional as F
from . import init
from .activation import Options
from .parameter import Parameter


class ReLU(Options):
    """max(0, x)."""

    def __init__(self, inplace: bool = False) -> None:
        self.hold(inplace=inplace)

    def forward(self, input: Any) -> Any:
        return F.relu(input, self.inplace)


class LeakyReLU(Options):
    """x above zero, negative_slope * x below."""

    shown = ("negative_slope",)

    def __init__(self, negative_slope: float = 1e-2, inplace: bool = False) -> None:
        self.hold(negative_slope=negative_slope, inplace=inplace)

    def forward(self, input: Any) -> Any:
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class PReLU(Options):
    """leaky_relu with learned slopes, one or one per channel."""

    shown = ("num_parameters",)

    def __init__(self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None) -> None:
        self.hold(num_parameters=num_parameters, init=init)
        self.weight = Parameter(empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set all slopes to their first value."""
        init.constant_(self.weight, self.init)

    def forward(self, input: Any) -> Any:
        return F.prelu(input, self.weight)


class RReLU(Options):
    """leaky_relu with random slopes in training."""

    shown = ("lower", "upper")

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False) -> None:
        self.hold(lower=lower, upper=upper, inplace=inplace)

    def forward(self, input: Any) -> Any:
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class ReLU6(Options):
    """x limited to [0, 6]."""

    def __init__(self, inplace: bool = False) -> None:
        self.hold(min_val=0.0, max_val=6.0, inplace=inplace)

    def forward(self, input: Any) -> Any:
        return F.relu6(input, self.inplace)


class ELU(Options):
    """x above zero, alpha * (e^x - 1) below."""

    shown = ("alpha",)

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        self.hold(alpha=alpha, inplace=inplace)

    def forward(self, input: Any) -> Any:
        return F.elu(input, self.alpha, self.inplace)


class CELU(Options):
    """x above zero, alpha * (e^(x / alpha) - 1) below."""

    shown = ("alpha",)

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        self.hold(alpha=alpha, inplace=inplace)

    def forward(self, input: Any) -> Any:
        return F.celu(input, self.alpha, self.inplace)


class SELU(Options):
    """elu with constants that keep mean 0 and variance 1."""

    def __init__(self, inplace: bool = False) -> None:
        self.hold(inplace=inplace)

    def forward(self, input: Any) -> Any:
        return F.selu(input, self.inplace)


class Hardtanh(Options):
    """x limited to [min_val, max_val]."""

    shown = ("min_val", "max_val")

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        self.hold(min_val=min_val, max_val=max_val, inplace=inplace)
        if not max_val > min_val:
            raise AssertionError(f"max_val ({max_val}) must be greater than min_val ({min_val})")

    def forward(self, input: Any) -> Any:
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)


class Silent(Options):
    """A layer whose `inplace` its repr does not show."""

    def __init__(self, inplace: bool = False) -> None:
        self.hold(inplace=inplace)

    def extra_repr(self) -> str:
        return ""


class Hardsigmoid(Silent):
    """x / 6 + 1 / 2, limited to [0, 1]."""

    def forward(self, input: Any) -> Any:
        return F.hardsigmoid(input, self.inplace)


class Hardswish(Silent):
    """x * hardsigmoid(x)."""

    def forward(self, input: Any) -> Any:
        return F.hardswish(input, self.inplace)


class Softshrink(Options):
    """x moved towards zero by lambd."""

    values = ("lambd",)

    def __init__(self, lambd: float = 0.5) -> None:
        self.hold(lambd=lambd)

    def forward(self, input: Any) -> Any:
        return F.softshrink(input, self.lambd)


class Hardshrink(Options):
    """x, and 0 within lambd of zero."""

    values = ("lambd",)

    def __init__(self, lambd: float = 0.5) -> None:
        self.hold(lambd=lambd)

    def forward(self, input: Any) -> Any:
        return F.hardshrink(input, self.lambd)


class Threshold(Options):
    """x above the threshold, `value` elsewhere."""

    shown = ("threshold", "value")

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        self.hold(threshold=threshold, value=value, inplace=inplace)

    def forward(self, input: Any) -> Any:
        return F.threshold(input, self.threshold, self.value, self.inplace)
