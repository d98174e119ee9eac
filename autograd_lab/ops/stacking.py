"""Stacks, blocks, grids and combinations: joins built from cat, stack and expand.

Read next: `indexing.py`.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from .._tensor import Size, bare
from ..caution import warn
from ..funnel import mismatch
from ..op import op
from .cutting import tensor_split
from .dimensions import atleast_2d, atleast_3d
from .gather import index_select
from .joining import cat, stack
from .reshaping import expand_to, reshape, view
from .views import reshape_card


def lists(tensors: Any) -> list[Any]:
    """The tensors to join as a list."""
    return list(tensors)


def hstack(tensors):
    """Joined side by side: vectors end to end, else along dimension 1."""
    parts = [t if t.ndim else reshape(t, 1) for t in lists(tensors)]
    return cat(parts, 0 if parts[0].ndim == 1 else 1)


def vstack(tensors):
    """Joined below each other, vectors as rows."""
    return cat([atleast_2d(t) for t in lists(tensors)], 0)


def dstack(tensors):
    """Joined along dimension 2."""
    return cat([atleast_3d(t) for t in lists(tensors)], 2)


def column_stack(tensors):
    """Joined side by side, vectors as columns.

    >>> import autograd_lab as torch
    >>> torch.column_stack((torch.tensor([1, 2]), torch.tensor([3, 4])))
    tensor([[1, 3],
            [2, 4]])
    """
    return cat([reshape(t, t.numel(), 1) if t.ndim <= 1 else t for t in lists(tensors)], 1)


def hsplit(self, indices_or_sections):
    """Pieces side by side."""
    return tensor_split(self, indices_or_sections, 0 if self.ndim == 1 else 1)


def vsplit(self, indices_or_sections):
    """Pieces below each other."""
    return tensor_split(self, indices_or_sections, 0)


def dsplit(self, indices_or_sections):
    """Pieces along dimension 2."""
    return tensor_split(self, indices_or_sections, 2)


@op(
    "BlockDiagBackward0",
    listed=True,
    inputs=("tensors",),
    hidden=("tensors_shape",),
    called="block_diag",
    samples=lambda rng: [([rng.uniform(-2, 2, (2, 3)), rng.uniform(-2, 2, (1, 2))],)],
)
def block_diag_card(tensors):
    """Matrices along the diagonal of a larger one."""
    blocks = [np.atleast_2d(a) for a in tensors]
    out = np.zeros((sum(b.shape[0] for b in blocks), sum(b.shape[1] for b in blocks)), blocks[0].dtype)
    row = column = 0
    for b in blocks:
        out[row : row + b.shape[0], column : column + b.shape[1]] = b
        row, column = row + b.shape[0], column + b.shape[1]
    return out


@block_diag_card.wrt("tensors")
def _(grad, tensors_shape):
    row, column, parts = 0, 0, []
    for shape in tensors_shape:
        rows, columns = shape if len(shape) == 2 else (1, math.prod(shape))
        parts.append(reshape_card(grad[row : row + rows, column : column + columns], shape))
        row, column = row + rows, column + columns
    return parts


def block_diag(*tensors):
    """Matrices along the diagonal of a larger one.

    >>> import autograd_lab as torch
    >>> torch.block_diag(torch.tensor([[1, 2]]), torch.tensor([[3]]))
    tensor([[1, 2, 0],
            [0, 0, 3]])
    """
    return block_diag_card(list(tensors))


def broadcast_to(self, size):
    """Dimensions of size 1 repeated to a shape; a view.

    >>> import autograd_lab as torch
    >>> torch.broadcast_to(torch.tensor([1, 2]), (2, 2))
    tensor([[1, 2],
            [1, 2]])
    """
    return expand_to(self, tuple(size))


def broadcast_shapes(*shapes):
    """The shape that all of these broadcast to.

    >>> import autograd_lab as torch
    >>> torch.broadcast_shapes((2, 1), (3,))
    torch.Size([2, 3])
    """
    sizes = [(s,) if isinstance(s, int) else tuple(s) for s in shapes]
    try:
        return Size(np.broadcast_shapes(*sizes))
    except ValueError:
        raise RuntimeError("Shape mismatch: objects cannot be broadcast to a single shape") from None


def broadcast_tensors(*tensors):
    """All tensors expanded to their common shape."""
    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors
    wrong = mismatch([tuple(t.shape) for t in given])
    if wrong is not None:
        raise wrong
    shape = np.broadcast_shapes(*(tuple(t.shape) for t in given))
    return tuple(expand_to(t, shape) for t in given)


def meshgrid(*tensors, indexing=None):
    """A grid: one tensor of coordinates for each vector.

    >>> import autograd_lab as torch
    >>> x, y = torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij")
    >>> x
    tensor([[0, 0, 0],
            [1, 1, 1]])
    """
    given = list(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else list(tensors)
    if indexing is None:
        warn("torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.")
    swapped = indexing == "xy" and len(given) > 1
    if swapped:
        given[:2] = given[1::-1]
    sizes = [t.numel() for t in given]
    grids = []
    for i, t in enumerate(given):
        grids.append(expand_to(view(t, *(sizes[i] if j == i else 1 for j in range(len(given)))), sizes))
    if swapped:
        grids[:2] = [grids[1].transpose(0, 1), grids[0].transpose(0, 1)]
    return tuple(grids)


def cartesian_prod(*tensors):
    """All combinations of one element of each vector, as rows."""
    if len(tensors) == 1:
        return tensors[0]
    return stack([reshape(g, -1) for g in meshgrid(*tensors, indexing="ij")], 1)


def combinations(self, r=2, with_replacement=False):
    """All choices of `r` elements of a vector, as rows.

    >>> import autograd_lab as torch
    >>> torch.combinations(torch.tensor([1, 2, 3]))
    tensor([[1, 2],
            [1, 3],
            [2, 3]])
    """
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = np.array(list(choose(range(self.numel()), r)), np.int64).reshape(-1, r)
    return stack([index_select(self, 0, bare(rows[:, i])) for i in range(r)], 1)
