"""The place a tensor lives: `cpu`, or `meta` for tensors that have a shape and no data.

This build has no GPU; asked for `cuda` it answers as a CPU build of PyTorch does. A meta tensor
makes the device-mismatch error of two-device code visible on any machine.
"""

from __future__ import annotations

from typing import Any

import numpy as np

KNOWN = (
    "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, meta, "
    "hpu, mtia, privateuseone"
)


class device:
    """A device such as `device("cpu")`, with `.type` and `.index`.

    >>> device("cpu"), device("cuda:1").index
    (device(type='cpu'), 1)
    """

    __slots__ = ("index", "type")
    type: str
    index: int | None

    def __init__(self, type: Any = "cpu", index: int | None = None) -> None:
        if isinstance(type, device):
            type, index = type.type, type.index if index is None else index
        if isinstance(type, int):
            type, index = "cuda", type
        name, colon, number = str(type).partition(":")
        if name not in KNOWN.split(", "):
            raise RuntimeError(f"Expected one of {KNOWN} device type at start of device string: {name}")
        if colon:
            if not number.isdigit() or (len(number) > 1 and number[0] == "0"):
                raise RuntimeError(f"Invalid device string: '{type}'")
            index = int(number)
        self.type, self.index = name, index

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self) -> str:
        return f"device(type={self.type!r}" + ("" if self.index is None else f", index={self.index}") + ")"


CPU, META = device("cpu"), device("meta")


def usable(place: Any) -> device:
    """The device asked for, if this build has it; else the error a CPU build of PyTorch raises."""
    found = device(place)
    if found.type == "cuda":
        raise AssertionError("Torch not compiled with CUDA enabled")
    if found.type not in ("cpu", "meta"):
        raise RuntimeError(f"autograd_lab has the devices cpu and meta, not {found.type}")
    return found


class MetaArray(np.ndarray):
    """The data of a meta tensor: shape and dtype, with one zero standing for every element.

    NumPy computes shapes and dtypes with it as with any array. Meeting a real array that is not
    0-d is the device mismatch.
    """

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        check_same_place(inputs)
        raw = [np.asarray(i) if isinstance(i, MetaArray) else i for i in inputs]
        kwargs.pop("out", None)
        with np.errstate(all="ignore"):
            return meta_like(getattr(ufunc, method)(*raw, **kwargs))

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        with np.errstate(all="ignore"):
            return meta_like(super().__array_function__(func, types, args, kwargs))


def check_same_place(inputs: Any) -> None:
    """Raise PyTorch's error when arrays of both devices are mixed (0-d CPU values may join)."""
    for i in inputs:
        if isinstance(i, np.ndarray) and not isinstance(i, MetaArray) and i.ndim:
            raise RuntimeError("Tensor on device meta is not on the expected device cpu!")


def meta_like(data: Any) -> Any:
    """The meta array with the shape and dtype of `data`; tuples go element by element."""
    if isinstance(data, (tuple, list)):
        return type(data)(meta_like(d) for d in data)
    if not isinstance(data, (np.ndarray, np.generic)):
        return data
    return meta_array(data.shape, data.dtype)


def meta_array(shape: tuple[int, ...], kind: Any) -> MetaArray:
    """A meta array of this shape and NumPy dtype; its memory is one element, whatever the shape."""
    return np.broadcast_to(np.zeros((), kind), shape).view(MetaArray)
