"""Changing a module as a whole: training mode, tracking, gradients, dtype and device.

Read next: `state.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .. import dtypes
from .._tensor import Tensor, bare
from ..grad_mode import no_grad


class Changed:
    """The changing half of Module. Everything returns the module."""

    training: bool
    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    children: Callable[[], Iterator[Any]]
    parameters: Callable[[], Iterator[Any]]

    def apply(self, fn: Callable[[Any], Any]) -> Any:
        """Call `fn` on every part, then on this module; returns the module."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def train(self, mode: bool = True) -> Any:
        """Set training mode here and in all parts: dropout drops, batch norm counts."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Any:
        """Set evaluation mode here and in all parts."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        """Switch tracking of all parameters on or off: `False` freezes the module."""
        for p in self.parameters():
            p.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradients of all parameters."""
        for p in self.parameters():
            grad = getattr(p, "_grad", None)
            if grad is not None:
                p._grad = None if set_to_none else bare(np.zeros_like(grad._data))

    def _apply(self, fn: Callable[[Any], Any], recurse: bool = True) -> Any:
        """Put `fn(tensor)` in the place of every parameter's, gradient's and buffer's data."""
        for module in self.children() if recurse else ():
            module._apply(fn)
        with no_grad():
            for p in self._parameters.values():
                if p is not None:
                    p.data = fn(p)
                    grad = getattr(p, "_grad", None)
                    if grad is not None:
                        grad.data = fn(grad)
            for name, b in self._buffers.items():
                if b is not None:
                    self._buffers[name] = fn(b)
        return self

    def to(self, *args: Any, **kwargs: Any) -> Any:
        """Change dtype or device of all floating-point parameters and buffers, in place; returns the module."""
        dtype = kwargs.pop("dtype", None)
        place = []
        for a in args:
            if isinstance(a, dtypes.dtype):
                dtype = a
            elif isinstance(a, Tensor):
                dtype, place = a.dtype, [a.device]
            else:
                place.append(a)
        if dtype is not None and dtype.category < 2:
            raise TypeError(
                f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype!r}"
            )
        return self._apply(lambda t: t.to(*place, dtype=dtype if t.dtype.category >= 2 else None, **kwargs))

    def float(self) -> Any:
        """All floating-point parameters and buffers as float32."""
        return self.to(dtypes.float32)

    def double(self) -> Any:
        """All floating-point parameters and buffers as float64."""
        return self.to(dtypes.float64)

    def half(self) -> Any:
        """All floating-point parameters and buffers as float16."""
        return self.to(dtypes.float16)

    def cpu(self) -> Any:
        """The module on the CPU, where it is."""
        return self._apply(lambda t: t.cpu())

    def cuda(self, device: Any = None) -> Any:
        """There is no GPU here; raises what a CPU build of PyTorch raises."""
        return self._apply(lambda t: t.cuda(device))
