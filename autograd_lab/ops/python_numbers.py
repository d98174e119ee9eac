"""What a Python number does to a tensor it meets, and the dtypes an op refuses.

A card with two tensor inputs gets its operands promoted by the funnel. An op whose second operand is a
plain number (`x ** 0.5`, `x.clamp(0, 1)`) asks `lifted` instead. Read next: `pointwise.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from .._tensor import Tensor, bare
from ..funnel import is_number, type_name
from ..op import op
from .conversion import cast


def lifted(self: Any, *numbers: Any) -> Any:
    """The tensor in the dtype it gets by meeting these numbers: integers become floats if one is a float.

    >>> import autograd_lab as torch
    >>> lifted(torch.tensor([1, 2]), 0.5).dtype
    torch.float32
    """
    kinds = [dtypes.of_number(n) for n in numbers if n is not None]
    if not kinds or not isinstance(self, Tensor):
        return self
    own = self.dtype
    if max(k.category for k in kinds) <= own.category:
        return self
    return cast(self, dtypes.promote([own], [], kinds))


def number_of(value: Any) -> Any:
    """A Python number, also from a 0-d tensor."""
    return value.item() if isinstance(value, Tensor) else value


def wants_tensor(name: str, value: Any, shown: str = "input", position: int = 1) -> None:
    """Raise PyTorch's error unless `value` is a tensor."""
    if not isinstance(value, Tensor):
        raise TypeError(f"{name}(): argument '{shown}' (position {position}) must be Tensor, not {type_name(value)}")


def no_bool(name: str, kind: Any) -> None:
    """Refuse to subtract booleans, with PyTorch's text."""
    if kind.category == 0:
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
            "operator instead."
        )


def no_bool_negation(name: str, kind: Any) -> None:
    """Refuse to negate booleans, with PyTorch's text."""
    if kind.category == 0:
        raise RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, "
            "use the `~` or `logical_not()` operator instead."
        )


def zeros_of(grad: Any) -> Any:
    """True zeros for a gradient: `grad * 0` would be nan where the gradient is infinite."""
    if isinstance(grad, Tensor):
        return bare(np.zeros(grad._data.shape, grad._data.dtype)[()])
    return np.zeros(grad.shape, grad.dtype)[()]


def undifferentiable(name: str, forward: Any, symbol: str, samples: Any) -> Any:
    """An op of two operands that PyTorch records as `NotImplemented`, with an edge for each tracked operand."""

    def refuse(grad: Any) -> Any:
        raise RuntimeError(f"derivative for aten::{name} is not implemented")

    cards = {}
    for targets in (("self", "other"), ("self",), ("other",)):

        def own(self: Any, other: Any) -> Any:
            return forward(self, other)

        own.__name__ = "_".join((name, *targets))
        own.__doc__ = forward.__doc__
        card = op(
            "NotImplemented", broadcasts=True, inputs=("self", "other"), symbol=symbol, called=name, samples=samples
        )(own)
        for target in targets:
            card.wrt(target)(refuse)
        cards[targets] = card

    def choose(self: Any, other: Any) -> Any:
        tracked = tuple(n for n, v in (("self", self), ("other", other)) if getattr(v, "_edge", None) is not None)
        return cards[tracked or ("self", "other")](self, other)

    return choose


__all__ = ["is_number", "lifted", "no_bool", "no_bool_negation", "undifferentiable", "number_of", "wants_tensor"]
