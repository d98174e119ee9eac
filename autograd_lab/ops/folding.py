"""Patches of images as columns, and columns added up as images: unfold and fold.

Each is the gradient of the other. Read next: `resizing.py`.
"""

from __future__ import annotations

import math

from ..op import op
from ..samples import Shape, shaped
from .patches import columns_of, output_size, put_back


@op("Im2ColBackward0", samples=shaped((Shape(2, 1, 4, 3), (2, 2), (1, 1), (1, 0), (2, 1))))
def im2col(self, kernel_size, dilation, padding, stride):
    """The patches of (N, C, H, W) as columns (N, C * KH * KW, L)."""
    columns = columns_of(self, kernel_size, stride, padding, dilation, 1)
    return columns.reshape(columns.shape[0], *columns.shape[2:])


@im2col.wrt("self")
def _(grad, self_shape, kernel_size, dilation, padding, stride):
    return col2im(grad, tuple(self_shape[2:]), kernel_size, dilation, padding, stride)


@op("Col2ImBackward0", samples=shaped((Shape(2, 4, 6), (4, 3), (2, 2), (1, 1), (1, 0), (2, 1))))
def col2im(self, output_size, kernel_size, dilation, padding, stride):
    """Columns (N, C * KH * KW, L) added up as images (N, C, H, W)."""
    places = places_of(output_size, kernel_size, dilation, padding, stride)
    channels = self.shape[1] // math.prod(kernel_size)
    columns = self.reshape(self.shape[0], channels, *kernel_size, *places)
    return put_back(columns, (self.shape[0], channels, *output_size), stride, padding, dilation)


def places_of(space, kernel_size, dilation, padding, stride):
    return [output_size(*n) for n in zip(space, kernel_size, stride, padding, dilation, strict=True)]


@col2im.wrt("self")
def _(grad, kernel_size, dilation, padding, stride):
    return im2col(grad, kernel_size, dilation, padding, stride)
