"""Choosing element by element: where, maximum, minimum. The gradient goes to what was chosen.

Read next: `masks.py`.
"""

from __future__ import annotations

import numpy as np

from .._tensor import Tensor, bare
from ..op import op
from ..samples import binary


@op(
    "WhereBackward0",
    broadcasts=True,
    called="where",
    inputs=("condition",),
    free_dtype=("condition",),
    samples=lambda rng: [(rng.random((2, 3)) > 0.5, rng.uniform(-2, 2, (3,)), rng.uniform(-2, 2, (2, 1)))],
)
def where_card(condition, self, other):
    """`self` where the condition holds, else `other`."""
    return np.where(condition, self, other)


@where_card.wrt("self", latex="$condition")
def _(grad, condition):
    return where(condition, grad, 0)


@where_card.wrt("other", latex="1 - $condition")
def _(grad, condition):
    return where(condition, 0, grad)


def where(condition, input=None, other=None):
    """`input` where `condition` holds, else `other`; the branch not taken gets gradient 0.

    With the condition alone: where it is true, as `nonzero(as_tuple=True)`.

    >>> import autograd_lab as torch
    >>> x = torch.tensor([-1.0, 2.0])
    >>> torch.where(x > 0, x, 0.0)
    tensor([0., 2.])
    """
    if not isinstance(condition, Tensor):
        return np.where(condition, input, other)
    if input is None and other is None:
        return tuple(bare(a) for a in np.nonzero(np.atleast_1d(condition._data)))
    kind = condition._data.dtype.kind
    if kind != "b" and condition._data.dtype != np.uint8:
        raise RuntimeError(
            f"where expected condition to be a boolean tensor, but got a tensor with dtype {word_for(condition)}"
        )
    return where_card(condition if kind == "b" else condition.bool(), input, other)


def word_for(tensor: Tensor) -> str:
    """`Float`, `Long`: what C++ messages call the dtype of a tensor."""
    return tensor.type()[6:-6] if not tensor.is_meta else tensor.dtype.name


@op("MaximumBackward0", broadcasts=True, samples=binary())
def maximum(self, other):
    """The larger of two elements; at a tie each gets half the gradient, nan wins.

    >>> import autograd_lab as torch
    >>> torch.maximum(torch.tensor([1.0, 5.0]), torch.tensor([2.0, 3.0]))
    tensor([2., 5.])
    """
    return np.maximum(self, other)


@maximum.wrt("self", latex=r"[$self > $other]")
def _(grad, self, other):
    return where(self == other, grad / 2, where(self < other, 0, grad))


@maximum.wrt("other", latex=r"[$other > $self]")
def _(grad, self, other):
    return where(self == other, grad / 2, where(self > other, 0, grad))


@op("MinimumBackward0", broadcasts=True, samples=binary())
def minimum(self, other):
    """The smaller of two elements; at a tie each gets half the gradient, nan wins.

    >>> import autograd_lab as torch
    >>> torch.minimum(torch.tensor([1.0, 5.0]), torch.tensor([2.0, 3.0]))
    tensor([1., 3.])
    """
    return np.minimum(self, other)


@minimum.wrt("self", latex=r"[$self < $other]")
def _(grad, self, other):
    return where(self == other, grad / 2, where(self > other, 0, grad))


@minimum.wrt("other", latex=r"[$other < $self]")
def _(grad, self, other):
    return where(self == other, grad / 2, where(self < other, 0, grad))


@op("FmaxBackward0", broadcasts=True, samples=binary())
def fmax(self, other):
    """The larger of two elements; a number wins over nan, and at a tie `self` takes the gradient.

    >>> import autograd_lab as torch
    >>> torch.fmax(torch.tensor([1.0, float("nan")]), torch.tensor([2.0, 3.0]))
    tensor([2., 3.])
    """
    return np.fmax(self, other)


@fmax.wrt("self", latex=r"[$self \ge $other]")
def _(grad, self, other):
    return where((self >= other) | (other != other), grad, 0)


@fmax.wrt("other", latex=r"[$other > $self]")
def _(grad, self, other):
    return where((self >= other) | (other != other), 0, grad)


@op("FminBackward0", broadcasts=True, samples=binary())
def fmin(self, other):
    """The smaller of two elements; a number wins over nan, and at a tie `self` takes the gradient.

    >>> import autograd_lab as torch
    >>> torch.fmin(torch.tensor([1.0, float("nan")]), torch.tensor([2.0, 3.0]))
    tensor([1., 3.])
    """
    return np.fmin(self, other)


@fmin.wrt("self", latex=r"[$self \le $other]")
def _(grad, self, other):
    return where((self <= other) | (other != other), grad, 0)


@fmin.wrt("other", latex=r"[$other < $self]")
def _(grad, self, other):
    return where((self <= other) | (other != other), 0, grad)
