"""Masks: writing a value where a mask is true, and taking the elements there.

Read next: `indexing.py`.
"""

from __future__ import annotations

import numpy as np

from .._tensor import Tensor
from ..funnel import mismatch
from ..op import op
from ..samples import Shape, shaped
from .choice import where, word_for
from .reduction import sum_all
from .shape import expand_to


def masked(rng, *rest):
    """Samples: a matrix, a mask, and more."""
    return [(rng.uniform(-2, 2, (2, 3)), np.array([[True, False, True], [False, True, False]]), *rest)]


@op(
    "MaskedFillBackward0",
    called="masked_fill",
    inputs=("mask",),
    free_dtype=("mask",),
    samples=lambda rng: masked(rng, 0.5),
)
def masked_fill_number(self, mask, value):
    """One number where the mask is true."""
    return np.where(mask, np.asarray(value).astype(self.dtype), self)


@masked_fill_number.wrt("self", latex="1 - $mask")
def _(grad, mask):
    return where(mask, 0, grad)


@op(
    "MaskedFillBackward1",
    called="masked_fill",
    inputs=("mask",),
    free_dtype=("mask",),
    samples=lambda rng: masked(rng, np.array(0.7)),
)
def masked_fill_tensor(self, mask, value):
    """The value of a 0-d tensor where the mask is true."""
    return np.where(mask, np.asarray(value).astype(self.dtype), self)


@masked_fill_tensor.wrt("self", latex="1 - $mask")
def _(grad, mask):
    return where(mask, 0, grad)


@masked_fill_tensor.wrt("value", latex=r"\sum $grad \cdot $mask")
def _(grad, mask):
    return sum_all(where(mask, grad, 0))


def check_mask(name: str, mask: Tensor) -> None:
    """Raise PyTorch's error for a mask that is not bool."""
    if mask._data.dtype.kind != "b":
        if name == "masked_fill":
            raise RuntimeError(f"masked_fill_ only supports boolean masks, but got mask with dtype {mask_word(mask)}")
        raise RuntimeError(f"{name}: expected BoolTensor or ByteTensor for mask")


def mask_word(mask: Tensor) -> str:
    return {"Long": "long int", "Int": "int", "Float": "float", "Double": "double"}.get(word_for(mask), word_for(mask))


def masked_fill(self, mask, value):
    """`value`, a number or a 0-d tensor, where `mask` is true; no gradient passes there.

    >>> import autograd_lab as torch
    >>> x = torch.tensor([1.0, -2.0])
    >>> torch.masked_fill(x, x < 0, 0.0)
    tensor([1., 0.])
    """
    check_mask("masked_fill", mask)
    if mask._data.shape != self._data.shape:
        wide = mismatch([self._data.shape, mask._data.shape])
        if wide is not None:
            raise wide
        shape = np.broadcast_shapes(self._data.shape, mask._data.shape)
        self = self if shape == self._data.shape else expand_to(self, shape)
    if not isinstance(value, Tensor):
        return masked_fill_number(self, mask, value)
    if value._data.ndim:
        raise RuntimeError(
            f"masked_fill only supports a 0-dimensional value tensor, but got tensor with {value._data.ndim} "
            "dimension(s)."
        )
    return masked_fill_tensor(self, mask, value)


@op("MaskedSelectBackward0", called="masked_select", inputs=("mask",), free_dtype=("mask",), samples=masked)
def masked_select_card(self, mask):
    """The elements where the mask is true, as a vector."""
    return self[mask] if self.ndim else np.atleast_1d(self)[np.atleast_1d(mask)]


@masked_select_card.wrt("self")
def _(grad, self, mask):
    return masked_put(grad, mask, tuple(self.shape))


@op(
    "MaskedSelectBackwardBackward0",
    inputs=("mask",),
    free_dtype=("mask",),
    samples=lambda rng: [(rng.uniform(-2, 2, (2,)), np.array([True, False, True]), (3,))],
)
def masked_put(self, mask, shape):
    """Zeros of `shape` with the elements of a vector where the mask is true."""
    out = np.zeros(shape, self.dtype)
    out[mask] = self if len(shape) else self.reshape(-1)
    return out


@masked_put.wrt("self")
def _(grad, mask):
    return masked_select_card(grad, mask)


def masked_select(self, mask):
    """The elements where `mask` is true, as a vector.

    >>> import autograd_lab as torch
    >>> x = torch.tensor([1.0, -2.0, 3.0])
    >>> torch.masked_select(x, x > 0)
    tensor([1., 3.])
    """
    check_mask("masked_select", mask)
    wide = mismatch([self._data.shape, mask._data.shape])
    if wide is not None:
        raise wide
    shape = np.broadcast_shapes(self._data.shape, mask._data.shape)
    self = self if shape == self._data.shape else expand_to(self, shape)
    return masked_select_card(self, mask if shape == mask._data.shape else expand_to(mask, shape))


@op(
    "MaskedScatterBackward0",
    inputs=("mask",),
    free_dtype=("mask",),
    samples=lambda rng: masked(rng, rng.uniform(-2, 2, (4,))),
)
def masked_scatter(self, mask, source):
    """The elements of `source`, one after the other, where `mask` is true.

    >>> import autograd_lab as torch
    >>> torch.masked_scatter(torch.zeros(3), torch.tensor([True, False, True]), torch.tensor([1.0, 2.0]))
    tensor([1., 0., 2.])
    """
    mask = np.broadcast_to(mask, self.shape)
    wanted = int(np.count_nonzero(mask))
    if source.size < wanted:
        raise RuntimeError(
            "masked_scatter: expected self and source to have same dtypes but got too few elements in source"
        )
    out = np.array(self, order="C")
    out[mask] = source.reshape(-1)[:wanted]
    return out


@masked_scatter.wrt("self", latex="1 - $mask")
def _(grad, mask):
    return where(mask, 0, grad)


@masked_scatter.wrt("source")
def _(grad, mask, source_shape):
    return filled_up(masked_select_card(grad, mask), source_shape)


@op("MaskedScatterBackwardBackward0", samples=shaped((Shape(2), (2, 2))))
def filled_up(self, shape):
    """A vector with zeros behind it, in another shape."""
    out = np.zeros(shape, self.dtype)
    out.reshape(-1)[: self.size] = self
    return out


@filled_up.wrt("self")
def _(grad, self_shape):
    return grad.reshape(-1)[: self_shape[0]]
