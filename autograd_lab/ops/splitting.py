"""The gates of a recurrent cell: a tensor cut into equal parts, each with memory of its own.

`split` gives views; this is PyTorch's `unsafe_chunk`, which its recurrent layers use. Read next: `embedding.py`.
"""

from __future__ import annotations

import numpy as np

from ..op import op
from .shape import cat_card


@op("UnsafeSplitBackward0", several=True)
def unsafe_split(self, count):
    """`count` equal parts along the last dimension."""
    return tuple(np.ascontiguousarray(part) for part in np.split(self, count, -1))


@unsafe_split.wrt("self")
def _(grads, self_shape, count):
    return cat_card([part_or_zeros(g, grads, self_shape, count) for g in grads], -1)


def part_or_zeros(grad, grads, shape, count):
    """The gradient of one part; zeros like another's for a part that nothing used."""
    return grad if grad is not None else next(g for g in grads if g is not None) * 0
