"""Parameter: a tensor that a module counts as its own. Buffer: one that is saved but not trained.

Both share the memory of the tensor they are made from. Read next: `module.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import Tensor, bare, new
from ..graph import LEAF
from ..memory import share


class Parameter(Tensor):
    """A leaf that wants a gradient; assigned to a module it becomes one of its parameters.

    >>> import autograd_lab as torch
    >>> torch.nn.Parameter(torch.tensor([1.0, 2.0]))
    Parameter containing:
    tensor([1., 2.], requires_grad=True)

    Raises RuntimeError for integer data, unless `requires_grad=False`.
    """

    __slots__ = ()

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Parameter:
        made: Parameter = sharing(cls, data)
        if requires_grad:
            if made._data.dtype.kind not in "fc":
                raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
            made._edge = LEAF
        return made

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        found = memo.get(id(self))
        return copied(self, memo) if found is None else found

    def __reduce_ex__(self, protocol: Any) -> Any:
        return Parameter, (bare(np.array(self._data)), self.requires_grad)


class Buffer(Tensor):
    """A tensor that a module keeps in its state without training it, such as a running mean.

    >>> import autograd_lab as torch
    >>> m = torch.nn.Module()
    >>> m.mean = torch.nn.Buffer(torch.zeros(2))
    >>> list(m.state_dict())
    ['mean']
    """

    __slots__ = ()
    persistent: bool

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Buffer:
        made: Buffer = sharing(cls, data)
        made.persistent = persistent
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Buffer:
        found = memo.get(id(self))
        return copied(self, memo) if found is None else found


def sharing(kind: Any, data: Any) -> Any:
    """A new leaf of class `kind` on the memory of a tensor."""
    source = bare(np.zeros(0, np.float32)) if data is None else data.detach()
    made = new(kind)
    made._data, made._edge, made._counter = source._data, None, source._counter
    if data is None or data._data.ndim == 0:
        share(made)
    return made


def copied(self: Any, memo: dict[int, Any]) -> Any:
    """A copy with memory and gradient of its own, for `copy.deepcopy`."""
    made = new(type(self))
    made._data, made._edge, made._counter = np.array(self._data), self._edge, 0
    made.__dict__.update(self.__dict__)
    memo[id(self)] = made
    grad = getattr(self, "_grad", None)
    if grad is not None:
        made._grad = bare(np.array(grad._data))
    return made
