"""The graph that ops leave behind: nodes, and what hangs on them.

A node is one recorded op. It knows the edges to the nodes (or leaves) its gradients go to, the values
its formulas need, and a number that grows with time: a node's number is higher than that of everything
it depends on, which is all the engine needs to walk in the right order. No mathematics happens here.

An edge is stored as None (no gradient wanted), as a leaf tensor, or as a node. Learners see edges
through `next_functions`, as in PyTorch. Read next: `_tensor.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakSet

FREED_TEXT = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already "
    "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
    "Specify retain_graph=True if you need to backward through the graph a second time or if you need to access "
    "saved tensors after calling backward."
)

new = object.__new__
next_number = count(1).__next__
AT_ONCE = 2**62  # the number of nodes that run as soon as they are ready: leaves, and ops without a derivative


class Leaf:
    """The mark in a tensor's edge slot that says: a leaf that wants a gradient."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "LEAF"


LEAF = Leaf()


class Freed:
    """Stands in a slot whose saved value is gone. No saved version number equals its counter."""

    _data = None
    _counter: ClassVar[list[int]] = [-1]

    def __repr__(self) -> str:
        return "freed"


FREED = Freed()


class Packed:
    """Stands in a slot whose value went through a saved-tensor pack hook; `unpack()` brings it back."""

    _data = None
    _counter: ClassVar[list[int]] = [-2]

    def __init__(self, packed: Any, unpack: Callable[[Any], Any]) -> None:
        self.packed, self._unpack = packed, unpack

    def unpack(self) -> Any:
        return self._unpack(self.packed)


class Node:
    """One recorded op. Subclasses are made by the cards, one per op, named as in PyTorch.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> y = x * x
    >>> y.grad_fn.name(), [n.name() for n, _ in y.grad_fn.next_functions]
    ('MulBackward0', ['torch::autograd::AccumulateGrad', 'torch::autograd::AccumulateGrad'])
    """

    __slots__ = ("__weakref__", "hooks", "number")
    card: ClassVar[Any] = None
    arity: ClassVar[int] = 3  # 1 and 2: gradients are returned bare and as a pair; 3: as a tuple of any length
    several: ClassVar[int] = 0  # number of outputs, for ops that have more than one
    number: int
    hooks: Hooks  # unset until something is hung on this node

    def name(self) -> str:
        return type(self).__name__

    if TYPE_CHECKING:
        edges: Any  # each subclass has a slot or a property of this name

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """Where the gradients go: pairs of a node (or None) and the number of its output."""
        return tuple(map(seen, self.edges))

    @property
    def metadata(self) -> dict[Any, Any]:
        return hooks_of(self).metadata

    def _sequence_nr(self) -> int:
        return self.number if self.number != AT_ONCE else 2**64 - 1

    def register_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(grad_inputs, grad_outputs)` after this node ran."""
        return RemovableHandle(self, "after", hook)

    def register_prehook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(grad_outputs)` before this node runs."""
        return RemovableHandle(self, "before", hook)

    def __call__(self, *grads: Any) -> Any:
        """Run this node alone: the gradients of its inputs, for these gradients of its results. Nothing is freed.

        >>> import autograd_lab as torch
        >>> x = torch.tensor(3.0, requires_grad=True)
        >>> (x * 4).grad_fn(torch.tensor(10.0))
        (tensor(40.), None)
        """
        if not self.several:
            return self.run_tensors(*grads)  # type: ignore[attr-defined]  # written for each card
        together = Several(len(grads), 0, None)
        together[:] = grads
        return self.run_tensors(together)  # type: ignore[attr-defined]  # as above

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"

    def free(self) -> None:
        """Let go of saved values after a general-loop run."""

    def kept(self) -> list[tuple[str, int, Any]]:
        """Name, version and value of each saved tensor, in the order in which PyTorch looks at them."""
        return []


class AccumulateGrad(Node):
    """The end of a path: what arrives here is added to the leaf's `.grad`."""

    __slots__ = ("variable",)
    arity = 3
    edges = ()

    def __init__(self, variable: Any) -> None:
        self.variable, self.number = variable, AT_ONCE

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"

    def __call__(self, *grads: Any) -> Any:
        """Add a gradient to the leaf's `.grad`, as backward does when it arrives here."""
        held = self.variable.grad
        self.variable.grad = grads[0] if held is None else held + grads[0]
        return ()


class Nowhere(Node):
    """The edge of a view that was made in no_grad mode: PyTorch calls it tracked if its base is, yet it has no history.

    Learners never meet it: `grad_fn` and `next_functions` show None.
    """

    __slots__ = ()
    arity = 3
    edges = ()

    def __init__(self) -> None:
        self.number = 0

    def run(self, grad: Any) -> Any:
        return ()

    run_keep = run_tensors = run


