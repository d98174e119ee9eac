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
from .graph import FREED_TEXT, LEAF, Node, hooks_of, next_number, short_name
from .memory import WRITTEN_INTO, Shared, View, bump
from .ops.python_numbers import zeros_of
from .ops.writing_ops import as_strided, copy, flat_put, flat_take, memory_of
from .recorder import announce, held, watchers

OVERLAP = (
    "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
    "Please clone() the tensor before performing the operation."
)
MAY_OVERLAP = frozenset({"fill_", "zero_"})  # one value everywhere: sharing a place does no harm
SHARED = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
    "location. Please clone() the tensor before performing the operation."
)
MAY_READ = frozenset({"fill_", "masked_fill_", "index_fill_", "masked_scatter_"})  # read before they write
READ_ELSEWHERE = frozenset({"index_add_", "index_copy_", "index_put_", "scatter_", "scatter_add_", "scatter_reduce_"})


def in_place(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The method `name` that writes what `function` computes."""

    @functools.wraps(function)
    def write(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        check_writable(self, overlap=name in MAY_OVERLAP)
        if name not in MAY_READ:
            check_read(self, (*args, *kwargs.values()), name in READ_ELSEWHERE)
        return replaced(self, function, *args, **kwargs)

    write.__name__ = write.__qualname__ = name
    write.__doc__ = f"In-place version of `{name.rstrip('_')}`: writes the result into this tensor and returns it."
    for attribute in ("card", "wrt", "__wrapped__"):
        write.__dict__.pop(attribute, None)
    return write


def overwrite(self: Tensor, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Tensor:
    """Write `function(self, …)` into the tensor, if it may be written."""
    check_writable(self)
    if function is not copy or args[0].shape == self.shape:  # else it is expanded first, and has gaps
        check_read(self, tuple(a for a in args if isinstance(a, Tensor) and a.ndim), function is not copy)
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
        if view is not None and self.requires_grad:
            check_view(self, view)
        if self.requires_grad and not self._has_history():
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


def check_read(self: Tensor, arguments: tuple[Any, ...], not_even_all: bool = False) -> None:
    """Raise PyTorch's error for an argument that lies in a part of the written memory, as in `x -= x[0]`.

    One that is the very memory does no harm to most ops. Arrays with gaps are not looked at, in PyTorch neither.
    """
    data = self._data
    for argument in arguments:
        if not isinstance(argument, Tensor) or (argument is self and not not_even_all):
            continue
        other = argument._data
        if (
            not isinstance(data, np.ndarray)
            or not isinstance(other, np.ndarray)
            or not np.may_share_memory(data, other)
        ):
            continue
        same = data.strides == other.strides and data.size == other.size and start_of(data) == start_of(other)
        if dense(data) and dense(other) and (not_even_all or not same):
            raise RuntimeError(SHARED)


def start_of(data: Any) -> int:
    return int(data.__array_interface__["data"][0])


def dense(data: Any) -> bool:
    """Whether an array fills its memory without gaps, in whatever order."""
    wanted = data.itemsize
    for stride, size in sorted(zip(data.strides, data.shape, strict=True)):
        if size != 1 and stride != wanted:
            return False
        wanted *= size
    return True


def shares_places(data: Any) -> bool:
    """Whether elements of an array share one place in memory, as those of an expanded tensor do."""
    return any(s == 0 and n > 1 for s, n in zip(data.strides, data.shape, strict=True))


def check_view(self: Tensor, view: View) -> None:
    """Raise PyTorch's errors for views whose gradient would be ambiguous after a tracked write."""
    if not view.forbidden:
        return
    made = view.made_as()
    if view.current(self):
        made = None if self.grad_fn is None else (self.output_nr, short_name(self.grad_fn))
    raise RuntimeError(view.complaint(made, "is being"))


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
    if node is not None and self._view is not None and not self.requires_grad:
        check_view(self, self._view)  # a tracked value comes into an untracked view
    if node is not None and node is not before._edge and getattr(node, "saved_self", None) is before:
        before._data = before._data.copy()  # the formula needs the value from before the write
        before._counter = node.version_self = 0  # a copy of its own, never written
    if not self.is_meta:
        np.copyto(data, new, casting="unsafe")
    bump(self)
    if node is not None and node is not before._edge:
        keeps_result = getattr(node, "counter_result", node) is None
        if keeps_result:  # the formula needs the value just written
            node.saved_result, node.counter_result, node.version_result = data, shared(self), self._version
        rebase(self, node, before._edge)
        if keeps_result and self._view is not None:
            WRITTEN_INTO[node] = ref(self._edge)
    return self


def shared(tensor: Tensor) -> Any:
    """The counter as the list that the node keeps too."""
    if not isinstance(tensor._counter, Shared):
        tensor._counter = Shared(tensor._counter)
    return tensor._counter


def rebase(self: Tensor, node: Any, old: Any) -> None:
    """Let a written tensor continue from `node`; `old` was its edge. A view passes its base through CopySlices.

    Views of the same memory lost their edges when the write was counted (`memory.bump`). The one that was written
    gets its new one here, at the end, the others when asked.
    """
    view = self._view
    if view is None:
        self._edge = node
    else:
        before = view.base._edge
        view.base._edge = CopySlices(view.base, self, node)
        keep_retaining(view.base, before)
        view.renewed(self)
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
        return as_strided(base, *geometry(view))._edge
    finally:
        GRAD_MODE.set(mode)


View.fresh_edge = staticmethod(fresh_edge)


def geometry(view: Tensor) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Where a view lies in its memory: size, stride and offset in elements."""
    part = view.array()
    return tuple(part.shape), tuple(s // part.itemsize for s in part.strides), memory_of(part)[1]


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
            size, stride, offset = geometry(view)
            self.positions = as_strided.card.forward(base.array(), size, stride, offset)[1]
        finally:
            GRAD_MODE.set(with_grad)

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    def _run(self, grad: Any, run: str) -> tuple[Any, ...]:
        if self.writer is None:
            raise RuntimeError(FREED_TEXT)
        if self.overlaps:
            raise RuntimeError(OVERLAP)
        rest = np.array(grad, order="C")  # also of a 0-d gradient, a NumPy scalar, and of a transposed one
        part = rest.reshape(-1)[self.positions]
        found = getattr(self.writer, run)(part)
        grads = (found,) if self.writer.arity == 1 else tuple(found)
        rest.reshape(-1)[self.positions] = 0 if grads[0] is None else grads[0]
        return (rest, *grads[1:])

    def run(self, grad: Any) -> tuple[Any, ...]:
        grads = self._run(grad, "run")
        self.writer = None
        return grads

    def run_keep(self, grad: Any) -> tuple[Any, ...]:
        return self._run(grad, "run_keep")

    def run_tensors(self, grad: Any) -> tuple[Any, ...]:
        if self.writer is None:
            raise RuntimeError(FREED_TEXT)
        part = flat_take(grad, self.positions)
        found = self.writer.run_tensors(part)
        grads = (found,) if self.writer.arity == 1 else tuple(found)
        return (flat_put(grad, zeros_of(part) if grads[0] is None else grads[0], self.positions), *grads[1:])

    def free(self) -> None:
        self.writer = None
