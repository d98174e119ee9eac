"""`path_check(loss, params)`: which parameters a loss reaches, and where the way to the others is first cut.

Asks before it tells; `view/reach.py` finds the answer. Works on our tensors and on PyTorch's, where a cut that nobody
recorded reads "not reached". Read `sheet.py` first.
"""

from __future__ import annotations

import sys
from typing import Any

from autograd_lab.view.names import Names, caller_names, is_tensor
from autograd_lab.view.reach import FROZEN, Reached, Search, named
from autograd_lab.widgets.sheet import Cell, Row, Sheet, Wrong, cell, drawn

REACHED = "reached: it gets a gradient"
STILL = "frozen: requires_grad=False"
NO_WAY = "not reached: the loss does not use it"
MOST_NODES = 20  # operations; larger graphs are not drawn beside the table


def path_check(loss: Any, params: Any) -> Sheet:
    """Ask for each parameter whether `loss` reaches it, and if not, where the first cut is.

    `params` is a dict {"name": tensor}, a module, or tensors. Nothing is computed, no `.grad` changes. Where values
    were recorded (in a notebook, or inside `with record():`) cuts have their source lines.

    >>> import autograd_lab as torch
    >>> w = torch.tensor(2.0, requires_grad=True)
    >>> b = torch.tensor(1.0, requires_grad=True)
    >>> [cell.right for cell in path_check(w * 3, {"w": w, "b": b}).cells]
    ['reached: it gets a gradient', 'not reached: the loss does not use it']
    """
    if not is_tensor(loss):
        raise TypeError(f"path_check needs the loss as a tensor, got {type(loss).__name__}.")
    names = Names(caller_names(sys._getframe(1)))
    asked = list(named(params, names))
    for name, tensor in asked:
        names.add(name, tensor)
    title = names.of(loss) or "loss"
    search = Search([loss], names)
    found = [search.answer(name, tensor, title) for name, tensor in asked]
    cuts = sorted({place(one) for one in found} - {REACHED, STILL, NO_WAY})
    options = (REACHED, *cuts, STILL, NO_WAY)
    drawing, picture = drawn([loss], names) if loss.grad_fn is not None else (None, None)
    if picture is not None and sum(node.kind == "op" for node in picture.nodes) > MOST_NODES:
        drawing = picture = None
    keys = {name: (picture.key_of(tensor) or "") if picture is not None else "" for name, tensor in asked}
    rows = [
        Row(f"`{one.name}`" + (f" {one.shape}" if one.shape else ""), (ask(one, title, options, keys[one.name]),))
        for one in found
    ]
    missed = [one.name for one in found if not one.reached]
    return Sheet(
        heading="Path check",
        intro=f"`{title}.backward()`: which parameters are reached, and where is the way to the others cut?",
        columns=(f"from `{title}`",),
        rows=rows,
        drawing=drawing,
        closing=f"Reached: {len(found) - len(missed)} of {len(found)}. "
        + (f"Without a gradient: {', '.join(missed)}." if missed else "Every way is open."),
    )


def place(one: Reached) -> str:
    """Where a parameter stands, as one of the options."""
    if one.reached:
        return REACHED
    if one.where == FROZEN:
        return STILL
    return NO_WAY if one.cut is None else f"cut at {one.cut.op}" + (f", `{one.cut.line}`" if one.cut.line else "")


def ask(one: Reached, title: str, options: tuple[str, ...], key: str) -> Cell:
    right, name = place(one), one.name
    if one.reached:
        because = f"A way leads from `{title}` to `{name}`: {one.where}."
        rule, reason = "M6", f"A way leads to it: {one.where}. What the loss was computed from gets a gradient."
    elif right == STILL:
        because = "It does not ask for a gradient, so no edge leads to it."
        rule, reason = "M21", f"`{name}.requires_grad` is False: backward leaves it out."
    elif one.cut is not None:
        because = f"The first cut is {one.cut.text}."
        rule, reason = (
            "M15" if one.cut.kind in ("detach", "data", "no_grad") else "M5",
            (f"The numbers go on, but the history ends at {one.cut.text}."),
        )
    else:
        because = f"No recorded op leads from `{name}` to `{title}`."
        rule, reason = "M6", f"`{title}` was computed without `{name}`. Belonging to the model does not help."
    told = {
        REACHED: reason,
        STILL: f"`{name}.requires_grad` is True: it is not frozen. {because}",
        NO_WAY: f"The loss was computed with its numbers. {because}",
    }
    if one.reached:
        told |= {STILL: f"`{name}.requires_grad` is True. {because}", NO_WAY: because}
    if right == STILL:
        told |= {NO_WAY: f"The loss may use its numbers. {because}"}
    wrong = [Wrong(o, told.get(o, f"That cut stands on another way. {because}"), rule) for o in options]
    return cell(f"{name}.reached", f"`{name}` is", right, because, wrong, options=options, node=key)
