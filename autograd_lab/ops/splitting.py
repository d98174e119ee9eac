"""The gates of a recurrent cell: a tensor cut into equal parts, each with memory of its own.

`split` gives views; this is PyTorch's `unsafe_chunk`, which its recurrent layers use. Read next: `embedding.py`.
"""

from __future__ import annotations

import numpy as np

from ..op import op
from ..samples import Shape, shaped
from .cutting import cut, lengths, parts_of, shapes_of
from .shape import cat_card


@op(
    "UnsafeSplitBackward0",
    several=True,
    symbol="unsafe_split",
    samples=shaped((Shape(2, 4), 2, -1), (Shape(5, 2), 2, 0)),
)
def split_copies(self, split_size, dim=0):
    """Pieces of one size, copied; the last may be smaller."""
    return tuple([np.ascontiguousarray(part) for part in cut(self, dim, lengths(self.shape[dim], split_size))])


@split_copies.wrt("self")
def _(grads, self_shape, split_size, dim):
    return cat_card(parts_of(grads, shapes_of(self_shape, dim, lengths(self_shape[dim], split_size))), dim)


def unsafe_split(self, count):
    """`count` equal parts along the last dimension."""
    return split_copies(self, self.shape[-1] // count, self.ndim - 1)
