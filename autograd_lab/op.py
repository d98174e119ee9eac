"""What a card is: one op in one place.

A card is a NumPy forward and one small formula per input that has a gradient:

    @op("MulBackward0", broadcasts=True)
    def mul(self, other):
        return self * other

    @mul.wrt("self", latex="$other")
    def _(grad, other):
        return grad * other

The names in a formula are the rule of what the graph saves: `grad` comes first, the others are forward
parameters, `result`, `<input>_shape`, `<input>_dtype`, or something the forward returned after its result (`keeps`). A
formula uses operators and other cards only, so the same text serves both worlds: NumPy arrays in an
ordinary backward, Tensors under `create_graph=True`. No formula mentions broadcasting or dtypes.

At its first call a card writes, compiles and installs its code (`writing.py`); `source(mul)` prints it.
Read next: `ops/pointwise.py`.
"""

from __future__ import annotations

import inspect
import linecache
import threading
import types
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from . import funnel, writing
from ._tensor import Tensor, bare, new
from .card_node import CardNode, saved_properties
from .formulas import fitted, fitted_array, on_arrays
from .grad_mode import GRAD_MODE
from .graph import AT_ONCE, FREED, LEAF, next_number, stale
from .memory import share
from .recorder import tell, watchers

CARDS: dict[str, Card] = {}
_building = threading.RLock()


class Card:
    """What the decorators collected; `card.function` is what users call."""

    node: type[CardNode] | None = None
    source = ""

    def __init__(self, forward: Callable[..., Any], node_name: str, **options: Any) -> None:
        self.forward, self.node_name = forward, node_name
        self.name: str = options.pop("called", forward.__name__)
        self.broadcasts: bool = options.pop("broadcasts", False)
        self.pointwise: bool = options.pop("pointwise", self.broadcasts)
        self.view: Any = options.pop("view", False)
        self.several: bool = options.pop("several", False)
        self.listed: bool = options.pop("listed", False)
        self.floats: bool = options.pop("floats", False)
        self.keeps: tuple[str, ...] = options.pop("keeps", ())
        self.also: tuple[str, ...] = options.pop("also", ())
        self.results: tuple[str, ...] = options.pop("results", ())
        self.saved: tuple[str, ...] = options.pop("saved", ())
        self.hidden: tuple[str, ...] = options.pop("hidden", ())
        self.shows: dict[str, Callable[..., Any]] = options.pop("shows", {})
        self.inputs: tuple[str, ...] = options.pop("inputs", ())
        self.free_dtype: tuple[str, ...] = options.pop("free_dtype", ())
        self.same_object: bool = options.pop("same_object", False)
        self.refuses: Any = options.pop("refuses", None)
        self.samples: Any = options.pop("samples", None)
        self.symbol: str = options.pop("symbol", self.name)
        if options:
            raise TypeError(f"op() does not know {sorted(options)}")
        self.formulas: dict[str, Callable[..., Any]] = {}
        self.needs: dict[str, tuple[str, ...]] = {}
        self.latex: dict[str, str] = {}
        self.copies: list[Any] = []  # every function object that runs this op; all get its code when it is written
        self.function = self.unbuilt_function({})
        CARDS[forward.__name__] = self

    def unbuilt_function(self, other_globals: dict[str, Any]) -> Any:
        """A true function whose first call writes the code of the op and puts it in its own place."""

        def first_call(*args: Any, **kwargs: Any) -> Any:
            build(CARD)  # type: ignore[name-defined]  # noqa: F821
            return SELF(*args, **kwargs)  # type: ignore[name-defined]  # noqa: F821

        where: dict[str, Any] = {"CARD": self, "build": build, "__name__": self.forward.__module__}
        made: Any = types.FunctionType(first_call.__code__, where, self.name)
        where["SELF"] = made
        made.__doc__, made.__module__, made.__qualname__ = self.forward.__doc__, self.forward.__module__, self.name
        made.__wrapped__, made.card, made.wrt = self.forward, self, self.wrt
        self.copies.append((made, where, other_globals))
        return made

    def wrt(self, name: str, latex: str = "") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Add the formula of one input; `latex` is its local factor, or the product if it names $grad."""

        def add(formula: Callable[..., Any]) -> Callable[..., Any]:
            code = formula.__code__
            self.formulas[name], self.latex[name] = formula, latex
            self.needs[name] = code.co_varnames[1 : code.co_argcount]
            return formula

        return add

    @cached_property
    def parameters(self) -> list[inspect.Parameter]:
        return list(inspect.signature(self.forward).parameters.values())

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(p.name for p in self.parameters)

    @property
    def signature(self) -> str:
        plain = [p.replace(annotation=inspect.Parameter.empty, kind=p.POSITIONAL_OR_KEYWORD) for p in self.parameters]
        return str(inspect.Signature(plain))[1:-1]

    @cached_property
    def tensors(self) -> list[str]:
        """The inputs that are tensors: those with a formula, and those named in `inputs`."""
        return [n for n in self.names if n in self.formulas or n in self.inputs]

    @cached_property
    def targets(self) -> list[str]:
        """The inputs that have a gradient, in the order of `next_functions`."""
        return [n for n in self.names if n in self.formulas]

    @cached_property
    def optional(self) -> frozenset[str]:
        return frozenset(p.name for p in self.parameters if p.name in self.tensors and p.default is None)

    @property
    def kept_names(self) -> list[str]:
        """All that a node of this card keeps: what formulas name, and plain arguments it shows."""
        return [*self.saves, *(n for n in self.saved if n in self.names and n not in self.saves)]

    @cached_property
    def saves(self) -> dict[str, list[str]]:
        """Saved name -> the inputs whose formulas name it."""
        users: dict[str, list[str]] = {}
        for target in self.targets:
            for name in self.needs[target]:
                users.setdefault(name, []).append(target)
        return users


def op(node_name: str, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Decorator: the function below is the forward of an op, `node_name` its `grad_fn` name in PyTorch.

    broadcasts   tensor inputs of different shapes (or numbers) may meet; gradients are summed back
    pointwise    each element of the result depends on the same element of the inputs only
    floats       integers become the default float dtype first
    view         the result shares the memory of the first input
    several      the forward returns a tuple of results, each with a gradient
    results      names of those results, for formulas that need them
    listed       the first input is a list of tensors; its formula returns a list
    keeps        names of what the forward returns after its result, for its formulas only
    also         those of `keeps` that are results too, without a gradient (indices)
    inputs       tensor inputs that have no formula
    free_dtype   inputs that take no part in dtype promotion (masks, indices)
    saved        further names shown as `_saved_<name>`
    shows        `_saved_<name>` computed when read: {name: function of saved names, or of the node}
    hidden       saved names that are not shown as `_saved_<name>`, since PyTorch has them not
    called       the public name, if the forward's own is an internal spelling
    same_object  if the forward returns its first input's data, the call returns that input itself
    refuses      called with (name, dtype) before computing; raises for dtypes the op has not
    samples      makes example inputs for the tests
    symbol       how a drawing shows the op
    """
    return lambda forward: Card(forward, node_name, **options).function


