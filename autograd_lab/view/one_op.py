"""What is known of one op, whichever library made its node: inputs, constants, settings, local derivatives.

Asks, in order: the recorder (`recording.noted`), then the values that the node saved for its backward
formula. A freed or overwritten saved value is a fact to show, never an error here. What is alike for all nodes
of a type is worked out once (`Kind`). Read next: `reading.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from autograd_lab.formulas import on_arrays
from autograd_lab.graph import Node
from autograd_lab.view.cards import card_of
from autograd_lab.view.facts import NOTHING_KNOWN, Constant, Facts, constant_of, snapshot_facts
from autograd_lab.view.names import is_tensor
from autograd_lab.view.notes import input_names, noted
from autograd_lab.view.saved import Saved, saved_names, saved_tensors
from autograd_lab.view.texts import array_of, clean, number_text, value_text

OPERANDS = ("self", "exponent", "other")  # arguments that are numbers one computes with
SETTINGS = ("alpha", "dim", "dim0", "dim1", "dims", "keepdim", "p")  # arguments that say how an op works
TOLD = ("result", "exponent", "other", "self", "alpha")  # saved values that tell something, inputs or not
SLOPE_ROOM = 14


@dataclass(eq=False, slots=True)
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


@dataclass(frozen=True)
class Kind:
    """What all nodes of one type and number of inputs have in common."""

    card: Any
    arguments: tuple[str, ...]  # the name of each input, at least
    saved: tuple[str, ...]  # what a node saved and a drawing tells
    operands: tuple[str, ...]  # numbers that are no inputs of the graph


KINDS: dict[tuple[type, int, str], Kind] = {}


def kind_of(node: Any, inputs: int, op: str = "") -> Kind:
    """The kind of a node; `op` is what ran, if the recorder heard of it: several ops may leave nodes of one name."""
    key = (type(node), inputs, op)
    found = KINDS.get(key)
    if found is None:
        card = node.card if op and isinstance(node, Node) else card_of(node, op)
        arguments = tuple(input_names(card, {}, node.next_functions))
        saved = tuple(name for name in saved_names(node) if name in arguments or name in TOLD)
        operands = tuple(name for name in OPERANDS if name not in arguments)
        found = KINDS[key] = Kind(card, arguments, saved, operands)
    return found


def read_op(node: Any, inputs: tuple[tuple[Any, int], ...], show_saved: bool = False, slopes: bool = True) -> Op:
    """Everything that node, recorder and saved values tell about one op; `inputs` are its `next_functions`."""
    record = noted(node)
    kind = kind_of(node, len(inputs), record.op if record else "")
    arguments = kind.arguments
    recorded = {a.name: a for a in record.arguments} if record else {}
    saved, state = saved_values(node, kind.saved)
    constants: dict[int, Constant] = {}
    saved_results: dict[tuple[int, int], Any] = {}
    for number, ((source, output), argument) in enumerate(zip(inputs, arguments, strict=False)):
        if source is None:
            constant = constant_of(argument, recorded.get(argument), saved.get(argument))
            if constant is not None:
                constants[number] = constant
        elif argument in saved and is_tensor(saved[argument]):
            saved_results[id(source), output] = saved[argument]
    if "result" in saved and is_tensor(saved["result"]):
        saved_results[id(node), 0] = saved["result"]
    extra: list[Constant] = []
    for name in kind.operands:
        if name in recorded and recorded[name].tracked:
            continue  # an input, which PyTorch calls otherwise than our card
        if (name in recorded or name in saved) and not is_tensor(saved.get(name)):
            constant = constant_of(name, recorded.get(name), saved.get(name))
            if constant is not None:
                extra.append(constant)
    tags = settings(recorded, saved) if recorded or "alpha" in saved else []
    return Op(
        inputs=inputs,
        arguments=arguments,
        constants=constants,
        extra=tuple(extra),
        slopes=local_slopes(node, inputs, arguments, saved) if slopes and not state else {},
        result=snapshot_facts(record.result) if record else NOTHING_KNOWN,
        saved_results=saved_results,
        tags=(*tags, state) if state else tuple(tags),
        in_place=bool(record and record.in_place),
        in_backward=bool(record and record.in_backward) or has_parent(node),
        saved=tuple(saved_tensors(node)) if show_saved else (),
    )


def has_parent(node: Any) -> bool:
    """Whether PyTorch's anomaly mode says that this node was made while another one ran."""
    return not isinstance(node, Node) and "parent_" in (getattr(node, "metadata", None) or {})


def settings(recorded: dict[str, Any], saved: dict[str, Any]) -> list[str]:
    """How the op was told to work, where that differs from the default: `dim=0`."""
    found = []
    for name in SETTINGS:
        text = as_written(recorded[name].text) if name in recorded else ""
        if name == "alpha" and not text and isinstance(saved.get(name), int | float):
            text = number_text(saved[name])
        if text and text not in ("None", "False") and not (name == "alpha" and text in ("1", "1.0")):
            found.append(f"{name}={clean(text, 12)}")
    return found


def as_written(text: str) -> str:
    """A setting as one writes it: a list of one as that one, an empty one not at all."""
    if text[:1] in "([" and text[-1:] in ")]":
        inner = text[1:-1].rstrip(",")
        return f"({inner})" if "," in inner else inner
    return text


def saved_values(node: Any, names: tuple[str, ...]) -> tuple[dict[str, Any], str]:
    """What the node saved, by name, and "freed" or "overwritten" if something saved is no longer there."""
    found: dict[str, Any] = {}
    state = ""
    for name in names:
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
