"""The gates of a recurrent cell: a tensor cut into equal parts, each with memory of its own.

`split` gives views; this is PyTorch's `unsafe_chunk`, which its recurrent layers use. Read next: `embedding.py`.
"""

from __future__ import annotations

import numpy as np

from ..op import op
from ..samples import Shape, shaped
from .cutting import cut, lengths, parts_of, shapes_of
from .shape import cat_card, checked_dim


@op("UnsafeSplitBackward0", several=True, samples=shaped((Shape(2, 4), 2, -1), (Shape(5, 2), 2, 0)))
def unsafe_split(self, split_size, dim=0):
    """Pieces of one size, copied; the last may be smaller."""
    return tuple([np.ascontiguousarray(part) for part in cut(self, dim, lengths(self.shape[dim], split_size))])


@unsafe_split.wrt("self")
def _(grads, self_shape, split_size, dim):
    return cat_card(parts_of(grads, shapes_of(self_shape, dim, lengths(self_shape[dim], split_size))), dim)


def unsafe_chunk(self, chunks, dim=0):
    """At most `chunks` pieces of one size, copied.

    >>> import autograd_lab as torch
    >>> torch.unsafe_chunk(torch.arange(4.0), 2)
    (tensor([0., 1.]), tensor([2., 3.]))
    """
    return unsafe_split(self, max(-(-self.shape[checked_dim(dim, self.ndim)] // chunks), 1), dim)
