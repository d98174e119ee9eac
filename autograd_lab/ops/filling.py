"""Tensors of a shape: zeros, ones, ranges, identity, and the same in the shape of another tensor.

Read next: `random_numbers.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import dtypes
from .._device import META, meta_array, usable
from .._tensor import Tensor, bare
from ..caution import warn
from .from_data import finished, numpy_kind, tensor


def sizes_of(name: str, size: tuple[Any, ...], named: dict[str, Any] | None = None) -> tuple[int, ...]:
    """A shape given as numbers, as one sequence, or as `size=`."""
    if named and "size" in named:
        size = (named.pop("size"),)
    if named:
        raise TypeError(f"{name}() got an unexpected keyword argument '{next(iter(named))}'")
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        size = tuple(size[0])
    sizes = []
    for s in size:
        if isinstance(s, (int, np.integer)) or (isinstance(s, Tensor) and not s.ndim):
            sizes.append(int(s))
        else:
            raise TypeError(f"{name}(): argument 'size' (position 1) must be tuple of ints, not {type(s).__name__}")
    if any(s < 0 for s in sizes):
        if name in ("zeros", "ones"):
            raise RuntimeError(f"{name}: Dimension size must be non-negative.")
        wrong = next(s for s in sizes if s < 0)
        raise RuntimeError(f"Trying to create tensor with negative dimension {wrong}: {sizes}")
    return tuple(sizes)


def filled(shape: tuple[int, ...], value: Any, kind: Any, device: Any, requires_grad: bool) -> Tensor:
    """One value in a shape, on a device."""
    if device is not None and usable(device).type == "meta":
        return finished(meta_array(shape, kind), None, requires_grad)
    return finished(np.full(shape, value, kind), None, requires_grad)


EXAMPLE = """{text}

    >>> import autograd_lab as torch
    >>> torch.{name}(2, 3).shape
    torch.Size([2, 3])
    """


def maker(value: Any, name: str, text: str) -> Any:
    """`torch.zeros` and its kin."""

    def make(*size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, **named) -> Tensor:
        if not size and not named:
            raise TypeError(f'{name}() missing 1 required positional arguments: "size"')
        sizes = sizes_of(name, size, named)
        return filled(sizes, value, numpy_kind(name, dtype), device, requires_grad)

    make.__name__ = make.__qualname__ = name
    make.__doc__ = EXAMPLE.format(text=text, name=name)
    return make


zeros = maker(0, "zeros", "Zeros of a shape.")
ones = maker(1, "ones", "Ones of a shape.")
empty = maker(0, "empty", "A tensor of a shape whose elements are not set; here they are zeros.")


def full(size, fill_value, *, dtype=None, device=None, requires_grad=False, layout=None) -> Tensor:
    """One value in a shape.

    >>> import autograd_lab as torch
    >>> torch.full((2,), 7)
    tensor([7, 7])
    """
    value = fill_value.item() if isinstance(fill_value, Tensor) else fill_value
    if not isinstance(value, (bool, int, float, complex, np.generic)):
        raise TypeError(f"full(): argument 'fill_value' (position 2) must be Number, not {type(value).__name__}")
    kind = dtypes.of_number(value).numpy if dtype is None else numpy_kind("full", dtype)
    return filled(sizes_of("full", (size,)), value, kind, device, requires_grad)


def like(value: Any, name: str) -> Any:
    """`torch.zeros_like` and its kin."""

    def make(input, *, dtype=None, device=None, requires_grad=False, memory_format=None) -> Tensor:
        kind = input._data.dtype if dtype is None else numpy_kind(name, dtype)
        place = META if input.is_meta and device is None else device
        return filled(tuple(input.shape), value, kind, place, requires_grad)

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"The shape, dtype and device of `input`, filled with {value}."
    return make


zeros_like, ones_like, empty_like = like(0, "zeros_like"), like(1, "ones_like"), like(0, "empty_like")


def full_like(input, fill_value, *, dtype=None, device=None, requires_grad=False) -> Tensor:
    """One value in the shape and dtype of `input`.

    >>> import autograd_lab as torch
    >>> torch.full_like(torch.ones(2), 3)
    tensor([3., 3.])
    """
    kind = input._data.dtype if dtype is None else numpy_kind("full_like", dtype)
    value = fill_value.item() if isinstance(fill_value, Tensor) else fill_value
    return filled(tuple(input.shape), value, kind, META if input.is_meta and device is None else device, requires_grad)


def plain_number(value: Any) -> Any:
    return value.item() if isinstance(value, Tensor) else value


def arange(start, end=None, step=1, *, dtype=None, device=None, requires_grad=False, layout=None) -> Tensor:
    """Numbers from `start` to before `end`, `step` apart.

    >>> import autograd_lab as torch
    >>> torch.arange(3)
    tensor([0, 1, 2])
    """
    if end is None:
        start, end = 0, start
    start, end, step = plain_number(start), plain_number(end), plain_number(step)
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    whole = all(isinstance(v, (int, np.integer)) for v in (start, end, step))
    kind = (
        (dtypes.int64 if whole else dtypes.get_default_dtype()).numpy if dtype is None else numpy_kind("arange", dtype)
    )
    count = math.ceil((end - start) / step)
    values = start + step * np.arange(count, dtype=np.int64 if whole else np.float64)
    return finished(values.astype(kind), device, requires_grad)


def range(start=0, end=None, step=1, *, dtype=None, device=None, requires_grad=False) -> Tensor:
    """Numbers from `start` to `end` included; deprecated in PyTorch."""
    warn(
        "torch.range is deprecated and will be removed in a future release because its behavior is inconsistent with "
        "Python's range builtin. Instead, use torch.arange, which produces values in [start, end)."
    )
    if end is None:
        start, end = 0, start
    values = start + step * np.arange(math.floor((end - start) / step) + 1)
    return finished(np.asarray(values).astype(numpy_kind("range", dtype)), device, requires_grad)


def linspace(start, end, steps, *, dtype=None, device=None, requires_grad=False, layout=None) -> Tensor:
    """`steps` numbers from `start` to `end`, both included.

    >>> import autograd_lab as torch
    >>> torch.linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    values = np.linspace(plain_number(start), plain_number(end), steps)
    return finished(values.astype(numpy_kind("linspace", dtype)), device, requires_grad)


