"""Parts of a tensor: `x[0]`, `x[1:]`, `x[mask]`.

An index is taken apart into the views PyTorch makes of it, one after the other (select, slice, unsqueeze);
lists, tensors and masks gather copies at the end. Read next: `writing_ops.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import Tensor, bare
from ..op import op
from ..samples import Shape, shaped
from .dimensions import unsqueeze
from .joining import slice_backward, slice_card  # noqa: F401
from .views import alias, checked_dim


@op("SelectBackward0", view=True, samples=shaped((Shape(2, 3), 0, 1), (Shape(2, 3), 1, -1)))
def select(self, dim, index):
    """One entry of a dimension, which disappears; a view.

    >>> import autograd_lab as torch
    >>> torch.select(torch.tensor([[1, 2], [3, 4]]), 1, 0)
    tensor([1, 3])
    """
    if not self.ndim:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    dim = checked_dim(dim, self.ndim)
    check_entry(index, dim, self.shape[dim])
    return self[(slice(None),) * dim + (index, ...)]


def check_entry(index, dim, size):
    """Raise PyTorch's error for an entry that a dimension has not."""
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of bounds for dimension {dim} with size {size}")


@select.wrt("self")
def _(grad, self_shape, dim, index):
    return select_backward(grad, self_shape, dim, index)


@op("SelectBackwardBackward0", samples=shaped((Shape(3), (2, 3), 0, 1)))
def select_backward(self, shape, dim, index):
    """Zeros of `shape` with `self` at one entry of `dim`."""
    out = np.zeros(shape, self.dtype)
    out[(slice(None),) * (dim % len(shape)) + (index,)] = self
    return out


@select_backward.wrt("self")
def _(grad, dim, index):
    return select(grad, dim, index)


def raw_index(indices: tuple[Any, ...]) -> tuple[Any, ...]:
    """A tuple of index tensors (None: all of that dimension) as NumPy wants it."""
    return tuple(slice(None) if i is None else np.asarray(i._data) for i in indices)


@op(
    "IndexBackward0",
    called="index",
    samples=lambda rng: [
        (rng.uniform(-2, 2, (3, 2)), (bare(np.array([0, 2, 0])),)),
        (rng.uniform(-2, 2, (3, 2)), (None, bare(np.array([True, False])))),
    ],
)
def index_card(self, indices):
    """Gather by lists, integer tensors or masks; a copy."""
    try:
        return np.ascontiguousarray(self[raw_index(indices)]) if self.ndim else self[raw_index(indices)]
    except IndexError as error:
        raise index_error(error, indices) from None


@index_card.wrt("self")
def _(grad, self_shape, indices):
    return index_backward(grad, self_shape, indices)


def index_error(error: IndexError, indices: tuple[Any, ...]) -> IndexError:
    """NumPy's complaint about an index in PyTorch's words."""
    text = str(error)
    if "out of bounds" in text:
        return IndexError(text.replace("axis", "dimension"))
    shapes = ", ".join(str(list(i.shape)) for i in indices if i is not None)
    return IndexError(f"shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}")


@op("IndexPutBackward0", samples=lambda rng: [(rng.uniform(-2, 2, (2, 2)), (3, 2), (bare(np.array([0, 2])),))])
def index_backward(self, shape, indices):
    """Zeros of `shape` with `self` added at the indices: an element gathered twice gets both."""
    out = np.zeros(shape, self.dtype)
    np.add.at(out, raw_index(indices), self)
    return out


@index_backward.wrt("self")
def _(grad, indices):
    return index_card(grad, indices)


def parts(index: Any) -> tuple[Any, ...]:
    """An index as a tuple of its parts, tensors as arrays."""
    items = index if isinstance(index, tuple) else (index,)
    if (
        isinstance(index, list)
        and any(isinstance(i, (list, tuple, slice, Tensor, type(None))) for i in index)
        and not (all(isinstance(i, Tensor) and not i.ndim for i in index))
    ):
        items = tuple(index)  # a list of lists is a tuple of indices, as in old NumPy
    return tuple(plain(i) for i in items)


