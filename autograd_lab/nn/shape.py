"""Layers that rearrange: Flatten, Unflatten, padding, resizing, pixel shuffles, fold and unfold.

Read next: `loss.py`.
"""

from __future__ import annotations

from typing import Any

from ..ops.shape import flatten, reshape
from . import functional as F
from .activation import Options
from .module import Module


class Flatten(Options):
    """Dimensions from start_dim to end_dim merged into one; the batch dimension stays."""

    shown = ("start_dim", "end_dim")

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        self.hold(start_dim=start_dim, end_dim=end_dim)

    def forward(self, input: Any) -> Any:
        return flatten(input, self.start_dim, self.end_dim)


class Unflatten(Options):
    """One dimension split into several sizes."""

    shown = ("dim", "unflattened_size")

    def __init__(self, dim: int, unflattened_size: Any) -> None:
        if not isinstance(unflattened_size, (tuple, list)):
            raise TypeError(
                f"unflattened_size must be a tuple of ints, but found type {type(unflattened_size).__name__}"
            )
        for i, size in enumerate(unflattened_size):
            if not isinstance(size, int):
                raise TypeError(
                    f"unflattened_size must be tuple of ints, but found element of type {type(size).__name__} "
                    f"at pos {i}"
                )
        self.hold(dim=dim, unflattened_size=tuple(unflattened_size))

    def forward(self, input: Any) -> Any:
        dim = self.dim % input.ndim
        return reshape(input, *input.shape[:dim], *self.unflattened_size, *input.shape[dim + 1 :])


class Padding(Module):
    """What padding layers share."""

    dims = 2
    mode = "constant"

    def __init__(self, padding: Any, value: float | None = None) -> None:
        super().__init__()
        self.padding = tuple(padding) if isinstance(padding, (tuple, list)) else (padding,) * (2 * self.dims)
        if value is not None:
            self.value = value

    def forward(self, input: Any) -> Any:
        return F.pad(input, self.padding, self.mode, getattr(self, "value", None))

    def extra_repr(self) -> str:
        value = f", value={self.value}" if hasattr(self, "value") else ""
        return (f"padding={self.padding}" + value) if value else f"{self.padding}"


class ConstantPad1d(Padding):
    """One value around signals."""

    dims = 1

    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(padding, value)


class ConstantPad2d(Padding):
    """One value around images."""

    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(padding, value)


class ZeroPad1d(Padding):
    """Zeros around signals."""

    dims = 1


class ZeroPad2d(Padding):
    """Zeros around images."""


class ReflectionPad1d(Padding):
    """Signals mirrored at their ends."""

    dims, mode = 1, "reflect"


class ReflectionPad2d(Padding):
    """Images mirrored at their borders."""

    mode = "reflect"


class ReplicationPad1d(Padding):
    """Signals whose ends are repeated."""

    dims, mode = 1, "replicate"


class ReplicationPad2d(Padding):
    """Images whose borders are repeated."""

    mode = "replicate"


class CircularPad1d(Padding):
    """Signals wrapped around."""

    dims, mode = 1, "circular"


class CircularPad2d(Padding):
    """Images wrapped around."""

    mode = "circular"


class Upsample(Module):
    """Images in another size; see `F.interpolate`."""

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        self.size = size
        if isinstance(scale_factor, tuple):
            self.scale_factor = tuple(float(f) for f in scale_factor)
        else:
            self.scale_factor = float(scale_factor) if scale_factor else None
        self.mode, self.align_corners = mode, align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: Any) -> Any:
        return F.interpolate(
            input, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor
        )

    def extra_repr(self) -> str:
        name = "size" if self.scale_factor is None else "scale_factor"
        return f"{name}={getattr(self, name)!r}, mode={self.mode!r}"


class PixelShuffle(Options):
    """(N, C * r², H, W) as (N, C, H * r, W * r)."""

    shown = ("upscale_factor",)

    def __init__(self, upscale_factor: int) -> None:
        self.hold(upscale_factor=upscale_factor)

    def forward(self, input: Any) -> Any:
        return F.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Options):
    """(N, C, H * r, W * r) as (N, C * r², H, W)."""

    shown = ("downscale_factor",)

    def __init__(self, downscale_factor: int) -> None:
        self.hold(downscale_factor=downscale_factor)

    def forward(self, input: Any) -> Any:
        return F.pixel_unshuffle(input, self.downscale_factor)


class ChannelShuffle(Options):
    """Channels of several groups mixed."""

    shown = ("groups",)

    def __init__(self, groups: int) -> None:
        self.hold(groups=groups)

    def forward(self, input: Any) -> Any:
        return F.channel_shuffle(input, self.groups)


class Unfold(Options):
    """Patches of images as columns: im2col."""

    shown = ("kernel_size", "dilation", "padding", "stride")

    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None:
        self.hold(kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride)

    def forward(self, input: Any) -> Any:
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


class Fold(Options):
    """Columns added up as images."""

    shown = ("output_size", "kernel_size", "dilation", "padding", "stride")

    def __init__(
        self, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
    ) -> None:
        self.hold(output_size=output_size, kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride)

    def forward(self, input: Any) -> Any:
        return F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)


class CosineSimilarity(Module):
    """The cosine of the angle between vectors along `dim`."""

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim, self.eps = dim, eps

    def forward(self, x1: Any, x2: Any) -> Any:
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    """The p-norm of differences of vectors."""

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.norm, self.eps, self.keepdim = p, eps, keepdim

    def forward(self, x1: Any, x2: Any) -> Any:
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)
