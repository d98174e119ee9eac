"""Convolution layers, for signals (1d), images (2d) and volumes (3d), and their transposes.

Read next: `pooling.py`.
"""

from __future__ import annotations

import math
from typing import Any

from ..ops.creation import empty
from . import functional as F
from . import init
from .linear import reset_bias
from .module import Module
from .parameter import Parameter


def each(value: Any, dims: int) -> tuple[int, ...]:
    """One number for every space dimension."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * dims


class Convolution(Module):
    """What all convolution layers share: options, weight, bias, repr."""

    dims = 2
    transposed = False

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        self.prepare(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, padding_mode)
        self.output_padding = (0,) * self.dims
        shape = (out_channels, in_channels // groups, *self.kernel_size)
        self.make_parameters(shape, bias, device, dtype)

    def prepare(
        self, inputs: int, outputs: int, kernel: Any, stride: Any, padding: Any, dilation: Any, groups: int, mode: str
    ) -> None:
        """Start as a Module; check the options and keep them."""
        super().__init__()
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        for name, channels in (("in_channels", inputs), ("out_channels", outputs)):
            if channels % groups:
                raise ValueError(f"{name} must be divisible by groups")
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}")
            if padding == "same" and any(s != 1 for s in each(stride, self.dims)):
                raise ValueError("padding='same' is not supported for strided convolutions")
        if mode not in ("zeros", "reflect", "replicate", "circular"):
            raise ValueError(
                "padding_mode must be one of {'zeros', 'reflect', 'replicate', 'circular'}, but got "
                f"padding_mode='{mode}'"
            )
        self.in_channels, self.out_channels = inputs, outputs
        self.kernel_size, self.stride = each(kernel, self.dims), each(stride, self.dims)
        self.padding = padding if isinstance(padding, str) else each(padding, self.dims)
        self.dilation, self.groups, self.padding_mode = each(dilation, self.dims), groups, mode

    def make_parameters(self, shape: tuple[int, ...], bias: bool, device: Any, dtype: Any) -> None:
        self.weight = Parameter(empty(shape, device=device, dtype=dtype))
        self.register_parameter(
            "bias", Parameter(empty(self.out_channels, device=device, dtype=dtype)) if bias else None
        )
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weight and bias anew, uniform in ±1/sqrt(fan_in)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        reset_bias(self.bias, self.weight)

    def around(self) -> list[int]:
        """The padding as F.pad wants it: two numbers per dimension, the last dimension first."""
        pairs: list[int] = []
        for i in reversed(range(self.dims)):
            if self.padding == "same":
                total = self.dilation[i] * (self.kernel_size[i] - 1)
                pairs += [total // 2, total - total // 2]
            else:
                pairs += [0, 0] if self.padding == "valid" else [self.padding[i]] * 2
        return pairs

    def forward(self, input: Any) -> Any:
        padding = self.padding
        if self.padding_mode != "zeros":
            input, padding = F.pad(input, self.around(), mode=self.padding_mode), 0
        function = (F.conv1d, F.conv2d, F.conv3d)[self.dims - 1]
        return function(input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)

    def extra_repr(self) -> str:
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        usual = {"padding": 0, "dilation": 1, "output_padding": 0}
        for name, value in usual.items():
            if getattr(self, name) != (value,) * self.dims:
                text += f", {name}={getattr(self, name)}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        return text + (f", padding_mode={self.padding_mode}" if self.padding_mode != "zeros" else "")


class Conv1d(Convolution):
    """Kernels slid over signals (N, C, L) or (C, L)."""

    dims = 1


class Conv2d(Convolution):
    """Kernels slid over images (N, C, H, W) or (C, H, W).

    >>> import autograd_lab as torch
    >>> torch.nn.Conv2d(1, 6, 5)(torch.zeros(2, 1, 28, 28)).shape
    torch.Size([2, 6, 24, 24])
    """


class Conv3d(Convolution):
    """Kernels slid over volumes (N, C, D, H, W)."""

    dims = 3


class Transposed(Convolution):
    """What transposed convolution layers share."""

    transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        self.prepare(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, padding_mode)
        self.output_padding = each(output_padding, self.dims)
        self.make_parameters((in_channels, out_channels // groups, *self.kernel_size), bias, device, dtype)

    def forward(self, input: Any, output_size: Any = None) -> Any:
        extra = self.output_padding if output_size is None else self.extra_for(input, list(output_size))
        function = (F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d)[self.dims - 1]
        return function(input, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation)

    def extra_for(self, input: Any, output_size: list[int]) -> tuple[int, ...]:
        """The output padding that gives a wanted size."""
        wanted = output_size[-self.dims :]
        smallest = [
            (n - 1) * s - 2 * p + d * (k - 1) + 1
            for n, s, p, d, k in zip(
                input.shape[-self.dims :], self.stride, self.padding, self.dilation, self.kernel_size, strict=True
            )
        ]
        largest = [m + s - 1 for m, s in zip(smallest, self.stride, strict=True)]
        if any(not a <= w <= b for a, w, b in zip(smallest, wanted, largest, strict=True)):
            raise ValueError(
                f"requested an output size of {wanted}, but valid sizes range from {smallest} to {largest} "
                "(for an input "
                f"of {input.size()[2:]})"
            )
        return tuple(w - m for w, m in zip(wanted, smallest, strict=True))


class ConvTranspose1d(Transposed):
    """Signals spread by kernels: the map that Conv1d's gradient is."""

    dims = 1


class ConvTranspose2d(Transposed):
    """Images spread by kernels: the map that Conv2d's gradient is."""


class ConvTranspose3d(Transposed):
    """Volumes spread by kernels."""

    dims = 3
