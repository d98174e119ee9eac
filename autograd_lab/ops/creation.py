"""Making tensors: from data, filled, ranges, random. Nothing here has a gradient."""

from __future__ import annotations

import builtins
import warnings
from typing import Any

import numpy as np

from .. import dtypes
from .._device import META, MetaArray, meta_array, usable
from ..generators import default_generator
from .._tensor import Tensor, bare
from ..graph import LEAF


def finished(data: Any, device: Any = None, requires_grad: bool = False) -> Tensor:
    """A new leaf around data, on a device, tracked if asked for."""
    if device is not None and usable(device).type == "meta":
        data = meta_array(data.shape, data.dtype)
    made = bare(data if isinstance(data, MetaArray) or data.ndim else data[()])
    if requires_grad:
        if data.dtype.kind not in "fc":
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        made._edge = LEAF
    return made


def tensor(data, *, dtype=None, device=None, requires_grad=False) -> Tensor:
    """A tensor with a copy of `data`: a number, nested lists, an array or a tensor.

    Python floats become the default dtype (float32), ints int64, bools bool; arrays keep theirs.

    >>> import autograd_lab as torch
    >>> torch.tensor([1.0, 2.5], requires_grad=True)
    tensor([1.0000, 2.5000], requires_grad=True)
    """
    if isinstance(data, Tensor):
        warnings.warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
            "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor).",
            UserWarning,
            stacklevel=2,
        )
        array = np.array(data._data)
    else:
        array = np.array(as_array(data))
    if dtype is not None:
        array = cast(array, dtype)
    dtypes.of(array)
    return finished(array, device, requires_grad)


def cast(array: Any, kind: dtypes.dtype) -> Any:
    """An array in another dtype, silently wrapping as PyTorch does."""
    with np.errstate(all="ignore"):
        return array.astype(kind.numpy)


def as_array(data: Any) -> Any:
    """Python data as an array of the dtype PyTorch would choose."""
    if isinstance(data, (np.ndarray, np.generic)):
        return data
    if isinstance(data, (bool, int, float, complex)):
        return number_array(data)
    if isinstance(data, (list, tuple, range)):
        return nested(list(data))
    if hasattr(data, "__array__"):
        return np.asarray(data)
    raise RuntimeError(f"Could not infer dtype of {type(data).__name__}")


def number_array(number: Any) -> Any:
    kind = dtypes.of_number(number)
    if kind is dtypes.int64 and not -(2**63) <= number < 2**63:
        raise RuntimeError("Overflow when unpacking long long")
    return np.array(number, kind.numpy)


def nested(data: list[Any]) -> Any:
    """Nested lists of numbers, arrays or one-element tensors, checked for equal lengths."""
    check_lengths(data)
    plain = [without_tensors(d) for d in data]
    leaves = flat(plain)
    if not leaves:
        return np.array(plain, dtypes.get_default_dtype().numpy)
    if builtins.any(isinstance(x, (np.ndarray, np.generic)) for x in leaves):
        return np.array(plain)
    kinds = {dtypes.of_number(x) for x in leaves if isinstance(x, (bool, int, float, complex))}
    for x in leaves:
        if not isinstance(x, (bool, int, float, complex)):
            raise RuntimeError(f"Could not infer dtype of {type(x).__name__}")
    kind = builtins.max(kinds, key=lambda k: k.category)
    try:
        return np.array(plain, kind.numpy)
    except OverflowError:
        raise RuntimeError("Overflow when unpacking long long") from None


def check_lengths(data: list[Any], dim: int = 0) -> None:
    """Raise PyTorch's error if inner lists differ in length."""
    level = [data]
    while level and builtins.all(isinstance(x, (list, tuple)) for x in level):
        want = len(level[0])
        for x in level:
            if len(x) != want:
                raise ValueError(f"expected sequence of length {want} at dim {dim} (got {len(x)})")
        level, dim = [y for x in level for y in x], dim + 1
    for x in level:
        if isinstance(x, (list, tuple)) and not isinstance(level[0], (list, tuple)):
            raise TypeError(f"must be real number, not {type(x).__name__}")


def without_tensors(data: Any) -> Any:
    """Nested lists with tensors replaced by their values."""
    if isinstance(data, Tensor):
        if data._edge is not None:
            warnings.warn(
                "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
                "Consider using tensor.detach() first.",
                UserWarning,
                stacklevel=4,
            )
        return data._data.item() if data._data.size == 1 and not data._data.ndim else np.asarray(data._data)
    return [without_tensors(d) for d in data] if isinstance(data, (list, tuple)) else data


def flat(data: Any) -> list[Any]:
    """The leaves of nested lists."""
    found, todo = [], [data]
    while todo:
        item = todo.pop()
        if isinstance(item, (list, tuple)):
            todo.extend(item)
        else:
            found.append(item)
    return found


def as_tensor(data, dtype=None, device=None) -> Tensor:
    """A tensor of `data` without a copy where that is possible."""
    if isinstance(data, Tensor):
        return data if dtype is None or dtype is data.dtype else data.to(dtype)
    if isinstance(data, np.ndarray) and dtype is None:
        return from_numpy(data)
    return tensor(data, dtype=dtype, device=device)


