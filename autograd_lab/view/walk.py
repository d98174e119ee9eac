"""In which order a graph is read: every node once, by a loop over `next_functions`, never by recursion.

Ours and PyTorch's nodes alike. Read next: `picture.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def visit(roots: Iterable[Any]) -> list[Any]:
    """Every node that the roots reach, inputs before what uses them, in the order of the written formula."""
    order: list[Any] = []
    seen: dict[int, Any] = {}
    stack = [(root.grad_fn, False) for root in reversed(list(roots)) if root.grad_fn is not None]
    while stack:
        node, inputs_done = stack.pop()
        if inputs_done:
            order.append(node)
        elif id(node) not in seen:
            seen[id(node)] = node
            stack.append((node, True))
            stack.extend((source, False) for source, _ in reversed(node.next_functions) if source is not None)
    return order


def is_leaf_end(node: Any) -> bool:
    """Whether this node is an AccumulateGrad."""
    return type(node).__name__ == "AccumulateGrad"


def with_leaves(operations: list[Any]) -> list[Any]:
    """The operations in this order, each leaf's AccumulateGrad before its first use."""
    order: list[Any] = []
    seen: set[int] = set()
    for node in operations:
        for source, _ in node.next_functions:
            if source is not None and is_leaf_end(source) and id(source) not in seen:
                seen.add(id(source))
                order.append(source)
        order.append(node)
    return order
