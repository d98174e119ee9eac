"""The ways from one tensor to another, as plain numbers: what was computed, and each local derivative.

`chain_between(loss, x, names)` reads a graph, ours or PyTorch's, without walking backward and without leaving
a trace. Prompts compute right and wrong answers from it. Scalars only: a local derivative of a larger tensor
is no single number. Read next: `wrong_answers.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from autograd_lab.formulas import on_arrays
from autograd_lab.graph import FREED_TEXT
from autograd_lab.view.names import Names
from autograd_lab.view.one_op import kind_of, saved_values
from autograd_lab.view.picture import read_graph
from autograd_lab.view.recording import noted
from autograd_lab.view.texts import array_of, symbol_of

MOST_WAYS = 64


@dataclass(frozen=True)
class Elsewhere:
    """A local derivative at a number that does not belong there: the value of another tensor of the graph."""

    name: str
    value: float
    local: float


@dataclass(frozen=True)
class Factor:
    """One node on a way: it made `result` from `source`, and `local` is d result / d source.

    `elsewhere` holds the same formula at other values of the way. `swapped` is the local derivative with the
    node's input where its formula needs the output (exp). `bare` is it without the exponent in front
    (powers).
    """

    node: str
    op: str
    result: str
    source: str
    result_value: float | None
    source_value: float | None
    local: float
    elsewhere: tuple[Elsewhere, ...] = ()
    swapped: float | None = None
    bare: float | None = None

    @property
    def ratio(self) -> str:
        """How this local derivative is written.

        >>> Factor("PowBackward0", "**", "loss", "z", 100.0, 10.0, 20.0).ratio
        'dloss/dz'
        """
        return f"d{self.result}/d{self.source}"


@dataclass(frozen=True)
class Chain:
    """Everything between `of` and `wrt`. Each way lists its factors from `of` down to `wrt`."""

    of: str
    wrt: str
    of_value: float
    wrt_value: float
    ways: tuple[tuple[Factor, ...], ...]

    @property
    def products(self) -> tuple[float, ...]:
        """One product of local derivatives for each way."""
        return tuple(prod(factor.local for factor in way) for way in self.ways)

    @property
    def slope(self) -> float:
        """d of / d wrt: multiply along a way, add across ways."""
        return sum(self.products)

    @property
    def ratio(self) -> str:
        return f"d{self.of}/d{self.wrt}"


def chain_between(of: Any, wrt: Any, names: Names) -> Chain | None:
    """The chain from `of` back to `wrt`, two tensors of one element; None if a node on it has no known
    formula.

    Raises ValueError if no way leads from `of` to `wrt`, and RuntimeError with PyTorch's text if what the
    nodes saved is freed already.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> z = x * 3 + 4
    >>> loss = z ** 2
    >>> chain = chain_between(loss, x, Names([("x", x), ("z", z), ("loss", loss)]))
    >>> [(factor.ratio, factor.local) for factor in chain.ways[0]], chain.slope
    ([('dloss/dz', 20.0), ('dz/dt1', 1.0), ('dt1/dx', 3.0)], 60.0)
    """
    reader = _Reader(of, wrt, names)
    ways = reader.ways()
    if not ways:
        raise ValueError(
            f"No way leads from {reader.of_name} back to {reader.wrt_name}: it was not computed from it, or "
            f"the graph was cut between them. Draw {reader.of_name} to see what it was computed from."
        )
    factors = [[reader.factor(*step) for step in way] for way in ways]
    if any(factor is None for way in factors for factor in way):
        return None
    found = tuple(tuple(factor for factor in way if factor) for way in factors)
    return Chain(reader.of_name, reader.wrt_name, number_of(of), number_of(wrt), found)


def last_step(of: Any, names: Names) -> Factor | None:
    """The op that made `of`, as a Factor of its first tracked input; None if it has no known formula."""
    reader = _Reader(of, of, names)
    for number, (source, output) in enumerate(of.grad_fn.next_functions):
        if source is not None:
            return reader.factor(of.grad_fn, number, source, output)
    return None


def values_before(of: Any, names: Names) -> list[tuple[str, float]]:
    """The named or numbered tensors that `of` was computed from, nearest first, with their values."""
    values = _Reader(of, of, names).values
    return list(values.items())[1:]


def number_of(tensor: Any) -> float:
    """The number a tensor of one element holds."""
    return float(array_of(tensor).reshape(()))


class _Reader:
    """Names, values and formulas of the nodes behind `of`."""

    def __init__(self, of: Any, wrt: Any, names: Names) -> None:
        self.of, self.wrt, self.names = of, wrt, names
        self.picture = read_graph(of, names)
        self.target = wrt.grad_fn  # held, so that its identity stays its own while we look for it
        self.of_name = names.of(of) or "result"
        self.wrt_name = names.of(wrt) or "input"

    def ways(self) -> list[list[tuple[Any, int, Any, int]]]:
        """Every way as steps (node, number of its input, source node, source's output), `of` first."""
        found: list[list[tuple[Any, int, Any, int]]] = []
        todo: list[tuple[Any, list[tuple[Any, int, Any, int]]]] = [(self.of.grad_fn, [])]
        while todo and len(found) < MOST_WAYS:
            node, way = todo.pop()
            if node is None:
                continue
            for number, (source, output) in reversed(list(enumerate(node.next_functions))):
                longer = [*way, (node, number, source, output)]
                if self.is_target(source, output):
                    found.append(longer)
                else:
                    todo.append((source, longer))
        return found

    def is_target(self, source: Any, output: int) -> bool:
        if self.target is not None:
            return source is self.target and output == self.wrt.output_nr
        return getattr(source, "variable", None) is self.wrt

    def factor(self, node: Any, number: int, source: Any, output: int) -> Factor | None:
        """One step of a way as a Factor; None where the op has no formula for single numbers."""
        kind = kind_of(node, len(node.next_functions))
        card, arguments = kind.card, kind.arguments
        saved, state = saved_values(node, kind.saved)
        if state:
            raise _gone(state)
        if card is None or not card.pointwise or number >= len(arguments):
            return None
        argument = arguments[number]
        given = dict(_numbers(saved))
        needs = card.needs[argument]
        if not all(name in given for name in needs):
            return None

        def local(**changed: float) -> float:
            values = {**given, **changed}
            values = {name: np.float64(v) if type(v) is float else v for name, v in values.items()}
            with np.errstate(all="ignore"):
                return float(on_arrays(card.formulas[argument])(np.float64(1), *(values[name] for name in needs)))

        single = len(card.tensors) == 1
        own = self.value(source, output)
        places = []
        for name, value in self.values.items():
            if "result" in needs and single:
                changed = {argument: value, "result": _again(card, argument, value, given)}
            else:
                changed = {argument: value}
            if set(changed) & set(needs) and value != own and changed.get("result", 0.0) is not None:
                places.append(Elsewhere(name, value, local(**changed)))
        exponent = given.get("exponent")
        is_power = "exponent" in needs and argument == "self" and exponent not in (None, 0)
        return Factor(
            node=type(node).__name__,
            op=symbol_of(type(node).__name__),
            result=self.name(node, 0),
            source=self.name(source, output),
            result_value=self.value(node, 0),
            source_value=own,
            local=local(),
            elsewhere=tuple(places),
            swapped=local(result=own) if "result" in needs and single and own is not None else None,
            bare=local() / exponent if is_power else None,
        )

    @cached_property
    def values(self) -> dict[str, float]:
        """Every known value behind `of`, by name; that of `wrt` first, the most frequent mistake."""
        found = {self.wrt_name: number_of(self.wrt)}
        todo, seen = [(self.of.grad_fn, 0)], set()
        for node, output in todo:
            if node is None or (id(node), output) in seen:
                continue
            seen.add((id(node), output))
            value = self.value(node, output)
            if value is not None:
                found.setdefault(self.name(node, output), value)
            todo.extend(node.next_functions)
        return found

    def name(self, node: Any, output: int) -> str:
        """The variable's name, or the symbol a drawing gives to a result without one."""
        variable = getattr(node, "variable", None)
        if variable is not None:
            return self.names.of(variable) or ("input" if variable is self.wrt else "leaf")
        key = self.picture.result_key(node, output)
        box = self.picture.by_key.get(key or "")
        if node is self.of.grad_fn:
            return self.of_name
        return (box.name if box and box.kind == "result" else "") or (box.symbol if box else "") or "result"

    def value(self, node: Any, output: int) -> float | None:
        """The number this node's result holds, from variables or the recorder; None if not known."""
        tensor = getattr(node, "variable", None)
        if tensor is None:
            tensor = self.of if node is self.of.grad_fn else self.names.result(node, output)
        if tensor is not None:
            return number_of(tensor) if tensor.numel() == 1 else None
        note = noted(node) if hasattr(node, "number") else None
        if note is not None and note.result.values is not None and note.result.values.size == 1:
            return float(note.result.values.reshape(()))
        return None


def _numbers(saved: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Saved values that are single numbers, in double precision."""
    for name, value in saved.items():
        array = np.asarray(array_of(value) if hasattr(value, "detach") else value)
        if array.size == 1 and array.dtype.kind in "fiub":
            yield name, float(array.reshape(())) if array.dtype.kind == "f" else array.reshape(()).item()


def _again(card: Any, argument: str, value: float, given: dict[str, Any]) -> float | None:
    """The forward of an op with one input, at another value."""
    rest = {name: v for name, v in given.items() if name in card.names and name != argument}
    try:
        with np.errstate(all="ignore"):
            return float(card.forward(np.float64(value), **rest))
    except (TypeError, ValueError):
        return None


def _gone(state: str) -> RuntimeError:
    error = RuntimeError(FREED_TEXT if state == "freed" else "a saved value was overwritten in place")
    error.add_note("A prediction is computed from the graph: ask for it before backward() runs.")
    return error
