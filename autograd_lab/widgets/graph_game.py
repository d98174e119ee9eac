"""A graph walked by hand, its drawing, and how its nodes and edges are called: what the ledger and the games share.

Read `by_hand.py` first; then `firing_order.py` and `scissors.py`.
"""

from __future__ import annotations

from typing import Any

from autograd_lab.view.names import Names
from autograd_lab.widgets import looking
from autograd_lab.widgets.by_hand import ByHand, Way
from autograd_lab.widgets.sheet import drawn

MOST_NODES = 40  # operations; larger graphs are no game


class Board:
    """A loss with its graph walked once, its drawing, and the words for its parts."""

    def __init__(self, loss: Any, names: Names, widget: str, slopes: bool = True) -> None:
        self.hand = ByHand(loss)
        count = len(self.hand.nodes) - len(self.hand.leaves)
        if count > MOST_NODES:
            raise ValueError(f"{widget} is for graphs of up to {MOST_NODES} operations; this one has {count}.")
        self.names, self.loss = names, loss
        self.root = names.of(loss) or "loss"
        self.full = self.hand.walk()
        self.drawing, self.picture = drawn([loss], names, show=("name", "value"), show_local_grads=slopes)

    def key(self, i: int) -> str:
        """The box of a node: an op's ellipse, a leaf's AccumulateGrad."""
        return str(self.picture.places.keys.get(id(self.hand.nodes[i]), ""))

    def edges(self, way: Way) -> list[str]:
        """The two lines of a use in the drawing: forward and backward."""
        edge = self.picture.edge_into(self.key(way.source), way.number)
        return [] if edge is None else [edge.forward_id, edge.backward_id]

    def leaf_name(self, i: int) -> str:
        return self.names.of(self.hand.nodes[i].variable) or f"leaf {self.hand.leaves.index(i) + 1}"

    def name(self, i: int) -> str:
        """A node as one can tell it from the others: `MulBackward0 (x × x)`, `AccumulateGrad of x`."""
        node = looking.short_name(self.hand.nodes[i])
        if self.hand.is_leaf(i):
            return f"{node} of {self.leaf_name(i)}"
        return f"{node} ({self.written(i)})"

    def written(self, i: int) -> str:
        """An op with its inputs, as the drawing names them: `x × x`."""
        key = self.key(i)
        box = self.picture.by_key[key]
        into = sorted((e for e in self.picture.edges if e.target == key), key=lambda edge: edge.number)
        inputs = [self.box_name(edge.source) for edge in into]
        if len(inputs) == 2 and not box.name[:1].isalpha():
            return f"{inputs[0]} {box.name} {inputs[1]}"
        if len(inputs) == 1 and not box.name[:1].isalpha():
            return f"{box.name}{inputs[0]}"
        return f"{box.name} of {', '.join(inputs)}"

    def box_name(self, key: str) -> str:
        box = self.picture.by_key[key]
        if box.kind == "number":
            return box.value or "…"
        if box.kind == "op":
            return f"({box.name})"
        return box.name or box.symbol or "…"

    def value(self, way: Way) -> str:
        """What this use hands to the op, by name."""
        edge = self.picture.edge_into(self.key(way.source), way.number)
        return "its input" if edge is None else self.box_name(edge.source)

    def grads(self, without: Any = ()) -> dict[int, str]:
        """What each leaf would get in `.grad`: a text for each leaf, "None" where nothing arrives."""
        walked = self.hand.walk(without) if without else self.full
        return {i: looking.typed(walked.incoming[i]) if i in walked.incoming else "None" for i in self.hand.leaves}
