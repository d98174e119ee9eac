"""What Python and a reader ask a tensor: its size, truth, length, strides, a copy of it.

Read next: `filling.py`.
"""

from __future__ import annotations

import numpy as np

from .._tensor import Tensor
from .conversion import item
from .views import contiguous_card


def __iter__(self):
    if not self._data.ndim:
        raise TypeError("iteration over a 0-d tensor")
    return iter(self.unbind(0))


def __contains__(self, element) -> bool:
    if not isinstance(element, (Tensor, bool, int, float, complex, np.number)):
        raise RuntimeError(f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element)}.")
    return bool(np.any((self == element)._data))


def __len__(self) -> int:
    if not self._data.ndim:
        raise TypeError("len() of a 0-d tensor")
    return int(self._data.shape[0])


def __index__(self) -> int:
    if self._data.size != 1 or self._data.dtype.kind not in "bui":
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return int(self._data.item())


def __bool__(self) -> bool:
    if self._data.size != 1:
        many = "more than one value" if self._data.size else "no values"
        raise RuntimeError(f"Boolean value of Tensor with {many} is ambiguous")
    return bool(self._data)


def __format__(self, spec: str) -> str:
    if not self._data.ndim and type(self) is Tensor and not self.is_meta:
        return format(item(self), spec)
    return object.__format__(self, spec)


def __deepcopy__(self, memo):
    if not self.is_leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  "
            "If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, "
            "see "
            "https://github.com/pytorch/pytorch/pull/103001"
        )
    made = object.__new__(type(self))
    made._data, made._edge, made._counter = np.array(self._data)[()], self._edge, 0
    memo[id(self)] = made
    own = ("_grad", "_view", "_accumulate")  # what belongs to this tensor's place in a graph
    made.__dict__.update({k: v for k, v in self.__dict__.items() if k not in own})
    if self._grad is not None:
        made._grad = __deepcopy__(self._grad, memo)
    return made


def size(self, dim=None):
    """The shape, or the size of one dimension.

    >>> import autograd_lab as torch
    >>> torch.ones(2, 3).size(-1)
    3
    """
    if dim is None:
        return self.shape
    if not -self.ndim <= dim < max(self.ndim, 1):
        low, high = (-self.ndim, self.ndim - 1) if self.ndim else (-1, 0)
        raise IndexError(f"Dimension out of range (expected to be in range of [{low}, {high}], but got {dim})")
    return self.shape[dim]


def dim(self) -> int:
    """The number of dimensions."""
    return int(self._data.ndim)


def numel(self) -> int:
    """The number of elements."""
    return int(self._data.size)


def element_size(self) -> int:
    """Bytes per element."""
    return int(self._data.itemsize)


def stride(self, dim=None):
    """Elements to step in memory for each dimension."""
    steps = tuple(s // self._data.itemsize for s in self.array().strides)
    return steps if dim is None else steps[dim]


def is_contiguous(self) -> bool:
    """Whether the elements lie in memory in reading order."""
    return bool(self.array().flags.c_contiguous)


def contiguous(self, memory_format=None):
    """The tensor with its elements in reading order: itself if they are, else a copy."""
    return self if is_contiguous(self) else contiguous_card(self)


def data_ptr(self) -> int:
    """The address of the first element."""
    return int(self.array().__array_interface__["data"][0])


def storage_offset(self) -> int:
    """Elements between the start of the base's memory and the first element here."""
    base = self._base
    return 0 if base is None else (data_ptr(self) - data_ptr(base)) // self._data.itemsize


def is_floating_point(self) -> bool:
    """Whether the dtype is a float."""
    return bool(self._data.dtype.kind == "f")


def is_signed(self) -> bool:
    """Whether the dtype has negative numbers."""
    return bool(self._data.dtype.kind in "ifc")


def is_same_size(self, other) -> bool:
    """Whether two tensors have the same shape."""
    return bool(self._data.shape == other._data.shape)


def is_complex(self) -> bool:
    """Whether the dtype is complex."""
    return bool(self._data.dtype.kind == "c")


def is_nonzero(input) -> bool:
    """Whether a one-element tensor is not 0."""
    return __bool__(input)


def apply_(self, function):
    """Replace each element by `function(element)`, in place; slow, and without gradient."""
    if self.requires_grad:
        raise RuntimeError("apply_() can't be called on tensors that require grad. Use tensor.apply_() instead.")
    array = self.array()
    array[...] = np.vectorize(function, otypes=[array.dtype])(array) if array.size else array
    return self


__all__ = [name for name in dir() if name != "annotations"]
