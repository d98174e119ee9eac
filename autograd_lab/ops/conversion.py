"""From tensor to something else: other dtypes and devices, Python numbers, lists, arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from .._device import MetaArray, meta_array, usable
from .._tensor import Tensor, bare
from ..caution import warn
from ..grad_mode import GRAD_MODE
from ..op import op
from ..samples import Shape, shaped
from .views import clone_card


@op("ToCopyBackward0", symbol="to", called="to", samples=shaped((Shape(2, 3), np.dtype(np.float64))))
def to_dtype(self, kind):
    """A copy in another NumPy dtype; the gradient comes back in the input's own."""
    with np.errstate(all="ignore"):
        return self.astype(kind)


@to_dtype.wrt("self", latex="1")
def _(grad, self_dtype):
    return to_dtype(grad, self_dtype)


PYTHON_TYPES = {float: dtypes.float64, int: dtypes.int64, bool: dtypes.bool_, complex: dtypes.complex128}


def cast(self: Tensor, kind: dtypes.dtype, copy: bool = False) -> Tensor:
    """The tensor in another dtype; itself if nothing changes."""
    if kind is self.dtype:
        return clone_card(self) if copy else self
    if kind.category < 2 or self._edge is None:
        with np.errstate(all="ignore"):
            return bare(self._data.astype(kind.numpy) if not self.is_meta else meta_array(self.shape, kind.numpy))
    return to_dtype(self, kind.numpy)


def to(self, *args, dtype=None, device=None, copy=False, non_blocking=False, memory_format=None):
    """The tensor with another dtype or device, given in any of PyTorch's forms.

    >>> import autograd_lab as torch
    >>> torch.tensor([1, 2]).to(torch.float64)
    tensor([1., 2.], dtype=torch.float64)
    """
    for i, a in enumerate(args):
        if isinstance(a, dtypes.dtype) or a in PYTHON_TYPES:
            dtype = PYTHON_TYPES.get(a, a)
        elif isinstance(a, Tensor):
            dtype, device = a.dtype, a.device
        elif isinstance(a, bool):
            copy = copy or (a and i == len(args) - 1 and i > 1)  # (dtype or device, non_blocking, copy)
        elif a is not None:
            device = a
    dtype = PYTHON_TYPES.get(dtype, dtype)
    place = self.device if device is None else usable(device)
    if place.type == "meta" and not self.is_meta:
        self = bare(meta_array(self.shape, self._data.dtype))
    elif place.type == "cpu" and self.is_meta:
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")
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
    if self.is_meta:
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")
    return self._data.tolist()


def numpy(self, *, force=False):
    """An array that shares the tensor's memory."""
    if not force and GRAD_MODE.get() is not False and self.requires_grad:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
    if isinstance(self._data, MetaArray):
        raise TypeError(
            "can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."
        )
    return self.array()


def __array__(self, dtype=None, copy=None):
    return numpy(self) if dtype is None else numpy(self).astype(dtype, copy=False)


def __array_wrap__(self, array, context=None, return_scalar=False):
    """What NumPy's own functions give back for a tensor: a tensor again."""
    made = np.asarray(array)
    return bare(made if made.ndim else made[()])


def to_python(kind, name: str):
    """`float(x)`, `int(x)`, …: a warning if x is tracked."""

    def method(self):
        if GRAD_MODE.get() is not False and self.requires_grad:
            warn(
                "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
                "Consider using tensor.detach() first."
            )
        if self._data.size != 1 and not self.is_meta:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return kind(item(self))

    method.__name__ = method.__qualname__ = name
    return method


def type_of(self, dtype=None, non_blocking=False):
    """`torch.FloatTensor` and so on; with a dtype, or the name of such a type, the tensor cast to it.

    >>> import autograd_lab as torch
    >>> torch.ones(2).type(), torch.ones(2).type(torch.int64)
    ('torch.FloatTensor', tensor([1, 1]))
    """
    if dtype is None:
        return f"torch.{'meta.' if self.is_meta else ''}{dtypes.TYPE_NAMES[self.dtype.name]}Tensor"
    if isinstance(dtype, str):
        wanted = dtype.removeprefix("torch.").removesuffix("Tensor")
        dtype = next((d for d in dtypes.EVERY if dtypes.TYPE_NAMES[d.name] == wanted), None)
        if dtype is None:
            raise ValueError(f"invalid type: 'torch.{wanted}'")
    return cast(self, PYTHON_TYPES.get(dtype, dtype))


def type_as(self, other):
    """The tensor in the dtype of another."""
    return cast(self, other.dtype)


def is_tensor(obj) -> bool:
    """Whether an object is a tensor."""
    return isinstance(obj, Tensor)


def result_type(tensor1, tensor2):
    """The dtype in which an op on both would compute.

    >>> import autograd_lab as torch
    >>> torch.result_type(torch.tensor([1, 2]), 1.0)
    torch.float32
    """
    both = (tensor1, tensor2)
    tensors = [t for t in both if isinstance(t, Tensor)]
    return dtypes.promote(
        [t.dtype for t in tensors if t.ndim],
        [t.dtype for t in tensors if not t.ndim],
        [dtypes.of_number(n) for n in both if not isinstance(n, Tensor)],
    )


def apply_(self, function):
    """Replace each element by `function(element)`, in place; slow, and without gradient."""
    if self.requires_grad:
        raise RuntimeError("apply_() can't be called on tensors that require grad. Use tensor.apply_() instead.")
    array = self.array()
    array[...] = np.vectorize(function, otypes=[array.dtype])(array) if array.size else array
    return self


__all__ = [name for name in dir() if name != "annotations"]
