"""The old `Variable` wrapper: today it simply returns a tensor."""

from __future__ import annotations

from typing import Any

from .._tensor import Tensor


class _VariableMeta(type):
    def __instancecheck__(cls, obj: Any) -> bool:
        return isinstance(obj, Tensor)


class Variable(metaclass=_VariableMeta):
    """`Variable(t, requires_grad=True)` is a tensor of the same memory.

    >>> import autograd_lab as torch
    >>> torch.autograd.Variable(torch.ones(2), requires_grad=True)
    tensor([1., 1.], requires_grad=True)
    """

    def __new__(cls, data: Tensor, requires_grad: bool = False) -> Any:
        made = data.detach()
        return made.requires_grad_() if requires_grad else made