def from_numpy(array) -> Tensor:
    """A tensor that shares memory with an array."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    dtypes.of(array)
    return bare(array)


def sizes_of(size: tuple[Any, ...]) -> tuple[int, ...]:
    """A shape given as numbers or as one sequence."""
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        size = tuple(size[0])
    sizes = tuple(int(s) for s in size)
    for s in sizes:
        if s < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {s}: {list(sizes)}")
    return sizes


def kind_of(dtype: Any) -> Any:
    return (dtypes.get_default_dtype() if dtype is None else dtype).numpy


def filled(shape: tuple[int, ...], value: Any, kind: Any, device: Any, requires_grad: bool) -> Tensor:
    if device is not None and usable(device).type == "meta":
        return finished(meta_array(shape, kind), None, requires_grad)
    return finished(np.full(shape, value, kind), None, requires_grad)


def zeros(*size, dtype=None, device=None, requires_grad=False) -> Tensor:
    """Zeros of a shape.

    >>> import autograd_lab as torch
    >>> torch.zeros(2, 3).shape
    torch.Size([2, 3])
    """
    return filled(sizes_of(size), 0, kind_of(dtype), device, requires_grad)


def ones(*size, dtype=None, device=None, requires_grad=False) -> Tensor:
    """Ones of a shape."""
    return filled(sizes_of(size), 1, kind_of(dtype), device, requires_grad)


def empty(*size, dtype=None, device=None, requires_grad=False) -> Tensor:
    """A tensor of a shape whose elements are not set; here they are zeros."""
    return filled(sizes_of(size), 0, kind_of(dtype), device, requires_grad)


def full(size, fill_value, *, dtype=None, device=None, requires_grad=False) -> Tensor:
    """One value in a shape."""
    value = fill_value.item() if isinstance(fill_value, Tensor) else fill_value
    kind = dtypes.of_number(value).numpy if dtype is None else dtype.numpy
    return filled(sizes_of((size,)), value, kind, device, requires_grad)


def like(value: Any, name: str):
    def make(input, *, dtype=None, device=None, requires_grad=False) -> Tensor:
        kind = input._data.dtype if dtype is None else dtype.numpy
        place = META if input.is_meta and device is None else device
        return filled(tuple(input.shape), value, kind, place, requires_grad)

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"`torch.{name}`: the shape, dtype and device of `input`, filled with {value}."
    return make


zeros_like, ones_like, empty_like = like(0, "zeros_like"), like(1, "ones_like"), like(0, "empty_like")


def full_like(input, fill_value, *, dtype=None, requires_grad=False) -> Tensor:
    """One value in the shape and dtype of `input`."""
    return full(tuple(input.shape), fill_value, dtype=dtype or input.dtype, requires_grad=requires_grad)


def arange(start, end=None, step=1, *, dtype=None, device=None, requires_grad=False) -> Tensor:
    """Numbers from `start` to before `end`, `step` apart.

    >>> import autograd_lab as torch
    >>> torch.arange(3)
    tensor([0, 1, 2])
    """
    if end is None:
        start, end = 0, start
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    whole = builtins.all(isinstance(v, (int, np.integer)) for v in (start, end, step))
    kind = (dtypes.int64 if whole else dtypes.get_default_dtype()) if dtype is None else dtype
    count = int(np.ceil((end - start) / step))
    values = start + step * np.arange(count, dtype=np.float64 if not whole else np.int64)
    return finished(values.astype(kind.numpy), device, requires_grad)


def linspace(start, end, steps, *, dtype=None, device=None, requires_grad=False) -> Tensor:
    """`steps` numbers from `start` to `end`, both included."""
    return finished(np.linspace(start, end, steps).astype(kind_of(dtype)), device, requires_grad)


def eye(n, m=None, *, dtype=None, device=None, requires_grad=False) -> Tensor:
    """A matrix with ones on the diagonal."""
    return finished(np.eye(n, m, dtype=kind_of(dtype)), device, requires_grad)


def rand(*size, generator=None, dtype=None, device=None, requires_grad=False) -> Tensor:
    """Uniform random numbers from [0, 1)."""
    values = (generator or default_generator).numpy.random(sizes_of(size))
    return finished(np.asarray(values).astype(kind_of(dtype)), device, requires_grad)


def randn(*size, generator=None, dtype=None, device=None, requires_grad=False) -> Tensor:
    """Random numbers from the standard normal distribution."""
    values = (generator or default_generator).numpy.standard_normal(sizes_of(size))
    return finished(np.asarray(values).astype(kind_of(dtype)), device, requires_grad)


def randint(low, high=None, size=None, *, generator=None, dtype=None, device=None, requires_grad=False) -> Tensor:
    """Random whole numbers from `low` to before `high`."""
    if size is None:
        low, high, size = 0, low, high
    values = (generator or default_generator).numpy.integers(low, high, sizes_of((size,)))
    return finished(np.asarray(values).astype((dtype or dtypes.int64).numpy), device, requires_grad)


def randperm(n, *, generator=None) -> Tensor:
    """The numbers 0 to n - 1 in random order."""
    return bare((generator or default_generator).numpy.permutation(n))


def rand_like(input, **options) -> Tensor:
    """Uniform random numbers in the shape and dtype of `input`."""
    return rand(tuple(input.shape), **{"dtype": input.dtype, **options})


def randn_like(input, **options) -> Tensor:
    """Standard normal random numbers in the shape and dtype of `input`."""
    return randn(tuple(input.shape), **{"dtype": input.dtype, **options})
