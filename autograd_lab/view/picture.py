"""From a graph to a picture: what `draw_graph` and `step_through` know about a result's history.

Reads the public protocol only (`grad_fn`, `next_functions`, `name()`, `variable`, `_saved_*`), so one
function reads our graphs and PyTorch's. What the protocol does not hold (constants, most values in
between) comes from the recorder (`recording.noted`), then from the caller's variables, then from saved
values; what is in none of these is said to be not recorded. Loops, no recursion. Read `parts.py` first
for the words, then `walk.py`; next: `facts.py`, `folding.py`, `around.py`, `boxes.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import count
from math import prod
from typing import Any

from autograd_lab.view import around
from autograd_lab.view.facts import Constant, Facts, Op, card_of, read_op, tensor_facts
from autograd_lab.view.folding import Fold, in_order_of_running, planned
from autograd_lab.view.modules import Calls
from autograd_lab.view.names import Names
from autograd_lab.view.parts import Picture, PictureEdge, PictureNode, Places
from autograd_lab.view.rules import rule_of, sum_of_broadcasting
from autograd_lab.view.saved import has_hook, version_of
from autograd_lab.view.texts import NOT_RECORDED, clean, room_for, shape_text, symbol_of
from autograd_lab.view.walk import is_leaf_end, visit, with_leaves
from autograd_lab.view.wanted import Wanted

LABELLED = 15  # with more operations than this, edges carry no texts
LABELLED_SIZE = 4  # nor numbers beside tensors with more elements than this
COMPACT = 40  # with more operations than this, results without a name are shown inside their op
EDGE_ROOM = 16  # characters beside an edge
MANY_USES = 6  # a tensor with more uses than this gets a small reference at each further use, if compact
FOLDED_LEAVES = 12  # leaves that are drawn although only folded operations use them


def read_graph(
    outputs: Any,
    names: Names | None = None,
    max_nodes: int = 300,
    options: Wanted | None = None,
    calls: Calls | None = None,
) -> Picture:
    """The picture of everything `outputs` (a tensor or several) were made from.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> [node.kind for node in read_graph(x * 3).nodes]
    ['leaf', 'accumulate', 'number', 'op', 'result']
    """
    roots = tuple(outputs) if isinstance(outputs, tuple | list) else (outputs,)
    return Reader(roots, names or Names(), options or Wanted(max_nodes=max_nodes), calls or Calls()).picture()


class Reader:
    """The state of one reading: what is known of each node, and the boxes and edges made so far."""

    def __init__(self, roots: tuple[Any, ...], names: Names, options: Wanted, calls: Calls) -> None:
        self.roots, self.names, self.options = roots, names, options
        for root in roots:
            names.add("", root)
        self.order = visit(roots)
        operations = [node for node in self.order if not is_leaf_end(node)]
        self.count = len(operations)
        self.calls = calls.by_node(operations) if options.modules else {}
        self.folds: tuple[Fold, ...] = ()
        self.folded: dict[int, Fold] = {}
        if self.count > options.max_nodes or self.calls or options.roll is True:
            operations = in_order_of_running(operations)
            self.folds, self.remarks_on_folds = planned(operations, self.calls, options)
            self.folded = {id(operations[i]): fold for fold in self.folds for i in range(fold.start, fold.end)}
        if self.folds:
            self.order = with_leaves(operations)
        drawn = [node for node in operations if id(node) not in self.folded]
        self.compact = len(drawn) + len(self.folds) > COMPACT
        self.ops: dict[int, Op] = {
            id(node): read_op(node, options.show_saved, slopes=self.count <= LABELLED) for node in drawn
        }
        self.saved: dict[tuple[int, int], Any] = {}
        for op in self.ops.values():
            self.saved.update(op.saved_results)
        self.uses: Counter[int] = Counter()  # of a node's results, of a leaf (its AccumulateGrad), of a constant
        for op in self.ops.values():
            self.uses.update(id(source) for source, _ in op.inputs if source is not None)
            self.uses.update(c.tensor_id for c in op.constants.values() if c.tensor_id is not None)
        self.outputs: dict[int, set[int]] = {id(node): {0} for node in drawn}  # which results somebody uses
        used = [*(pair for op in self.ops.values() for pair in op.inputs), *((r.grad_fn, r.output_nr) for r in roots)]
        for node, output in used:
            if id(node) in self.outputs:
                self.outputs[id(node)].add(output)
        self.root_places = {(id(root.grad_fn), root.output_nr) for root in roots if root.grad_fn is not None}
        self.nodes: list[PictureNode] = []
        self.edges: list[PictureEdge] = []
        self.places = Places()
        self.missing: Counter[str] = Counter()
        self.drawn: Counter[str] = Counter()  # uses of a box that already have an edge
        self.fold_keys: dict[Fold, str] = {}
        self.fold_inputs: dict[str, set[str]] = {}
        self.numbers = count(1)
        self.taken = set(names.by_id.values())
        self.frames = around.Frames(self.calls)

    def picture(self) -> Picture:
        wanted_leaves = self.wanted_leaves()
        for node in self.order:
            if is_leaf_end(node):
                if id(node) in wanted_leaves:
                    self.add_leaf(node.variable, node)
            elif id(node) in self.folded:
                self.add_folded(node, self.folded[id(node)])
            else:
                self.add_op(node, self.ops[id(node)])
        for root in self.roots:
            if root.grad_fn is None and id(root) not in self.places.keys:
                self.add_leaf(root)
        around.add_cuts(self)
        around.add_views(self)
        roots = tuple(
            dict.fromkeys(
                self.places.keys[id(r)] if r.grad_fn is None else self.key_at(r.grad_fn, r.output_nr)
                for r in self.roots
            )
        )
        nodes, clusters = self.frames.put_around(self.nodes, self.edges)
        nodes, edges = around.seen_from(nodes, self.edges, self.options.view)
        return Picture(
            tuple(nodes),
            tuple(edges),
            roots,
            tuple(self.remarks()),
            tuple(clusters),
            self.options.view,
            self.options.rankdir,
            self.options.show,
            places=self.places,
        )

    def wanted_leaves(self) -> set[int]:
        """Which AccumulateGrad nodes are drawn: those of drawn operations, and a few of the folded ones."""
        direct = {id(s) for op in self.ops.values() for s, _ in op.inputs if s is not None}
        others = [node for node in self.order if is_leaf_end(node) and id(node) not in direct]
        parts = {fold for fold in self.folds if fold.kind != "module"}
        inside = {id(s) for n in self.order if (f := self.folded.get(id(n))) and f not in parts
                  for s, _ in n.next_functions if s is not None}  # fmt: skip
        others = [node for node in others if id(node) not in inside] if parts or self.folds else others
        self.hidden_leaves = max(0, len(others) - FOLDED_LEAVES)
        return direct | {id(node) for node in others[:FOLDED_LEAVES]}

    def remarks(self) -> Iterable[str]:
        if self.folds:
            yield from self.remarks_on_folds
        if self.hidden_leaves:
            yield f"{self.hidden_leaves:,} more leaves feed only folded operations."
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
            tags=tuple(tags_of(leaf)),
            **facts.as_fields(),
        )
        self.places.put(leaf, key)
        if end is not None:
            self.places.put(end, self.new("accumulate", name="+=", title="AccumulateGrad", of=key))

    def add_folded(self, node: Any, fold: Fold) -> None:
        key = self.fold_keys.get(fold)
        if key is None:
            key = self.new("fold", name=clean(fold.title, 60), title=clean(fold.about, 80), why=fold.how)
            self.fold_keys[fold] = key
            self.fold_inputs[key] = set()
            call = self.calls.get(id(node))
            if call is not None:
                self.frames.stands_in(key, around.frame_of_fold(call, fold))
        self.places.put(node, key)
        known = self.fold_inputs[key]
        for source, output in node.next_functions:
            if source is None or self.folded.get(id(source)) is fold:
                continue
            source_key = self.source_key(source, output)
            if source_key and source_key not in known:
                known.add(source_key)
                if is_leaf_end(source):
                    source_key = self.far_use(source_key, 0 if len(self.folds) < MANY_USES else MANY_USES + 1)
                self.edges.append(PictureEdge(source_key, key, len(known) - 1, backward=True))

    def add_op(self, node: Any, op: Op) -> None:
        """The chips of the op's constants, the op, the edges into it, and the box of each of its results."""
        into: list[tuple[int, str, str, str | None, bool]] = []  # number, source, argument, local, backward
        first_new = len(self.nodes)
        for number, (source, output) in enumerate(op.inputs):
            argument = op.arguments[number] if number < len(op.arguments) else ""
            if source is not None:
                key = self.far_use(self.source_key(source, output), self.uses[id(source)])
                into.append((number, key, argument, op.slopes.get(number), True))
            elif constant := op.constants.get(number):
                into.append((number, self.add_constant(constant, node), argument, None, False))
        for number, constant in enumerate(op.extra, len(op.inputs)):
            into.append((number, self.add_constant(constant, node), constant.argument, None, False))
        boxes = {output: self.result_facts(node, op, output) for output in sorted(self.outputs[id(node)])}
        inside = boxes[0][1] if self.compact and len(boxes) == 1 else Facts()
        title = node.name()
        sums = self.sums(node, into, boxes[0][1])
        broadcast = next((f"broadcast {shape_text(self.shape_at(into[i][1]))} → {shape_text(boxes[0][1].shape)}"
                          for i in sums), None)  # fmt: skip
        key = self.new(
            "op",
            name=clean(symbol_of(title), 40),
            title=clean(title, 60),
            tags=(*op.tags, *([broadcast] if broadcast and not self.compact else [])),
            shape=None if boxes[0][0] else inside.shape,
            dtype=None if boxes[0][0] else inside.dtype,
            value=None if boxes[0][0] else inside.value,
            symbol="" if boxes[0][0] else boxes[0][2]["symbol"],
        )
        self.places.put(node, key)
        rules = self.rules(node, into, boxes[0][2]["name"] or boxes[0][2]["symbol"])
        for at, (number, source_key, argument, slope, backward) in enumerate(into):
            labelled = backward and self.has_text(source_key)
            local = slope if self.options.show_local_grads else None
            self.edges.append(
                PictureEdge(
                    source_key,
                    key,
                    number,
                    argument,
                    local,
                    backward,
                    labelled=labelled,
                    room=self.room_of(source_key),
                    rule="" if labelled and local else rules.get(at, ""),
                    summed=sums.get(at, "") if backward and self.count <= LABELLED else "",
                )
            )
        for output, (has_box, facts, fields) in boxes.items():
            if has_box:
                result = self.new("result", of=key, **facts.as_fields(), **fields)
                self.places.put(node, result, output)
                self.edges.append(PictureEdge(key, result, output, backward=True))
        if op.saved:
            around.add_saved(self, key, op, {argument: source for _, source, argument, _, _ in into})
        for made in self.nodes[first_new:]:
            if made.kind not in ("leaf", "param", "accumulate", "frozen"):
                self.frames.stands_in(made.key, self.calls.get(id(node)), op.in_backward)

    def sums(self, node: Any, into: list[Any], result: Facts) -> dict[int, str]:
        """Which inputs were broadcast, and how their gradients are summed, by place in `into`."""
        card = card_of(node)
        if card is None or not card.broadcasts or result.shape is None:
            return {}
        found = {}
        for at, (_, key, _, _, backward) in enumerate(into):
            if backward and (text := sum_of_broadcasting(self.shape_at(key), result.shape)):
                found[at] = text
        return found

    def rules(self, node: Any, into: list[Any], result: str) -> dict[int, str]:
        """What goes back to each input as a formula, by place in `into`."""
        if not self.options.show_local_grads or self.count > LABELLED:
            return {}
        called = {argument: self.called(key) for _, key, argument, _, _ in into}
        called["result"] = result
        card = card_of(node)
        return {
            at: rule
            for at, (_, _, argument, _, backward) in enumerate(into)
            if backward and (rule := rule_of(card, argument, called))
        }

    def called(self, key: str) -> str:
        """How a formula calls the tensor of a box."""
        box = self.nodes[int(key[1:])]
        name = (box.value or "") if box.kind == "number" else "" if box.kind in ("op", "fold") else box.name
        return name or box.symbol

    def shape_at(self, key: str) -> tuple[int, ...] | None:
        return self.nodes[int(key[1:])].shape

    def result_facts(self, node: Any, op: Op, output: int) -> tuple[bool, Facts, dict[str, Any]]:
        """Whether the result gets a box of its own, and what is known of it."""
        tensor = self.names.result(node, output)
        facts = op.result if output == 0 and op.result.known else Facts()
        for source in (tensor, self.saved.get((id(node), output))):
            if source is not None and facts.value is None:
                facts = tensor_facts(source)
        name = "" if tensor is None else self.names.of(tensor)
        is_root = (id(node), output) in self.root_places
        has_box = is_root or bool(name) or (facts.value is not None and not self.compact)
        if facts.value is None:
            self.missing["result"] += 1
        grad, tags = "not kept", []
        if tensor is not None:
            if tensor.retains_grad:
                tags.append("retain_grad")
                kept = tensor.grad
                grad = "None" if kept is None else tensor_facts(kept).value or NOT_RECORDED
            tags += tags_of(tensor)
        symbol = "" if name else self.next_symbol()
        if op.in_place and name:
            tags.append("in-place")
        return has_box, facts, {"name": clean(name), "symbol": symbol, "grad": grad, "tags": tuple(tags)}

    def next_symbol(self) -> str:
        """t1, t2, ... for results without a name, leaving out what the caller uses as a name."""
        return next(s for n in self.numbers if (s := f"t{n}") not in self.taken)

    def add_constant(self, constant: Constant, node: Any) -> str:
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
            around.note_frozen(self, key, constant, node)
        return self.far_use(key, self.uses[constant.tensor_id])

    # Keys

    def source_key(self, source: Any, output: int) -> str:
        if is_leaf_end(source):
            return self.places.keys.get(id(source.variable), "")
        return self.key_at(source, output)

    def key_at(self, node: Any, output: int) -> str:
        return self.places.keys.get((id(node), output)) or self.places.keys[id(node)]

    def far_use(self, key: str, uses: int) -> str:
        """The key itself, or in a big graph a small reference: one tensor must not pull every edge to it."""
        box = self.nodes[int(key[1:])]
        self.drawn[key] += 1
        if not self.compact or uses <= MANY_USES or self.drawn[key] == 1:
            return key
        return self.new("ref", name=box.name or box.symbol or box.kind, shape=box.shape, of=key)

    def has_text(self, key: str) -> bool:
        """Whether the edges from this box carry numbers: only in small graphs, only beside small tensors."""
        size = prod(self.nodes[int(key[1:])].shape or ())
        return self.count <= LABELLED and size <= LABELLED_SIZE

    def room_of(self, key: str) -> int:
        """Characters to keep beside an edge for the gradient of what it brings."""
        return min(EDGE_ROOM, room_for(self.nodes[int(key[1:])].shape))


def tags_of(tensor: Any) -> Iterable[str]:
    """What a tensor at hand says of itself: a hook, a view, how often it was changed in place."""
    if tensor.grad_fn is not None and (version := version_of(tensor)):
        yield f"v{version}"
    if tensor.grad_fn is not None and getattr(tensor, "_base", None) is not None:
        yield "view"
    if has_hook(tensor):
        yield "hook"
