"""What is known of one op and of the tensors around it, whichever library made the node.

Asks, in order: the recorder (`recording.noted`), then the values that the node saved for its backward
formula. A freed or overwritten saved value is a fact to show, never an error here. No boxes and no keys:
see `picture.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from autograd_lab.formulas import on_arrays
from autograd_lab.graph import Node
from autograd_lab.op import CARDS
from autograd_lab.view.names import is_tensor
from autograd_lab.view.recording import input_names, noted
from autograd_lab.view.saved import Saved, saved_names, saved_tensors
from autograd_lab.view.texts import array_of, clean, dtype_text, number_text, value_text

OPERANDS = ("self", "exponent", "other")  # arguments that are numbers one computes with
SETTINGS = ("alpha", "dim", "dim0", "dim1", "dims", "keepdim", "p")  # arguments that say how an op works
OPTIONAL = ("bias", "weight", "running_mean", "running_var")  # inputs that an op may be called without
SLOPE_ROOM = 14
WITH_NUMBERS = {f"{op}Backward1": f"{op}Backward0" for op in ("Add", "Sub", "Mul", "Div")}


@dataclass(frozen=True)
class Facts:
    """Shape, dtype and value of a tensor, as far as they are known."""

    shape: tuple[int, ...] | None = None
    dtype: str | None = None
    value: str | None = None

    @property
    def known(self) -> bool:
        return self.shape is not None

    def as_fields(self) -> dict[str, Any]:
        return {"shape": self.shape, "dtype": self.dtype, "value": self.value}


@dataclass(frozen=True)
class Constant:
    """An input without a gradient: a number (no `tensor_id`) or a tensor. `text` None: not recorded.

    A `saved` one comes from the node alone, which does not tell a number from a tensor without dimensions.
    """

    argument: str
    text: str | None = None
    tensor_id: int | None = None
    tensor: Any = None
    facts: Facts = Facts()
    saved: bool = False


@dataclass(frozen=True)
class Op:
    """One node of the graph, read once."""

    inputs: tuple[tuple[Any, int], ...]  # the node's next_functions
    arguments: tuple[str, ...]  # the name of each input in the op's signature
    constants: dict[int, Constant]  # by input number
    extra: tuple[Constant, ...]  # numbers that are no inputs of the graph, such as an exponent
    slopes: dict[int, str]  # local derivatives, by input number
    result: Facts
    saved_results: dict[tuple[int, int], Any]  # (id of a node, output): the tensor it made, if one was saved
    tags: tuple[str, ...]
    in_place: bool
    in_backward: bool = False  # it ran while a gradient was computed
    saved: tuple[Saved, ...] = ()


def read_op(node: Any, show_saved: bool = False, slopes: bool = True) -> Op:
    """Everything that node, recorder and saved values tell about one op."""
    inputs = node.next_functions
    record = noted(node)
    arguments = tuple(input_names((record and getattr(node, "card", None)) or card_of(node), {}, node))
    recorded = {a.name: a for a in record.arguments} if record else {}
    saved, state = saved_values(node, arguments)
    constants, saved_results = {}, {}
    for number, (source, output) in enumerate(inputs):
        argument = arguments[number] if number < len(arguments) else ""
        if source is None:
            constant = constant_of(argument, recorded.get(argument), saved.get(argument))
            if constant is not None:
                constants[number] = constant
        elif is_tensor(saved.get(argument)):
            saved_results[id(source), output] = saved[argument]
    if is_tensor(saved.get("result")):
        saved_results[id(node), 0] = saved["result"]
    extra = tuple(
        constant
        for name in OPERANDS
        if name not in arguments and not is_tensor(saved.get(name)) and (name in recorded or name in saved)
        if (constant := constant_of(name, recorded.get(name), saved.get(name))) is not None
    )
    return Op(
        inputs=inputs,
        arguments=arguments,
        constants=constants,
        extra=extra,
        slopes=local_slopes(node, inputs, arguments, saved) if slopes and not state else {},
        result=snapshot_facts(record.result) if record else Facts(),
        saved_results=saved_results,
        tags=(*settings(recorded, saved), *([state] if state else [])),
        in_place=bool(record and record.in_place),
        in_backward=bool(record and record.in_backward) or has_parent(node),
        saved=tuple(saved_tensors(node)) if show_saved else (),
    )


def has_parent(node: Any) -> bool:
    """Whether PyTorch's anomaly mode says that this node was made while another one ran."""
    return not isinstance(node, Node) and "parent_" in (getattr(node, "metadata", None) or {})


def tensor_facts(tensor: Any) -> Facts:
    """The facts of a tensor at hand."""
    array = array_of(tensor)
    value = None if array is None else value_text(array)
    return Facts(tuple(int(n) for n in tensor.shape), dtype_text(tensor.dtype), value)


