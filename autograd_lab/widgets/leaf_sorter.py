"""`leaf_sorter(...)`: sort tensors into leaf or not and tracked or not, and say who has `.grad` after backward.

The tensors come as variables, or from a few lines of code that this file runs, so that each card shows its line.
One of the four places stays empty for ever: a tensor that is not tracked is always a leaf. Read `sheet.py` first.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from autograd_lab.view.names import is_tensor
from autograd_lab.view.walk import visit
from autograd_lab.widgets import looking, snippet
from autograd_lab.widgets.sheet import Cell, Row, Sheet, Wrong, cell, drawn

PLACES = ("leaf, tracked", "leaf, not tracked", "not a leaf, tracked", "not a leaf, not tracked")
YES, NO = "a tensor", "None"
EMPTY = (
    "No tensor stands in this place: what is not tracked has no `grad_fn`, and a tensor without `grad_fn` is a leaf."
)


def leaf_sorter(source: str | Mapping[str, Any] | None = None, *, loss: Any = None, **tensors: Any) -> Sheet:
    """Ask for each tensor: leaf or not, tracked or not, and whether it has `.grad` after `loss.backward()`.

    `source` is a dict {"x": x}, or some lines of code, which run here; then every tensor they assign is a card with
    its line. Tensors may also be given as keywords. `loss` is the tensor (or its name) that backward starts at; without
    it, the variable called `loss` if there is one, and else every tracked leaf counts as reached. Backward is not
    called.

    >>> sheet = leaf_sorter("x = torch.tensor(2.0, requires_grad=True)\\ny = x * 3")
    >>> [(cell.id, cell.right) for cell in sheet.cells]
    [('x.place', 'leaf, tracked'), ('x.grad', 'a tensor'), ('y.place', 'not a leaf, tracked'), ('y.grad', 'None')]
    """
    frame = sys._getframe(1)
    lines: dict[str, str] = {}
    if isinstance(source, str):
        ran = snippet.run(source, snippet.namespace(frame, tensors))
        lines = ran.lines_of_names()
        given = {name: ran.namespace[name] for name in lines if is_tensor(ran.namespace.get(name))}
    else:
        given = {**(source or {}), **tensors}
    found, names = looking.named_tensors((), given, frame, "leaf_sorter")
    start = found.get(loss) if isinstance(loss, str) else loss if loss is not None else found.get("loss")
    reached = None if start is None else reached_by(start)
    title = "backward" if start is None else f"`{names.of(start) or 'loss'}.backward()`"
    picture = drawn([start], names)[1] if start is not None and start.grad_fn is not None else None
    rows = []
    for name, tensor in found.items():
        key = "" if picture is None else picture.key_of(tensor) or ""
        head = f"`{lines[name]}`" if name in lines else f"`{name}`"
        rows.append(Row(head, (place(name, tensor, key), kept(name, tensor, reached, title, key))))
    sheet = Sheet(
        heading="Leaf sorter",
        intro=f"Where does each tensor belong, and has it `.grad` after {title}?",
        columns=("place", "`.grad` after backward"),
        rows=rows,
        closing="Only tracked leaves keep `.grad` by themselves. Not a leaf and not tracked: that place stays empty.",
    )
    sheet.board = {"ending": ".place", "lines": ["leaf", "not a leaf"], "columns": ["tracked", "not tracked"]}
    return sheet


def reached_by(start: Any) -> set[int]:
    """The ids of everything that a gradient of `start` arrives at: nodes, and leaves."""
    found = {id(start)} if start.requires_grad else set()
    for node in visit([start]):
        found |= {id(node), id(getattr(node, "variable", node))}
    return found


def place(name: str, tensor: Any, key: str) -> Cell:
    right = f"{'leaf' if tensor.is_leaf else 'not a leaf'}, {'tracked' if tensor.requires_grad else 'not tracked'}"
    if not tensor.is_leaf:
        because = f"{looking.node_name(tensor)} made it from a tensor that requires grad."
        told = {
            PLACES[
                0
            ]: "It is tracked, but an op made it, so it is no leaf. The tensor that was there first is the leaf.",
            PLACES[1]: "An op made it from a tensor that requires grad: it is tracked, and it is no leaf.",
        }
        rules = {PLACES[0]: "M1", PLACES[1]: "M1"}
    elif tensor.requires_grad:
        because = "No op made it, and it requires grad."
        told = {
            PLACES[1]: "It requires grad, so it is tracked.",
            PLACES[2]: "No op made it. A leaf is where the graph begins, not where it ends.",
        }
        rules = {PLACES[1]: "M1", PLACES[2]: "M2"}
    else:
        because = "It does not require grad. Such a tensor has no `grad_fn` and is a leaf, even if it was computed."
        told = {
            PLACES[0]: "It is a leaf, but nobody asked for its gradient: `requires_grad` is False.",
            PLACES[2]: "Nothing was recorded for it: it was made from untracked tensors, under no_grad, or detached.",
        }
        rules = {PLACES[0]: "M1", PLACES[2]: "M15"}
    wrong = [Wrong(answer, reason, rules[answer]) for answer, reason in told.items()] + [Wrong(PLACES[3], EMPTY, "M2")]
    return cell(f"{name}.place", f"`{name}` is", right, because, wrong, options=PLACES, node=key)


def kept(name: str, tensor: Any, reached: set[int] | None, title: str, key: str) -> Cell:
    """Whether the tensor has `.grad` after backward, from the rules and not from running it."""
    keeps = tensor.requires_grad and (tensor.is_leaf or bool(getattr(tensor, "retains_grad", False)))
    thing = id(tensor) if tensor.is_leaf else id(tensor.grad_fn)
    arrives = tensor.requires_grad and (reached is None or thing in reached)
    has = (keeps and arrives) or looking.grad_of(tensor) is not None
    if not tensor.requires_grad:
        because, rule = "It does not require grad, so no gradient is computed for it.", "M2"
    elif not arrives:
        because, rule = f"It is not part of this graph: {title} does not reach it.", "M5"
    elif tensor.is_leaf:
        because, rule = "It is a leaf that requires grad: here backward adds what arrives.", "M2"
    elif keeps:
        because, rule = "It is not a leaf, but `retain_grad()` asked to keep its gradient.", "M3"
    else:
        because, rule = "It is not a leaf. Its gradient is passed on and not kept; `retain_grad()` would keep it.", "M2"
    right = YES if has else NO
    wrong = [Wrong(NO if has else YES, because, rule)]
    return cell(f"{name}.grad", f"After {title}, `{name}.grad` is", right, because, wrong, options=(YES, NO), node=key)