def plain(item: Any) -> Any:
    """One part: an int, slice, None, ... or an array for gathering."""
    if isinstance(item, Tensor):
        data = item._data
        if data.dtype.kind == "b" or data.dtype == np.uint8:
            return np.asarray(data, bool)
        if data.dtype.kind not in "iu":
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        return int(data) if data.ndim == 0 else np.asarray(data)
    if isinstance(item, (bool, np.bool_)):
        return np.asarray(item)
    if isinstance(item, (int, np.integer)):
        return int(item)
    if isinstance(item, (list, tuple, range)):
        made = np.asarray([i.item() if isinstance(i, Tensor) else i for i in item])
        return made.astype(np.int64) if not made.size else made
    if isinstance(item, np.ndarray):
        return plain(bare(item)) if item.ndim else plain(item[()])
    if item is None or item is Ellipsis or isinstance(item, slice):
        return item
    if isinstance(item, str):
        raise TypeError("new(): invalid data type 'str'")
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
        f"(got {type(item).__name__})"
    )


def getitem(self, index):
    """What `x[index]` calls."""
    view, gather = basic(self, parts(index))
    return view if gather is None else index_card(view, gather)


def used_dims(item: Any) -> int:
    """How many dimensions a part of an index consumes."""
    if item is None or item is Ellipsis:
        return 0
    return int(item.ndim) if isinstance(item, np.ndarray) and item.dtype.kind == "b" else 1


def basic(self: Any, items: tuple[Any, ...]) -> tuple[Any, Any]:
    """Apply the view parts of an index; what remains for gathering, or None."""
    used = sum(map(used_dims, items))
    if used > self.ndim:
        raise too_many(self.ndim, items)
    dim, gather, made = 0, [], self
    sliced = [i for i in items if not (isinstance(i, slice) and i == slice(None))]
    for item in items:
        if item is Ellipsis:
            gather += [None] * (self.ndim - used)
            dim += self.ndim - used
        elif item is None:
            made = unsqueeze(made, dim)
            gather.append(None)
            dim += 1
        elif isinstance(item, int):
            check_entry(item, dim, made._data.shape[dim])  # before the history is looked at, as in PyTorch
            made = select(made, dim, item)
        elif isinstance(item, slice):
            made = sliced_view(made, dim, item, len(items) == 1 or not sliced)
            gather.append(None)
            dim += 1
        else:
            made, dim = gathering(made, dim, item, gather)
    gathers = any(g is not None for g in gather)
    if made is self and not gathers:
        made = alias(self)
    return made, trimmed(gather) if gathers else None


def too_many(ndim: int, items: tuple[Any, ...]) -> IndexError:
    """PyTorch's errors for more indices than dimensions."""
    if ndim:
        return IndexError(f"too many indices for tensor of dimension {ndim}")
    if isinstance(items[0], slice):
        return IndexError("slice() cannot be applied to a 0-dim tensor.")
    return IndexError(
        "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a "
        "0-dim tensor to a number"
    )


def sliced_view(made: Any, dim: int, item: slice, always: bool) -> Any:
    """A slice of one dimension; `:` changes nothing, but alone it makes a view all the same."""
    if item.step is not None and int(item.step) <= 0:
        raise ValueError("step must be greater than zero" if int(item.step) else "slice step cannot be zero")
    if item == slice(None) and not (always and dim == 0):
        return made
    start, end = (None if e is None else int(e) for e in (item.start, item.stop))
    return slice_card(made, dim, start, end, 1 if item.step is None else int(item.step))


def gathering(made: Any, dim: int, item: Any, gather: list[Any]) -> tuple[Any, int]:
    """Note an index array; a single truth value makes a new dimension of size 1 or 0."""
    if item.ndim == 0:
        made = unsqueeze(made, dim)
        gather.append(bare(np.zeros(1 if item else 0, np.int64)))
        return made, dim + 1
    if item.dtype.kind == "b":
        for i, n in enumerate(item.shape):
            if made.shape[dim + i] != n:
                raise IndexError(
                    f"The shape of the mask {list(item.shape)} at index {i} does not match the shape of the indexed "
                    "tensor "
                    f"{list(made.shape)} at index {dim + i}"
                )
        gather.append(bare(item))
        return made, dim + item.ndim
    if item.dtype.kind not in "iu":
        raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    gather.append(bare(item))
    return made, dim + 1


def trimmed(gather: list[Any]) -> tuple[Any, ...]:
    """Index tensors without the unneeded None at the end."""
    while gather[-1] is None:
        gather.pop()
    return tuple(gather)
