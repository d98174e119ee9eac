"""Functions: what `torch.…` offers, built from the tables in `names.py`.

Read next: `front.py`, which they all pass through.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .. import dtypes
from .._tensor import bare
from ..ops import from_data, return_types, selecting
from . import settings
from .chapters import Later
from .front import front
from .methods import log_softmax, softmax
from .names import BOTH, FUNCTIONS, WRITING_FUNCTIONS, entries

# these take their arguments in a way of their own, or warn about the caller's line
AS_THEY_ARE = frozenset(
    [
        "tensor",
        "zeros",
        "ones",
        "empty",
        "rand",
        "randn",
        "atleast_1d",
        "atleast_2d",
        "atleast_3d",
        "meshgrid",
        "einsum",
    ]
)
LEGACY = "float32:Float float64:Double int64:Long int32:Int int16:Short int8:Char uint8:Byte float16:Half bool_:Bool"


def ravel(input: Any) -> Any:
    """All elements in one dimension."""
    return input.ravel()


def positive(input: Any) -> Any:
    """The tensor itself."""
    return input


def real(input: Any) -> Any:
    """The real part: the tensor itself."""
    return input


def numpy_permute(input: Any, dims: Any) -> Any:
    """The dimensions in another order."""
    return input.permute(*dims)


def legacy_types() -> dict[str, Any]:
    """`torch.FloatTensor`, `torch.LongTensor` and so on."""
    pairs = (entry.split(":") for entry in LEGACY.split())
    return {f"{name}Tensor": from_data.legacy(getattr(dtypes, kind), f"{name}Tensor") for kind, name in pairs}


def detach(input: Any) -> Any:
    """The same memory without history."""
    return input.detach()


def detach_(input: Any) -> Any:
    """Cut a tensor from its history, in place."""
    return input.detach_()


def adjoint(input: Any) -> Any:
    """The last two dimensions exchanged."""
    return input.mH


def unravel_index(indices: Any, shape: Any) -> Any:
    """Numbers in reading order as one index for each dimension of a shape.

    >>> import autograd_lab as torch
    >>> torch.unravel_index(torch.tensor(5), (2, 3))
    (tensor(1), tensor(2))
    """
    return tuple(bare(np.asarray(i)[()]) for i in np.unravel_index(indices._data, tuple(shape)))


def writing_function(name: str) -> Any:
    """An in-place method as a function: `torch.relu_(x)`."""

    def write(input: Any, *args: Any, **named: Any) -> Any:
        return getattr(input, name)(*args, **named)

    write.__name__ = write.__qualname__ = name
    write.__doc__ = f"In-place `{name[:-1]}`: writes the result into `input` and returns it."
    return write


LATER: dict[str, Any] = {}  # name -> how to make the function when it is first asked for


def public() -> dict[str, Any]:
    """The public functions that are ready, by name; most go into LATER."""
    found: dict[str, Any] = {}
    for table in (BOTH, FUNCTIONS):
        for name, function in entries(table):
            if isinstance(function, Later):
                LATER[name] = (function if name in AS_THEY_ARE else function.then(front, name)).make
            elif name in AS_THEY_ARE:
                found[name] = function
            else:
                LATER[name] = partial(front, function, name)
    found.update(softmax=front(softmax), log_softmax=front(log_softmax), where=selecting.where)
    found.update(ravel=ravel, positive=positive, real=real, permute=front(numpy_permute, "permute"))
    found.update({name: writing_function(name) for name in WRITING_FUNCTIONS.split()})
    found.update({name: getattr(settings, name) for name in settings.NAMES.split()})
    found.update(detach=detach, detach_=detach_, adjoint=adjoint, unravel_index=unravel_index, conj=positive)
    found["return_types"] = return_types
    return found | legacy_types()


PUBLIC = public()
