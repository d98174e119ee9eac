"""Which reason it is: one question about one tensor, answered from what can be known.

What can be seen of the tensor comes first (is it a leaf, is it tracked, is its gradient kept), then what a loss reaches
(`reach.py`), then what the recorder noted. Read next: `untracked.py`, for tensors that no gradient goes to.
"""

from __future__ import annotations

from typing import Any

from autograd_lab._tensor import Tensor
from autograd_lab.view import cuts
from autograd_lab.view.answer import UNKNOWN, Why
from autograd_lab.view.case import Case, place_of
from autograd_lab.view.names import is_tensor
from autograd_lab.view.reach import Search, saved_by
from autograd_lab.view.recording import noted
from autograd_lab.view.texts import clean
from autograd_lab.view.untracked import untracked
from autograd_lab.view.walk import is_leaf_end, visit


def answer(case: Case) -> Why:
    """The reason why a `.grad` is None, or that it is not."""
    grad = case.tensor.grad if case.tensor.is_leaf or case.tensor.retains_grad else None
    if grad is not None:
        return case.made(
            "has grad",
            f"{case.name}.grad is not None: a gradient of shape {tuple(grad.shape)} is there.",
            advice="If you saw None, it was read before backward() ran.",
        )
    if not case.tensor.requires_grad or view_without_history(case.tensor):
        return untracked(case)
    if not case.tensor.is_leaf and not case.tensor.retains_grad:
        return not_a_leaf(case)
    return waiting(case)


def view_without_history(tensor: Any) -> bool:
    """Whether this is a view of a tracked tensor, made under no_grad: PyTorch lets it say that it requires grad."""
    return tensor.is_leaf and getattr(tensor, "_base", None) is not None and tensor._base.requires_grad


def not_a_leaf(case: Case) -> Why:
    """A result whose gradient is not kept."""
    node = case.tensor.grad_fn
    note = noted(node)
    line = f"{node.name()}, " + (f"in the line `{note.line}`" if note and note.line else f"the line is {UNKNOWN}")
    return case.made(
        "not a leaf",
        f"{case.name}.grad is None because {case.name} is not a leaf: an op made it, and backward() keeps "
        "gradients of leaves only.",
        line.replace(", the line", "; the line"),
        f"Call {case.name}.retain_grad() before backward() to keep it.",
    )


def waiting(case: Case) -> Why:
    """A tensor whose gradient would be kept: does one come, and has backward run?"""
    losses = [case.loss] if case.loss is not None else losses_of(case)
    start = f"{case.name}.grad is None because"
    if case.loss is None and not any(loss.numel() == 1 for loss in losses) and (missing := scalars(case)):
        return not_reached(case, missing[-1])
    if not losses:
        return case.made(
            "no loss",
            f"{start} none of your variables was computed from {case.name} in a way that is tracked, so no "
            "backward() brings a gradient.",
            "",
            f"Name the loss: why({case.name}, loss).",
        )
    for loss in losses:
        if not Search((loss,), case.names).reached(case.tensor):
            return not_reached(case, loss)
    if was_cleared(case.tensor):
        return case.made(
            "cleared",
            f"{start} it was set to None, as zero_grad() does, and no backward() has brought a gradient since.",
            f"the clearing is {UNKNOWN}",
            "Read it between backward() and zero_grad(), or run backward() again.",
        )
    run = [loss for loss in losses if has_run(loss) is True]
    case.loss = (run or losses)[0]  # what is drawn
    called = [clean(case.names.of(loss), 40) or case.loss_name for loss in (run or losses)[:3]]
    which = " or ".join(called)
    if run and not case.tensor.is_leaf:
        return case.made(
            "retained too late",
            f"{start} backward() ran on {which} before retain_grad() was called, or it was cleared since.",
            "",
            f"Call {case.name}.retain_grad() first, then compute {called[0]} again and call backward().",
        )
    if run:
        return case.made(
            "cleared",
            f"{start} backward() has run on {which}, and the gradient was cleared since (zero_grad()), or "
            "went elsewhere: autograd.grad() and backward(inputs=...) do not write it.",
            f"the clearing is {UNKNOWN}",
            "Read it right after backward().",
        )
    if all(has_run(loss) is None for loss in losses):
        return case.made(
            "no backward",
            f"{start} backward() has not run on {which} since, or the gradient was cleared: this graph keeps no "
            "values that would tell.",
            UNKNOWN,
            f"Call {called[0]}.backward() first, then read {case.name}.grad.",
        )
    return case.made(
        "no backward",
        f"{start} backward() has not run on {which}, which was computed from {case.name}.",
        "",
        f"Call {called[0]}.backward() first, then read {case.name}.grad.",
    )


def not_reached(case: Case, loss: Any) -> Why:
    """A loss whose gradients do not come here, and where the way is cut."""
    case.loss = loss  # what is drawn
    search = Search((loss,), case.names)
    cut = search.first_cut(case.tensor)
    title = clean(case.names.of(loss), 60) or "the loss"
    start = f"{case.name}.grad is None because {title} does not reach {case.name}"
    if not loss.requires_grad and cut is None:
        start += f": {title} itself is not tracked"
    if cut is not None:
        return case.made(
            "not reached",
            f"{start}: the way is cut at {cut.op}, {cuts.WORDS[cut.kind]}.",
            place_of(cut),
            "Leave the cut out if gradients shall pass here.",
            cut,
        )
    place = search.unknown(title).partition(":")[0]
    return case.made(
        "not reached",
        f"{start}.",
        place,
        f"Check that {title} was computed from {case.name}.",
    )


def scalars(case: Case) -> list[Any]:
    """The caller's tracked results of one element: what backward() could be called on."""
    named = [t for t in case.names.kept if is_tensor(t) and t.grad_fn is not None and case.names.of(t)]
    return [t for t in named if t.numel() == 1 and t is not case.tensor]


def losses_of(case: Case) -> list[Any]:
    """The ends among the caller's variables that reach the tensor: results that no other of them uses."""
    ends: list[Any] = []
    inner: set[int] = set()
    for t in case.names.kept:
        if not is_tensor(t) or t.grad_fn is None or t is case.tensor or not case.names.of(t):
            continue
        order = visit((t,))
        if any(is_node_of(node, case.tensor) for node in order):
            ends.append(t)
            inner |= {id(node) for node in order} - {id(t.grad_fn)}
    return [t for t in ends if id(t.grad_fn) not in inner]


def is_node_of(node: Any, tensor: Any) -> bool:
    """Whether a gradient that arrives at this node is the tensor's."""
    made_by = tensor.grad_fn
    return node is made_by if made_by is not None else getattr(node, "variable", None) is tensor


def was_cleared(tensor: Any) -> bool:
    """Whether `.grad` of one of our tensors was set to None by somebody; PyTorch's tensors do not tell."""
    return isinstance(tensor, Tensor) and tensor.__dict__.get("_grad", 0) is None


def has_run(loss: Any) -> bool | None:
    """Whether backward freed what the graph of a loss saved; None if it saved nothing that would tell."""
    kept = None
    for node in visit((loss,)):
        if is_leaf_end(node):
            continue
        saved, state = saved_by(node)
        if state == "freed":
            return True
        if any(is_tensor(value) for value in saved.values()):
            kept = False
    return kept