def logspace(start, end, steps, base=10.0, *, dtype=None, device=None, requires_grad=False) -> Tensor:
    """`steps` powers of `base`, with exponents from `start` to `end`.

    >>> import autograd_lab as torch
    >>> torch.logspace(0, 2, 3)
    tensor([  1.,  10., 100.])
    """
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    values = np.power(float(base), np.linspace(start, end, steps))
    return finished(values.astype(numpy_kind("logspace", dtype)), device, requires_grad)


def eye(n, m=None, *, dtype=None, device=None, requires_grad=False, layout=None) -> Tensor:
    """A matrix with ones on the diagonal.

    >>> import autograd_lab as torch
    >>> torch.eye(2)
    tensor([[1., 0.],
            [0., 1.]])
    """
    for name, size in (("n", n), ("m", m)):
        if size is not None and size < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {size}")
    return finished(np.eye(n, m, dtype=numpy_kind("eye", dtype)), device, requires_grad)


def tril_indices(row, col, offset=0, *, dtype=None, device=None) -> Tensor:
    """The rows and columns of the lower triangle, as a tensor of two rows."""
    return finished(
        np.stack(np.tril_indices(row, offset, col)).astype(numpy_kind("tril_indices", dtype or dtypes.int64)), device
    )


def triu_indices(row, col, offset=0, *, dtype=None, device=None) -> Tensor:
    """The rows and columns of the upper triangle, as a tensor of two rows."""
    return finished(
        np.stack(np.triu_indices(row, offset, col)).astype(numpy_kind("triu_indices", dtype or dtypes.int64)), device
    )


def vander(x, N=None, increasing=False) -> Tensor:
    """The powers of each element in rows, the highest first unless `increasing`."""
    return bare(np.vander(x._data, N, increasing))


def new_tensor(self, data, *, dtype=None, device=None, requires_grad=False) -> Tensor:
    """A tensor of `data` with this tensor's dtype."""
    if isinstance(data, Tensor):
        warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
            "sourceTensor.detach().clone().requires_grad_(True), rather than tensor.new_tensor(sourceTensor)."
        )
        data = np.asarray(data._data)
    return tensor(data, dtype=self.dtype if dtype is None else dtype, device=device, requires_grad=requires_grad)


def new_filled(function: Any, name: str) -> Any:
    """`new_zeros` and its kin: a shape filled, with this tensor's dtype and device."""

    def make(self, *size, dtype=None, device=None, requires_grad=False, **named) -> Tensor:
        place = META if self.is_meta and device is None else device
        return function(*size, dtype=dtype or self.dtype, device=place, requires_grad=requires_grad, **named)

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"`torch.{name[4:]}` with the dtype and device of this tensor."
    return make


new_zeros, new_ones, new_empty = (
    new_filled(zeros, "new_zeros"),
    new_filled(ones, "new_ones"),
    new_filled(empty, "new_empty"),
)
new_full = new_filled(full, "new_full")
