"""How samples become a batch: tensors are stacked, numbers become tensors, containers keep their shape.

Read next: `loader.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ... import dtypes
from ..._tensor import Tensor
from ...ops.creation import as_tensor, tensor
from ...ops.shape import stack

BAD_TYPE = "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"


def default_collate(batch: Any) -> Any:
    """A list of samples as one batch.

    >>> default_collate([(1, 2.0), (3, 4.0)])
    [tensor([1, 3]), tensor([2., 4.], dtype=torch.float64)]
    """
    first = batch[0]
    if isinstance(first, Tensor):
        return stack(list(batch), 0)
    if isinstance(first, np.ndarray):
        if first.dtype.kind in "SUO":
            raise TypeError(BAD_TYPE.format(first.dtype))
        return default_collate([as_tensor(b) for b in batch])
    if isinstance(first, (np.bool_, np.number)):
        return tensor(np.asarray(batch))
    if isinstance(first, float):
        return tensor(list(batch), dtype=dtypes.float64)
    if isinstance(first, int):
        return tensor(list(batch))
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        return {key: default_collate([sample[key] for sample in batch]) for key in first}
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(default_collate(column) for column in zip(*batch, strict=True)))
    if isinstance(first, Sequence):
        if not all(len(sample) == len(first) for sample in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return [default_collate(column) for column in zip(*batch, strict=True)]
    raise TypeError(BAD_TYPE.format(type(first)))


def default_convert(data: Any) -> Any:
    """One sample with its arrays as tensors: what a loader without batches yields."""
    if isinstance(data, Tensor):
        return data
    if isinstance(data, np.ndarray) and data.dtype.kind not in "SUO":
        return as_tensor(data)
    if isinstance(data, (np.bool_, np.number)):
        return tensor(np.asarray(data))
    if isinstance(data, Mapping):
        return {key: default_convert(value) for key, value in data.items()}
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(default_convert(d) for d in data))
    if isinstance(data, tuple):
        return [default_convert(d) for d in data]
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return [default_convert(d) for d in data]
    return data