class Pick(Node):
    """One output of a node with several. It collects that output's gradient and hands it on.

    Learners never meet it: `grad_fn` and `next_functions` show the node behind it.
    """

    __slots__ = ("index", "next0")
    arity = 1

    def __init__(self, node: Node, index: int) -> None:
        self.next0, self.index, self.number = node, index, next_number()

    @property
    def edges(self) -> tuple[Any, ...]:
        return (self.next0,)

    def run(self, grad: Any) -> Any:
        return Several(self.next0.several, self.index, grad)

    run_keep = run_tensors = run


class Several(list[Any]):
    """The gradients of a node's outputs; adding two of them merges output by output."""

    def __init__(self, size: int, index: int, grad: Any) -> None:
        super().__init__([None] * size)
        self[index] = grad

    def __add__(self, other: Any) -> Any:
        for i, grad in enumerate(other):
            if grad is not None:
                self[i] = grad if self[i] is None else self[i] + grad
        return self


def seen(edge: Any) -> tuple[Any, int]:
    """An edge as `next_functions` shows it."""
    if edge is None or isinstance(edge, Nowhere):
        return None, 0
    if isinstance(edge, Pick):
        return edge.next0, edge.index
    return node_at(edge), 0


def node_at(edge: Any) -> Any:
    """The node an edge leads to; a leaf's AccumulateGrad is made when first asked for."""
    if edge is None or isinstance(edge, Node):
        return edge
    if edge._accumulate is None:
        edge._accumulate = AccumulateGrad(edge)
    return edge._accumulate


class Hooks:
    """What was hung on one node: hooks on the tensor it made, before and after it, and the rest."""

    __slots__ = ("after", "before", "metadata", "post", "retain", "tensor")

    def __init__(self) -> None:
        self.tensor: dict[int, Any] = {}
        self.before: dict[int, Any] = {}
        self.after: dict[int, Any] = {}
        self.post: dict[int, Any] = {}  # after accumulation into a leaf
        self.retain: Any = None  # a weak reference to the tensor whose .grad is kept
        self.metadata: dict[Any, Any] = {}

    def empty(self) -> bool:
        return self.retain is None and not (self.tensor or self.before or self.after or self.post or self.metadata)


# Nodes with something hung on them. Not empty: backward takes the general loop.
HOOKED: WeakSet[Node] = WeakSet()


def hooks_of(node: Node) -> Hooks:
    """The hooks of a node, made if there are none yet."""
    if not hasattr(node, "hooks"):
        node.hooks = Hooks()
        HOOKED.add(node)
    return node.hooks


class RemovableHandle:
    """Takes a hook off again: `handle.remove()`, or leave its `with` block."""

    next_id = count().__next__

    def __init__(self, node: Node, where: str, hook: Callable[..., Any]) -> None:
        self.id = RemovableHandle.next_id()
        self.node, self.where = node, where
        getattr(hooks_of(node), where)[self.id] = hook

    def remove(self) -> None:
        hooks = getattr(self.node, "hooks", None)
        if hooks is not None:
            getattr(hooks, self.where).pop(self.id, None)
            if hooks.empty():
                HOOKED.discard(self.node)
                del self.node.hooks

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exc: object) -> None:
        self.remove()


def stale(node: Node, name: str, version: int, value: Any) -> Any:
    """A saved value's counter is not the number that was noted: find out why.

    Freed and overwritten values are errors with PyTorch's texts. A value that went through a pack hook
    is unpacked, and a counter that merely became shared since is harmless: both return the tensor.
    """
    if isinstance(value, Packed):
        return value.unpack()
    if value is not FREED and value._version == version:
        return value
    for other, noted, kept in node.kept():
        if kept is not FREED and not isinstance(kept, Packed):
            check_overwritten(node, other, noted, kept)
    raise RuntimeError(FREED_TEXT)


def check_overwritten(node: Node, name: str, version: int, value: Any) -> None:
    """Raise PyTorch's error if a saved value was changed in place after it was saved."""
    now = value._version
    if now == version:
        return
    maker = value.grad_fn  # of a view that was outdated: its new history, or the error that it can have none
    source = f", which is output {value.output_nr} of {short_name(maker)}," if maker is not None else ""
    error = RuntimeError(
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{value.type()} {list(value.shape)}]{source} is at version {now}; expected version {version} instead. "
        "Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )
    error.add_note(
        f"{node.name()} saved {name!r} for its backward formula, and an in-place operation (one whose name ends in _, "
        "+=, or an assignment to an index) has overwritten it since. Write y = y + 1 instead of y += 1."
    )
    raise error


def short_name(node: Node) -> str:
    """`ExpBackward0` as PyTorch's in-place errors say it: `Exp`; `PowBackward1`: `Pow1`."""
    return re.sub(r"Backward(0|(\d*))$", r"\2", node.name())
