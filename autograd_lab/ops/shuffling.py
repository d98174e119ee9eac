"""Channels and places exchanged: pixel_shuffle, pixel_unshuffle, channel_shuffle.

Shapes: images (*, C, H, W). Read next: `resizing.py`.
"""

from __future__ import annotations

import numpy as np

from ..op import op
from ..samples import Shape, shaped


@op("PixelShuffleBackward0", samples=shaped((Shape(1, 4, 2, 3), 2)))
def pixel_shuffle(self, upscale_factor):
    """(*, C * r², H, W) as (*, C, H * r, W * r)."""
    *batch, channels, height, width = self.shape
    r, n = upscale_factor, self.ndim - 3
    parts = self.reshape(*batch, channels // r**2, r, r, height, width)
    parts = np.transpose(parts, (*range(n), n, n + 3, n + 1, n + 4, n + 2))
    return parts.reshape(*batch, channels // r**2, height * r, width * r)


@pixel_shuffle.wrt("self")
def _(grad, upscale_factor):
    return pixel_unshuffle(grad, upscale_factor)


@op("PixelUnshuffleBackward0", samples=shaped((Shape(1, 1, 4, 6), 2)))
def pixel_unshuffle(self, downscale_factor):
    """(*, C, H * r, W * r) as (*, C * r², H, W)."""
    *batch, channels, height, width = self.shape
    r, n = downscale_factor, self.ndim - 3
    parts = self.reshape(*batch, channels, height // r, r, width // r, r)
    parts = np.transpose(parts, (*range(n), n, n + 2, n + 4, n + 1, n + 3))
    return parts.reshape(*batch, channels * r**2, height // r, width // r)


@pixel_unshuffle.wrt("self")
def _(grad, downscale_factor):
    return pixel_shuffle(grad, downscale_factor)


@op("ChannelShuffleBackward0", samples=shaped((Shape(1, 6, 2), 3)))
def channel_shuffle(self, groups):
    """Channels of several groups mixed: one of each group in turn."""
    n, c, *space = self.shape
    return np.swapaxes(self.reshape(n, groups, c // groups, *space), 1, 2).reshape(self.shape)


@channel_shuffle.wrt("self")
def _(grad, groups):
    return channel_shuffle(grad, grad.shape[1] // groups)
