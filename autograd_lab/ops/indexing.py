"""Parts of a tensor: `x[0]`, `x[1:]`, `x[mask]`.

An index is taken apart into the views PyTorch makes of it, one after the other (select, slice, unsqueeze);
lists, tensors and masks gather copies at the end. Read next: `matmul.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import Tensor
from ..op import op
from .shape import checked_dim, reshape_card, unsqueeze


@op("SelectBackward0", view=True)
def select(self, dim, index):
    """One entry of a dimension, which disappears."""
    if not self.ndim:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    dim = checked_dim(dim, self.ndim)
    if not -self.shape[dim] <= index < self.shape[dim]:
        raise IndexError(f"index {index} is out of bounds for dimension {dim} with size {self.shape[dim]}")
    return self[(slice(None),) * dim + (index, ...)]


@select.wrt("self")
def _(grad, self_shape, dim, index):
    return select_backward(grad, self_shape, dim, index)


@op("SelectBackwardBackward0")
def select_backward(self, shape, dim, index):
    """Zeros of `shape` with `self` at one entry of `dim`."""
    out = np.zeros(shape, self.dtype)
    out[(slice(None),) * (dim % len(shape)) + (index,)] = self
    return out


@select_backward.wrt("self")
def _(grad, dim, index):
    return select(grad, dim, index)


@op("SliceBackward0", view=True)
def slice_card(self, dim=0, start=None, end=None, step=1):
    """Entries of a dimension from `start` to before `end`, every `step`-th."""
    return self[(slice(None),) * dim + (slice(start, end, step),)]


@slice_card.wrt("self")
def _(grad, self_shape, dim, start, end, step):
    return slice_backward(grad, self_shape, dim, start, end, step)


@op("SliceBackwardBackward0")
def slice_backward(self, shape, dim, start, end, step):
    """Zeros of `shape` with `self` at a slice of `dim`."""
    out = np.zeros(shape, self.dtype)
    out[(slice(None),) * dim + (slice(start, end, step),)] = self
    return out


@slice_backward.wrt("self")
def _(grad, dim, start, end, step):
    return slice_card(grad, dim, start, end, step)


@op("IndexBackward0")
def index_card(self, indices):
    """Gather by lists, integer tensors or masks; a copy."""
    return self[indices]


@index_card.wrt("self")
def _(grad, self_shape, indices):
    return index_backward(grad, self_shape, indices)


@op("IndexPutBackward0")
def index_backward(self, shape, indices):
    """Zeros of `shape` with `self` added at the indices: an element gathered twice gets both."""
    out = np.zeros(shape, self.dtype)
    np.add.at(out, indices, self)
    return out


@index_backward.wrt("self")
def _(grad, indices):
    return index_card(grad, indices)


def parts(index: Any) -> tuple[Any, ...]:
    """An index as a tuple of its parts, tensors as arrays."""
    items = index if isinstance(index, tuple) else (index,)
    return tuple(plain(i) for i in items)


def plain(item: Any) -> Any:
    """One part: an int, slice, None, ... or an array for gathering."""
    if isinstance(item, Tensor):
        data = item._data
        if data.dtype.kind == "b":
            return np.asarray(data)
        if data.dtype.kind not in "iu":
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        return int(data) if data.ndim == 0 else np.asarray(data)
    if isinstance(item, (bool, np.bool_)):
        return np.asarray(item)
    if isinstance(item, (int, np.integer)):
        return int(item)
    if isinstance(item, (list, tuple, range)):
        return np.asarray([i.item() if isinstance(i, Tensor) else i for i in item])
    if item is None or item is Ellipsis or isinstance(item, (slice, np.ndarray)):
        return item
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
        f"(got {type(item).__name__})"
    )


def getitem(self, index):
    """What `x[index]` calls."""
    view, gather = basic(self, parts(index))
    return view if gather is None else index_card(view, gather)


def basic(self: Any, items: tuple[Any, ...]) -> tuple[Any, Any]:
    """Apply the view parts of an index; what remains for gathering, or None."""
    used = sum(i.ndim if isinstance(i, np.ndarray) and i.dtype.kind == "b" else 1 for i in items if i is not None and i is not Ellipsis)
    if used > self.ndim:
        raise IndexError(f"too many indices for tensor of dimension {self.ndim}")
    dim, gather, made = 0, [], self
    for item in items:
        if item is Ellipsis:
            skipped = self.ndim - used
            gather += [slice(None)] * skipped
            dim += skipped
        elif item is None:
            made = unsqueeze(made, dim)
            gather.append(slice(None))
            dim += 1
        elif isinstance(item, int):
            made = select(made, dim, item)
        elif isinstance(item, slice):
            if item.step is not None and item.step <= 0:
                raise ValueError("step must be greater than zero")
            if item != slice(None):
                start, end = (None if e is None else int(e) for e in (item.start, item.stop))
                made = slice_card(made, dim, start, end, 1 if item.step is None else item.step)
            gather.append(slice(None))
            dim += 1
        else:
            gather.append(item)
            dim += item.ndim if item.dtype.kind == "b" else 1
    if made is self and not any(isinstance(g, np.ndarray) for g in gather):
        made = slice_card(self, 0) if self.ndim else alias(self)
    return made, tuple(gather) if any(isinstance(g, np.ndarray) for g in gather) else None


@op("AliasBackward0", view=True)
def alias(self):
    """The same memory under another name."""
    return self.view()


@alias.wrt("self")
def _(grad, self_shape):
    return reshape_card(grad, self_shape)
