"""Shared memory: the version counter that all sharers hold, and what a view remembers of its base.

A write is counted; saved values compare the count. Views of written memory lose their edge and get a new one when
somebody asks, for what they show has a new history. Read next: `_tensor.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar
from weakref import WeakKeyDictionary, ref

from .grad_mode import GRAD_MODE, INFERENCE, INFERENCE_VERSION
from .graph import LEAF, Node, hooks_of, short_name

# The node of an op that wrote its result into a view, if it saved it -> the edge which the view got by that.
WRITTEN_INTO: WeakKeyDictionary[Node, ref[Any]] = WeakKeyDictionary()


class Shared(list[int]):
    """A version counter `[n]` held by all tensors that share memory, with the views among them."""

    __slots__ = ("views",)

    def __init__(self, count: int) -> None:
        super().__init__([count])
        self.views: list[ref[Any]] = []


class View:
    """What a view remembers: its base, and why it may not be changed in place, if so."""

    __slots__ = ("base", "forbidden", "old", "output")
    output: tuple[int, str]
    old: Any  # the edge before the write
    fresh_edge: ClassVar[Callable[[Any, Any], Any]]  # given by `inplace.py`, which can make nodes

    def renewed(self, view: Any) -> Any:
        """The edge of a view after a write into its memory: a new one on the base, or PyTorch's error."""
        if self.base._edge is None:
            view._edge = None
        elif self.forbidden:
            if GRAD_MODE.get() is False:
                return None
            raise RuntimeError(self.ambiguous())
        else:
            view._edge = View.fresh_edge(self.base, view)
            hooks, self.old = getattr(self.old, "hooks", None), None
            if hooks is not None and hooks.retain is not None and hooks.retain() is view:
                hooks.retain = None
                hooks_of(view._edge).retain = ref(view)
        return view._edge

    @staticmethod
    def current(view: Any) -> bool:
        """Whether the view still has the edge it was made with, or a renewed one."""
        return hasattr(view, "_edge_now")

    def outdate(self, view: Any) -> None:
        """Memory was written: forget the edge, so that whoever asks next gets a new one."""
        if not self.current(view):
            return  # forgotten before
        edge = view._edge
        if edge is LEAF:
            return  # a view that was made a leaf of its own keeps being one
        if view.grad_fn is not None:
            self.output = view.output_nr, short_name(view.grad_fn)
        self.old = edge
        del view._edge_now

    def __init__(self, base: Any, forbidden: str = "") -> None:
        self.base, self.forbidden = base, forbidden

    def made_as(self) -> Any:
        """The number and the op of the output this view was, for errors; None if it was not tracked."""
        return getattr(self, "output", None)

    def ambiguous(self) -> str:
        """The error of using a view that may not be changed after its base was."""
        return self.complaint(self.made_as(), "its base or another view of its base has been")

    def complaint(self, made: tuple[int, str] | None, what: str) -> str:
        """PyTorch's error for a write that leaves a view without a clear gradient; `made` is what it was output of."""
        output = "" if made is None else f"Output {made[0]} of {made[1]} is a view"
        if made is not None and self.forbidden != "no_grad":
            start = f"{output} and {what} modified inplace."
        else:
            start = f"{output} of a view which was created" if output else "A view was created"
            start += f" in no_grad mode and {what} modified inplace with grad mode enabled."
        if self.forbidden == "no_grad":
            return start + (
                " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by "
                "moving both the view and the inplace either both inside the no_grad block (if you don't want the "
                "inplace to be tracked) or both outside (if you want the inplace to be tracked)."
            )
        return start + (
            " This view is the output of a function that returns multiple views. Such functions do not allow the "
            "output views to be modified inplace. You should replace the inplace operation by an out-of-place one."
        )


def share(tensor: Any) -> Any:
    """The counter of a tensor about to be viewed, detached or written, as a list all sharers hold.

    A node that saved this tensor as its result gets the list too, so that it will notice a write.
    """
    if type(tensor._counter) is int:
        tensor._counter = Shared(tensor._counter)
        if getattr(tensor._edge, "counter_result", tensor) is None:
            tensor._edge.counter_result = tensor._counter
    return tensor._counter


def bump(tensor: Any) -> None:
    """An in-place write happened: a saved tensor compares this number to notice it."""
    if tensor._counter is INFERENCE_VERSION:
        if INFERENCE.get():
            return
        raise RuntimeError(
            "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a "
            "normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."
        )
    if type(tensor._counter) is int and not hasattr(tensor._edge, "counter_result"):
        tensor._counter += 1
    else:
        shared = share(tensor)
        shared[0] += 1
        if shared.__class__ is Shared and shared.views:
            living = [(r, v) for r in shared.views if (v := r()) is not None]
            shared.views[:] = [r for r, _ in living]
            for _, view in living:
                view._view.outdate(view)
