"""What the general walk must know before it starts: who waits for how many gradients, and which nodes matter.

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
