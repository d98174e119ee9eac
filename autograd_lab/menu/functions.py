"""Functions: what `torch.…` offers, built from the tables in `names.py`.

Read next: `front.py`, which they all pass through.
"""

from __future__ import annotations

from typing import Any

from .. import dtypes
from ..ops import choice, from_data, return_types
from .front import front
from .methods import log_softmax, softmax
from .names import BOTH, FUNCTIONS, entries

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


def public() -> dict[str, Any]:
    """Every public function by its name."""
    found: dict[str, Any] = {}
    for table in (BOTH, FUNCTIONS):
        for name, function in entries(table):
            found[name] = function if name in AS_THEY_ARE else front(function, name)
    found.update(softmax=front(softmax), log_softmax=front(log_softmax), where=choice.where)
    found.update(ravel=ravel, positive=positive, real=real, permute=front(numpy_permute, "permute"))
    found["return_types"] = return_types
    return found | legacy_types()


PUBLIC = public()
