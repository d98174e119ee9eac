"""Convolution of few channels as one large matrix product: strips of rows times a banded matrix.

A strip is what a kernel sees of `KH` rows while it moves over a tile of a few places in a row. The banded
matrix holds the kernel once for each place of the tile, shifted; most of it is zero, and yet one product of this
size is faster than the copying that im2col needs. Only for one and two space dimensions without groups.
Read next: `convolution.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import as_strided

from .patches import output_size


@dataclass(frozen=True)
class Plan:
    """How a convolution (always as 2-D) is cut: sizes of the result, tile, strip and padded image."""

    rows: int  # places per column and per row of the result
    places: int
    tile: int  # places per tile, tiles per row
    tiles: int
    strip: int  # columns of the image that a tile sees
    height: int  # of the padded image
    width: int


def plan(space, weight_shape, stride, padding, dilation):
    """Cut a row into tiles of about seven places; very few channels take rows of up to 32 places whole."""
    out_channels, channels, *kernel = weight_shape
    rows, places = map(output_size, space, kernel, stride, padding, dilation)
    whole = 32 if out_channels * channels <= 32 else 9
    tile = places if places <= whole else min((7, 8, 6, 9, 5), key=lambda t: -(-places // t) * t)
    tiles = -(-places // tile)
    strip = (tile - 1) * stride[1] + dilation[1] * (kernel[1] - 1) + 1
    width = max((tiles * tile - 1) * stride[1] + dilation[1] * (kernel[1] - 1) + 1, space[1] + 2 * padding[1])
    return Plan(rows, places, tile, tiles, strip, space[0] + 2 * padding[0], width)


def flat(options):
    """Kernel, stride, padding and dilation of a signal as those of an image of height 1."""
    kernel, stride, padding, dilation = options
    return (1, *kernel), (1, *stride), (0, *padding), (1, *dilation)


def as_images(data):
    """Signals (N, C, L) as images (N, C, 1, L)."""
    return data[:, :, None] if data.ndim == 3 else data


def strips(images, cut, kernel, stride, padding, dilation):
    """What each tile sees, as a matrix (N * rows * tiles, KH * C * strip)."""
    n, c, h, w = images.shape
    top, left = padding
    held = np.zeros((n, cut.height, c, cut.width), images.dtype)
    held[:, top : top + h, :, left : left + w] = images.transpose(0, 2, 1, 3)
    by_image, by_row, by_channel, by_place = held.strides
    view = as_strided(
        held,
        (n, cut.rows, cut.tiles, kernel[0], c, cut.strip),
        (by_image, by_row * stride[0], by_place * cut.tile * stride[1], by_row * dilation[0], by_channel, by_place),
        writeable=False,
    )
    return view.reshape(n * cut.rows * cut.tiles, kernel[0] * c * cut.strip)


def band(weight, cut, stride, dilation):
    """The kernel once per place of a tile: (KH * C * strip, O * tile)."""
    out_channels, c, kh, kw = weight.shape
    made = np.zeros((kh, c, cut.strip, out_channels, cut.tile), weight.dtype)
    place = np.arange(cut.tile)
    for x in range(kw):
        made[:, :, place * stride[1] + x * dilation[1], :, place] = weight[:, :, :, x].transpose(2, 1, 0)
    return made.reshape(kh * c * cut.strip, out_channels * cut.tile)


def by_tiles(grad, cut):
    """A gradient (N, O, rows, places) as a matrix (N * rows * tiles, O * tile)."""
    n, channels = grad.shape[:2]
    if cut.tiles * cut.tile != cut.places:
        wide = np.zeros((n, channels, cut.rows, cut.tiles * cut.tile), grad.dtype)
        wide[..., : cut.places] = grad
        grad = wide
    grad = grad.reshape(n, channels, cut.rows, cut.tiles, cut.tile)
    return grad.transpose(0, 2, 3, 1, 4).reshape(n * cut.rows * cut.tiles, channels * cut.tile)


def forward(input, weight, *options):
    """The result, and the strips it was made from. Options: stride, padding, dilation."""
    if input.ndim == 3:
        kernel, *wide = flat((weight.shape[2:], *options))
        made, held = forward(input[:, :, None], weight[:, :, None], *wide)
        return made[:, :, 0], held
    stride, padding, dilation = options
    kernel = weight.shape[2:]
    cut = plan(input.shape[2:], weight.shape, stride, padding, dilation)
    held = strips(input, cut, kernel, stride, padding, dilation)
    made = (held @ band(weight, cut, stride, dilation)).reshape(-1, cut.rows, cut.tiles, weight.shape[0], cut.tile)
    made = made.transpose(0, 3, 1, 2, 4).reshape(input.shape[0], weight.shape[0], cut.rows, cut.tiles * cut.tile)
    return made if cut.places == made.shape[3] else np.ascontiguousarray(made[..., : cut.places]), held


def to_input(grad, weight, shape, *options):
    """The gradient of the images."""
    if grad.ndim == 3:
        kernel, *wide = flat((weight.shape[2:], *options))
        return to_input(grad[:, :, None], weight[:, :, None], (*shape[:2], 1, shape[2]), *wide)[:, :, 0]
    stride, padding, dilation = options
    kernel = weight.shape[2:]
    cut = plan(shape[2:], weight.shape, stride, padding, dilation)
    held = by_tiles(grad, cut) @ band(weight, cut, stride, dilation).T
    held = held.reshape(shape[0], cut.rows, cut.tiles, kernel[0], shape[1], cut.strip)
    seen = np.zeros((shape[0], cut.height, cut.tiles, shape[1], cut.strip), grad.dtype)
    for y in range(kernel[0]):  # first the rows of each tile, then the tiles: long stretches of memory are fast
        top = y * dilation[0]
        seen[:, top : top + (cut.rows - 1) * stride[0] + 1 : stride[0]] += held[:, :, :, y]
    out = np.zeros((shape[0], cut.height, shape[1], cut.width), grad.dtype)
    for tile in range(cut.tiles):
        start = tile * cut.tile * stride[1]
        out[..., start : start + cut.strip] += seen[:, :, tile]
    (top, left), (h, w) = padding, shape[2:]
    return np.ascontiguousarray(out[:, top : top + h, :, left : left + w].transpose(0, 2, 1, 3))


def to_weight(grad, input, shape, *options, held=None):
    """The gradient of the kernels."""
    if grad.ndim == 3:
        _, *wide = flat((shape[2:], *options))
        return to_weight(grad[:, :, None], as_images(input), (*shape[:2], 1, shape[2]), *wide, held=held)[:, :, 0]
    stride, padding, dilation = options
    out_channels, c, kh, kw = shape
    cut = plan(input.shape[2:], shape, stride, padding, dilation)
    if held is None:
        held = strips(input, cut, (kh, kw), stride, padding, dilation)
    banded = (held.T @ by_tiles(grad, cut)).reshape(kh, c, cut.strip, out_channels, cut.tile)
    place = np.arange(cut.tile)
    found = np.empty(shape, grad.dtype)
    for x in range(kw):
        diagonal = banded[:, :, place * stride[1] + x * dilation[1], :, place]
        found[:, :, :, x] = np.add.reduce(diagonal, 0).transpose(2, 1, 0)
    return found
