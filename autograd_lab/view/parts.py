"""The words of a picture: a graph as plain, frozen data that can be compared with `==`.

Nothing here knows tensors, DOT or SVG. `picture.py` fills these from a graph; `boxes.py`, `dot.py` and
`svg.py` turn them into a drawing; `table.py` into text.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

Part = TypeVar("Part")
LEAF_KINDS = ("leaf", "param")
SHOWN = ("name", "shape", "value", "grad")


@dataclass(frozen=True)
class PictureNode:
    """One box of the drawing.

    `kind` is "leaf", "param" (a leaf of type Parameter), "accumulate" (AccumulateGrad, beside its leaf),
    "op", "result" (a tensor that an op made), "number" (a constant), "frozen" (a tensor without gradient),
    "fold" (operations that are not drawn one by one) or "ref" (a far use of a tensor drawn elsewhere).
    `name` is a variable's name, or for an op its symbol; `title` the name of the autograd node. A value
    that nobody recorded is None. `symbol` is what formulas call a result that has no name: t1, t2, ...
    """

    key: str
    kind: str
    name: str = ""
    symbol: str = ""
    title: str = ""
    shape: tuple[int, ...] | None = None
    dtype: str | None = None
    value: str | None = None
    grad: str | None = None
    tags: tuple[str, ...] = ()
    of: str = ""  # accumulate, result, saved and ref: the key of the leaf, op or tensor they belong to
    cluster: str = ""  # the key of the frame it stands in
    change: str = ""  # in a comparison: "added", "removed" or "changed"
    heat: float | None = None  # the norm of the gradient, if the drawing shows heat
    failed: bool = False  # an error was raised here
    why: str = ""  # a sentence for whoever asks about this box


@dataclass(frozen=True)
class PictureEdge:
    """One use of a value: from the box that has it to the op that takes it (or from an op to its result).

    `number` is the input number (the output number from an op to its result), `argument` its name in the
    op's signature, `local` the local derivative as text if it is known, `backward` whether a gradient
    flows back along it. `labelled` edges keep space for the gradient that flows. `kind` is "use", "cut" (a
    use that gradients do not pass) or "view" (a tensor that shares the memory of another).
    """

    source: str
    target: str
    number: int
    argument: str = ""
    local: str | None = None
    backward: bool = False
    labelled: bool = False
    ordered: bool = False  # the tensors of its op may not change places, so the argument stands beside it
    kind: str = "use"
    rule: str = ""  # what the op sends back, as a formula, where no number says it
    summed: str = ""  # how broadcasting is undone on the way back
    change: str = ""
    heat: float | None = None

    @property
    def forward_id(self) -> str:
        return f"e{self.source[1:]}-{self.target[1:]}-{self.number}"

    @property
    def backward_id(self) -> str:
        return f"e{self.target[1:]}-{self.source[1:]}-{self.number}"


def filled(part: type[Part], fields: dict[str, Any]) -> Part:
    """`part(**fields)`, for the thousands of boxes and edges of a large graph: a quarter of the time.

    What is not among the fields has its default, which a dataclass keeps as an attribute of the class.

    >>> filled(PictureNode, {"key": "n0", "kind": "op"}) == PictureNode("n0", "op")
    True
    """
    made = object.__new__(part)
    object.__setattr__(made, "__dict__", fields)
    return made


@dataclass(frozen=True)
class SavedLink:
    """What an op keeps for backward: a link from the op to the tensor that it saved.

    `text` says the version ("saved v1"), `state` is "freed", "changed" or "", `argument` what formulas call the
    tensor. `number` tells links and edges between the same boxes apart.
    """

    op: str
    tensor: str
    number: int
    argument: str
    text: str
    state: str = ""

    @property
    def id(self) -> str:
        return f"e{self.op[1:]}-{self.tensor[1:]}-{self.number}"

    def ends(self, picture: Picture) -> tuple[str, str]:
        """Its two boxes, in the direction of the forward pass."""
        made_here = picture.by_key[self.tensor].of == self.op
        return (self.op, self.tensor) if made_here else (self.tensor, self.op)


@dataclass(frozen=True)
class Cluster:
    """A frame around boxes: `kind` is "module", "no_grad" or "order" (made while a gradient was computed).

    `key` is "m0", "m1", ...; `path` is the module's attribute path; `parent` the key of the frame around it.
    """

    key: str
    kind: str
    title: str
    parent: str = ""
    path: str = ""


@dataclass(frozen=True)
class Places:
    """Which object each key stands for. Keeps the objects alive, so that their identities stay theirs."""

    keys: dict[Any, str] = field(default_factory=dict)
    kept: list[Any] = field(default_factory=list)

    def put(self, thing: Any, key: str, output: int | None = None) -> None:
        self.kept.append(thing)
        self.keys[id(thing) if output is None else (id(thing), output)] = key


@dataclass(frozen=True)
class Picture:
    """A graph as it will be drawn: boxes in topological order, edges, the keys of the roots, remarks.

    Two pictures are equal if they would be drawn alike, whatever library the graphs came from.
    """

    nodes: tuple[PictureNode, ...]
    edges: tuple[PictureEdge, ...]
    roots: tuple[str, ...]
    notes: tuple[str, ...] = ()
    clusters: tuple[Cluster, ...] = ()
    view: str = "both"
    rankdir: str = "LR"
    show: tuple[str, ...] = SHOWN
    links: tuple[SavedLink, ...] = ()
    places: Places = field(default_factory=Places, compare=False, repr=False)

    @cached_property
    def by_key(self) -> dict[str, PictureNode]:
        return {node.key: node for node in self.nodes}

    @cached_property
    def prefix(self) -> str:
        """What the ids of this drawing begin with: from the content, so equal pictures have equal bytes."""
        told = (self.nodes, self.edges, self.roots, self.notes, self.clusters, self.view, self.rankdir, self.show)
        text = repr((*told, self.links) if self.links else told)
        return "g" + hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]

    def key_of(self, thing: Any) -> str | None:
        """The key of a node of the graph, of a leaf, or of a result; None if it is not drawn.

        A result without a box of its own has the key of its op. Operations that were folded have the key
        of the fold.
        """
        node = getattr(thing, "grad_fn", None) if hasattr(type(thing), "grad_fn") else None
        if node is not None:
            return self.result_key(node, getattr(thing, "output_nr", 0))
        return self.places.keys.get(id(thing))

    def result_key(self, node: Any, output: int = 0) -> str | None:
        """The key of the box that shows what `node` made: the result's box, else the op's own."""
        return self.places.keys.get((id(node), output)) or self.places.keys.get(id(node))

    def accumulate_key(self, leaf_key: str) -> str | None:
        """The key of the AccumulateGrad beside a leaf."""
        return next((n.key for n in self.nodes if n.kind == "accumulate" and n.of == leaf_key), None)

    def edge_into(self, key: str, number: int) -> PictureEdge | None:
        """The edge that brings input `number` to the op with this key."""
        return self._into.get((key, number))

    def edge_out(self, key: str, output: int = 0) -> PictureEdge | None:
        """The edge from the op with this key to the box of its result, if that has one."""
        return self._out.get((key, output))

    @cached_property
    def _into(self) -> dict[tuple[str, int], PictureEdge]:
        return {(e.target, e.number): e for e in self.edges if self.by_key[e.target].kind != "result"}

    @cached_property
    def _out(self) -> dict[tuple[str, int], PictureEdge]:
        return {(e.source, e.number): e for e in self.edges if self.by_key[e.target].kind == "result"}

    def without_places(self) -> Picture:
        """The same picture, without holding on to the graph."""
        return replace(self, places=Places())
