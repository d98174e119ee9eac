"""What a drawing needs to know of a graph, read before any box is made.

Which nodes there are and in which order, which of them are folded, and all about those that are drawn one by
one. Loops, no recursion. Read next: `picture.py`, which makes boxes of it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from autograd_lab.view.folding import Fold, in_order_of_running, planned
from autograd_lab.view.modules import Call
from autograd_lab.view.names import Names
from autograd_lab.view.notes import noted_calls
from autograd_lab.view.one_op import Op, read_op
from autograd_lab.view.walk import is_leaf_end, visited, with_leaves
from autograd_lab.view.wanted import Wanted

LABELLED = 15  # with more operations than this, edges carry no texts
COMPACT = 40  # with more operations than this, results without a name are shown inside their op


@dataclass(eq=False)
class Reading:
    """All that is known of a graph. Nodes are known by their identity; `order` keeps them alive."""

    roots: tuple[Any, ...]
    names: Names
    options: Wanted
    order: list[Any]  # inputs before what uses them
    count: int  # operations, drawn or not
    calls: dict[int, Call] = field(default_factory=dict)  # the module call that each node was made in
    folds: tuple[Fold, ...] = ()
    remarks_on_folds: tuple[str, ...] = ()
    folded: dict[int, Fold] = field(default_factory=dict)  # the fold that each node is in
    ops: dict[int, Op] = field(default_factory=dict)  # what is known of each node that is drawn
    compact: bool = False
    uses: Counter[int] = field(default_factory=Counter)  # of a node's results, of a leaf, of a constant
    outputs: dict[int, set[int]] = field(default_factory=dict)  # of nodes with several results: which somebody uses
    saved: dict[tuple[int, int], Any] = field(default_factory=dict)  # (node, output): its result, where one was saved
    root_places: set[tuple[int, int]] = field(default_factory=set)

    @property
    def labelled(self) -> bool:
        """Whether edges carry texts."""
        return self.count <= LABELLED


def read(roots: tuple[Any, ...], names: Names, options: Wanted) -> Reading:
    """Read the graph of these roots.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> reading = read((x * x,), Names(), Wanted())
    >>> reading.count, [op.arguments for op in reading.ops.values()]
    (1, [('self', 'other')])
    """
    for root in roots:
        names.add("", root)
    found = visited(roots)
    operations = [node for node, _ in found.values() if not is_leaf_end(node)]
    reading = Reading(roots, names, options, [node for node, _ in found.values()], len(operations))
    if options.modules:
        reading.calls = noted_calls(operations)
    if reading.count > options.max_nodes or reading.calls or options.roll is True:
        operations = in_order_of_running(operations)
        reading.folds, reading.remarks_on_folds = planned(operations, reading.calls, options)
        reading.folded = {id(operations[i]): fold for fold in reading.folds for i in range(fold.start, fold.end)}
    if reading.folds:
        reading.order = with_leaves(operations)
    drawn = [node for node in operations if id(node) not in reading.folded] if reading.folds else operations
    reading.compact = len(drawn) + len(reading.folds) > COMPACT
    for node in drawn:
        reading.ops[id(node)] = read_op(node, found[id(node)][1], options.show_saved, reading.labelled)
    reading.root_places = {(id(root.grad_fn), root.output_nr) for root in roots if root.grad_fn is not None}
    count_uses(reading)
    return reading


def count_uses(reading: Reading) -> None:
    """How often each thing is used, and which results of each node."""
    uses: list[int] = []
    outputs = reading.outputs
    for op in reading.ops.values():
        if op.saved_results:
            reading.saved.update(op.saved_results)
        for source, output in op.inputs:
            if source is not None:
                uses.append(id(source))
                if output:
                    outputs.setdefault(id(source), {0}).add(output)
        if op.constants:
            uses += [c.tensor_id for c in op.constants.values() if c.tensor_id is not None]
    for node, output in reading.root_places:
        if output:
            outputs.setdefault(node, {0}).add(output)
    reading.uses = Counter(uses)
