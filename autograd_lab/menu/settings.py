"""Settings that scripts change at their top: threads, determinism, precision. Here they have no effect.

NumPy's threads are set by environment variables before Python starts, and every computation is repeatable.
"""

from __future__ import annotations

from typing import Any

from .. import dtypes
from .._device import CPU, device
from .._tensor import Tensor


def get_num_threads() -> int:
    """The number of threads of an op: 1."""
    return 1


def set_num_threads(number: int) -> None:
    """Accepted and without effect: an op runs in one thread."""


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Accepted and without effect: all ops are deterministic."""


def are_deterministic_algorithms_enabled() -> bool:
    """Whether ops are deterministic: always."""
    return True


def set_float32_matmul_precision(precision: str) -> None:
    """Accepted and without effect: products are computed in full precision."""


def get_default_device() -> device:
    """Where new tensors live: the CPU."""
    return CPU


def set_default_tensor_type(kind: Any) -> None:
    """Choose the default dtype by an old type such as `torch.DoubleTensor`.

    >>> import autograd_lab as torch
    >>> torch.set_default_tensor_type(torch.FloatTensor)
    """
    name = kind if isinstance(kind, str) else kind.__name__
    wanted = name.removeprefix("torch.").removesuffix("Tensor")
    dtypes.set_default_dtype(next(d for d in dtypes.EVERY if dtypes.TYPE_NAMES[d.name] == wanted))


def is_inference(input: Tensor) -> bool:
    """Whether the tensor was made in inference mode."""
    return input.is_inference()


def typename(obj: Any) -> str:
    """The type of an object; of a tensor its old type name.

    >>> import autograd_lab as torch
    >>> torch.typename(torch.ones(1))
    'torch.FloatTensor'
    """
    if isinstance(obj, Tensor):
        return str(obj.type())
    kind = obj if isinstance(obj, type) else type(obj)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


NAMES = (
    "get_num_threads set_num_threads use_deterministic_algorithms are_deterministic_algorithms_enabled "
    "set_float32_matmul_precision get_default_device set_default_tensor_type is_inference typename"
)
