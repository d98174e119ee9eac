"""Padding, resizing and rearranging of images.

Read next: `attention.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...ops import shuffling
from ...ops.folding import col2im, im2col
from ...ops.padding import MIRRORED, constant_pad
from ...ops.resizing import UPSAMPLE
from ...ops.shape import squeeze_dim, unsqueeze
from .pooling import pair


def pad(input: Any, pad: Any, mode: str = "constant", value: float | None = None) -> Any:
    """More elements at the ends of the last dimensions: (left, right, top, bottom, …).

    `mode` is "constant", "reflect", "replicate" or "circular".

    >>> import autograd_lab as torch
    >>> pad(torch.tensor([1.0, 2.0]), (1, 0))
    tensor([0., 1., 2.])
    """
    widths = tuple(int(w) for w in pad)
    if len(widths) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(widths) > 2 * input.ndim:
        raise RuntimeError(
            f"Padding length should be less than or equal to two times the input dimension but got padding length "
            f"{len(widths)} and input of dimension {input.ndim}"
        )
    if mode == "constant":
        return constant_pad(input, widths, 0.0 if value is None else value)
    if mode not in ("reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if value is not None and value != 0:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    dims = len(widths) // 2
    if input.ndim not in (dims + 1, dims + 2):
        raise NotImplementedError("Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now")
    for i in range(dims):
        size, left, right = input.shape[-1 - i], widths[2 * i], widths[2 * i + 1]
        if mode == "reflect" and (left >= size or right >= size):
            raise RuntimeError(
                "Argument #4: Padding size should be less than the corresponding input dimension, but got: padding "
                f"({left}, {right}) at dimension {input.ndim - 1 - i} of input {list(input.shape)}"
            )
        if mode == "circular" and (left > size or right > size):
            raise RuntimeError("Padding value causes wrapping around more than once.")
    return MIRRORED[mode, dims](input, widths, mode)


def unfold(input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    """The patches of (N, C, H, W) as columns (N, C * KH * KW, L): im2col."""
    images = input if input.ndim == 4 else unsqueeze(input, 0)
    made = im2col(images, pair(kernel_size), pair(dilation), pair(padding), pair(stride))
    return made if input.ndim == 4 else squeeze_dim(made, 0)


def fold(input: Any, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    """Columns (N, C * KH * KW, L) added up as images (N, C, H, W): what undoes `unfold`."""
    columns = input if input.ndim == 3 else unsqueeze(input, 0)
    made = col2im(columns, pair(output_size), pair(kernel_size), pair(dilation), pair(padding), pair(stride))
    return made if input.ndim == 3 else squeeze_dim(made, 0)


def pixel_shuffle(input: Any, upscale_factor: int) -> Any:
    """(…, C * r², H, W) as (…, C, H * r, W * r)."""
    if input.ndim < 3:
        raise RuntimeError(
            f"pixel_shuffle expects input to have at least 3 dimensions, but got input with {input.ndim} dimension(s)"
        )
    channels = input.shape[-3]
    if channels % upscale_factor**2:
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of "
            "upscale_factor, but "
            f"input.size(-3)={channels} is not divisible by {upscale_factor**2}"
        )
    return shuffling.pixel_shuffle(input, upscale_factor)


def pixel_unshuffle(input: Any, downscale_factor: int) -> Any:
    """(…, C, H * r, W * r) as (…, C * r², H, W)."""
    if input.ndim < 3:
        raise RuntimeError(
            f"pixel_unshuffle expects input to have at least 3 dimensions, but got input with {input.ndim} dimension(s)"
        )
    for place, name in ((-2, "height"), (-1, "width")):
        if input.shape[place] % downscale_factor:
            raise RuntimeError(
                f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but input.size({place})="
                f"{input.shape[place]} is not divisible by {downscale_factor}"
            )
    return shuffling.pixel_unshuffle(input, downscale_factor)


def channel_shuffle(input: Any, groups: int) -> Any:
    """Channels of several groups mixed: one of each group in turn."""
    if input.ndim < 3:
        raise RuntimeError(f"channel_shuffle expects input with > 2 dims, but got input with sizes {list(input.shape)}")
    if groups <= 0:
        raise RuntimeError(f"Number of groups to divide channels in must be positive. Value of groups:{groups}")
    if input.shape[1] % groups:
        raise RuntimeError(
            f"Number of channels must be divisible by groups. Got {input.shape[1]} channels and {groups} groups."
        )
    return shuffling.channel_shuffle(input, groups)


def interpolate(
    input: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Any:
    """Signals or images in another size, by "nearest", "linear", "bilinear", "area" or "nearest-exact"."""
    if antialias:
        raise NotImplementedError("interpolate() with antialias=True is not supported")
    dims = input.ndim - 2
    if mode in ("nearest", "area", "nearest-exact"):
        if align_corners is not None:
            raise ValueError(
                "align_corners option can only be set with the interpolating modes: linear | bilinear | "
                "bicubic | trilinear"
            )
    elif mode not in ("linear", "bilinear", "trilinear"):
        raise NotImplementedError(f"interpolate() with mode={mode!r} is not supported")
    space = tuple(input.shape[2:])
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    scales: list[float | None] = [None] * dims
    if size is not None:
        wanted = tuple(size) if isinstance(size, (tuple, list)) else (size,) * dims
    else:
        factors = tuple(scale_factor) if isinstance(scale_factor, (tuple, list)) else (scale_factor,) * dims
        wanted = tuple(math.floor(n * f) for n, f in zip(space, factors, strict=True))
        scales = [None if recompute_scale_factor else float(f) for f in factors]
    maps = tuple(
        resize_map(n, int(m), mode, bool(align_corners), scale)
        for n, m, scale in zip(space, wanted, scales, strict=True)
    )
    return UPSAMPLE[mode, dims](input, maps)


def resize_map(size: int, count: int, mode: str, align_corners: bool, scale: float | None) -> Any:
    """The matrix (count, size) that resizes one dimension."""
    made = np.zeros((count, size))
    places, step = np.arange(count), size / count if scale is None else 1 / scale
    if mode == "area":
        for i in range(count):
            start, end = i * size // count, -(-(i + 1) * size // count)
            made[i, start:end] = 1 / (end - start)
        return made
    if mode in ("nearest", "nearest-exact"):
        shift = 0.5 if mode == "nearest-exact" else 0.0
        origin = np.minimum(np.floor((places + shift) * step).astype(int), size - 1)
        made[places, origin] = 1
        return made
    if align_corners:
        origin = places * ((size - 1) / (count - 1) if count > 1 else 0.0)
    else:
        origin = np.maximum((places + 0.5) * step - 0.5, 0)
    low = np.minimum(np.floor(origin).astype(int), size - 1)
    high, part = np.minimum(low + 1, size - 1), origin - low
    np.add.at(made, (places, low), 1 - part)
    np.add.at(made, (places, high), part)
    return made


def upsample(
    input: Any, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: Any = None
) -> Any:
    """The old name of `interpolate`."""
    return interpolate(input, size, scale_factor, mode, align_corners)


__all__ = [
    "channel_shuffle", "fold", "interpolate", "pad", "pixel_shuffle", "pixel_unshuffle", "unfold", "upsample",
]  # fmt: skip
