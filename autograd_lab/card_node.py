"""The node of a card: what it keeps, and how it shows that as `_saved_…`, as PyTorch's nodes do.

`op.build` makes one subclass per card, with slots for its edges and saved values and with `run` methods of written
code. Read next: `op.py`.
"""

from __future__ import annotations

import inspect
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ._tensor import Tensor, bare
from .formulas import on_arrays
from .graph import FREED, FREED_TEXT, Node, Packed, Pick, stale
from .memory import WRITTEN_INTO

# Nodes that PyTorch wrote by hand carry a prefix in `name()`, though not in what a tensor prints.
BUILT_IN = frozenset({"CopyBackwards", "NotImplemented"})


class CardNode(Node):
    """The node of a card. Its slots hold edges and saved values; its `run` methods are written code."""

    __slots__ = ()
    card: ClassVar[Any] = None
    if TYPE_CHECKING:  # slots of the classes that `build` makes
        counter_result: Any
        saved_result: Any
        version_result: int
        next0: Any
        next1: Any

    def name(self) -> str:
        shown = type(self).__name__
        return f"torch::autograd::{shown}" if shown in BUILT_IN else shown

    @property
    def edges(self) -> Any:  # nodes of three inputs and more have a slot of this name instead
        return (self.next0,) if self.arity == 1 else (self.next0, self.next1)

    def saved_attribute(self, shown: str) -> Any:
        """What the property `_saved_<shown>` gives, as PyTorch shows it."""
        name = shown.replace("_sym_sizes", "_shape").replace("_sym_strides", "_strides")
        if name == "result":
            return self.saved_output()
        if shown in self.card.shows:
            function = self.card.shows[shown]
            if next(iter(inspect.signature(function).parameters)) == "node":
                return function(self)
            values = [getattr(self, f"saved_{n}", None) for n in inspect.signature(function).parameters]
            if any(v is FREED for v in values):
                raise RuntimeError(FREED_TEXT)
            return function(*values)
        value = getattr(self, f"saved_{name}", None)  # not there if no input needed it
        if value is FREED:
            stale(self, name, 0, value)
        if name in self.card.tensors and value is not None:
            version = getattr(self, f"version_{name}")
            return value if value._counter == version else stale(self, name, version, value)
        arrays = (*self.card.keeps, *self.card.results)
        return bare(value) if name in arrays and isinstance(value, (np.ndarray, np.generic)) else value

    def output(self, i: int, data: Any) -> Tensor:
        """A saved output of a node with several, as a Tensor with its history."""
        made = bare(data)
        made._edge = Pick(self, i)
        return made

    def saved_output(self) -> Any:
        """The saved result as a Tensor. We keep its array only: a Tensor would be a cycle."""
        counter = self.counter_result
        if counter is FREED:
            stale(self, "result", 0, counter)
        if isinstance(counter, Packed):
            return counter.unpack()
        made = self.shown_output()
        if made._version != self.version_result:
            return stale(self, "result", self.version_result, made)
        return made

    def shown_output(self) -> Any:
        """The saved result, unchecked; one that was written into a view has the view's history."""
        counter = self.counter_result
        if counter is FREED or isinstance(counter, Packed):
            return counter
        made = bare(self.saved_result)
        edge = WRITTEN_INTO[self]() if self in WRITTEN_INTO else None
        made._edge = self if edge is None else edge
        made._counter = share_result(self)
        return made

    def saved_tensors(self) -> list[str]:
        """The slots that hold saved tensors now, for pack hooks and for freeing."""
        names = [n for n in self.card.saves if n in self.card.tensors or n == "result"]
        return [n for n in names if getattr(self, f"saved_{n}", None) is not None]

    def kept(self) -> list[tuple[str, int, Any]]:
        """Name, version and value of each saved tensor, in PyTorch's order: inputs by name, then the result.

        What this very run has freed already counts as freed, so an error never names it.
        """
        names = sorted(self.saved_tensors(), key=lambda n: (n == "result", n))
        values = [self.shown_output() if n == "result" else getattr(self, f"saved_{n}") for n in names]
        return [(n, getattr(self, f"version_{n}", 0), v) for n, v in zip(names, values, strict=True)]

    def free(self) -> None:
        for name in self.saved_tensors():
            setattr(self, f"saved_{name}", FREED if name != "result" else None)
            if name == "result":
                self.counter_result = FREED


def share_result(node: Any) -> Any:
    """The counter list of a saved result; made here if its tensor never had to share it."""
    if node.counter_result is None:
        return node.version_result
    return node.counter_result


def saved_properties(card: Any) -> dict[str, Any]:
    """The attributes `_saved_<name>` of a node of this card.

    A `__getattr__` would do the same in two lines, but a class that has one makes Python look up all its attributes
    the slow way, and backward reads a dozen of them at each node.
    """
    return {f"_saved_{n}": property(partial(CardNode.saved_attribute, shown=n)) for n in shown_names(card)}


def shown_names(card: Any) -> list[str]:
    """The names after `_saved_` that a node of this card shows."""
    names = []
    for n in card.saves:
        first, _, fact = n.rpartition("_")
        if n in card.hidden:
            continue
        if first in card.tensors and fact in ("shape", "strides"):
            names.append(f"{first}_sym_{'sizes' if fact == 'shape' else fact}")
        elif not (first in card.tensors and fact == "dtype"):
            names.append(n)
    return [*names, *(n for n in (*card.saved, *card.shows) if n not in names)]


def local_derivatives(node: Any) -> dict[str, Any]:
    """The local derivative of each input of a pointwise node, element by element.

    It is the formula with ones for the gradient, before broadcasting is undone. Empty for other nodes.
    """
    card = node.card
    if card is None or not card.pointwise:
        return {}
    found = {}
    for name, edge in zip(card.targets, node.edges, strict=True):
        if edge is None:
            continue
        values = [raw(node, n) for n in card.needs[name]]
        shapes = [np.shape(v) for v in values if isinstance(v, (np.ndarray, np.generic))]
        ones = np.ones(np.broadcast_shapes(*shapes), node_dtype(node))
        found[name] = np.asarray(on_arrays(card.formulas[name])(ones[()], *values))
    return found


def raw(node: Any, name: str) -> Any:
    """A saved value as an array, checked."""
    value = (
        node.saved_attribute(name) if name in (*node.card.tensors, "result") else getattr(node, f"saved_{name}", None)
    )
    return value._data if isinstance(value, Tensor) else value


def node_dtype(node: Any) -> Any:
    for name in (*node.card.tensors, "result"):
        value = getattr(node, f"saved_{name}", None)
        data = getattr(value, "_data", value)
        if isinstance(data, (np.ndarray, np.generic)) and data.dtype.kind == "f":
            return data.dtype
    return np.float32
