"""`firing_order(loss)`: which node may fire next? An early choice shows the gradient it would give.

A node may fire when every contribution it awaits has arrived. What an early firing would cause is computed by really
leaving out the contributions that come too late. Read `by_hand.py` first.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html import escape
from itertools import combinations
from typing import Any

from autograd_lab.view.names import is_tensor
from autograd_lab.widgets import looking
from autograd_lab.widgets.by_hand import Way
from autograd_lab.widgets.graph_game import Board
from autograd_lab.widgets.live import Live, as_image, state_word

MOST_WAYS = 4  # contributions at one node whose every part is computed
TASK = "order"


def firing_order(loss: Any) -> FiringOrder:
    """Let the learner fire the nodes of the graph of `loss` in an order that backward may take.

    `loss` is a tracked result with one element, ours or PyTorch's, of up to 40 operations. Nothing is freed and no
    `.grad` changes.

    Raises ValueError for larger graphs, RuntimeError with PyTorch's text for a freed one.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(4.0, requires_grad=True)
    >>> loss = x * x + 3 * x
    >>> game = firing_order(loss)
    >>> [node["name"].split(" ")[0] for node in game.in_pytorchs_order()]
    ['AddBackward0', 'MulBackward0', 'MulBackward0', 'AccumulateGrad']
    """
    if not is_tensor(loss):
        raise TypeError(f"firing_order needs the loss as a tensor, got {type(loss).__name__}.")
    names = looking.named_tensors([loss], {}, sys._getframe(1), "firing_order")[1]
    return FiringOrder(Board(loss, names, "firing_order"))


class FiringOrder(Live):
    """The game as plain data: nodes, what they await and send, and what each early firing would give."""

    kind = "firing_order"
    heading = "Firing order"

    def __init__(self, board: Board) -> None:
        super().__init__()
        hand = board.hand
        number = {way: i for i, way in enumerate(hand.ways)}
        right = board.grads()
        self.drawing = board.drawing
        self.intro = (
            f"`{board.root}.backward()` begins: 1 arrives at the node of `{board.root}`. Fire the nodes one by one. A "
            "node may fire when everything it awaits has arrived."
        )
        self.order = hand.order
        self.ways = [
            {"target": way.target, "value": looking.typed(board.full.arrived[way]), "edges": board.edges(way)[1:]}
            if way in board.full.arrived
            else {"target": way.target, "value": "nothing", "edges": []}
            for way in hand.ways
        ]
        self.nodes: list[dict[str, Any]] = [
            {
                "id": i,
                "key": board.key(i),
                "name": board.name(i),
                "leaf": board.leaf_name(i) if hand.is_leaf(i) else "",
                "awaits": [number[way] for way in hand.into[i]],
                "sends": [number[way] for way in hand.ways if way.source == i],
                "incoming": looking.typed(board.full.incoming[i]) if i in board.full.incoming else "nothing",
                "early": {" ".join(str(number[w]) for w in here): text for here, text in early(board, i, right)},
            }
            for i in range(len(hand.nodes))
        ]
        self.grads = [f"`{board.leaf_name(i)}.grad` gets {text}" for i, text in right.items()]
        del board, hand, number  # the game keeps no graph alive

    def in_pytorchs_order(self) -> list[dict[str, Any]]:
        return [self.nodes[i] for i in self.order]

    def asked(self) -> list[tuple[str, str]]:
        return [(TASK, "Fire every node, none too early.")]

    def plain(self) -> dict[str, Any]:
        return {
            "heading": self.heading,
            "intro": self.intro,
            "drawing": self.drawing.svg,
            "prefix": self.drawing.picture.prefix,
            "nodes": self.nodes,
            "ways": self.ways,
            "root": self.order[0],
            "order": self.order,
            "grads": self.grads,
            "task": TASK,
        }

    def rows(self) -> list[tuple[str, str, str]]:
        """Every node with how many contributions it awaits and where it sends, in the order of the forward pass."""
        rows = []
        for node in self.nodes:
            sends = [self.nodes[self.ways[way]["target"]]["name"] for way in node["sends"]]
            count = len(node["awaits"]) or 1
            rows.append((node["name"], str(count), ", ".join(sends) or "nowhere: it adds to .grad"))
        return rows

    def text(self) -> str:
        rows = [("node", "awaits", "sends to"), *self.rows()]
        widths = [max(len(row[i]) for row in rows) for i in range(2)]
        lines = [f"{a.ljust(widths[0])}  {b.ljust(widths[1])}  {c}" for a, b, c in rows]
        state = f"Your order: {state_word(self.states.get(TASK), 'every node fired')}"
        return "\n".join([self.heading, self.intro.replace("`", ""), *lines, state])

    def html(self) -> str:
        head = "".join(f"<th scope='col'>{name}</th>" for name in ("node", "awaits", "sends to"))
        body = "".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in row) + "</tr>" for row in self.rows())
        state = escape(state_word(self.states.get(TASK), "every node fired"))
        return (
            f"<p><b>{self.heading}</b></p><p>{escape(self.intro.replace('`', ''))}</p>{as_image(self.drawing)}"
            f"<table><tr>{head}</tr>{body}</table><p>Your order: <i>{state}</i></p>"
        )


def early(board: Board, i: int, right: dict[int, str]) -> Iterator[tuple[tuple[Way, ...], str]]:
    """For each part of what a node awaits: what happens if it fires with that part alone."""
    ways = board.hand.into[i]
    if not 2 <= len(ways) <= MOST_WAYS:
        return
    for size in range(1, len(ways)):
        for here in combinations(ways, size):
            late = [way for way in ways if way not in here]
            walked = board.hand.walk(late)
            if i not in walked.incoming:
                continue
            now, full = looking.typed(walked.incoming[i]), looking.typed(board.full.incoming[i])
            wrong = [
                f"`{board.leaf_name(leaf)}.grad` would get {text} in place of {right[leaf]}"
                for leaf, text in board.grads(late).items()
                if text != right[leaf]
            ]
            told = f"It would work with {now} in place of {full}"
            yield here, f"{told}: {', and '.join(wrong)}." if wrong else f"{told}."
