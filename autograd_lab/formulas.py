"""One formula, two number systems: how the same text runs on NumPy arrays and on Tensors.

An ordinary backward works on arrays. There a formula gets a second set of globals, in which each card it calls is
that card's NumPy forward. Under `create_graph=True` it runs as it stands, on Tensors. The gradient of an input that was
broadcast is summed back here too, in both worlds. Read next: `op.py`.
"""

from __future__ import annotations

import types
from functools import lru_cache
from typing import Any

import numpy as np

from .dtypes import BY_NUMPY


def on_arrays(function: Any) -> Any:
    """The same code for a plain backward: the cards it calls are replaced by their NumPy forwards.

    Helpers of the package that call cards are replaced in the same way, so that a formula works on raw
    arrays all the way down and pays for no check.
    """
    replaced: dict[str, Any] = {}
    for name in names_in(function.__code__):
        found = function.__globals__.get(name)
        if hasattr(found, "card"):
            replaced[name] = found.card.forward
        elif isinstance(found, types.FunctionType) and getattr(found, "on_both", False):
            replaced[name] = on_arrays(found)
    made = types.FunctionType(
        function.__code__,
        {**function.__globals__, **replaced},
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def names_in(code: types.CodeType) -> set[str]:
    """The global names a function may use, those in its comprehensions and lambdas included."""
    names: set[str] = set()
    todo = [code]
    while todo:
        here = todo.pop()
        names.update(here.co_names)
        todo.extend(c for c in here.co_consts if isinstance(c, types.CodeType))
    return names


def on_both(function: Any) -> Any:
    """Mark a helper that formulas share: like a formula it must work on arrays and on Tensors."""
    function.on_both = True
    return function


@lru_cache(64)
def ones(n: int, kind: Any) -> Any:
    return np.ones(n, kind)


def summed_rows(array: Any) -> Any:
    """The sum over the first dimension, of a matrix by a product with a row of ones: four times quicker."""
    if type(array) is np.ndarray and array.ndim == 2 and array.dtype.char in "fd" and 1 < len(array) < 10_000:
        return ones(len(array), array.dtype).dot(array)
    return np.add.reduce(array, 0)


def summed_columns(array: Any) -> Any:
    """The sum over the second dimension of a matrix, with that dimension kept; in the same way."""
    if type(array) is np.ndarray and array.dtype.char in "fd" and 1 < array.shape[1] < 1000:
        return array.dot(ones(array.shape[1], array.dtype))[:, None]
    return np.add.reduce(array, 1, keepdims=True)


def fitted_array(grad: Any, shape: Any) -> Any:
    """Undo broadcasting on an array: sum `grad` to the shape of the input, and give it the input's dtype."""
    if grad.shape != shape:
        if grad.shape[1:] == shape:  # a batch over a bias
            grad = summed_rows(grad)
        else:
            extra = grad.ndim - len(shape)
            axes = tuple(range(extra)) + tuple(
                i + extra for i, n in enumerate(shape) if n == 1 and grad.shape[i + extra] != 1
            )
            grad = np.add.reduce(grad, axes, keepdims=True).reshape(shape)
    kind = getattr(shape, "dtype", None)
    return grad if kind is None or kind is grad.dtype else grad.astype(kind)


def fitted(grad: Any, shape: Any) -> Any:
    """The same for a Tensor, by differentiable ops; the menu provides them."""
    if tuple(grad.shape) != tuple(shape):
        grad = grad.sum_to_size(tuple(shape))
    kind = getattr(shape, "dtype", None)
    return grad if kind is None or kind is grad._data.dtype else grad.to(BY_NUMPY[kind])
