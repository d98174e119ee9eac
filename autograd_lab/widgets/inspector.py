"""`inspector(x, z)`: six attributes and is_leaf of tensors, filled in by the learner before they are shown.

Wrong answers are told from the tensors themselves: a gradient in place of a value, 0 in place of None, a node on a
leaf. Read `sheet.py` first.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from autograd_lab.view.texts import dtype_text
from autograd_lab.widgets import looking
from autograd_lab.widgets.sheet import Cell, Row, Sheet, Wrong, cell, drawn

ATTRIBUTES = ("data", "device", "dtype", "requires_grad", "grad", "grad_fn", "is_leaf")
DEVICES = ("cpu", "cuda:0", "meta")
DTYPES = ("torch.float32", "torch.float64", "torch.int64", "torch.bool")
TRUTH = ("True", "False")
MOST_NODES = 12  # more operations than this are not drawn beside the table


def inspector(*tensors: Any, draw: bool = False, **named: Any) -> Sheet:
    """Ask for data, device, dtype, requires_grad, grad, grad_fn and is_leaf of some tensors.

    Tensors are ours or PyTorch's; names are those of your variables, or the keywords. Call it before and after
    `backward()`, and the answers of `grad` differ. Tensors of more than six elements show their data. `draw=True` puts
    the graph beside the table; it tells the answers of `grad_fn` and `is_leaf` to whoever can read it.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(4.0, requires_grad=True)
    >>> sheet = inspector(x)
    >>> [(cell.id, cell.right) for cell in sheet.cells][4:]
    [('x.grad', 'None'), ('x.grad_fn', 'None'), ('x.is_leaf', 'True')]
    """
    found, names = looking.named_tensors(tensors, named, sys._getframe(1), "inspector")
    roots = [t for t in found.values() if t.grad_fn is not None]
    drawing, picture = drawn(roots, names) if draw and roots else (None, None)
    if picture is not None and sum(node.kind == "op" for node in picture.nodes) > MOST_NODES:
        drawing = picture = None
    nodes = sorted({looking.short_name(n) for t in roots for n in _nodes(t)} - {"AccumulateGrad"})
    rows = [
        Row(
            f"`{attribute}`",
            tuple(
                ASKED[attribute](name, tensor, nodes, "" if picture is None else picture.key_of(tensor) or "")
                for name, tensor in found.items()
            ),
        )
        for attribute in ATTRIBUTES
    ]
    return Sheet(
        heading="Inspector",
        intro="What does each attribute hold now? Fill in a cell before it is shown. `None` is an answer too.",
        columns=[f"`{name}`" for name in found],
        rows=rows,
        drawing=drawing,
        closing="A leaf has no `grad_fn` and keeps `.grad`. A tensor that an op made has a `grad_fn`.",
    )


def _nodes(tensor: Any) -> Iterator[Any]:
    seen, todo = set(), [tensor.grad_fn]
    while todo:
        node = todo.pop()
        if node is not None and id(node) not in seen:
            seen.add(id(node))
            yield node
            todo += [source for source, _ in node.next_functions]


def data(name: str, tensor: Any, nodes: list[str], key: str) -> Cell | str:
    typed = looking.numbers_of(tensor)
    if typed is None:
        return looking.short(tensor)
    grad = looking.grad_of(tensor)
    wrong = [Wrong("None", "Every tensor has data. `None` is for what may be absent: `grad` and `grad_fn`.", "M2")]
    if grad is not None and (told := looking.numbers_of(grad)):
        wrong.append(Wrong(told, f"That is `{name}.grad`. `data` is the value itself.", "returned.gradient-not-value"))
    if tensor.grad_fn is None:
        because = f"The line that made `{name}` gave it this value; backward does not change it."
        otherwise = f"Read the line that made `{name}`."
    else:
        because = f"The forward pass computed it, in the op of {looking.node_name(tensor)}."
        otherwise = "Work out the op that made it, with the values of its inputs."
        for source, _ in tensor.grad_fn.next_functions:
            leaf = getattr(source, "variable", None)
            if leaf is not None and (told := looking.numbers_of(leaf)):
                wrong.append(Wrong(told, "That is the value of its input, before the op.", "value.too-early"))
    return cell(f"{name}.data", f"`{name}.data` is", typed, because, wrong, node=key, otherwise=otherwise)


def device(name: str, tensor: Any, nodes: list[str], key: str) -> Cell:
    right = str(tensor.device)
    options = tuple(dict.fromkeys((right, *DEVICES))) if right not in DEVICES else DEVICES
    reason = f"Nothing put `{name}` on {{0}}. A tensor is made on the CPU unless `device=` says otherwise."
    wrong = [Wrong(o, reason.format(o), "device") for o in options]
    because = "It is where the numbers live. Results stay on the device of their inputs."
    return cell(f"{name}.device", f"`{name}.device` is", right, because, wrong, options=options, node=key)


def dtype(name: str, tensor: Any, nodes: list[str], key: str) -> Cell:
    right = f"torch.{dtype_text(tensor.dtype)}"
    options = DTYPES if right in DTYPES else (right, *DTYPES)
    told = {
        "torch.float32": "float32 is the default for numbers written with a point; this tensor got another dtype.",
        "torch.float64": "float64 is Python's and NumPy's default. PyTorch makes float32 unless `dtype=` is given.",
        "torch.int64": "Whole numbers written without a point become int64. Only floating-point and complex tensors "
        "can require gradients.",
        "torch.bool": "bool is what a comparison gives.",
    }
    wrong = [Wrong(option, told[option], "M4") for option in options if option in told]
    because = "The dtype comes from how the numbers were written or from `dtype=`, not from their size."
    return cell(f"{name}.dtype", f"`{name}.dtype` is", right, because, wrong, options=options, node=key)


def requires_grad(name: str, tensor: Any, nodes: list[str], key: str) -> Cell:
    right = str(tensor.requires_grad)
    if tensor.grad_fn is not None:
        because = "One of its inputs requires grad, so the result does too."
        reason = f"`{name}` was computed from a tensor that requires grad: the flag is passed on."
    elif tensor.requires_grad:
        because = "It was created with `requires_grad=True`, or asked for it later."
        reason = "Somebody asked for it: look at the line that creates it."
    else:
        because = "The default of a new tensor is False, and nothing it was computed from is tracked."
        reason = f"Nobody asked for it. `{name}` was created without `requires_grad=True`, or its history was cut."
    other = str(not tensor.requires_grad)
    ask = f"`{name}.requires_grad` is"
    wrong = [Wrong(other, reason, "M1")]
    return cell(f"{name}.requires_grad", ask, right, because, wrong, options=TRUTH, node=key)


def grad(name: str, tensor: Any, nodes: list[str], key: str) -> Cell | str:
    held = looking.grad_of(tensor)
    right = "None" if held is None else looking.numbers_of(held)
    if right is None:
        return looking.short(held)
    value = looking.numbers_of(tensor)
    wrong = []
    if held is not None:
        because = "backward added it here: how fast the loss changes when this value changes."
        reason = f"A backward pass has reached `{name}`, and it keeps its gradient."
        wrong += [Wrong("None", reason, "returned.none"), Wrong("0", "A gradient arrived here, and it is not 0.", "M7")]
    elif not tensor.requires_grad:
        because = "No gradient is computed for a tensor that does not require grad."
    elif tensor.is_leaf:
        because = "No backward pass has reached it, so there is nothing: not even 0."
        wrong.append(Wrong("0", "Before the first backward `.grad` is None. Zeros would be a gradient of 0.", "M7"))
    else:
        because = "It is not a leaf. Its gradient is passed on and not kept, unless `retain_grad()` was called."
        wrong.append(Wrong("0", "A non-leaf keeps no gradient at all: `.grad` is None, not 0.", "M2"))
    if value is not None:
        wrong.append(Wrong(value, f"That is the value of `{name}`, not a gradient.", "returned.value-not-gradient"))
    otherwise = (
        because if held is None else "Not this number. Go from the loss back to it, one local derivative a node."
    )
    return cell(f"{name}.grad", f"`{name}.grad` is", right, because, wrong, node=key, otherwise=otherwise)


def grad_fn(name: str, tensor: Any, nodes: list[str], key: str) -> Cell:
    right = looking.node_name(tensor)
    options = tuple(dict.fromkeys(("None", *nodes, right, "AccumulateGrad")))
    end = "AccumulateGrad is where a gradient ends and is added to `.grad`. It is no tensor's `grad_fn`."
    wrong = [Wrong("AccumulateGrad", end, "M3")]
    if tensor.grad_fn is None:
        because = "No recorded op made it."
        reason = f"{{0}} made another tensor. `grad_fn` is the op that made `{name}` itself: none."
    else:
        because = "It is the node of the op that made it."
        reason = f"{{0}} made another tensor. Which op stands last in the line that makes `{name}`?"
        wrong.append(Wrong("None", f"`{name}` is the result of a recorded op, so it has a node.", "M2"))
    wrong += [Wrong(node, reason.format(node), "M1") for node in nodes]
    return cell(f"{name}.grad_fn", f"`{name}.grad_fn` is", right, because, wrong, options=options, node=key)


def is_leaf(name: str, tensor: Any, nodes: list[str], key: str) -> Cell:
    right = str(bool(tensor.is_leaf))
    if not tensor.is_leaf:
        because = "A recorded op made it."
        reason = "A leaf is a tensor that no recorded op made. This one has a `grad_fn`."
    elif tensor.requires_grad:
        because = "You created it; no recorded op made it."
        reason = "Leaf does not mean last. It is a leaf because no recorded op made it."
    else:
        because = "It is not tracked, and every tensor that is not tracked is a leaf."
        reason = "No node was recorded for it, so by PyTorch's rule it is a leaf, whoever computed it."
    wrong = [Wrong(str(not tensor.is_leaf), reason, "M2")]
    return cell(f"{name}.is_leaf", f"`{name}.is_leaf` is", right, because, wrong, options=TRUTH, node=key)


ASKED = {
    "data": data,
    "device": device,
    "dtype": dtype,
    "requires_grad": requires_grad,
    "grad": grad,
    "grad_fn": grad_fn,
    "is_leaf": is_leaf,
}
