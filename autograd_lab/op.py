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
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from . import funnel, writing
from ._tensor import Tensor, bare, new, share
from .dtypes import BY_NUMPY
from .grad_mode import GRAD_MODE
from .graph import AT_ONCE, FREED, FREED_TEXT, LEAF, Node, Packed, Pick, next_number, stale
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
    shows        `_saved_<name>` computed from saved names when read: {name: function of those names}
    hidden       saved names that are not shown as `_saved_<name>`, since PyTorch has them not
    called       the public name, if the forward's own is an internal spelling
    same_object  if the forward returns its first input's data, the call returns that input itself
    refuses      called with (name, dtype) before computing; raises for dtypes the op has not
    samples      makes example inputs for the tests
    symbol       how a drawing shows the op
    """
    return lambda forward: Card(forward, node_name, **options).function


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

    def __getattr__(self, name: str) -> Any:  # only slots never filled, and _saved_*, arrive here
        if name.startswith("_saved_"):
            return self.saved_attribute(name[7:])
        if name.startswith("saved_"):
            return None
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(f"_saved_{n}" for n in shown_names(self.card))]

    def saved_attribute(self, shown: str) -> Any:
        """A `_saved_` attribute, as PyTorch shows it."""
        name = shown.replace("_sym_sizes", "_shape").replace("_sym_strides", "_strides")
        if shown not in shown_names(self.card):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute '_saved_{shown}'")
        if name == "result":
            return self.saved_output()
        if shown in self.card.shows:
            function = self.card.shows[shown]
            values = [getattr(self, f"saved_{n}") for n in inspect.signature(function).parameters]
            if any(v is FREED for v in values):
                raise RuntimeError(FREED_TEXT)
            return function(*values)
        value = getattr(self, f"saved_{name}")
        if value is FREED:
            raise RuntimeError(FREED_TEXT)
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
            raise RuntimeError(FREED_TEXT)
        if isinstance(counter, Packed):
            return counter.unpack()
        made = bare(self.saved_result)
        made._edge = self
        made._counter = share_result(self)
        if made._version != self.version_result:
            return stale(self, "result", self.version_result, made)
        return made

    def saved_tensors(self) -> list[str]:
        """The slots that hold saved tensors now, for pack hooks and for freeing."""
        names = [n for n in self.card.saves if n in self.card.tensors or n == "result"]
        return [n for n in names if getattr(self, f"saved_{n}", None) is not None]

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


@cache
def shown_names(card: Card) -> list[str]:
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
        made: Any = type(card.node_name, (CardNode,), {"__slots__": tuple(slots), "card": card, "arity": arity})
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


def fitted_array(grad: Any, shape: Any) -> Any:
    """Undo broadcasting on an array: sum `grad` to the shape of the input, and give it the input's dtype."""
    if grad.shape != shape:
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


def source(function: Any) -> str:
    """The code that was written for an op: what `torch.mul(x, y)` and its backward really run.

    >>> import autograd_lab as torch
    >>> print(source(torch.neg).splitlines()[0])
    def neg(self):
    """
    if function.card.node is None:
        build(function.card)
    return str(function.card.source)


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
    value = node.saved_attribute(name) if name in (*node.card.tensors, "result") else getattr(node, f"saved_{name}")
    return value._data if isinstance(value, Tensor) else value


def node_dtype(node: Any) -> Any:
    for name in (*node.card.tensors, "result"):
        value = getattr(node, f"saved_{name}", None)
        data = getattr(value, "_data", value)
        if isinstance(data, (np.ndarray, np.generic)) and data.dtype.kind == "f":
            return data.dtype
    return np.float32


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
