"""Which hooks wait at a node: those of a tensor, of the node itself, after accumulation, and `retain_grad()`.

A walk that only looks calls none of them: a hook may do anything. Ours are all known. PyTorch shows those of the
tensors at hand (a leaf, a variable of the caller); hooks on its nodes it keeps to itself. Read next: `arrivals.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from autograd_lab.graph import Node
from autograd_lab.view.names import Names
from autograd_lab.view.starting import is_leaf_node
from autograd_lab.view.steps import Hook

ON_OUR_NODES = (
    ("tensor", "tensor hook"),
    ("before", "node prehook"),
    ("after", "node hook"),
    ("post", "post-accumulate hook"),
)
ON_TENSORS = (("_backward_hooks", "tensor hook"), ("_post_accumulate_grad_hooks", "post-accumulate hook"))


def hooks_at(node: Any, names: Names) -> tuple[Hook, ...]:
    """The hooks that a real backward would call when this node's gradient is complete, in the order of the calls."""
    return tuple(ours(node) if isinstance(node, Node) else theirs(node, names))


def ours(node: Any) -> Iterator[Hook]:
    hooks = getattr(node, "hooks", None)
    if hooks is None:
        return
    for place, kind in ON_OUR_NODES:
        yield from named(kind, getattr(hooks, place).values())
        if place == "tensor" and hooks.retain is not None and hooks.retain() is not None:
            yield Hook("retain_grad")


def theirs(node: Any, names: Names) -> Iterator[Hook]:
    tensor = node.variable if is_leaf_node(node) else names.result(node, 0)
    if tensor is None:
        return
    for place, kind in ON_TENSORS:
        yield from named(kind, (getattr(tensor, place, None) or {}).values())
    if tensor.grad_fn is not None and tensor.retains_grad:
        yield Hook("retain_grad")


def named(kind: str, hooks: Iterable[Any]) -> Iterator[Hook]:
    for hook in hooks:
        yield Hook(kind, getattr(hook, "__name__", type(hook).__name__))
