"""Chapters of `ops/` that a small script does not need: opened when one of their ops is first asked for.

Half of what `import autograd_lab` took was reading these files. In the tables of `names.py` and `writing.py` such a
chapter stands like any other; its functions are `Later`s, and `Tensor.cumsum` is one until somebody looks at it.
Read next: `methods.py`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from .._tensor import Tensor


class Chapter:
    """A file of `ops/` that is not opened yet."""

    def __init__(self, name: str) -> None:
        self.name = name


class Later:
    """A function that is made when it is first needed."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make

    def then(self, change: Callable[..., Any], *args: Any) -> Later:
        """Also later: what `change(function, …)` makes of it."""
        return Later(lambda: change(self.make(), *args))

    def hang(self, name: str) -> None:
        """Make it a method of Tensor."""
        setattr(Tensor, name, Waiting(name, self.make))


class Waiting:
    """The place of a method on Tensor: whoever looks there gets the method, which stays from then on."""

    def __init__(self, name: str, make: Callable[[], Any]) -> None:
        self.name, self.make = name, make

    def __get__(self, instance: Any, owner: Any) -> Any:
        method = self.make()
        setattr(Tensor, self.name, method)
        return method if instance is None else method.__get__(instance, owner)


def function_of(room: Any, name: str) -> Any:
    """A function of a chapter, or a `Later` if the chapter is not opened yet."""
    if not isinstance(room, Chapter):
        return getattr(room, name)
    return Later(lambda: getattr(importlib.import_module(f"...ops.{room.name}", __name__), name))


angles = Chapter("angles")
arranging = Chapter("arranging")
blends = Chapter("blends")
contractions = Chapter("contractions")
counting = Chapter("counting")
covariance = Chapter("covariance")
cutting = Chapter("cutting")
diagonals = Chapter("diagonals")
gamma_ops = Chapter("gamma_ops")
index_writing = Chapter("index_writing")
linear_systems = Chapter("linear_systems")
masks = Chapter("masks")
matrix_functions = Chapter("matrix_functions")
medians = Chapter("medians")
norms = Chapter("norms")
padding = Chapter("padding")
picking = Chapter("picking")
products = Chapter("products")
pseudo_inverse = Chapter("pseudo_inverse")
quantiles = Chapter("quantiles")
scan = Chapter("scan")
scatter = Chapter("scatter")
scatter_reduce = Chapter("scatter_reduce")
sorting = Chapter("sorting")
special_ops = Chapter("special_ops")
spectra = Chapter("spectra")
stacking = Chapter("stacking")
statistics = Chapter("statistics")
triangular = Chapter("triangular")
trigonometry = Chapter("trigonometry")
two_arguments = Chapter("two_arguments")
windows = Chapter("windows")
