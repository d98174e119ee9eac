"""Functions of two and three tensors, element by element: lerp, addcmul, hypot, logaddexp.

Read next: `reduction.py`.
"""

from __future__ import annotations

import numpy as np

from .._tensor import Tensor
from ..op import op
from ..samples import Shape, binary, shaped


@op("AddcmulBackward0", broadcasts=True, samples=shaped((Shape(3), Shape(2, 3), Shape(3))))
def addcmul(self, tensor1, tensor2, value=1):
    """self + value * tensor1 * tensor2.

    >>> import autograd_lab as torch
    >>> torch.addcmul(torch.tensor([1.0]), torch.tensor([2.0]), torch.tensor([3.0]), value=0.5)
    tensor([4.])
    """
    return self + (tensor1 * tensor2 if value == 1 else value * tensor1 * tensor2)


@addcmul.wrt("self", latex="1")
def _(grad):
    return grad


@addcmul.wrt("tensor1", latex=r"$value \cdot $tensor2")
def _(grad, tensor2, value):
    return grad * (tensor2 * value)


@addcmul.wrt("tensor2", latex=r"$value \cdot $tensor1")
def _(grad, tensor1, value):
    return grad * (tensor1 * value)


@op("AddcdivBackward0", broadcasts=True, samples=shaped((Shape(3), Shape(2, 3), Shape(3)), low=0.5))
def addcdiv(self, tensor1, tensor2, value=1):
    """self + value * tensor1 / tensor2.

    >>> import autograd_lab as torch
    >>> torch.addcdiv(torch.tensor([1.0]), torch.tensor([2.0]), torch.tensor([4.0]))
    tensor([1.5000])
    """
    return self + (tensor1 / tensor2 if value == 1 else value * tensor1 / tensor2)


@addcdiv.wrt("self", latex="1")
def _(grad):
    return grad


@addcdiv.wrt("tensor1", latex=r"\frac{$value}{$tensor2}")
def _(grad, tensor2, value):
    return grad * (value / tensor2)


@addcdiv.wrt("tensor2", latex=r"-\frac{$value \cdot $tensor1}{$tensor2^2}")
def _(grad, tensor1, tensor2, value):
    return -grad * (value * tensor1 / (tensor2 * tensor2))


@op("LerpBackward0", broadcasts=True, called="lerp", samples=binary(0.3))
def lerp_number(self, end, weight):
    """From `self` to `end` by a number."""
    return self + weight * (end - self) if weight < 0.5 else end - (end - self) * (1 - weight)


@lerp_number.wrt("self", latex="1 - $weight")
def _(grad, weight):
    return grad * (1 - weight)


@lerp_number.wrt("end", latex="$weight")
def _(grad, weight):
    return grad * weight


@op("LerpBackward1", broadcasts=True, called="lerp", samples=shaped((Shape(2, 3), Shape(3), Shape(2, 1))))
def lerp_tensors(self, end, weight):
    """From `self` to `end` by a tensor of weights."""
    return np.where(np.abs(weight) < 0.5, self + weight * (end - self), end - (end - self) * (1 - weight))


@lerp_tensors.wrt("self", latex="1 - $weight")
def _(grad, weight):
    return grad * (1 - weight)


@lerp_tensors.wrt("end", latex="$weight")
def _(grad, weight):
    return grad * weight


@lerp_tensors.wrt("weight", latex="$end - $self")
def _(grad, self, end):
    return grad * (end - self)


def lerp(self, end, weight):
    """The way from `self` to `end`: self at weight 0, end at weight 1.

    >>> import autograd_lab as torch
    >>> torch.lerp(torch.tensor([0.0]), torch.tensor([10.0]), 0.25)
    tensor([2.5000])
    """
    return lerp_tensors(self, end, weight) if isinstance(weight, Tensor) else lerp_number(self, end, weight)
