"""The forward half of a tape: the order in which ops ran, what went into each, what came out, what it keeps.

A value is known from the recorder, else from a variable of the caller, else because somebody saved it for backward; if
from none of these it is said to be not recorded. Ours and PyTorch's nodes alike. Read next: `arrivals.py`.
"""

from __future__ import annotations

import inspect
from typing import Any

from autograd_lab.graph import Node
from autograd_lab.view.cards import card_of
from autograd_lab.view.names import Names, is_tensor
from autograd_lab.view.recording import input_names, noted
from autograd_lab.view.saved import saved_tensors
from autograd_lab.view.snapshots import Snapshot, snapshot
from autograd_lab.view.starting import is_leaf_node, reachable
from autograd_lab.view.steps import ForwardStep, Kept, Operand
from autograd_lab.view.texts import symbol_of


def in_forward_order(roots: list[Any]) -> list[Any]:
    """Every node that the roots lead to: leaves as they are first used, ops as they ran."""
    found = set().union(*map(reachable, roots))
    ops = sorted((node for node in found if not is_leaf_node(node)), key=number_of)
    order: dict[Any, None] = {}
    for node in ops:
        for source, _ in node.next_functions:
            if source is not None and is_leaf_node(source):
                order[source] = None
        order[node] = None
    order.update(dict.fromkeys(roots))
    return list(order)


def number_of(node: Any) -> int:
    """Later ops have higher numbers."""
    return int(node.number if isinstance(node, Node) else node._sequence_nr())


def values_of(roots: dict[Any, Any], nodes: list[Any], names: Names) -> dict[Any, Snapshot]:
    """The value each node stands for: noted, else in a variable, else saved by whoever used it."""
    values: dict[Any, Snapshot] = {}
    for node in nodes:
        note = noted(node)
        for argument in note.arguments if note else ():
            if argument.node is not None and argument.value is not None:
                values.setdefault(argument.node, argument.value)
        held = names.result(node, 0)
        if note and (note.result.values is not None or held is None):
            values[node] = note.result
        elif held is not None:
            values[node] = snapshot(held)
        if not note and not is_leaf_node(node):
            for name, (source, _) in zip(names_in(node), node.next_functions, strict=False):
                saved = kept_under(node, name)
                if source is not None and isinstance(saved, Snapshot):
                    values.setdefault(source, saved)
            result = kept_under(node, "result")
            if isinstance(result, Snapshot):
                values.setdefault(node, result)
    for root, tensor in roots.items():
        values.setdefault(root, snapshot(tensor))
    for node in nodes:
        if is_leaf_node(node):
            values.setdefault(node, snapshot(node.variable))
    return values


def kept_under(node: Any, name: str) -> Any:
    """What the node saved under this name: a snapshot, a number, or None if there is nothing (any more)."""
    try:
        saved = getattr(node, f"_saved_{name}", None)
    except RuntimeError:  # freed, or overwritten since
        return None
    return snapshot(saved) if is_tensor(saved) else saved


def names_in(node: Any) -> list[str]:
    """What a node's inputs are called: by its card, or for a Function of the user by the parameters of its forward."""
    names = input_names(card_of(node), {}, node.next_functions)
    parameters = parameters_of(node)
    if parameters and len(parameters) == len(names):
        return parameters
    return names


def parameters_of(node: Any) -> list[str]:
    """The parameters of a Function's forward that were tensors."""
    function = getattr(node, "function", None) or getattr(type(node), "_forward_cls", None)
    if function is None:
        return []
    names = list(inspect.signature(function.forward).parameters)
    needed = node.needs_input_grad
    names = names[len(names) - len(needed) :]
    if hasattr(node, "tensor_places"):  # ours
        return [names[i] for i in node.tensor_places] if len(names) == len(needed) else []
    asked = iter([name for name, wanted in zip(names, needed, strict=False) if wanted])
    return [f"input {i}" if source is None else next(asked, "") for i, (source, _) in enumerate(node.next_functions)]


def forward_step(node: Any, number: dict[Any, int], values: dict[Any, Snapshot]) -> ForwardStep:
    """One op as it ran."""
    note, kept = noted(node), tuple(keeps(node, number))
    if note is not None and note.arguments:  # without any, the note of a Function of PyTorch's user: a value alone
        operands = [Operand(a.name, number.get(a.node), a.value, a.text, a.tensor_id) for a in note.arguments]
        order, made_by = (2, number.get(note.made_by)) if note.in_backward else (1, None)
        return ForwardStep(
            number[node], note.op, tuple(operands), note.result, note.line, note.in_place, kept, order, made_by
        )
    card = card_of(node)
    inputs = dict(zip(names_in(node), node.next_functions, strict=False))
    operands = []
    for name in dict.fromkeys([*inputs, *(card.names if card is not None else ())]):
        source = inputs.get(name, (None, 0))[0]
        saved = values.get(source) if source is not None else kept_under(node, name)
        if name in inputs or isinstance(saved, int | float | Snapshot):
            text = f"{saved:g}" if isinstance(saved, int | float) else ""
            operands.append(Operand(name, number.get(source), None if text else saved, text))
    op = card.name if card is not None else symbol_of(type(node).__name__)
    return ForwardStep(number[node], op, tuple(operands), values.get(node), "", False, kept)


def keeps(node: Any, number: dict[Any, int]) -> list[Kept]:
    """What the node keeps for backward, and which node made it."""
    sources = dict(zip(names_in(node), (source for source, _ in node.next_functions), strict=False))
    found = []
    for about in saved_tensors(node):
        source = node if about.name == "result" else sources.get(about.name)
        value = kept_under(node, about.name) if not about.state and "[" not in about.name else None
        if about.name.startswith("saved["):
            tensor = node.saved_tensors[int(about.name[6:-1])]
            maker = getattr(tensor, "grad_fn", None)
            source, value = maker or leaf_of(tensor, node), snapshot(tensor)
        found.append(Kept(about, None if source is None else number.get(source), value))
    return found


def leaf_of(tensor: Any, node: Any) -> Any:
    """The AccumulateGrad of a leaf among a node's inputs."""
    return next((s for s, _ in node.next_functions if getattr(s, "variable", None) is tensor), None)
