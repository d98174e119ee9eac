"""Products with weights, and look-ups: F.linear, F.bilinear, F.embedding, F.one_hot.

Read next: `convolution.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._tensor import Tensor, bare
from ...dtypes import int64
from ...ops.embedding import embedding_card
from ...ops.matmul import linear as linear_of
from ...ops.matmul import matmul
from ...ops.shape import flatten, reshape, transpose, unsqueeze


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """input @ weight.T + bias, for (*, in), (out, in) and (out,)."""
    return linear_of(input, weight, bias)


def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x1 @ weight[k] @ x2 for every output k, for (*, in1), (*, in2) and (out, in1, in2)."""
    batch = tuple(input1.shape[:-1])
    left, right = reshape(input1, -1, input1.shape[-1]), reshape(input2, -1, input2.shape[-1])
    out, _, in2 = weight.shape
    half = matmul(left, flatten(transpose(weight, 0, 1), 1))  # (B, out * in2)
    half = reshape(half, -1, out, in2)
    found = reshape((half * unsqueeze(right, 1)).sum(-1), *batch, out)
    return found if bias is None else found + bias


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """Rows of `weight` (V, D) at the integers of `input` (*): the result is (*, D).

    Raises IndexError for an index outside 0 … V - 1.
    """
    if max_norm is not None:
        raise NotImplementedError("embedding() with max_norm is not supported")
    if sparse:
        raise NotImplementedError("embedding() with sparse=True is not supported")
    rows = weight.shape[0]
    if padding_idx is None:
        padding_idx = -1
    elif not -rows <= padding_idx < rows:
        raise AssertionError("Padding_idx must be within num_embeddings")
    elif padding_idx < 0:
        padding_idx += rows
    if isinstance(input, Tensor) and input._data.dtype.kind not in "iu":
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
            f"{input.type()} instead (while checking arguments for embedding)"
        )
    return embedding_card(weight, input, padding_idx, scale_grad_by_freq, sparse)


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Class numbers (*) as rows of zeros with a single one, (*, num_classes).

    >>> import autograd_lab as torch
    >>> one_hot(torch.tensor([0, 2]))
    tensor([[1, 0, 0],
            [0, 0, 1]])
    """
    if tensor.dtype is not int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    data = np.asarray(tensor._data)
    if not data.size:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
        return bare(np.zeros((*data.shape, num_classes), np.int64))
    if data.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    if num_classes == -1:
        num_classes = int(data.max()) + 1
    elif num_classes < 1:
        raise RuntimeError("num_classes should be positive")
    elif data.max() >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return bare((data[..., None] == np.arange(num_classes)).astype(np.int64))


__all__: list[Any] = ["bilinear", "embedding", "linear", "one_hot"]
