"""Which reason it is: one question about one tensor, answered from what can be known.

What can be seen of the tensor comes first (is it a leaf, is it tracked, is its gradient kept), then what a loss
reaches (`reach.py`), then what the recorder noted (`cuts.py`). What none of these knows is said to be not recorded.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from autograd_lab._tensor import Tensor
from autograd_lab.view import cuts
from autograd_lab.view.answer import UNKNOWN, Why
from autograd_lab.view.cuts import Cut
from autograd_lab.view.facts import Facts, tensor_facts
from autograd_lab.view.names import Names, is_tensor
from autograd_lab.view.nearby import around, with_cut
from autograd_lab.view.parts import Picture
from autograd_lab.view.picture import read_graph
from autograd_lab.view.reach import Search, same_memory, saved_by
from autograd_lab.view.recording import noted, recording_always
from autograd_lab.view.texts import clean
from autograd_lab.view.walk import is_leaf_end, visit


class Case:
    """One question: the tensor, the loss if one was named, and what the caller's variables hold."""

    def __init__(self, tensor: Any, loss: Any, names: Names) -> None:
        self.tensor, self.loss, self.names = tensor, loss, names
        self.silent = False  # True: words only, no drawing
        self.name = clean(names.of(tensor), 60) or "this tensor"
        self.loss_name = (clean(names.of(loss), 60) if loss is not None else "") or "the loss"

    def answer(self) -> Why:
        grad = self.tensor.grad if self.tensor.is_leaf or self.tensor.retains_grad else None
        if grad is not None:
            return self.made(
                "has grad",
                f"{self.name}.grad is not None: a gradient of shape {tuple(grad.shape)} is there.",
                advice="If you saw None, it was read before backward() ran.",
            )
        if not self.tensor.requires_grad or self.view_without_history():
            return self.untracked()
        if not self.tensor.is_leaf and not self.tensor.retains_grad:
            return self.not_a_leaf()
        return self.waiting()

    # Tensors that nothing tracks

    def untracked(self) -> Why:
        flag = "it says requires_grad=True, but has no history" if self.tensor.requires_grad else "requires_grad=False"
        start = f"{self.name}.grad is None because {self.name} is not tracked ({flag})"
        cut = cuts.origin(self.tensor)
        if cut is not None:
            return self.cut_off(start, cut)
        view = self.view_of_tracked(start)
        if view is not None:
            return view
        source = self.memory_source()
        if source:
            return self.made(
                "detached",
                f"{start}: it lies in the memory of {source} and has no history, as {source}.detach() makes it.",
                f"{source}.detach() or {source}.data; the line is {UNKNOWN}",
                f"Compute with {source} itself if gradients shall pass here.",
            )
        if type(self.tensor).__name__ == "Parameter":
            return self.made(
                "frozen",
                f"{start}: it is a frozen parameter, a leaf that asks for no gradient.",
                "",
                f"Call {self.name}.requires_grad_() to train it.",
            )
        if self.tensor.dtype.is_floating_point or self.tensor.dtype.is_complex:
            if isinstance(self.tensor, Tensor) and recording_always():
                return self.made(
                    "frozen",
                    f"{start}: it is a leaf that was created so, or from values that had left the graph (.item(), "
                    ".numpy()); no recorded operation made it from something tracked.",
                    "",
                    f"Create it with requires_grad=True, or call {self.name}.requires_grad_() before it is used.",
                )
            return self.made(
                "not recorded",
                f"{start}. It may have been created so, or its history was cut; how it was made is {UNKNOWN}.",
                UNKNOWN,
                f"If it is a leaf of yours, create it with requires_grad=True, or call {self.name}.requires_grad_().",
            )
        return self.made(
            "untracked",
            f"{start}: only floating point tensors can have a gradient, and this one is {self.dtype}.",
            "",
            "Create it from floating point numbers, for example 2.0 instead of 2.",
        )

    @property
    def dtype(self) -> str:
        return str(self.tensor.dtype).rpartition(".")[2]

    def cut_off(self, start: str, made_by: Cut) -> Why:
        """The recorder knows the op; the place is the first op behind it whose result lost its history."""
        chain = list(cuts.before([made_by]))
        first = next((cut for cut in reversed(chain) if cut.leaves), made_by)
        kind = {"detach": "detached", "data": "detached", "inference_mode": "no_grad"}.get(first.kind, first.kind)
        passed = "" if first is made_by else f", and {made_by.op} then computed {self.name}"
        advice = {
            "detached": "Leave the detach() out if gradients shall pass here.",
            "no_grad": "Compute it outside the block if gradients shall pass here.",
            "not differentiable": "Use an op that has a derivative, or compute the loss another way.",
        }.get(kind, "")
        says = f"{start}: it comes from {first.op}, {cuts.WORDS[first.kind]}{passed}."
        return self.made(kind, says, place_of(first), advice, first)

    def memory_source(self) -> str:
        """The name of a tracked variable in whose memory this untracked tensor lies."""
        for other in self.names.kept:
            if is_tensor(other) and other.requires_grad and self.names.of(other) and same_memory(other, self.tensor):
                return clean(self.names.of(other), 60)
        return ""

    def view_without_history(self) -> bool:
        """Whether this is a view of a tracked tensor, made under no_grad: PyTorch lets it say that it requires grad."""
        return (
            self.tensor.is_leaf and getattr(self.tensor, "_base", None) is not None and self.tensor._base.requires_grad
        )

    def view_of_tracked(self, start: str) -> Why | None:
        """A view that is not tracked although its base is."""
        base = getattr(self.tensor, "_base", None)
        if base is None or not base.requires_grad:
            return None
        called = clean(self.names.of(base), 60) or "a tracked tensor"
        earlier = f", or before {called} asked for a gradient" if base.grad_fn is None else ""
        return self.made(
            "no_grad",
            f"{start}: it is a view of {called}, made under torch.no_grad(){earlier}.",
            f"the line is {UNKNOWN}",
            "Take the view outside the block if gradients shall pass here.",
        )

    # Tensors in a graph

    def not_a_leaf(self) -> Why:
        node = self.tensor.grad_fn
        note = noted(node)
        line = f"{node.name()}, " + (f"in the line `{note.line}`" if note and note.line else f"the line is {UNKNOWN}")
        return self.made(
            "not a leaf",
            f"{self.name}.grad is None because {self.name} is not a leaf: an op made it, and backward() keeps "
            "gradients of leaves only.",
            line.replace(", the line", "; the line"),
            f"Call {self.name}.retain_grad() before backward() to keep it.",
        )

    def waiting(self) -> Why:
        """A tensor whose gradient would be kept: does one come, and has backward run?"""
        losses = [self.loss] if self.loss is not None else self.losses()
        start = f"{self.name}.grad is None because"
        if self.loss is None and not any(loss.numel() == 1 for loss in losses) and (missing := self.scalars()):
            return self.not_reached(missing[-1])
        if not losses:
            return self.made(
                "no loss",
                f"{start} none of your variables was computed from {self.name} in a way that is tracked, so no "
                "backward() brings a gradient.",
                "",
                f"Name the loss: why({self.name}, loss).",
            )
        for loss in losses:
            if not Search((loss,), self.names).reached(self.tensor):
                return self.not_reached(loss)
        if was_cleared(self.tensor):
            return self.made(
                "cleared",
                f"{start} it was set to None, as zero_grad() does, and no backward() has brought a gradient since.",
                f"the clearing is {UNKNOWN}",
                "Read it between backward() and zero_grad(), or run backward() again.",
            )
        run = [loss for loss in losses if has_run(loss) is True]
        self.loss = (run or losses)[0]  # what is drawn
        called = [clean(self.names.of(loss), 40) or self.loss_name for loss in (run or losses)[:3]]
        which = " or ".join(called)
        if run and not self.tensor.is_leaf:
            return self.made(
                "retained too late",
                f"{start} backward() ran on {which} before retain_grad() was called, or it was cleared since.",
                "",
                f"Call {self.name}.retain_grad() first, then compute {called[0]} again and call backward().",
            )
        if run:
            return self.made(
                "cleared",
                f"{start} backward() has run on {which}, and the gradient was cleared since (zero_grad()), or "
                "went elsewhere: autograd.grad() and backward(inputs=...) do not write it.",
                f"the clearing is {UNKNOWN}",
                "Read it right after backward().",
            )
        if all(has_run(loss) is None for loss in losses):
            return self.made(
                "no backward",
                f"{start} backward() has not run on {which} since, or the gradient was cleared: this graph keeps no "
                "values that would tell.",
                UNKNOWN,
                f"Call {called[0]}.backward() first, then read {self.name}.grad.",
            )
        return self.made(
            "no backward",
            f"{start} backward() has not run on {which}, which was computed from {self.name}.",
            "",
            f"Call {called[0]}.backward() first, then read {self.name}.grad.",
        )

    def not_reached(self, loss: Any) -> Why:
        self.loss = loss  # what is drawn
        search = Search((loss,), self.names)
        cut = search.first_cut(self.tensor)
        title = clean(self.names.of(loss), 60) or "the loss"
        start = f"{self.name}.grad is None because {title} does not reach {self.name}"
        if not loss.requires_grad and cut is None:
            start += f": {title} itself is not tracked"
        if cut is not None:
            return self.made(
                "not reached",
                f"{start}: the way is cut at {cut.op}, {cuts.WORDS[cut.kind]}.",
                place_of(cut),
                "Leave the cut out if gradients shall pass here.",
                cut,
            )
        place = search.unknown(title).partition(":")[0]
        return self.made(
            "not reached",
            f"{start}.",
            place,
            f"Check that {title} was computed from {self.name}.",
        )

    def scalars(self) -> list[Any]:
        """The caller's tracked results of one element: what backward() could be called on."""
        named = [t for t in self.names.kept if is_tensor(t) and t.grad_fn is not None and self.names.of(t)]
        return [t for t in named if t.numel() == 1 and t is not self.tensor]

    def losses(self) -> list[Any]:
        """The ends among the caller's variables that reach the tensor: results that no other of them uses."""
        ends: list[Any] = []
        inner: set[int] = set()
        for t in self.names.kept:
            if not is_tensor(t) or t.grad_fn is None or t is self.tensor or not self.names.of(t):
                continue
            order = visit((t,))
            if any(self.is_node_of_tensor(node) for node in order):
                ends.append(t)
                inner |= {id(node) for node in order} - {id(t.grad_fn)}
        return [t for t in ends if id(t.grad_fn) not in inner]

    def is_node_of_tensor(self, node: Any) -> bool:
        """Whether a gradient that arrives at this node is the tensor's."""
        made_by = self.tensor.grad_fn
        return node is made_by if made_by is not None else getattr(node, "variable", None) is self.tensor

    # The drawing

    def made(self, kind: str, says: str, place: str = "", advice: str = "", cut: Cut | None = None) -> Why:
        return Why(self.name, kind, says, place, advice, None if self.silent else self.drawn(kind, says, cut))

    def drawn(self, kind: str, says: str, cut: Cut | None) -> Picture | None:
        root = self.loss if self.loss is not None and self.loss.requires_grad else self.tensor
        if cut is not None:
            picture = read_graph(root, self.names).without_places() if root.requires_grad else None
            return with_cut(picture, cut, self.inputs_of(cut), self.result_of(cut), says)
        if not root.requires_grad:
            return None
        picture = read_graph(root, self.names)
        key = picture.key_of(self.tensor)
        if key is None:
            return picture.without_places()
        asked = tuple(replace(n, why=says, tags=(*n.tags, kind)) if n.key == key else n for n in picture.nodes)
        return around(replace(picture, nodes=asked), key)

    def inputs_of(self, cut: Cut) -> list[tuple[str, Facts]]:
        """Name and facts of what an op took, as far as a leaf or a variable still holds it."""
        leaves = [leaf for known in cut.leaves if (leaf := known()) is not None]
        results = [self.names.result(node, 0) for known in cut.nodes if (node := known()) is not None]
        found = []
        for text in cut.inputs:
            held = leaves if text == "a leaf" else [t for t in results if t is not None] if text != "untracked" else []
            tensor = held[0] if len(held) == 1 else None
            name = self.names.of(tensor) if tensor is not None else ""
            found.append((name or text, Facts() if tensor is None else tensor_facts(tensor)))
        return found

    def result_of(self, cut: Cut) -> tuple[str, Facts]:
        """Name and facts of what an op made, if a variable holds it."""
        for tensor in self.names.kept:
            if is_tensor(tensor) and not tensor.requires_grad and cuts.origin(tensor) is cut:
                return self.names.of(tensor), tensor_facts(tensor)
        return "", Facts(cut.shape, cut.dtype or None)


def place_of(cut: Cut) -> str:
    """The op of a cut and its source line."""
    return f"{cut.op}, in the line `{cut.line}`" if cut.line else f"{cut.op}; the line is {UNKNOWN}"


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
