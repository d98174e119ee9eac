"""Methods: hangs the ops on Tensor under all their names. This room alone does that.

Read next: `writing.py` for the in-place ones, `functions.py` for `torch.…`.
"""

from __future__ import annotations

from typing import Any

from .. import dtypes
from .._tensor import Tensor
from ..caution import warn
from ..ops import (
    activation,
    attributes,
    conversion,
    dimensions,
    from_data,
    reshaping,
    selecting,
    views,
)
from ..ops.python_numbers import wants_tensor
from . import operators, writing
from .chapters import Later, function_of, gamma_ops, linear_systems
from .front import front
from .names import BOTH, METHODS, entries

# these are called most: they take their arguments as PyTorch's documentation spells them and nothing else
DIRECT = frozenset(
    [
        "sum",
        "mean",
        "max",
        "min",
        "matmul",
        "mm",
        "mv",
        "dot",
        "bmm",
        "addmm",
        "reshape",
        "view",
        "transpose",
        "permute",
    ]
)


def log_softmax(input: Any, dim: Any, dtype: Any = None) -> Any:
    """The logarithm of softmax along `dim`.

    >>> import autograd_lab as torch
    >>> torch.log_softmax(torch.tensor([0.0, 0.0]), 0)
    tensor([-0.6931, -0.6931])
    """
    wants_tensor("log_softmax", input)
    return activation.log_softmax_card(input if dtype is None else conversion.cast(input, dtype), dim)


def softmax(input: Any, dim: Any, dtype: Any = None) -> Any:
    """e^x over the sum of e^x along `dim`.

    >>> import autograd_lab as torch
    >>> torch.softmax(torch.tensor([0.0, 0.0]), 0)
    tensor([0.5000, 0.5000])
    """
    wants_tensor("softmax", input)
    return activation.softmax_card(input if dtype is None else conversion.cast(input, dtype), dim)


def sum_to_size(self: Any, *size: Any) -> Any:
    """The sum over the dimensions that broadcasting would add or stretch."""
    wanted = reshaping.wanted(size[0], size[1:])
    return self if tuple(self.shape) == wanted else views.sum_to(self, wanted)


def method_where(self: Any, condition: Any, other: Any) -> Any:
    """This tensor where the condition holds, else `other`."""
    return selecting.where(condition, self, other)


def permute(self: Any, *dims: Any) -> Any:
    """The dimensions in another order."""
    return dimensions.permute(self, reshaping.wanted(dims[0], dims[1:]))


def turned(self: Any) -> Any:
    """`x.T`: the dimensions in reverse order; PyTorch advises against it for other than matrices."""
    if self.ndim not in (0, 2):
        warn(
            "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will "
            "throw an "
            "error in a future release. Consider `x.mT` to transpose batches of matrices or "
            "`x.permute(*torch.arange(x.ndim - "
            "1, -1, -1))` to reverse the dimensions of a tensor."
        )
    return dimensions.permute(self, tuple(reversed(range(self.ndim))))


def matrix_turned(self: Any) -> Any:
    """`x.mT`: the last two dimensions exchanged."""
    if self.ndim < 2:
        raise RuntimeError(f"tensor.mT is only supported on matrices or batches of matrices. Got {self.ndim}-D tensor.")
    return dimensions.transpose(self, -2, -1)


def plain_turned(self: Any) -> Any:
    """`x.H`: a matrix transposed (and conjugated)."""
    if self.ndim not in (0, 2):
        raise RuntimeError(
            f"tensor.H is only supported on matrices (2-D tensors). Got {self.ndim}-D tensor."
            + (" For batches of matrices, consider using tensor.mH" if self.ndim > 2 else "")
        )
    return dimensions.transpose(self, 0, 1) if self.ndim else self


def casters() -> dict[str, Any]:
    """`x.double()`, `x.long()` and the other methods named after dtypes."""
    names = "float32:float float64:double float16:half int64:long int32:int int16:short int8:char uint8:byte bool_:bool"
    pairs = (entry.split(":") for entry in names.split())
    return {method: conversion.caster(getattr(dtypes, kind), method) for kind, method in pairs}


def as_method(function: Any, name: str) -> Any:
    """An op as a method: those with a `dim` also take NumPy's names for their arguments."""
    inner = getattr(function, "__wrapped__", function).__code__
    has_dim = "dim" in inner.co_varnames[: inner.co_argcount] and name not in DIRECT
    return front(function, name) if has_dim else function


def polygamma_of(polygamma: Any) -> Any:
    """`x.polygamma(n)`, which as a function takes n first."""
    return lambda self, n: polygamma(n, self)


def hang() -> None:
    """Hang everything. Called once, by the package."""
    T: Any = Tensor
    operators.hang()
    for table in (BOTH, METHODS):
        for name, function in entries(table):
            if isinstance(function, Later):
                function.then(as_method, name).hang(name)
            else:
                setattr(T, name, as_method(function, name))
    writing.hang()
    for name, method in casters().items():
        setattr(T, name, method)
    T.softmax, T.log_softmax, T.where, T.permute, T.sum_to_size = (
        softmax,
        log_softmax,
        method_where,
        permute,
        sum_to_size,
    )
    T.nelement, T.ndimension = attributes.numel, attributes.dim
    T.__new__ = from_data.legacy_new
    function_of(linear_systems, "inv").hang("inverse")
    function_of(gamma_ops, "polygamma").then(polygamma_of).hang("polygamma")
    T.view_as = lambda self, other: reshaping.view(self, tuple(other.shape))
    T.reshape_as = lambda self, other: reshaping.reshape(self, tuple(other.shape))
    T.expand_as = lambda self, other: reshaping.expand_to(self, tuple(other.shape))
    T.ravel, T.positive = lambda self: reshaping.reshape(self, -1), lambda self: self
    T.T, T.mT, T.mH, T.H = map(property, (turned, matrix_turned, matrix_turned, plain_turned))
    T.adjoint = matrix_turned
    T.real, T.nbytes = property(lambda self: self), property(lambda self: self._data.nbytes)
    T.itemsize = property(attributes.element_size)
    T.get_device, T.is_cpu = lambda self: -1, property(lambda self: not self.is_meta)
    T.conj, T.is_conj = lambda self: self, lambda self: False