def snapshot_facts(snapshot: Any) -> Facts:
    """The facts of a tensor that the recorder noted."""
    if isinstance(snapshot, tuple):
        snapshot = snapshot[0] if snapshot else None
    if snapshot is None:
        return Facts()
    value = None if snapshot.values is None else value_text(snapshot.values)
    return Facts(tuple(int(n) for n in snapshot.shape), dtype_text(snapshot.dtype), value)


def constant_of(argument: str, record: Any, saved: Any) -> Constant | None:
    """An input without gradient: what the recorder or a saved value says of it; None if it was left out."""
    if record is not None:
        if record.value is not None:
            facts = snapshot_facts(record.value)
            return Constant(argument, facts.value, record.tensor_id or id(record), record, facts)
        return None if record.text in ("", "None") else Constant(argument, clean(record.text, 24))
    if is_tensor(saved):
        facts = tensor_facts(saved)
        return Constant(argument, facts.value, id(saved), saved, facts, saved=True)
    if isinstance(saved, bool | int | float | complex):
        return Constant(argument, number_text(saved))
    return None if argument in OPTIONAL else Constant(argument)


def settings(recorded: dict[str, Any], saved: dict[str, Any]) -> list[str]:
    """How the op was told to work, where that differs from the default: `dim=0`."""
    found = []
    for name in SETTINGS:
        text = recorded[name].text if name in recorded else ""
        if name == "alpha" and not text and isinstance(saved.get(name), int | float):
            text = number_text(saved[name])
        if text and text not in ("None", "False") and not (name == "alpha" and text in ("1", "1.0")):
            found.append(f"{name}={clean(text, 12)}")
    return found


def saved_values(node: Any, arguments: tuple[str, ...]) -> tuple[dict[str, Any], str]:
    """What the node saved, by name, and "freed" or "overwritten" if something saved is no longer there."""
    found: dict[str, Any] = {}
    state = ""
    for name in saved_names(node):
        if name not in arguments and name not in ("result", "exponent", "other", "self", "alpha"):
            continue
        try:
            value = getattr(node, "_saved_" + name)
        except AttributeError:
            continue
        except RuntimeError as error:
            state = "overwritten" if "inplace" in str(error) else "freed"
        else:
            if value is not None:
                found[name] = value
    return found, state


def argument_names(node: Any) -> tuple[str, ...]:
    """The names of an op's inputs, in the order of `next_functions`."""
    return tuple(input_names(card_of(node), {}, node))


def card_of(node: Any) -> Any:
    """The card of an op, found by the name of its node: PyTorch's nodes have the names of ours.

    Inside a recorded backward PyTorch multiplies by plain numbers, and numbers these nodes apart.
    """
    by_name, name = cards_by_node_name(), type(node).__name__
    return by_name.get(name) or by_name.get(WITH_NUMBERS.get(name, "")) or getattr(node, "card", None)


@cache
def cards_by_node_name() -> dict[str, Any]:
    by_name: dict[str, Any] = {}
    for card in sorted(CARDS.values(), key=lambda card: not any(card.latex.values())):
        by_name.setdefault(card.node_name, card)
    return by_name


def local_slopes(
    node: Any, inputs: tuple[Any, ...], arguments: tuple[str, ...], saved: dict[str, Any]
) -> dict[int, str]:
    """The local derivatives of an op that works element by element, by input number, where they are known.

    Our formula for an op of that name, on the values that the node saved: for PyTorch's nodes as for ours.
    """
    card = card_of(node)
    if card is None or not card.pointwise:
        return {}
    found = {}
    for number, argument in enumerate(arguments):
        if argument not in card.formulas or number >= len(inputs) or inputs[number][0] is None:
            continue
        try:
            values = [array_of(v) if is_tensor(v) else v for v in needed(node, card.needs[argument], saved)]
            one = np.ones(np.broadcast_shapes(*(np.shape(value) for value in values)))[()]
            found[number] = value_text(np.asarray(on_arrays(card.formulas[argument])(one, *values)), SLOPE_ROOM)
        except (LookupError, RuntimeError, TypeError, ValueError, AttributeError):  # not known, or no such formula
            continue
    return found


def needed(node: Any, names: tuple[str, ...], saved: dict[str, Any]) -> list[Any]:
    """What a formula names, from what the node saved; LookupError if it is not all there."""
    values = []
    for name in names:
        if name not in saved:
            shown = "_saved_" + name.replace("_shape", "_sym_sizes")
            if not hasattr(node, shown):
                raise LookupError(name)
            saved[name] = getattr(node, shown)
        values.append(saved[name])
    return values
