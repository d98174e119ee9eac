"""In which order a graph is read: every node once, by a loop over `next_functions`, never by recursion.

Ours and PyTorch's nodes alike. Read next: `picture.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Inputs = tuple[tuple[Any, int], ...]


def visit(roots: Iterable[Any]) -> list[Any]:
    """Every node that the roots reach, inputs before what uses them, in the order of the written formula."""
    return [node for node, _ in visited(roots).values()]


def visited(roots: Iterable[Any]) -> dict[int, tuple[Any, Inputs]]:
    """The same order, each node by its identity with its `next_functions`, which are asked for only once.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> [(node.name(), len(inputs)) for node, inputs in visited([x * 3]).values()]
    [('torch::autograd::AccumulateGrad', 0), ('MulBackward0', 2)]
    """
    order: dict[int, tuple[Any, Inputs]] = {}
    waiting: dict[int, Inputs] = {}  # nodes met, whose inputs are not in the order yet
    stack = [root.grad_fn for root in reversed(list(roots)) if root.grad_fn is not None]
    while stack:
        node = stack[-1]
        key = id(node)
        if key in waiting:  # its inputs are in the order now
            stack.pop()
            order[key] = node, waiting.pop(key)
        elif key in order:
            stack.pop()
        else:
            waiting[key] = inputs = node.next_functions
            for source, _ in reversed(inputs):
                if source is not None and id(source) not in order:
                    stack.append(source)
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
