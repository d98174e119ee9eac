"""After backward: what each AccumulateGrad added to its `.grad`, use by use, as the last steps of a walk show it.

Picture -> Picture, for small drawings. The terms come from a walk that leaves no trace. A graph that backward() has
freed cannot be walked, so it is computed again from what the recorder noted, and shown only if every result comes out
as it was. Where that is not possible, a function of the learner would run, or the `.grad` came from elsewhere, the box
says AccumulateGrad and no more.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from autograd_lab._tensor import Tensor, bare
from autograd_lab.generators import Generator
from autograd_lab.graph import Node
from autograd_lab.view.formula import plain
from autograd_lab.view.kept import Given, Kept
from autograd_lab.view.names import Names
from autograd_lab.view.notes import as_our_card, input_names, note_at
from autograd_lab.view.parts import Picture
from autograd_lab.view.phrases import sum_of
from autograd_lab.view.replay import apart
from autograd_lab.view.starting import is_leaf_node, node_of
from autograd_lab.view.steps import BackwardStep
from autograd_lab.view.symbols import Veil, boxed
from autograd_lab.view.tape import tape_of
from autograd_lab.view.texts import array_of
from autograd_lab.view.values import in_forward_order

ROOM = 36  # characters of a sum that is written out
CLOSE = 1e-5


class NotKnown(Exception):
    """The graph cannot be computed again."""


def with_sums(picture: Picture, loss: Any, names: Names) -> Picture:
    """The picture with the terms that arrived at each leaf whose `.grad` this graph has filled.

    >>> import autograd_lab as torch
    >>> from autograd_lab.view.picture import read_graph
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> with torch.record():
    ...     y = x * 3 + x * 4
    >>> y.backward()
    >>> [node.value for node in with_sums(read_graph(y), y, Names()).nodes if node.kind == "accumulate"]
    ['+= 4 + 3']
    """
    nodes = in_forward_order([node_of(loss)])
    if loss.numel() != 1 or any(map(is_of_learner, nodes)):
        return picture
    told: dict[str, str] = {}
    try:
        for node, step, surely in added_by(loss, nodes, names):
            key = picture.accumulate_key(picture.places.keys.get(id(node.variable), ""))
            if key and step.incoming is not None and (surely or holds(node.variable.grad, step)):
                told[key] = f"+= {terms_of(step)}"
    except Exception:  # NotKnown, or what a strange op raises: rather a drawing without its sums than none
        return picture
    return replace(picture, nodes=tuple(replace(n, value=told.get(n.key, n.value)) for n in picture.nodes))


def terms_of(step: BackwardStep) -> str:
    """The terms as one line, or how many there are if that would be too long."""
    written = plain(sum_of(replace(step, leaf=None), Veil()))
    if len(step.arrived) > 1 and not 0 < len(written) <= ROOM:
        return f"{len(step.arrived)} terms"
    return written or boxed(step.incoming)


def is_of_learner(node: Any) -> bool:
    """Whether running this node would run a Function that the learner wrote."""
    if isinstance(node, Node):
        return node.card is None and not is_leaf_node(node)
    return hasattr(node, "_forward_cls")


def added_by(loss: Any, nodes: list[Any], names: Names) -> list[tuple[Any, BackwardStep, bool]]:
    """The step of each leaf that has a `.grad`, and whether backward surely went through this graph: it is freed."""
    tape = tape_of(loss, names=names)
    failed = tape.backward[-1].error
    twins = {node: node for node in nodes}
    if failed is not None:
        if "second time" not in failed.text:
            raise NotKnown
        with apart():
            again, twins = computed_again(loss, nodes)
            tape = tape_of(again)
    steps = [(twins.get(tape.nodes[step.node]), step) for step in tape.backward if step.leaf is not None]
    return [
        (node, step, failed is not None)
        for node, step in steps
        if node is not None and is_leaf_node(node) and node.variable.grad is not None
    ]


def holds(grad: Any, step: BackwardStep) -> bool:
    """Whether a `.grad` is what this walk brings and nothing else."""
    array, arrived = array_of(grad), step.incoming.values if step.incoming else None
    return arrived is not None and array is not None and bool(np.allclose(array, arrived, CLOSE, CLOSE, equal_nan=True))


def computed_again(loss: Any, nodes: list[Any]) -> tuple[Tensor, dict[Any, Any]]:
    """The same result in a new graph of ours, and the old leaf of each new one, by node.

    Raises NotKnown if an op was not recorded, or a result differs from what was recorded.
    """
    made: dict[Any, Any] = {}  # by old node: what the op returned, or the leaf
    for node in nodes:
        if is_leaf_node(node):
            continue
        note = note_at(node)
        card, _, told = as_our_card(note, node) if note is not None else (None, "", {})
        if note is None or not hasattr(card, "function"):
            raise NotKnown
        edges = dict(zip(input_names(card, told, node.next_functions), node.next_functions, strict=False))
        arguments = [
            [argument(member, edges.get(f"{name}[{i}]"), made) for i, member in enumerate(given)]
            if isinstance(given, list)
            else argument(given, edges.get(name), made)
            for name, given in told.items()
        ]
        try:
            made[node] = card.function(*arguments)
        except (RuntimeError, TypeError, ValueError, IndexError):
            raise NotKnown from None
        first = made[node][0] if isinstance(made[node], tuple) else made[node]
        if note.result.array is None or not np.allclose(first._data, note.result.array, CLOSE, CLOSE, equal_nan=True):
            raise NotKnown
    result = made.get(loss.grad_fn)
    twins = {new._node(): node for node, new in made.items() if is_leaf_node(node)}
    return (result[loss.output_nr] if isinstance(result, tuple) else result), twins


def argument(given: Any, edge: Any, made: dict[Any, Any]) -> Any:
    """One argument for the new graph: a result, a leaf with the value it had, or a constant."""
    if not isinstance(given, Kept):
        plain_value = given.value if isinstance(given, Given) else given
        if isinstance(plain_value, Generator):  # it would give other numbers, and the learner the next ones
            raise NotKnown
        return plain_value
    source, output = edge or (None, 0)
    if source is not None and not is_leaf_node(source):
        return made[source][output] if isinstance(made[source], tuple) else made[source]
    if given.array is None:
        raise NotKnown
    value = bare(np.array(given.array)[()])
    return value if source is None else made.setdefault(source, value.requires_grad_())
