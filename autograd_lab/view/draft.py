"""A picture while it is made: the boxes and edges so far, and which tensor or node each box stands for.

Plain lists with the few questions that are asked of them again and again. `picture.py` fills a draft from a
`Reading`; `op_boxes.py`, `tensor_boxes.py`, `fold_boxes.py` and `around.py` add to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from autograd_lab.view.frames_of_calls import Frames
from autograd_lab.view.parts import PictureEdge, PictureNode, Places, SavedLink, filled
from autograd_lab.view.walk import is_leaf_end

MANY_USES = 6  # a tensor with more uses than this gets a small reference at each further use, if compact


@dataclass(eq=False)
class Draft:
    """The boxes, edges and links made so far. The key of a box tells its place in `nodes`: n0, n1, ..."""

    taken: set[str]  # names of the caller, which no result without a name may get
    compact: bool
    frames: Frames
    nodes: list[PictureNode] = field(default_factory=list)
    edges: list[PictureEdge] = field(default_factory=list)
    links: list[SavedLink] = field(default_factory=list)
    places: Places = field(default_factory=Places)
    missing: Counter[str] = field(default_factory=Counter)  # what nobody recorded, counted
    drawn: dict[str, int] = field(default_factory=dict)  # uses of a box that already have an edge
    frozen: list[tuple[str, Any, Any]] = field(default_factory=list)  # key, constant and node of what has no gradient
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def new(self, kind: str, **fields: Any) -> str:
        """The key of a new box."""
        key = fields["key"] = f"n{len(self.nodes)}"
        fields["kind"] = kind
        self.nodes.append(filled(PictureNode, fields))
        return key

    def edge(self, source: str, target: str, number: int, **fields: Any) -> None:
        fields["source"], fields["target"], fields["number"] = source, target, number
        self.edges.append(filled(PictureEdge, fields))

    def box(self, key: str) -> PictureNode:
        return self.nodes[int(key[1:])]

    def next_symbol(self) -> str:
        """t1, t2, ... for results without a name, leaving out what the caller uses as a name."""
        symbol = f"t{next(self.numbers)}"
        while symbol in self.taken:
            symbol = f"t{next(self.numbers)}"
        return symbol

    def source_key(self, source: Any, output: int) -> str:
        """The box of what a node gets from `source`."""
        if is_leaf_end(source):
            return self.places.keys.get(id(source.variable), "")
        return self.key_at(source, output)

    def key_at(self, node: Any, output: int) -> str:
        """The box of what a node made: the result's, else the op's own."""
        keys = self.places.keys
        return keys.get((id(node), output)) or keys[id(node)]

    def far_use(self, key: str, uses: int) -> str:
        """The key itself, or in a big graph a small reference: one tensor must not pull every edge to it."""
        if not self.compact:
            return key
        known = self.drawn[key] = self.drawn.get(key, 0) + 1
        if uses <= MANY_USES or known == 1:
            return key
        box = self.box(key)
        return self.new("ref", name=box.name or box.symbol or box.kind, shape=box.shape, of=key)
