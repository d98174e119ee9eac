"""`why(t)`: why is `t.grad` None? The answer for this very tensor, with the place where it was decided.

`explained` puts the same answers at the boxes of a picture, for whoever clicks on one. Read next: `cases.py`, which
finds the reason.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

from autograd_lab.view.answer import Why
from autograd_lab.view.case import Case
from autograd_lab.view.cases import answer, has_run, was_cleared
from autograd_lab.view.names import Names, caller_names, is_tensor
from autograd_lab.view.parts import Picture, PictureNode
from autograd_lab.view.untracked import untracked


def why(tensor: Any, loss: Any = None) -> Why:
    """Say why `tensor.grad` is None, and where that was decided.

    With a `loss`, say whether its backward would bring a gradient; without one, the losses among your variables are
    looked at. Works on our tensors and on PyTorch's; nothing is computed and no `.grad` changes.

    Raises TypeError for what is no tensor.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> with torch.record():
    ...     y = x * x
    >>> print(why(x).says)
    x.grad is None because backward() has not run on y, which was computed from x.
    >>> print(why(y).place)
    MulBackward0, in the line `y = x * x`
    """
    for thing, role in ((tensor, "a tensor"), *(((loss, "the loss as a tensor"),) if loss is not None else ())):
        if not is_tensor(thing):
            raise TypeError(f"why() needs {role}, got {type(thing).__name__}.")
    names = Names(caller_names(sys._getframe(1)))
    return answer(Case(tensor, loss, names))


def explained(picture: Picture, outputs: Any, names: Names | None = None) -> Picture:
    """The picture with an answer at each box whose `.grad` is None, for whoever clicks on it.

    `picture` still holds its places; boxes that say something already are left alone.
    """
    roots = tuple(outputs) if isinstance(outputs, tuple | list) else (outputs,)
    names = names or Names()
    tensors = {picture.places.keys.get(id(thing)): thing for thing in picture.places.kept if is_tensor(thing)}
    run = [has_run(root) for root in roots]
    told = tuple(
        replace(node, why=said)
        if not node.why and (said := box_answer(node, tensors.get(node.key), run, names))
        else node
        for node in picture.nodes
    )
    return replace(picture, nodes=told)


def box_answer(node: PictureNode, tensor: Any, run: list[bool | None], names: Names) -> str:
    """Why the `.grad` that a box shows is None, or nothing if there is one or nothing to say."""
    name = node.name or node.symbol or "this tensor"
    if node.kind == "result" and node.grad == "not kept":
        return f"{name}.grad is None: {name} is not a leaf. Call {name}.retain_grad() before backward() to keep it."
    if node.kind == "frozen" and tensor is not None:
        names.add(node.name, tensor)
        case = Case(tensor, None, names)
        case.silent = True
        return untracked(case).says
    if node.kind in ("leaf", "param") and node.grad == "None":
        if was_cleared(tensor) or any(run):
            return f"{name}.grad is None: it was cleared since backward(), or autograd.grad() took the gradient."
        return f"{name}.grad is None: backward() has not run."
    return ""
