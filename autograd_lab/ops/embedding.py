"""Rows of a table by index: what an embedding layer does.

Read next: `passing.py`.
"""

from __future__ import annotations

import numpy as np

from ..op import op

INDICES = np.array([[2, 0], [1, 2]])


@op(
    "EmbeddingBackward0",
    called="embedding",
    inputs=("indices",),
    saved=("scale_grad_by_freq", "sparse"),
    hidden=("weight_shape",),
    shows={"weight_sym_argsize_0": lambda weight_shape: weight_shape[0]},
    samples=lambda rng: [(rng.uniform(-2, 2, (4, 3)), INDICES, -1, False, False)],
)
def embedding_card(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    """The rows of `weight` (V, D) at integer indices of any shape."""
    if indices.size and not (indices.min() >= 0 and indices.max() < weight.shape[0]):
        raise IndexError("index out of range in self")
    return weight[indices]


@embedding_card.wrt("weight")
def _(grad, weight_shape, indices, padding_idx, scale_grad_by_freq):
    return row_scatter(grad, indices, weight_shape, padding_idx, scale_grad_by_freq)


@op("EmbeddingBackwardBackward0", inputs=("indices",), samples=lambda rng: [
    (rng.uniform(-2, 2, (2, 2, 3)), INDICES, (4, 3), *padded) for padded in ((-1, False), (1, True))
])  # fmt: skip
def row_scatter(self, indices, shape, padding_idx=-1, scale_grad_by_freq=False):
    """Each gradient added to the row it came from; the padding row gets none."""
    flat = np.asarray(indices).reshape(-1)
    rows = self.reshape(flat.size, -1) * row_factors(flat, shape[0], padding_idx, scale_grad_by_freq, self.dtype)
    out = np.zeros((shape[0], rows.shape[1]), self.dtype)
    np.add.at(out, flat, rows)
    return out.reshape(shape)


@row_scatter.wrt("self")
def _(grad, indices, padding_idx, scale_grad_by_freq):
    return row_gather(grad, indices, padding_idx, scale_grad_by_freq)


@op("EmbeddingBackward0", inputs=("indices",), samples=lambda rng: [
    (rng.uniform(-2, 2, (4, 3)), INDICES, *padded) for padded in ((-1, False), (1, True))
])  # fmt: skip
def row_gather(self, indices, padding_idx=-1, scale_grad_by_freq=False):
    """Rows at the indices, zero for the padding row: what undoes `row_scatter`."""
    flat = np.asarray(indices).reshape(-1)
    rows = self[flat].reshape(flat.size, -1)
    rows = rows * row_factors(flat, self.shape[0], padding_idx, scale_grad_by_freq, self.dtype)
    return rows.reshape(*indices.shape, *self.shape[1:])


@row_gather.wrt("self")
def _(grad, indices, self_shape, padding_idx, scale_grad_by_freq):
    return row_scatter(grad, indices, self_shape, padding_idx, scale_grad_by_freq)


def row_factors(flat, rows, padding_idx, by_frequency, kind):
    """What each looked-up row's gradient is multiplied by, as a column."""
    factors = (flat != padding_idx).astype(kind)
    if by_frequency:
        factors /= np.maximum(np.bincount(flat, minlength=rows)[flat], 1)
    return factors[:, None]
