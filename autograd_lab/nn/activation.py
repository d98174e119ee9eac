"""Smooth activation layers: modules around the functions of `functional/activation.py`.

Most say in three lines what they hold; `Options` turns that into attributes and a repr. Read next: `rectifier.py`.
"""

from __future__ import annotations

from typing import Any

from . import functional as F
from .module import Module


class Options(Module):
    """A layer that only holds options. `shown` names those its repr lists, `values` those it lists bare."""

    shown: tuple[str, ...] = ()
    values: tuple[str, ...] = ()

    def hold(self, **options: Any) -> None:
        """Start as a Module, with options as attributes."""
        Module.__init__(self)
        self.__dict__.update(options)

    def extra_repr(self) -> str:
        texts = [f"{name}={getattr(self, name)!r}" for name in self.shown]
        texts += [repr(getattr(self, name)) for name in self.values]
        if getattr(self, "inplace", False):
            texts.append("inplace=True")
        return ", ".join(texts)


class GELU(Options):
    """x times the normal distribution function at x."""

    shown = ("approximate",)

    def __init__(self, approximate: str = "none") -> None:
        self.hold(approximate=approximate)

    def forward(self, input: Any) -> Any:
        return F.gelu(input, self.approximate)


class SiLU(Options):
    """x * sigmoid(x)."""

    def __init__(self, inplace: bool = False) -> None:
        self.hold(inplace=inplace)

    def forward(self, input: Any) -> Any:
        return F.silu(input, self.inplace)


class Mish(Options):
    """x * tanh(softplus(x))."""

    def __init__(self, inplace: bool = False) -> None:
        self.hold(inplace=inplace)

    def forward(self, input: Any) -> Any:
        return F.mish(input, self.inplace)


class Sigmoid(Module):
    """1 / (1 + e^-x)."""

    def forward(self, input: Any) -> Any:
        return F.sigmoid(input)


class Tanh(Module):
    """The hyperbolic tangent."""

    def forward(self, input: Any) -> Any:
        return F.tanh(input)


class LogSigmoid(Module):
    """log(sigmoid(x))."""

    def forward(self, input: Any) -> Any:
        return F.logsigmoid(input)


class Softsign(Module):
    """x / (1 + |x|)."""

    def forward(self, input: Any) -> Any:
        return F.softsign(input)


class Tanhshrink(Module):
    """x - tanh(x)."""

    def forward(self, input: Any) -> Any:
        return F.tanhshrink(input)


class Softplus(Options):
    """log(1 + e^(beta x)) / beta."""

    shown = ("beta", "threshold")

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        self.hold(beta=beta, threshold=threshold)

    def forward(self, input: Any) -> Any:
        return F.softplus(input, self.beta, self.threshold)


class GLU(Options):
    """The first half along `dim` times the sigmoid of the second half."""

    shown = ("dim",)

    def __init__(self, dim: int = -1) -> None:
        self.hold(dim=dim)

    def forward(self, input: Any) -> Any:
        return F.glu(input, self.dim)


class Softmax(Options):
    """e^x over the sum of e^x along `dim`."""

    shown = ("dim",)

    def __init__(self, dim: int | None = None) -> None:
        self.hold(dim=dim)

    def forward(self, input: Any) -> Any:
        return F.softmax(input, self.dim)


class LogSoftmax(Options):
    """log(softmax(x)) along `dim`."""

    shown = ("dim",)

    def __init__(self, dim: int | None = None) -> None:
        self.hold(dim=dim)

    def forward(self, input: Any) -> Any:
        return F.log_softmax(input, self.dim)


class Softmin(Options):
    """softmax(-x) along `dim`."""

    shown = ("dim",)

    def __init__(self, dim: int | None = None) -> None:
        self.hold(dim=dim)

    def forward(self, input: Any) -> Any:
        return F.softmin(input, self.dim)


class Softmax2d(Module):
    """softmax over the channels of (N, C, H, W)."""

    def forward(self, input: Any) -> Any:
        if input.ndim not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.ndim}D instead")
        return F.softmax(input, -3)
