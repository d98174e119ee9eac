"""From tensor to something else: other dtypes and devices, Python numbers, lists, arrays."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from .. import dtypes
from .._device import META, MetaArray, device, meta_array, usable
from .._tensor import Size, Tensor, bare
from ..op import op


@op("ToCopyBackward0", symbol="to")
def to_dtype(self, kind):
    """A copy in another NumPy dtype; the gradient comes back in the input's own."""
    with np.errstate(all="ignore"):
        return self.astype(kind)


@to_dtype.wrt("self", latex="1")
def _(grad, self_dtype):
    return to_dtype(grad, self_dtype)


def cast(self: Tensor, kind: dtypes.dtype, copy: bool = False) -> Tensor:
    """The tensor in another dtype; itself if nothing changes."""
    if kind is self.dtype:
        return self.clone() if copy else self  # type: ignore[attr-defined]
    if kind.category < 2 or self._edge is None:
        with np.errstate(all="ignore"):
            return bare(self._data.astype(kind.numpy) if not self.is_meta else meta_array(self.shape, kind.numpy))
    return to_dtype(self, kind.numpy)


def to(self, *args, dtype=None, device=None, copy=False, non_blocking=False):
    """The tensor with another dtype or device, given in any of PyTorch's forms.

    >>> import autograd_lab as torch
    >>> torch.tensor([1, 2]).to(torch.float64)
    tensor([1., 2.], dtype=torch.float64)
    """
    for a in args:
        if isinstance(a, dtypes.dtype):
            dtype = a
        elif isinstance(a, Tensor):
            dtype, device = a.dtype, a.device
        elif isinstance(a, bool):
            copy = copy or a
        else:
            device = a
    place = self.device if device is None else usable(device)
    if place.type == "meta" and not self.is_meta:
        self = bare(meta_array(self.shape, self._data.dtype))
    elif place.type == "cpu" and self.is_meta:
        raise NotImplementedError(
            "Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() instead of "
            "torch.nn.Module.to() when moving module from meta to a different device."
        )
    if dtype is not None and not isinstance(dtype, dtypes.dtype):
        raise TypeError(f"to() received an invalid dtype: {dtype!r}")
    return cast(self, dtype or self.dtype, copy)


def caster(kind: dtypes.dtype, name: str):
    def method(self):
        return cast(self, kind)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"The tensor as {kind!r}; itself if it has that dtype already."
    return method


def cpu(self):
    """The tensor on the CPU: itself, unless it is a meta tensor, which has no data to move."""
    return to(self, device="cpu")


def cuda(self, device=None):
    """There is no GPU here; raises what a CPU build of PyTorch raises."""
    usable("cuda")


def item(self) -> Any:
    """The value of a one-element tensor as a Python number.

    >>> import autograd_lab as torch
    >>> torch.tensor(2.5).item()
    2.5
    """
    if self.is_meta:
        raise RuntimeError("Tensor.item() cannot be called on meta tensors")
    if self._data.size != 1:
        raise RuntimeError(f"a Tensor with {self._data.size} elements cannot be converted to Scalar")
    return self._data.item()


def tolist(self) -> Any:
    """The values as nested Python lists; a number for a 0-d tensor."""
    return self._data.tolist()


def numpy(self, *, force=False):
    """An array that shares the tensor's memory."""
    if self._edge is not None and not force:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
    if isinstance(self._data, MetaArray):
        raise TypeError("can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.")
    return self.array()


def __array__(self, dtype=None, copy=None):
    return numpy(self) if dtype is None else numpy(self).astype(dtype, copy=False)


def to_python(kind, name: str):
    """`float(x)`, `int(x)`, …: a warning if x is tracked."""

    def method(self):
        if self._edge is not None:
            warnings.warn(
                "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
                "Consider using tensor.detach() first.",
                UserWarning,
                stacklevel=2,
            )
        return kind(item(self))

    method.__name__ = method.__qualname__ = name
    return method


def __bool__(self) -> bool:
    if self._data.size != 1:
        many = "more than one value" if self._data.size else "no values"
        raise RuntimeError(f"Boolean value of Tensor with {many} is ambiguous")
    return bool(self._data)


def __index__(self) -> int:
    if self._data.size != 1 or self._data.dtype.kind not in "bui":
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return int(self._data.item())


def __len__(self) -> int:
    if not self._data.ndim:
        raise TypeError("len() of a 0-d tensor")
    return int(self._data.shape[0])


def __format__(self, spec: str) -> str:
    if not self._data.ndim and type(self) is Tensor and not self.is_meta:
        return format(item(self), spec)
    return object.__format__(self, spec)


def __deepcopy__(self, memo):
    if not self.is_leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  "
            "If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, see "
            "https://github.com/pytorch/pytorch/pull/103001"
        )
    made = bare(np.array(self._data)[()])
    memo[id(self)] = made
    if type(self) is not Tensor:
        made = made.as_subclass(type(self))
    made._edge = self._edge
    grad = getattr(self, "_grad", None)
    if grad is not None:
        made._grad = __deepcopy__(grad, memo)
    made.__dict__.update(self.__dict__)
    return made


def size(self, dim=None):
    """The shape, or the size of one dimension."""
    return self.shape if dim is None else self.shape[dim]


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


def contiguous(self):
    """The tensor with its elements in reading order: itself if they are, else a copy."""
    return self if is_contiguous(self) else self.clone()


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


def is_complex(self) -> bool:
    """Whether the dtype is complex."""
    return bool(self._data.dtype.kind == "c")


def is_tensor(obj) -> bool:
    """Whether an object is a tensor."""
    return isinstance(obj, Tensor)


__all__ = ["META", "Size", "device"]
