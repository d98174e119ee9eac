"""From a graph to a picture: what `draw_graph` and `step_through` know about a result's history.

Reads the public protocol only (`grad_fn`, `next_functions`, `name()`, `variable`, `_saved_*`), so one
function reads our graphs and PyTorch's. What the protocol does not hold (constants, most values in
between) comes from the recorder (`recording.noted`), then from the caller's variables, then from saved
values; what is in none of these is said to be not recorded. Loops, no recursion. Read `parts.py` first
for the words; next: `facts.py`, `boxes.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import count
from math import prod
from typing import Any

from autograd_lab.view.facts import Constant, Facts, Op, read_op, tensor_facts
from autograd_lab.view.names import Names
from autograd_lab.view.parts import Picture, PictureEdge, PictureNode, Places
from autograd_lab.view.texts import NOT_RECORDED, clean, room_for, symbol_of

LABELLED = 15  # with more operations than this, edges carry no texts
LABELLED_SIZE = 4  # nor beside tensors with more elements than this
COMPACT = 40  # with more operations than this, results without a name are shown inside their op
EDGE_ROOM = 16  # characters beside an edge
FOLD_ENDS = 30  # operations drawn at each end when the middle is folded
MANY_USES = 6  # a tensor with more uses than this gets a small reference at each further use, if compact
FOLDED_LEAVES = 12  # leaves that are drawn although only folded operations use them


def read_graph(outputs: Any, names: Names | None = None, max_nodes: int = 300) -> Picture:
    """The picture of everything `outputs` (a tensor or several) were made from.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> [node.kind for node in read_graph(x * 3).nodes]
    ['leaf', 'accumulate', 'number', 'op', 'result']
    """
    roots = tuple(outputs) if isinstance(outputs, tuple | list) else (outputs,)
    return Reader(roots, names or Names(), max_nodes).picture()


def visit(roots: Iterable[Any]) -> list[Any]:
    """Every node that the roots reach, inputs before what uses them, in the order of the written formula."""
    order: list[Any] = []
    seen: dict[int, Any] = {}
    stack = [(root.grad_fn, False) for root in reversed(list(roots)) if root.grad_fn is not None]
    while stack:
        node, inputs_done = stack.pop()
        if inputs_done:
            order.append(node)
        elif id(node) not in seen:
            seen[id(node)] = node
            stack.append((node, True))
            stack.extend((source, False) for source, _ in reversed(node.next_functions) if source is not None)
    return order


def is_leaf_end(node: Any) -> bool:
    """Whether this node is an AccumulateGrad."""
    return type(node).__name__ == "AccumulateGrad"


class Reader:
    """The state of one reading: what is known of each node, and the boxes and edges made so far."""

    def __init__(self, roots: tuple[Any, ...], names: Names, max_nodes: int) -> None:
        self.roots, self.names = roots, names
        for root in roots:
            names.add("", root)
        self.order = visit(roots)
        operations = [node for node in self.order if not is_leaf_end(node)]
        self.count = len(operations)
        self.folded: dict[int, Any] = {}
        if self.count > max_nodes:
            ends = max(1, min(FOLD_ENDS, max_nodes // 2))
            self.folded = {id(node): node for node in operations[ends:-ends]}
        self.compact = self.count - len(self.folded) > COMPACT
        self.ops: dict[int, Op] = {id(node): read_op(node) for node in operations if id(node) not in self.folded}
        self.saved: dict[tuple[int, int], Any] = {}
        for op in self.ops.values():
            self.saved.update(op.saved_results)
        self.uses: Counter[int] = Counter()  # of a leaf (by its AccumulateGrad) or of a constant tensor
        for op in self.ops.values():
            self.uses.update(id(source) for source, _ in op.inputs if source is not None)
            self.uses.update(c.tensor_id for c in op.constants.values() if c.tensor_id is not None)
        self.used = {(id(s), output) for op in self.ops.values() for s, output in op.inputs if s is not None}
        self.used |= {(id(root.grad_fn), root.output_nr) for root in roots}
        self.nodes: list[PictureNode] = []
        self.edges: list[PictureEdge] = []
        self.places = Places()
        self.missing: Counter[str] = Counter()
        self.drawn: Counter[str] = Counter()  # uses of a leaf that already have an edge
        self.fold_key = ""
        self.numbers = count(1)
        self.taken = set(names.by_id.values())

    def picture(self) -> Picture:
        wanted_leaves = self.wanted_leaves()
        for node in self.order:
            if is_leaf_end(node):
                if id(node) in wanted_leaves:
                    self.add_leaf(node.variable, node)
            elif id(node) in self.folded:
                self.add_folded(node)
            else:
                self.add_op(node, self.ops[id(node)])
        for root in self.roots:
            if root.grad_fn is None and id(root) not in self.places.keys:
                self.add_leaf(root)
        roots = tuple(
            dict.fromkeys(
                self.places.keys[id(r)] if r.grad_fn is None else self.key_at(r.grad_fn, r.output_nr)
                for r in self.roots
            )
        )
        return Picture(tuple(self.nodes), tuple(self.edges), roots, tuple(self.remarks()), self.places)

    def wanted_leaves(self) -> set[int]:
        """Which AccumulateGrad nodes are drawn: those of drawn operations, and a few of the folded ones."""
        direct = {id(s) for op in self.ops.values() for s, _ in op.inputs if s is not None}
        others = [node for node in self.order if is_leaf_end(node) and id(node) not in direct]
        self.hidden_leaves = max(0, len(others) - FOLDED_LEAVES)
        return direct | {id(node) for node in others[:FOLDED_LEAVES]}

    def remarks(self) -> Iterable[str]:
        if self.folded:
            yield (
                f"{len(self.folded):,} of {self.count:,} operations are folded into one box; "
                f"draw_graph(..., max_nodes={self.count}) draws each of them."
            )
        if self.hidden_leaves:
            yield f"{self.hidden_leaves} more leaves feed only folded operations."
        if self.missing:
            counted = [f"{n} {word}{'s' if n > 1 else ''}" for word, n in sorted(self.missing.items(), reverse=True)]
            yield f"{' and '.join(counted)} not recorded."

    # Boxes

    def new(self, kind: str, **what: Any) -> str:
        key = f"n{len(self.nodes)}"
        self.nodes.append(PictureNode(key, kind, **what))
        return key

    def add_leaf(self, leaf: Any, end: Any = None) -> None:
        kind = "param" if type(leaf).__name__ == "Parameter" else "leaf"
        facts = tensor_facts(leaf)
        grad = leaf.grad
        key = self.new(
            kind,
            name=clean(self.names.of(leaf)),
            grad="None" if grad is None else tensor_facts(grad).value or NOT_RECORDED,
            **facts.as_fields(),
        )
        self.places.put(leaf, key)
        if end is not None:
            self.places.put(end, self.new("accumulate", name="+=", title="AccumulateGrad", of=key))

    def add_folded(self, node: Any) -> None:
        if not self.fold_key:
            self.fold_key = self.new("fold", name=f"{len(self.folded):,} operations", title="folded")
        self.places.put(node, self.fold_key)
        known = {e.source for e in self.edges if e.target == self.fold_key}
        for source, _ in node.next_functions:
            if source is None or id(source) in self.folded:
                continue
            key = self.source_key(source, 0)
            if key and key not in known:
                known.add(key)
                self.edges.append(PictureEdge(key, self.fold_key, len(known) - 1, backward=True))

    def add_op(self, node: Any, op: Op) -> None:
        """The chips of the op's constants, the op, the edges into it, and the box of each of its results."""
        into: list[tuple[str, str, str | None, bool]] = []  # source, argument, local derivative, backward
        for number, (source, output) in enumerate(op.inputs):
            argument = op.arguments[number] if number < len(op.arguments) else ""
            if source is not None:
                key = self.source_key(source, output)
                if is_leaf_end(source):
                    key = self.far_use(key, self.uses[id(source)])
                into.append((key, argument, op.slopes.get(number), True))
            elif constant := op.constants.get(number):
                into.append((self.add_constant(constant), argument, None, False))
            else:
                into.append(("", "", None, False))
        for constant in op.extra:
            into.append((self.add_constant(constant), constant.argument, None, False))
        outputs = sorted({0} | {o for n, o in self.used if n == id(node)})
        boxes = {output: self.result_facts(node, op, output) for output in outputs}
        inside = boxes[0][1] if self.compact and len(boxes) == 1 else Facts()
        title = node.name()
        key = self.new(
            "op",
            name=clean(symbol_of(title), 40),
            title=clean(title, 60),
            tags=op.tags,
            shape=None if boxes[0][0] else inside.shape,
            dtype=None if boxes[0][0] else inside.dtype,
            value=None if boxes[0][0] else inside.value,
            symbol="" if boxes[0][0] else boxes[0][2]["symbol"],
        )
        self.places.put(node, key)
        for number, (source_key, argument, slope, backward) in enumerate(into):
            if source_key:
                self.edges.append(
                    PictureEdge(
                        source_key,
                        key,
                        number,
                        argument,
                        slope,
                        backward,
                        labelled=backward and self.has_text(source_key),
                        room=self.room_of(source_key),
                    )
                )
        for output, (has_box, facts, fields) in boxes.items():
            if has_box:
                result = self.new("result", of=key, **facts.as_fields(), **fields)
                self.places.put(node, result, output)
                self.edges.append(PictureEdge(key, result, output, backward=True))

    def result_facts(self, node: Any, op: Op, output: int) -> tuple[bool, Facts, dict[str, Any]]:
        """Whether the result gets a box of its own, and what is known of it."""
        tensor = self.names.result(node, output)
        facts = op.result if output == 0 and op.result.known else Facts()
        for source in (tensor, self.saved.get((id(node), output))):
            if source is not None and facts.value is None:
                facts = tensor_facts(source)
        name = "" if tensor is None else self.names.of(tensor)
        is_root = any(r.grad_fn is node and r.output_nr == output for r in self.roots)
        has_box = is_root or bool(name) or (facts.value is not None and not self.compact)
        if facts.value is None:
            self.missing["result"] += 1
        grad, tags = "not kept", []
        if tensor is not None and tensor.retains_grad:
            tags.append("retain_grad")
            kept = tensor.grad
            grad = "None" if kept is None else tensor_facts(kept).value or NOT_RECORDED
        symbol = "" if name else self.next_symbol()
        if op.in_place and name:
            tags.append("in-place")
        return has_box, facts, {"name": clean(name), "symbol": symbol, "grad": grad, "tags": tuple(tags)}

    def next_symbol(self) -> str:
        """t1, t2, ... for results without a name, leaving out what the caller uses as a name."""
        return next(s for n in self.numbers if (s := f"t{n}") not in self.taken)

    def add_constant(self, constant: Constant) -> str:
        if constant.text is None:
            self.missing["constant"] += 1
        is_number = constant.tensor_id is None or (
            constant.saved and constant.facts.shape == () and not self.names.of_id(constant.tensor_id)
        )
        if is_number:
            return self.new("number", value=constant.text)
        key = self.places.keys.get(constant.tensor_id)
        if key is None:
            name = self.names.of_id(constant.tensor_id)
            key = self.new("frozen", name=clean(name), tags=("no grad",), **constant.facts.as_fields())
            self.places.keys[constant.tensor_id] = key
            self.places.kept.append(constant.tensor)
        return self.far_use(key, self.uses[constant.tensor_id])

    # Keys

    def source_key(self, source: Any, output: int) -> str:
        if is_leaf_end(source):
            return self.places.keys.get(id(source.variable), "")
        return self.key_at(source, output)

    def key_at(self, node: Any, output: int) -> str:
        return self.places.keys.get((id(node), output)) or self.places.keys[id(node)]

    def far_use(self, key: str, uses: int) -> str:
        """The key itself, or in a big graph a small reference: one leaf must not pull every edge to it."""
        box = self.nodes[int(key[1:])]
        self.drawn[key] += 1
        if not self.compact or uses <= MANY_USES or self.drawn[key] == 1:
            return key
        return self.new("ref", name=box.name or box.kind, shape=box.shape, of=key)

    def has_text(self, key: str) -> bool:
        """Whether the edges from this box carry texts: only in small graphs, only beside small tensors."""
        size = prod(self.nodes[int(key[1:])].shape or ())
        return self.count <= LABELLED and size <= LABELLED_SIZE

    def room_of(self, key: str) -> int:
        """Characters to keep beside an edge for the gradient of what it brings."""
        return min(EDGE_ROOM, room_for(self.nodes[int(key[1:])].shape))
