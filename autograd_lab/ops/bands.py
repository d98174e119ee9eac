"""Convolution of images as a few large matrix products: a banded matrix times strips of rows.

The result is made a few rows at a time, a tile. What a tile sees is a strip of the padded image, a few rows higher.
The banded matrix holds the kernel once for each row of the tile, one place further down each time; what is beside
it is zero. A strip is copied only once per tile and kernel column, not once per kernel element as in `patches.py`,
and numbers side by side stay side by side. Only for images (N, C, H, W), kernels (O, C, KH, KW), stride 1, dilation 1,
one group. Read next: `convolution.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import as_strided


@dataclass(frozen=True)
class Plan:
    """How a convolution is cut: size of the result, rows per tile, tiles, rows per strip, size of the padded image."""

    rows: int
    places: int
    tile: int
    tiles: int
    strip: int
    height: int
    width: int


def plan(space, kernel, padding, channels):
    """Cut the result into tiles: of two rows for low kernels and single channels, else of about seven. Measured."""
    (h, w), (kh, kw), (top, left) = space, kernel, padding
    rows, places = h + 2 * top - kh + 1, w + 2 * left - kw + 1
    sizes = (7, 6, 5, 4) if kh >= 4 and channels > 1 else (2,)
    tile = min(rows, min(sizes, key=lambda size: -(-rows // size) * size))
    tiles = -(-rows // tile)
    return Plan(rows, places, tile, tiles, tile + kh - 1, tiles * tile + kh - 1, w + 2 * left)


def strips(images, cut, kernel, padding):
    """What each tile sees, for each column of the kernel: (tiles, C * strip * KW, N * places)."""
    n, c, h, w = images.shape
    top, left = padding
    held = np.zeros((n, c, cut.height, cut.width), images.dtype)
    held[:, :, top : top + h, left : left + w] = images
    by_image, by_channel, by_row, by_place = held.strides
    view = as_strided(
        held,
        (cut.tiles, c, cut.strip, kernel[1], n, cut.places),
        (by_row * cut.tile, by_channel, by_row, by_place, by_image, by_place),
        writeable=False,
    )
    return view.reshape(cut.tiles, c * cut.strip * kernel[1], n * cut.places)


def band(weight, cut):
    """The kernel once per row of a tile: (O * tile, C * strip * KW)."""
    out_channels, c, kh, kw = weight.shape
    made = np.zeros((out_channels, cut.tile, c, cut.strip, kw), weight.dtype)
    row = np.arange(cut.tile)
    for y in range(kh):
        made[:, row, :, row + y] = weight[:, :, y]
    return made.reshape(out_channels * cut.tile, c * cut.strip * kw)


def by_tiles(grad, cut):
    """A gradient (N, O, rows, places) as (tiles, O * tile, N * places)."""
    n, channels = grad.shape[:2]
    if cut.tiles * cut.tile != cut.rows:
        higher = np.zeros((n, channels, cut.tiles * cut.tile, cut.places), grad.dtype)
        higher[:, :, : cut.rows] = grad
        grad = higher
    grad = grad.reshape(n, channels, cut.tiles, cut.tile, cut.places)
    return grad.transpose(2, 1, 3, 0, 4).reshape(cut.tiles, channels * cut.tile, n * cut.places)


def forward(input, weight, padding):
    """The result, and the strips it was made from."""
    n, out_channels = input.shape[0], weight.shape[0]
    cut = plan(input.shape[2:], weight.shape[2:], padding, weight.shape[1])
    held = strips(input, cut, weight.shape[2:], padding)
    made = np.matmul(band(weight, cut), held).reshape(cut.tiles, out_channels, cut.tile, n, cut.places)
    made = made.transpose(3, 1, 0, 2, 4).reshape(n, out_channels, cut.tiles * cut.tile, cut.places)
    return np.ascontiguousarray(made[:, :, : cut.rows]), held


def to_input(grad, weight, shape, padding):
    """The gradient of the images."""
    (n, c, h, w), (top, left), (kh, kw) = shape, padding, weight.shape[2:]
    cut = plan((h, w), (kh, kw), padding, c)
    held = np.matmul(band(weight, cut).T, by_tiles(grad, cut)).reshape(cut.tiles, c, cut.strip, kw, n, cut.places)
    out = np.zeros((c, cut.height, n, cut.width), grad.dtype)
    for tile in range(cut.tiles):
        seen = out[:, tile * cut.tile : tile * cut.tile + cut.strip]
        for x in range(kw):
            seen[..., x : x + cut.places] += held[tile, :, :, x]
    return np.ascontiguousarray(out[:, top : top + h, :, left : left + w].transpose(2, 0, 1, 3))


def to_weight(grad, input, shape, padding, held=None):
    """The gradient of the kernels: products in the place of the band, summed along its diagonals."""
    out_channels, c, kh, kw = shape
    cut = plan(input.shape[2:], (kh, kw), padding, c)
    if held is None:
        held = strips(input, cut, (kh, kw), padding)
    banded = np.add.reduce(np.matmul(by_tiles(grad, cut), held.transpose(0, 2, 1)), 0)
    banded = banded.reshape(out_channels, cut.tile, c, cut.strip, kw)
    row = np.arange(cut.tile)
    found = np.empty(shape, grad.dtype)
    for y in range(kh):
        found[:, :, y] = np.add.reduce(banded[:, row, :, row + y], 0)
    return found
