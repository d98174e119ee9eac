"""What the general walk must know: who waits for how many gradients, which nodes matter, and which is next.

Read next: `engine.py`.
"""

from __future__ import annotations

from typing import Any

from .graph import node_at


class Plan:
    """What `steps` works out before it starts: how many gradients each node waits for, and which nodes matter."""

    def __init__(self, roots: list[Any], goals: set[Any] | None) -> None:
        self.edges: dict[Any, list[Any]] = {}
        self.users: dict[Any, int] = {}
        todo = list(roots)
        while todo:
            node = todo.pop()
            if node in self.edges:
                continue
            self.edges[node] = [node_at(e) for e in node.edges]
            for e in self.edges[node]:
                if e is not None:
                    self.users[e] = self.users.get(e, 0) + 1
                    todo.append(e)
        self.useful = None if goals is None else self.leading_to(goals)

    def leading_to(self, goals: set[Any]) -> set[Any]:
        """The nodes from which one of the goals can be reached, and the goals."""
        users: dict[Any, list[Any]] = {}
        for node, edges in self.edges.items():
            for e in edges:
                users.setdefault(e, []).append(node)
        found, todo = set(goals), list(goals)
        while todo:
            for user in users.get(todo.pop(), ()):
                if user not in found:
                    found.add(user)
                    todo.append(user)
        return found

    def runs(self, node: Any, goals: set[Any] | None) -> bool:
        """Whether a node must run: always, or with `inputs=` only if it leads to one of them."""
        if self.useful is None or goals is None:
            return True
        return any(e in self.useful for e in self.edges[node])


class Ready:
    """The nodes that may run: the one with the highest number comes first.

    Leaves all have the same number, and hooks show which of them comes first. In PyTorch that follows from how C++
    keeps its heap, so this is that heap: `std::push_heap` and `std::pop_heap`, step by step.
    """

    def __init__(self) -> None:
        self.heap: list[Any] = []

    def __bool__(self) -> bool:
        return bool(self.heap)

    def push(self, node: Any) -> None:
        self.heap.append(node)
        self.rise(len(self.heap) - 1, node)

    def rise(self, hole: int, node: Any) -> None:
        """Put a node into a hole, or above it as long as those there have lower numbers."""
        heap = self.heap
        while hole and heap[(hole - 1) // 2].number < node.number:
            heap[hole] = heap[(hole - 1) // 2]
            hole = (hole - 1) // 2
        heap[hole] = node

    def pop(self) -> Any:
        """Take the first; the hole sinks to the bottom, where the last node fills it and rises."""
        heap = self.heap
        first, last, hole = heap[0], heap.pop(), 0
        if not heap:
            return first
        while (child := 2 * hole + 2) < len(heap):
            if heap[child].number < heap[child - 1].number:
                child -= 1
            heap[hole] = heap[child]
            hole = child
        if child == len(heap):  # a left child without a right one
            heap[hole] = heap[child - 1]
            hole = child - 1
        self.rise(hole, last)
        return first
