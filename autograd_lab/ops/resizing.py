"""Resizing of images: a matrix along each space dimension.

Nearest, linear and area resizing and adaptive averaging are such maps, and so are their gradients, by the
transposed matrices. Read next: `pooling.py`.
"""

from __future__ import annotations

import numpy as np

from ..formulas import on_both
from ..op import op


def mapped(data, maps):
    """A matrix applied along each of the last dimensions."""
    for i, matrix in enumerate(maps):
        axis = data.ndim - len(maps) + i
        data = np.moveaxis(np.tensordot(matrix.astype(data.dtype), data, (1, axis)), 0, axis)
    return np.ascontiguousarray(data)


@on_both
def turned(maps):
    """The transposed matrices."""
    return tuple([m.T for m in maps])


def resize_samples(rng):
    return [(rng.uniform(-1, 1, (1, 2, 3, 2)), (rng.uniform(0, 1, (4, 3)), rng.uniform(0, 1, (3, 2))))]


@op("UpsampleBackward0", samples=resize_samples)
def along_axes(self, maps):
    """A matrix applied along each of the last dimensions."""
    return mapped(self, maps)


@along_axes.wrt("self")
def _(grad, maps):
    return along_axes(grad, turned(maps))


def upsampling(node_name):
    """The card of one kind of resizing; they differ in their matrices and in the name PyTorch gives the node."""

    def upsample(self, maps):
        """Images (N, C, *S) in another size."""
        return mapped(self, maps)

    upsample.__name__ = node_name.removesuffix("Backward0")
    card = op(node_name, called="interpolate", samples=resize_samples)(upsample)

    @card.wrt("self")
    def _(grad, maps):
        return along_axes(grad, turned(maps))

    return card


UPSAMPLE = {
    (mode, dims): upsampling(f"{name}{dims}DBackward0")
    for mode, name, all_dims in (
        ("nearest", "UpsampleNearest", (1, 2, 3)),
        ("nearest-exact", "UpsampleNearestExact", (1, 2, 3)),
        ("linear", "UpsampleLinear", (1,)),
        ("bilinear", "UpsampleBilinear", (2,)),
        ("trilinear", "UpsampleTrilinear", (3,)),
        ("area", "AdaptiveAvgPool", (1, 2, 3)),
    )
    for dims in all_dims
}
