"""From a graph to a picture: what `draw_graph` and `step_through` know about a result's history.

Reads the public protocol only (`grad_fn`, `next_functions`, `name()`, `variable`, `_saved_*`), so one
function reads our graphs and PyTorch's. What the protocol does not hold (constants, most values in
between) comes from the recorder (`recording.noted`), then from the caller's variables, then from saved
values; what is in none of these is said to be not recorded. First everything is read (`reading.py`), then
boxes are made one after the other. Read `parts.py` first for the words; next: `op_boxes.py`, `tensor_boxes.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograd_lab.collecting import no_collection
from autograd_lab.view.around import add_cuts, add_views, seen_from
from autograd_lab.view.draft import Draft
from autograd_lab.view.fold_boxes import add_folded, leaves_to_draw
from autograd_lab.view.frames_of_calls import Frames
from autograd_lab.view.names import Names
from autograd_lab.view.op_boxes import add_op
from autograd_lab.view.parts import Picture
from autograd_lab.view.reading import Reading, read
from autograd_lab.view.tensor_boxes import add_leaf
from autograd_lab.view.walk import is_leaf_end
from autograd_lab.view.wanted import Wanted


@no_collection()
def read_graph(
    outputs: Any,
    names: Names | None = None,
    max_nodes: int = 300,
    options: Wanted | None = None,
) -> Picture:
    """The picture of everything `outputs` (a tensor or several) were made from.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> [node.kind for node in read_graph(x * 3).nodes]
    ['leaf', 'accumulate', 'number', 'op', 'result']
    """
    roots = tuple(outputs) if isinstance(outputs, tuple | list) else (outputs,)
    return picture_of(read(roots, names or Names(), options or Wanted(max_nodes=max_nodes)))


def picture_of(reading: Reading) -> Picture:
    """The picture of a graph that was read: a box for each thing in order, then what stands around them."""
    draft = Draft(set(reading.names.by_id.values()), reading.compact, Frames(reading.calls))
    leaves, hidden = leaves_to_draw(reading)
    folds: dict[Any, Any] = {}
    for node in reading.order:
        key = id(node)
        if key in reading.ops:
            add_op(draft, reading, node, reading.ops[key])
        elif key in reading.folded:
            add_folded(draft, reading, node, reading.folded[key], folds)
        elif key in leaves and is_leaf_end(node):
            add_leaf(draft, reading.names, node.variable, node)
    for root in reading.roots:
        if root.grad_fn is None and id(root) not in draft.places.keys:
            add_leaf(draft, reading.names, root)
    add_cuts(draft, reading)
    add_views(draft, reading)
    roots = [
        draft.places.keys[id(r)] if r.grad_fn is None else draft.key_at(r.grad_fn, r.output_nr) for r in reading.roots
    ]
    options = reading.options
    nodes, clusters = draft.frames.put_around(draft.nodes, draft.edges)
    nodes, edges, links = seen_from(nodes, draft.edges, draft.links, options.view)
    return Picture(
        tuple(nodes),
        tuple(edges),
        tuple(dict.fromkeys(roots)),
        tuple(remarks(reading, draft, hidden)),
        tuple(clusters),
        options.view,
        options.rankdir,
        options.show,
        links=tuple(links),
        places=draft.places,
    )


def remarks(reading: Reading, draft: Draft, hidden: int) -> Iterable[str]:
    """What the drawing says of itself: what is folded, and what nobody recorded."""
    yield from reading.remarks_on_folds
    if hidden:
        yield f"{hidden:,} more leaves feed only folded operations."
    if draft.missing:
        counted = [f"{n} {word}{'s' if n > 1 else ''}" for word, n in sorted(draft.missing.items(), reverse=True)]
        yield f"{' and '.join(counted)} not recorded."