def build(card: Card) -> None:
    """Write, compile and install the function and the Node class of a card."""
    with _building:
        if card.node is not None:
            return
        inputs = card.tensors
        arity = len(card.targets) if len(card.targets) < 3 and not card.listed else 3
        slots = [f"next{i}" for i in range(arity)] if arity < 3 else ["edges"]
        slots += ["fit"] * card.broadcasts + ["several"] * card.several + ["casts"] * card.listed
        for name in card.kept_names:
            slots += ["saved_" + name] + ["version_" + name] * (name in inputs or name == "result")
            slots += ["counter_result"] * (name == "result")
        members = {"__slots__": tuple(slots), "card": card, "arity": arity, **saved_properties(card)}
        made: Any = type(card.node_name, (CardNode,), members)
        helpers: dict[str, Any] = {**LEANED_ON, "CARD": card, "__name__": card.forward.__module__}
        helpers.update(NODE=made, FORWARD=card.forward)
        for name, formula in card.formulas.items():
            helpers["FORMULA_" + name], helpers["ARRAYS_" + name] = formula, on_arrays(formula)
        card.source = "\n\n".join(
            (
                writing.write_function(card),
                writing.write_run(card, "run", free=True),
                writing.write_run(card, "run_keep"),
                writing.write_run(card, "run_tensors", tensors=True),
            )
        )
        name = card.forward.__name__
        file = f"<card {name}>"  # tracebacks and debuggers find the text through linecache
        linecache.cache[file] = len(card.source), None, card.source.splitlines(True), file
        code = compile(card.source, file, "exec")
        exec(code, helpers)
        for method in ("run", "run_keep", "run_tensors"):
            setattr(made, method, helpers.pop(method))
        written = helpers.pop(name)
        card.node = made
        for function, where, other_globals in card.copies:
            where.update(helpers, SELF=function, **other_globals)
            function.__defaults__ = written.__defaults__
            function.__code__ = written.__code__


def operator(function: Any) -> Any:
    """The op as an operator: for an operand that is no tensor it answers NotImplemented, as Python asks.

    >>> import autograd_lab as torch
    >>> torch.ones(2) + "a"
    Traceback (most recent call last):
    TypeError: unsupported operand type(s) for +: 'Tensor' and 'str'
    """
    return function.card.unbuilt_function({"general": funnel.general_operator})


def source(function: Any) -> str:
    """The code that was written for an op: what `torch.mul(x, y)` and its backward really run.

    >>> import autograd_lab as torch
    >>> print(source(torch.neg).splitlines()[0])
    def neg(self):
    """
    if function.card.node is None:
        build(function.card)
    return str(function.card.source)


# What written code may name besides its own card.
LEANED_ON: dict[str, Any] = {
    "Tensor": Tensor,
    "LEAF": LEAF,
    "AT_ONCE": AT_ONCE,
    "FREED": FREED,
    "ndarray": np.ndarray,
    "grad_mode": GRAD_MODE.get,
    "CONSTANTS": funnel.CONSTANTS,
    **{f.__name__: f for f in (stale, share, bare, tell, fitted, fitted_array)},
    **{f.__name__: f for f in (funnel.general, funnel.explained, funnel.plain_list, funnel.view_of, funnel.know)},
    **{f.__name__: f for f in (funnel.as_tensor, funnel.several_results, funnel.attach)},
    "new": new,
    "next_number": next_number,
    "watchers": watchers,
}
