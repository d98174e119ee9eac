"""Writing into a tensor: every in-place method is derived from the card of its out-of-place op.

`x.mul_(y)` runs the card of `mul` on the old value, copies the result into x's memory, counts the write, and
lets x's history begin at the new node. Writing into a view also changes its base: the base gets a
`CopySlices` node that routes gradients around the part that was overwritten, and all views of that base
are given fresh edges, since what they show has a new history. Read next: `menu/writing.py`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any
from weakref import ref

import numpy as np

from . import dtypes
from ._tensor import Tensor, bare
from .grad_mode import GRAD_MODE
from .graph import LEAF, Node, hooks_of, next_number, short_name
from .memory import Shared, View, bump
from .ops.writing_ops import as_strided, flat_put, flat_take
from .recorder import announce, held, watchers

OVERLAP = (
    "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
    "Please clone() the tensor before performing the operation."
)
MAY_OVERLAP = frozenset({"fill_", "zero_"})  # one value everywhere: sharing a place does no harm


def in_place(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The method `name` that writes what `function` computes."""

    @functools.wraps(function)
    def write(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        check_writable(self, overlap=name in MAY_OVERLAP)
        return replaced(self, function, *args, **kwargs)

    write.__name__ = write.__qualname__ = name
    write.__doc__ = f"In-place version of `{name.rstrip('_')}`: writes the result into this tensor and returns it."
    for attribute in ("card", "wrt", "__wrapped__"):
        write.__dict__.pop(attribute, None)
    return write


def overwrite(self: Tensor, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Tensor:
    """Write `function(self, …)` into the tensor, if it may be written."""
    check_writable(self)
    return replaced(self, function, *args, **kwargs)


def replaced(self: Tensor, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Tensor:
    """The write itself. Watchers hear of it once, with the value from before."""
    before = alias(self)
    if not watchers:
        return written(self, before, function(before, *args, **kwargs))
    with held() as told:
        before._data = before._data.copy()
        result = function(before, *args, **kwargs)
    written(self, before, result)
    for card, arguments, _ in told[-1:]:
        announce(card, arguments, self)
    return self


def check_writable(self: Tensor, overlap: bool = False) -> None:
    """Raise PyTorch's errors for tensors that must not be written now.

    `overlap` says that elements which share one place in memory do no harm.
    """
    if GRAD_MODE.get() is not False:
        view = self._view
        if view is not None:
            check_view(self, view)
        if self._edge is LEAF:
            error = RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
            error.add_note(
                "A leaf's value is where its gradient belongs. To update a parameter, write inside "
                "`with torch.no_grad():`; to compute with a changed value, write y = x + 1 instead of x += 1."
            )
            raise error
        if view is not None and view.base._edge is LEAF:
            raise RuntimeError("a view of a leaf Variable that requires grad is being used in an in-place operation.")
    data = self._data
    if overlap:
        return
    if isinstance(data, np.ndarray) and shares_places(data):
        raise RuntimeError(OVERLAP)


def shares_places(data: Any) -> bool:
    """Whether elements of an array share one place in memory, as those of an expanded tensor do."""
    return any(s == 0 and n > 1 for s, n in zip(data.strides, data.shape, strict=True))


def check_view(self: Tensor, view: View) -> None:
    """Raise PyTorch's errors for views whose gradient would be ambiguous after a write."""
    if view.forbidden == "no_grad":
        raise RuntimeError(
            "A view was created in no_grad mode and is being modified inplace with grad mode enabled. Given that this "
            "use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view "
            "and the inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or "
            "both outside (if you want the inplace to be tracked)."
        )
    if not view.forbidden:
        return
    outdated = not view.current(self) and view.base._edge is not None
    if outdated or self._edge is not None:
        start = "A view was created in no_grad mode and is being modified inplace with grad mode enabled."
        if not outdated or view.made_as() is not None:
            number, name = view.made_as() if outdated else (self.output_nr, short_name(self.grad_fn))
            start = f"Output {number} of {name} is a view and is being modified inplace."
        raise RuntimeError(
            f"{start} This view "
            "is the output of a function that returns multiple views. Such functions do not allow the output views to "
            "be modified inplace. You should replace the inplace operation by an out-of-place one."
        )


def alias(self: Tensor) -> Tensor:
    """The tensor before the write, with its history."""
    before = bare(self.array())
    before._edge = self._edge
    before._counter = self._version if not self.is_inference() else 0
    return before


def written(self: Tensor, before: Tensor, result: Tensor) -> Tensor:
    """Copy a result into the tensor, count the write, and give the tensor its new history."""
    data, new = self._data, result._data
    if not dtypes.can_cast(result.dtype, self.dtype):
        names = dtypes.TYPE_NAMES
        raise RuntimeError(
            f"result type {names[result.dtype.name]} can't be cast to the desired output type {names[self.dtype.name]}"
        )
    if new.shape != data.shape:
        raise RuntimeError(f"output with shape {list(data.shape)} doesn't match the broadcast shape {list(new.shape)}")
    node: Any = result._edge if isinstance(result._edge, Node) else None
    if node is not None and node is not before._edge and getattr(node, "saved_self", None) is before:
        before._data = before._data.copy()  # the formula needs the value from before the write
        before._counter = node.version_self = 0  # a copy of its own, never written
    if not self.is_meta:
        np.copyto(data, new, casting="unsafe")
    bump(self)
    if node is not None and node is not before._edge:
        if getattr(node, "counter_result", node) is None:  # the formula needs the value just written
            node.saved_result, node.counter_result, node.version_result = data, shared(self), self._version
        rebase(self, node, before._edge)
    return self


def shared(tensor: Tensor) -> Any:
    """The counter as the list that the node keeps too."""
    if not isinstance(tensor._counter, Shared):
        tensor._counter = Shared(tensor._counter)
    return tensor._counter


def rebase(self: Tensor, node: Any, old: Any) -> None:
    """Let a written tensor continue from `node`; `old` was its edge. A view passes its base through CopySlices.

    Views of the same memory lost their edges when the write was counted (`memory.bump`), and get new ones when asked.
    """
    view = self._view
    if view is None:
        self._edge = node
    else:
        before = view.base._edge
        view.base._edge = CopySlices(view.base, self, node)
        keep_retaining(view.base, before)
    keep_retaining(self, old)


def keep_retaining(tensor: Tensor, old: Any) -> None:
    """After a write, `retain_grad` stands for the newest version."""
    hooks = getattr(old, "hooks", None)
    if hooks is not None and hooks.retain is not None and hooks.retain() is tensor:
        hooks.retain = None
        hooks_of(tensor._edge).retain = ref(tensor)


def fresh_edge(base: Tensor, view: Tensor) -> Any:
    """The edge of a view whose base has a new history: AsStridedBackward0 on the base."""
    mode = GRAD_MODE.get()
    GRAD_MODE.set(True)
    try:
        return as_strided(base, *geometry(base, view))._edge
    finally:
        GRAD_MODE.set(mode)


View.fresh_edge = staticmethod(fresh_edge)


def geometry(base: Tensor, view: Tensor) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Where a view lies in its base: size, stride and offset in elements."""
    whole, part = base.array(), view.array()
    step = whole.itemsize
    address = part.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
    return tuple(part.shape), tuple(s // step for s in part.strides), address // step


class CopySlices(Node):
    """The history of a base after a view of it was written.

    The part that was overwritten sends its gradient through the op that wrote it; the rest goes to the
    base as it was before.
    """

    __slots__ = ("edges", "overlaps", "positions", "writer")
    arity = 3

    def __init__(self, base: Tensor, view: Tensor, writer: Any) -> None:
        before = base._edge
        self.edges = (before, *writer.edges[1:])
        self.writer, self.number = writer, next_number()
        self.overlaps = shares_places(view.array())
        with_grad = GRAD_MODE.get()
        GRAD_MODE.set(False)
        try:
            size, stride, offset = geometry(base, view)
            self.positions = as_strided.card.forward(base.array(), size, stride, offset)[1]
        finally:
            GRAD_MODE.set(with_grad)

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    def _run(self, grad: Any, run: Callable[[Any], Any]) -> tuple[Any, ...]:
        if self.overlaps:
            raise RuntimeError(OVERLAP)
        rest = np.array(grad, order="C")  # also of a 0-d gradient, a NumPy scalar, and of a transposed one
        part = rest.reshape(-1)[self.positions]
        found = run(part)
        grads = (found,) if self.writer.arity == 1 else tuple(found)
        rest.reshape(-1)[self.positions] = 0 if grads[0] is None else grads[0]
        return (rest, *grads[1:])

    def run(self, grad: Any) -> tuple[Any, ...]:
        return self._run(grad, self.writer.run)

    def run_keep(self, grad: Any) -> tuple[Any, ...]:
        return self._run(grad, self.writer.run_keep)

    def run_tensors(self, grad: Any) -> tuple[Any, ...]:
        part = flat_take(grad, self.positions)
        found = self.writer.run_tensors(part)
        grads = (found,) if self.writer.arity == 1 else tuple(found)
        return (flat_put(grad, part * 0 if grads[0] is None else grads[0], self.positions), *grads[1:])

    def free(self) -> None:
        self.writer.free()
