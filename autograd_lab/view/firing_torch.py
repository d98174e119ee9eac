"""PyTorch's nodes as they fire, in the order of PyTorch's engine: each node is called as the engine calls it.

A node of PyTorch is a function of its gradients, and calling it is all that is done here: so no hook of the user runs,
nothing is freed, and neither a leaf's `.grad` nor that of `retain_grad()` is written. The order is the engine's: the
newest node first, among those whose gradient is complete; a leaf as soon as it is. Imported for PyTorch's tensors only.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count
from typing import Any

import numpy as np
import torch

from autograd_lab.view.cards import card_of
from autograd_lab.view.firing import Fired, names_of_inputs
from autograd_lab.view.starting import Start, is_leaf_node, node_of, reachable, useful_nodes
from autograd_lab.view.texts import array_of


def theirs(start: Start, create_graph: bool, makers: list[Any] | None = None) -> Iterator[Fired]:
    """The nodes of a walk over PyTorch's graph. `makers` learns which node is being called."""
    root, goals = node_of(start.root), None if start.inputs is None else {node_of(t) for t in start.inputs}
    nodes = reachable(root)
    awaited = dict.fromkeys(nodes, 0)
    for node in nodes:
        for target, _ in node.next_functions:
            if target is not None:
                awaited[target] += 1
    useful = useful_nodes(start)
    waiting: dict[Any, dict[int, Any]] = {root: {start.root.output_nr: start.grad}}
    arrival = count()
    ready: list[Any] = [(-root._sequence_nr(), next(arrival), root)]
    while ready:
        node = heappop(ready)[2]
        got = waiting.pop(node, None)
        sent: tuple[Any, ...] = ()
        if got and node in useful:
            grads = tuple(got.get(i) for i in range(outputs_of(node)))
            wanted = goals is not None and node in goals
            runs = not is_leaf_node(node) and any(t in useful for t, _ in node.next_functions if t is not None)
            try:
                with torch.set_grad_enabled(create_graph):
                    if makers is not None:
                        makers.append(node)
                    sent = call(node, grads) if runs else ()
            except Exception as error:
                yield Fired(node, grads, wanted=wanted, error=error)
                return
            if runs or wanted or is_leaf_node(node):
                yield Fired(node, grads, sent, locals_of(node, grads) if runs else {}, wanted)
        if makers:
            makers.clear()  # the sums at a fan-out are nobody's formula
        with torch.set_grad_enabled(create_graph):
            for i, (target, output) in enumerate(node.next_functions):
                if target is None:
                    continue
                if i < len(sent) and sent[i] is not None:
                    place = waiting.setdefault(target, {})
                    place[output] = place[output] + sent[i] if output in place else sent[i]
                awaited[target] -= 1
                if not awaited[target]:
                    heappush(ready, (-target._sequence_nr(), next(arrival), target))


def outputs_of(node: Any) -> int:
    """How many results with a gradient the node has."""
    return 1 if is_leaf_node(node) else len(node._input_metadata)


def call(node: Any, grads: tuple[Any, ...]) -> tuple[Any, ...]:
    """What the node sends to its inputs, each in the shape and dtype of its input, as the engine leaves it."""
    found = raw(node, grads)
    sent: list[Any] = []
    for grad, (target, output) in zip(found, node.next_functions, strict=False):
        if grad is None or target is None:
            sent.append(None)
            continue
        about = target.variable if is_leaf_node(target) else target._input_metadata[output]
        shape = tuple(about.shape)
        grad = grad.sum_to_size(shape) if tuple(grad.shape) != shape else grad
        sent.append(grad.to(about.dtype) if grad.dtype != about.dtype else grad)
    return tuple(sent)


def raw(node: Any, grads: tuple[Any, ...]) -> tuple[Any, ...]:
    """What the node's own function returns, one for each entry of `next_functions`."""
    if not hasattr(node, "needs_input_grad"):
        found = node(*grads)
        return found if isinstance(found, tuple) else (found,)
    about = node._input_metadata  # a Function of the user: absent gradients are zeros
    given = [torch.zeros(tuple(m.shape), dtype=m.dtype) if g is None else g for g, m in zip(grads, about, strict=True)]
    found = node.apply(*given)
    found = found if isinstance(found, tuple) else (found,)
    if len(found) != len(node.needs_input_grad):
        raise RuntimeError(
            f"function {type(node).__name__} returned an incorrect number of gradients (expected "
            f"{len(node.needs_input_grad)}, got {len(found)})"
        )
    asked = iter([grad for grad, needed in zip(found, node.needs_input_grad, strict=True) if needed])
    return tuple(None if target is None else next(asked) for target, _ in node.next_functions)


def locals_of(node: Any, grads: tuple[Any, ...]) -> dict[int, Any]:
    """The local derivatives of an op that works element by element: what it sends back for a gradient of ones.

    They have the shape in which they can differ: that of what the op saved for them.
    """
    card = card_of(node)
    if card is None or not card.pointwise or hasattr(node, "needs_input_grad") or len(grads) != 1:
        return {}
    with torch.no_grad():
        found = raw(node, (torch.ones_like(grads[0]),))
    names = names_of_inputs(node, card)
    arrays = {}
    for i, grad in enumerate(found):
        if grad is not None:
            saved = (getattr(node, f"_saved_{name}", None) for name in card.needs.get(names[i], ()))
            shapes = [tuple(value.shape) for value in saved if isinstance(value, torch.Tensor)]
            arrays[i] = narrowed(array_of(grad), np.broadcast_shapes(*shapes)).copy()
    return arrays


def narrowed(array: Any, shape: tuple[int, ...]) -> Any:
    """The array without the dimensions along which it was spread out from `shape`.

    >>> narrowed(np.array([[1, 1], [2, 2]]), (2, 1)).tolist()
    [[1], [2]]
    """
    if not array.size or len(shape) > array.ndim:
        return array
    array = array[(0,) * (array.ndim - len(shape))]
    return array[tuple(slice(0, n) for n in shape)]
