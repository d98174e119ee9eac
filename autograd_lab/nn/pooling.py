"""Pooling layers: modules around the functions of `functional/pooling.py`.

Read next: `normalization.py`.
"""

from __future__ import annotations

from typing import Any

from . import functional as F
from .activation import Options


class MaxPool(Options):
    """What max pooling layers share."""

    shown = ("kernel_size", "stride", "padding", "dilation", "ceil_mode")
    function: Any = None

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        self.hold(
            kernel_size=kernel_size,
            stride=kernel_size if stride is None else stride,
            padding=padding,
            dilation=dilation,
            return_indices=return_indices,
            ceil_mode=ceil_mode,
        )

    def forward(self, input: Any) -> Any:
        return type(self).function(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices
        )


class MaxPool1d(MaxPool):
    """The largest element under the kernel, for (N, C, L)."""

    function = staticmethod(F.max_pool1d)


class MaxPool2d(MaxPool):
    """The largest element under the kernel, for (N, C, H, W).

    >>> import autograd_lab as torch
    >>> torch.nn.MaxPool2d(2)(torch.zeros(1, 1, 4, 4)).shape
    torch.Size([1, 1, 2, 2])
    """

    function = staticmethod(F.max_pool2d)


class MaxUnpool2d(Options):
    """Maxima put back at their indices."""

    shown = ("kernel_size", "stride", "padding")

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        stride = kernel_size if stride is None else stride
        self.hold(
            kernel_size=F.pooling.pair(kernel_size), stride=F.pooling.pair(stride), padding=F.pooling.pair(padding)
        )

    def forward(self, input: Any, indices: Any, output_size: Any = None) -> Any:
        return F.max_unpool2d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class AvgPool1d(Options):
    """The mean under the kernel, for (N, C, L)."""

    shown = ("kernel_size", "stride", "padding")

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        self.hold(
            kernel_size=single(kernel_size),
            stride=single(kernel_size if stride is None else stride),
            padding=single(padding),
            ceil_mode=ceil_mode,
            count_include_pad=count_include_pad,
        )

    def forward(self, input: Any) -> Any:
        return F.avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)


def single(value: Any) -> tuple[int, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


class AvgPool2d(Options):
    """The mean under the kernel, for (N, C, H, W)."""

    shown = ("kernel_size", "stride", "padding")

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        self.hold(
            kernel_size=kernel_size,
            stride=kernel_size if stride is None else stride,
            padding=padding,
            ceil_mode=ceil_mode,
            count_include_pad=count_include_pad,
            divisor_override=divisor_override,
        )

    def forward(self, input: Any) -> Any:
        return F.avg_pool2d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class LPPool(Options):
    """What power-average pooling layers share."""

    shown = ("norm_type", "kernel_size", "stride", "ceil_mode")

    def __init__(self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> None:
        self.hold(norm_type=norm_type, kernel_size=kernel_size, stride=stride, ceil_mode=ceil_mode)


class LPPool1d(LPPool):
    """The p-norm under the kernel, for (N, C, L)."""

    def forward(self, input: Any) -> Any:
        return F.lp_pool1d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class LPPool2d(LPPool):
    """The p-norm under the kernel, for (N, C, H, W)."""

    def forward(self, input: Any) -> Any:
        return F.lp_pool2d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class Adaptive(Options):
    """What adaptive pooling layers share."""

    shown = ("output_size",)

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        self.hold(output_size=output_size, return_indices=return_indices)


class AdaptiveAvgPool(Options):
    """What adaptive average pooling layers share."""

    shown = ("output_size",)

    def __init__(self, output_size: Any) -> None:
        self.hold(output_size=output_size)


class AdaptiveAvgPool1d(AdaptiveAvgPool):
    """The means of nearly equal parts, for (N, C, L)."""

    def forward(self, input: Any) -> Any:
        return F.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(AdaptiveAvgPool):
    """The means of nearly equal patches, for (N, C, H, W)."""

    def forward(self, input: Any) -> Any:
        return F.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveMaxPool1d(Adaptive):
    """The largest elements of nearly equal parts, for (N, C, L)."""

    def forward(self, input: Any) -> Any:
        return F.adaptive_max_pool1d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool2d(Adaptive):
    """The largest elements of nearly equal patches, for (N, C, H, W)."""

    def forward(self, input: Any) -> Any:
        return F.adaptive_max_pool2d(input, self.output_size, self.return_indices)
