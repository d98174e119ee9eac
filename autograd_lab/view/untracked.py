"""Why a tensor is not tracked: what the recorder noted comes first, then what the tensor itself can tell.

What neither knows is said to be not recorded. Read next: `cuts.py`.
"""

from __future__ import annotations

from autograd_lab._tensor import Tensor
from autograd_lab.view import cuts
from autograd_lab.view.answer import UNKNOWN, Why
from autograd_lab.view.case import Case, place_of
from autograd_lab.view.cuts import Cut
from autograd_lab.view.names import is_tensor
from autograd_lab.view.reach import same_memory
from autograd_lab.view.recording import recording_always
from autograd_lab.view.texts import clean


def untracked(case: Case) -> Why:
    """The reason for a tensor that no gradient goes to."""
    flag = "it says requires_grad=True, but has no history" if case.tensor.requires_grad else "requires_grad=False"
    start = f"{case.name}.grad is None because {case.name} is not tracked ({flag})"
    cut = cuts.origin(case.tensor)
    if cut is not None:
        return cut_off(case, start, cut)
    view = view_of_tracked(case, start)
    if view is not None:
        return view
    source = memory_source(case)
    if source:
        return case.made(
            "detached",
            f"{start}: it lies in the memory of {source} and has no history, as {source}.detach() makes it.",
            f"{source}.detach() or {source}.data; the line is {UNKNOWN}",
            f"Compute with {source} itself if gradients shall pass here.",
        )
    if type(case.tensor).__name__ == "Parameter":
        return case.made(
            "frozen",
            f"{start}: it is a frozen parameter, a leaf that asks for no gradient.",
            "",
            f"Call {case.name}.requires_grad_() to train it.",
        )
    if case.tensor.dtype.is_floating_point or case.tensor.dtype.is_complex:
        if isinstance(case.tensor, Tensor) and recording_always():
            return case.made(
                "frozen",
                f"{start}: it is a leaf that was created so, or from values that had left the graph (.item(), "
                ".numpy()); no recorded operation made it from something tracked.",
                "",
                f"Create it with requires_grad=True, or call {case.name}.requires_grad_() before it is used.",
            )
        return case.made(
            "not recorded",
            f"{start}. It may have been created so, or its history was cut; how it was made is {UNKNOWN}.",
            UNKNOWN,
            f"If it is a leaf of yours, create it with requires_grad=True, or call {case.name}.requires_grad_().",
        )
    return case.made(
        "untracked",
        f"{start}: only floating point tensors can have a gradient, and this one is {case.dtype}.",
        "",
        "Create it from floating point numbers, for example 2.0 instead of 2.",
    )


def cut_off(case: Case, start: str, made_by: Cut) -> Why:
    """The recorder knows the op; the place is the first op behind it whose result lost its history."""
    chain = list(cuts.before([made_by]))
    first = next((cut for cut in reversed(chain) if cut.leaves), made_by)
    kind = {"detach": "detached", "data": "detached", "inference_mode": "no_grad"}.get(first.kind, first.kind)
    passed = "" if first is made_by else f", and {made_by.op} then computed {case.name}"
    advice = {
        "detached": "Leave the detach() out if gradients shall pass here.",
        "no_grad": "Compute it outside the block if gradients shall pass here.",
        "not differentiable": "Use an op that has a derivative, or compute the loss another way.",
    }.get(kind, "")
    says = f"{start}: it comes from {first.op}, {cuts.WORDS[first.kind]}{passed}."
    return case.made(kind, says, place_of(first), advice, first)


def memory_source(case: Case) -> str:
    """The name of a tracked variable in whose memory this untracked tensor lies."""
    for other in case.names.kept:
        if is_tensor(other) and other.requires_grad and case.names.of(other) and same_memory(other, case.tensor):
            return clean(case.names.of(other), 60)
    return ""


def view_of_tracked(case: Case, start: str) -> Why | None:
    """A view that is not tracked although its base is."""
    base = getattr(case.tensor, "_base", None)
    if base is None or not base.requires_grad:
        return None
    called = clean(case.names.of(base), 60) or "a tracked tensor"
    earlier = f", or before {called} asked for a gradient" if base.grad_fn is None else ""
    return case.made(
        "no_grad",
        f"{start}: it is a view of {called}, made under torch.no_grad(){earlier}.",
        f"the line is {UNKNOWN}",
        "Take the view outside the block if gradients shall pass here.",
    )
