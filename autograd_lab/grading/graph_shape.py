"""The shape of a graph: which ops it has and what each takes, without names and numbers.

Two programs that take the same steps have the same shape, however they are written: `x * 5` and
`torch.mul(5, x)`, `b * b` and `b ** 2`. It is read from the picture that is drawn, so graphs and drawings are
compared alike. Read next: `built.py`, `drawn.py`.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from autograd_lab.view.parts import Picture
from autograd_lab.view.picture import read_graph

from .verdict import Reason

LEAF = -1


@dataclass(frozen=True)
class Shape:
    """The ops in the order in which they ran: each with its node's name, and which ops it takes from.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> shape_of(read_graph((5 * x + 10) ** 2)).ops[:2]
    (('MulBackward0', (-1,)), ('AddBackward0', (0,)))
    >>> b = torch.add(10, torch.mul(x, 5))
    >>> shape_of(read_graph(b * b)) == shape_of(read_graph((5 * x + 10) ** 2))
    True
    """

    ops: tuple[tuple[str, tuple[int, ...]], ...]

    @property
    def nodes(self) -> tuple[str, ...]:
        return tuple(node for node, _ in self.ops)


def shape_of(picture: Picture) -> Shape:
    """The shape of a drawn graph. Numbers and tensors that do not track are no part of it."""
    ops = [box for box in picture.nodes if box.kind in ("op", "fold")]
    positions = {box.key: position for position, box in enumerate(ops)}
    positions |= {box.key: positions.get(box.of, LEAF) for box in picture.nodes if box.kind == "result"}
    sources: dict[str, list[int]] = {box.key: [] for box in ops}
    for edge in picture.edges:
        if edge.backward and edge.target in sources:
            sources[edge.target].append(positions.get(edge.source, LEAF))
    return Shape(tuple(_op(box.title, sources[box.key]) for box in ops))


def shape_of_tensor(result: Any) -> Shape:
    """The shape of everything a tensor was computed from."""
    return shape_of(read_graph(result))


def difference(given: Shape, wanted: Shape, what: str) -> Reason | None:
    """The first thing in which a graph differs from the diagram; None if nothing does. `what` is its name."""
    if given == wanted:
        return None
    missing = list((Counter(wanted.nodes) - Counter(given.nodes)).elements())
    extra = list((Counter(given.nodes) - Counter(wanted.nodes)).elements())
    if not missing and not extra:
        steps = ", then ".join(given.nodes)
        text = (
            f"{what} has the right ops, but in another order or from other inputs: {steps}. Follow the arrows of "
            "your diagram from top to bottom; each step takes the result of the step before."
        )
        return Reason("graph.other-order", text)
    at = next(i for i, node in enumerate((*wanted.nodes, "")) if given.nodes[i : i + 1] != (node,))
    if not missing:
        counts = f"{what} has {len(given.ops)} ops, your diagram has {len(wanted.ops)}"
        text = f"{counts}. Too many: {', '.join(extra)}. Write one line for each arrow and nothing else."
        return Reason("graph.op-extra", text)
    if not extra:
        text = (
            f"{what} has {len(given.ops)} of the {len(wanted.ops)} ops of your diagram. Step {at + 1} is the first "
            "that is missing. Start at the top, and write one line for each arrow."
        )
        return Reason("graph.op-missing", text)
    there = f"{what} differs at step {at + 1} of your diagram: it has {_at(given, at)} there."
    return Reason("graph.other-op", f"{there} Which op stands at that arrow?")


def _op(node: str, sources: list[int]) -> tuple[str, tuple[int, ...]]:
    """One op; a product of a tensor with itself is its square."""
    if node.startswith("Mul") and len(sources) == 2 and sources[0] == sources[1]:
        return "PowBackward0", (sources[0],)
    return node, tuple(sources)


def _at(shape: Shape, position: int) -> str:
    return shape.nodes[position] if position < len(shape.ops) else "no op"
