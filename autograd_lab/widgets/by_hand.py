"""Backward by hand: the nodes of a graph fired one by one, with edges left out if one wants, and no trace left.

An edge is one use of a value: from the node that used it back to the node (or leaf) it came from. Leaving edges out
answers "what if this way were cut?" and "what if this node fired before that contribution arrived?". Nodes of
PyTorch are called as they are; ours go through the engine's own `fire`. Read next: `firing_order.py`, `scissors.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from autograd_lab import engine
from autograd_lab._tensor import Tensor
from autograd_lab.view.walk import is_leaf_end, visit
from autograd_lab.widgets.looking import library_of

SEVERAL = "{} gives several results; this widget walks graphs whose nodes give one."
FREED = "An earlier backward freed what the nodes need. Call this before loss.backward(), or compute the loss again."


@dataclass(frozen=True)
class Way:
    """One edge of the graph as a gradient goes: from node `source`, for its input `number`, to node `target`."""

    source: int
    number: int
    target: int


@dataclass
class Walked:
    """What one walk gave: what arrived along each way, and the sum at each node that fired."""

    arrived: dict[Way, Any] = field(default_factory=dict)
    incoming: dict[int, Any] = field(default_factory=dict)


class ByHand:
    """The graph of a result with one element. `nodes` stand in forward order, `ways` in the order they are walked.

    Raises RuntimeError with PyTorch's text for a freed graph, ValueError for what cannot be walked by hand.
    """

    def __init__(self, loss: Any) -> None:
        if loss.grad_fn is None or loss.numel() != 1:
            raise ValueError("This widget needs a tracked result with one element, such as a loss.")
        self.loss = loss
        self.nodes = visit([loss])
        place = {id(node): i for i, node in enumerate(self.nodes)}
        self.root = place[id(loss.grad_fn)]
        ways = []
        for i, node in enumerate(self.nodes):
            for number, (target, output) in enumerate(node.next_functions):
                if output:
                    raise ValueError(SEVERAL.format(target.name()))
                if target is not None:
                    ways.append(Way(i, number, place[id(target)]))
        self.into: dict[int, list[Way]] = {i: [] for i in range(len(self.nodes))}  # ways that end at a node
        for way in ways:
            self.into[way.target].append(way)
        self.order = self._order()
        first = {i: at for at, i in enumerate(self.order)}
        self.ways = sorted(ways, key=lambda way: (first[way.source], way.number))
        for found in self.into.values():
            found.sort(key=lambda way: (first[way.source], way.number))

    def _order(self) -> list[int]:
        """PyTorch's order: of the nodes whose contributions are complete, the one recorded last; leaves at once."""
        waiting = {i: len(ways) for i, ways in self.into.items()}
        ready, order = [self.root], []
        while ready:
            ready.sort(key=lambda i: self.nodes[i]._sequence_nr() if not self.is_leaf(i) else 2**64)
            at = ready.pop()
            order.append(at)
            for target, _ in self.nodes[at].next_functions:
                if target is None:
                    continue
                i = next(i for i, node in enumerate(self.nodes) if node is target)
                waiting[i] -= 1
                if not waiting[i]:
                    ready.append(i)
        return order

    def is_leaf(self, i: int) -> bool:
        return is_leaf_end(self.nodes[i])

    @property
    def leaves(self) -> list[int]:
        """The nodes that end a way, in forward order."""
        return [i for i in range(len(self.nodes)) if self.is_leaf(i)]

    def walk(self, without: Collection[Way] = ()) -> Walked:
        """Fire every node in order, as if the ways in `without` were not there."""
        walked = Walked()
        walked.incoming[self.root] = library_of(self.loss).ones_like(self.loss.detach())
        for i in self.order:
            grad = walked.incoming.get(i)
            if grad is None or self.is_leaf(i):
                continue
            try:
                sent = fire(self.nodes[i], grad)
            except RuntimeError as error:
                if "second time" in str(error):
                    error.add_note(FREED)
                raise
            for way in self.ways:
                if way.source != i or way in without or sent[way.number] is None:
                    continue
                value = sent[way.number]
                walked.arrived[way] = value
                before = walked.incoming.get(way.target)
                walked.incoming[way.target] = value if before is None else before + value
        return walked


def fire(node: Any, grad: Any) -> tuple[Any, ...]:
    """What a node sends to its inputs for this gradient of its result; nothing is freed."""
    if isinstance(grad, Tensor):
        return engine.fire(node, grad, False, True, True)
    call: Callable[..., Any] = node if callable(node) else node.apply  # a Function written in Python
    with library_of(grad).no_grad():
        sent = call(grad)
        several = sent if isinstance(sent, tuple) else (sent,)
        pairs = zip(several, node.next_functions, strict=True)
        return tuple(fitted(g, target) for g, (target, _) in pairs)


def fitted(grad: Any, target: Any) -> Any:
    """PyTorch's engine undoes broadcasting on the way; here it is undone by hand."""
    if grad is None or target is None:
        return grad
    shape = target.variable.shape if is_leaf_end(target) else target._input_metadata[0].shape
    return grad if grad.shape == shape else grad.sum_to_size(shape)
