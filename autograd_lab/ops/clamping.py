"""Limits: clamp and its kin, by numbers and by tensors. The limits themselves pass the gradient.

Read next: `masks.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import Tensor, bare
from ..op import op
from ..samples import Shape, binary, shaped, unary
from .python_numbers import lifted
from .selecting import where


@op("ClampBackward1", called="clamp", pointwise=True, samples=unary(-0.7, 0.9, away=0.0))
def clamp_numbers(self, min=None, max=None):
    """Limit every element by numbers; the limits themselves pass the gradient."""
    if min is not None:
        self = np.maximum(np.asarray(min).astype(self.dtype), self)
    if max is not None:
        self = np.minimum(np.asarray(max).astype(self.dtype), self)
    return self


@clamp_numbers.wrt("self", latex=r"[$min \le $self \le $max]")
def _(grad, self, min, max):
    if min is None:
        return where(self <= max, grad, 0)
    return where(self >= min if max is None else (self >= min) & (self <= max), grad, 0)


@op("ClampBackward0", called="clamp", broadcasts=True, samples=shaped((Shape(2, 3), Shape(3), Shape())))
def clamp_tensors(self, min, max):
    """Limit every element by tensors."""
    return np.minimum(max, np.maximum(min, self))


@clamp_tensors.wrt("self", latex=r"[$min \le $self \le $max]")
def _(grad, self, min, max):
    return where((self >= min) & (self <= max), grad, 0)


@clamp_tensors.wrt("min", latex=r"[$self < $min < $max]")
def _(grad, self, min, max):
    return where((min < max) & (self < min), grad, 0)


@clamp_tensors.wrt("max", latex=r"[$self > $max]")
def _(grad, self, min, max):
    return where((self > max) | (max < min), grad, 0)


def clamp(self, min=None, max=None):
    """Limit every element to the range from `min` to `max`, numbers or tensors.

    >>> import autograd_lab as torch
    >>> torch.clamp(torch.tensor([-2.0, 0.5, 3.0]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if isinstance(min, Tensor) or isinstance(max, Tensor):
        return clamp_tensors(self, limit(self, -1) if min is None else min, limit(self, 1) if max is None else max)
    return clamp_numbers(lifted(self, min, max), min, max)


def limit(self: Tensor, side: int) -> Tensor:
    """The constant that limits nothing on one side, in the tensor's dtype."""
    kind = self._data.dtype
    if kind.kind == "f":
        return bare(kind.type(side * np.inf))
    info: Any = np.iinfo(kind) if kind.kind != "b" else None
    return bare(kind.type(side > 0 if info is None else info.max if side > 0 else info.min))


@op("ClampMinBackward0", called="clamp_min", pointwise=True, samples=unary(-0.5))
def clamp_min_number(self, min):
    """Raise every element to at least a number."""
    return np.maximum(np.asarray(min).astype(self.dtype), self)


@clamp_min_number.wrt("self", latex=r"[$self \ge $min]")
def _(grad, self, min):
    return where(self >= min, grad, 0)


@op("ClampMinBackward1", called="clamp_min", broadcasts=True, samples=binary())
def clamp_min_tensor(self, min):
    """Raise every element to at least another tensor's."""
    return np.maximum(min, self)


@clamp_min_tensor.wrt("self", latex=r"[$self \ge $min]")
def _(grad, self, min):
    return where(self >= min, grad, 0)


@clamp_min_tensor.wrt("min", latex=r"[$self < $min]")
def _(grad, self, min):
    return where(self < min, grad, 0)


@op("ClampMaxBackward0", called="clamp_max", pointwise=True, samples=unary(0.5))
def clamp_max_number(self, max):
    """Lower every element to at most a number."""
    return np.minimum(np.asarray(max).astype(self.dtype), self)


@clamp_max_number.wrt("self", latex=r"[$self \le $max]")
def _(grad, self, max):
    return where(self <= max, grad, 0)


@op("ClampMaxBackward1", called="clamp_max", broadcasts=True, samples=binary())
def clamp_max_tensor(self, max):
    """Lower every element to at most another tensor's."""
    return np.minimum(max, self)


@clamp_max_tensor.wrt("self", latex=r"[$self \le $max]")
def _(grad, self, max):
    return where(self <= max, grad, 0)


@clamp_max_tensor.wrt("max", latex=r"[$self > $max]")
def _(grad, self, max):
    return where(self > max, grad, 0)


def clamp_min(self, min):
    """Raise every element to at least `min`.

    >>> import autograd_lab as torch
    >>> torch.clamp_min(torch.tensor([-2.0, 0.5]), 0)
    tensor([0.0000, 0.5000])
    """
    return clamp_min_tensor(self, min) if isinstance(min, Tensor) else clamp_min_number(lifted(self, min), min)


def clamp_max(self, max):
    """Lower every element to at most `max`.

    >>> import autograd_lab as torch
    >>> torch.clamp_max(torch.tensor([-2.0, 1.5]), 1)
    tensor([-2.,  1.])
    """
    return clamp_max_tensor(self, max) if isinstance(max, Tensor) else clamp_max_number(lifted(self, max), max)
