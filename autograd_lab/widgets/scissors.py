"""`scissors(loss)`: cut the graph with detach, no_grad, item or numpy, and say which `.grad` become None.

Every cut is computed beforehand by walking the graph without the edges that it takes away, so the browser needs no
kernel. Before and after stand side by side. Read `by_hand.py` first.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import asdict, dataclass
from html import escape
from math import prod
from typing import Any

from autograd_lab.view.names import Names, is_tensor
from autograd_lab.widgets import looking
from autograd_lab.widgets.answers import numbers
from autograd_lab.widgets.by_hand import Way
from autograd_lab.widgets.graph_game import Board
from autograd_lab.widgets.inputs import called
from autograd_lab.widgets.live import Live, as_image, in_html, state_word
from autograd_lab.widgets.sheet import Cell, Row, Wrong, cell

KINDS = ("detach", "no_grad", "item", "numpy")
RUNS, RAISES, STOPS = "runs", "raises an error", "is not reached: the forward pass raises"
NO_GRAPH = "Nothing that requires grad leads to `{0}` now: element 0 of tensors does not require grad."
NUMPY = "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
ABOUT = {
    "detach": "a tensor with the same numbers and without history goes into the op",
    "no_grad": "the op runs under `torch.no_grad()`: it records no node",
    "item": "a plain Python number goes into the op; it has no history",
    "numpy": "the tensor is turned into a NumPy array before the op",
}


@dataclass(frozen=True)
class Cut:
    """One cut: its kind, the lines or the box that it marks, how it is called, and the rows that ask what it does."""

    id: str
    kind: str
    label: str
    keys: tuple[str, ...]
    rows: tuple[Row, ...]


def scissors(loss: Any, *, kinds: Collection[str] = KINDS, **inputs: Any) -> Scissors:
    """Let the learner place a cut in the graph of `loss` and predict every `.grad`.

    `loss` is a tracked result with one element, ours or PyTorch's, or a function of the `inputs`, which is called with
    fresh leaves. `kinds` says which cuts there are: "detach", "item" and "numpy" cut one use of a tensor, "no_grad"
    one op. The graph and every `.grad` stay as they were.

    >>> game = scissors(lambda w, b: (w * 2 + b) ** 2, w=1.0, b=3.0)
    >>> cut = game.cuts[0]
    >>> cut.label, [cell.right for cell in game.cells(cut)]
    ('detach: w on its way into MulBackward0 (w × 2)', ['runs', 'None', '10'])
    """
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown or not kinds:
        raise ValueError(f"kinds must be some of {', '.join(KINDS)}, got {', '.join(map(repr, unknown)) or 'none'}.")
    frame = sys._getframe(1)
    if is_tensor(loss):
        names = looking.named_tensors([loss], {}, frame, "scissors")[1]
    elif isinstance(loss, Callable):  # type: ignore[arg-type]
        loss, tensors = called(loss, inputs, looking.library_in(frame))
        names = Names(iter([*tensors.items(), ("loss", loss)]))
    else:
        raise TypeError(f"scissors needs a loss, or a function that computes one, got {type(loss).__name__}.")
    return Scissors(Board(loss, names, "scissors"), tuple(kind for kind in KINDS if kind in kinds))


class Scissors(Live):
    """All cuts as plain data, each with a table of predictions."""

    kind = "scissors"
    heading = "Scissors"

    def __init__(self, board: Board, kinds: tuple[str, ...]) -> None:
        super().__init__()
        self.drawing, self.root = board.drawing, board.root
        self.intro = (
            f"Place one cut in the forward pass. Then predict: does `{board.root}.backward()` run, and which `.grad` "
            "are left?"
        )
        self.before = {board.leaf_name(i): text for i, text in board.grads().items()}
        self.kinds = kinds
        self.cuts = [cut for kind in kinds for cut in cuts_of(board, kind)]

    def cells(self, cut: Cut) -> tuple[Cell, ...]:
        return tuple(c for row in cut.rows for c in row.cells if isinstance(c, Cell))

    def asked(self) -> list[tuple[str, str]]:
        return [(cell.id, f"{cut.label}: {cell.ask}") for cut in self.cuts for cell in self.cells(cut)]

    def plain(self) -> dict[str, Any]:
        return {
            "heading": self.heading,
            "intro": self.intro,
            "drawing": self.drawing.svg,
            "prefix": self.drawing.picture.prefix,
            "columns": ["without the cut", "with the cut"],
            "kinds": [{"kind": kind, "about": ABOUT[kind]} for kind in self.kinds],
            "cuts": [
                {
                    "id": cut.id,
                    "kind": cut.kind,
                    "label": cut.label,
                    "keys": cut.keys,
                    "rows": [
                        {
                            "head": row.head,
                            "after": row.after,
                            "cells": [asdict(c) if isinstance(c, Cell) else c for c in row.cells],
                        }
                        for row in cut.rows
                    ],
                }
                for cut in self.cuts
            ],
        }

    def lines(self) -> list[tuple[str, str]]:
        """Each cut with what was answered."""
        lines = []
        for cut in self.cuts:
            told = [state_word(self.states.get(c.id), c.right) for c in self.cells(cut) if c.id in self.states]
            lines.append((cut.label, ", ".join(told) or "not answered"))
        return lines

    def text(self) -> str:
        before = ", ".join(f"{name}.grad = {text}" for name, text in self.before.items())
        lines = [f"  {label}: {state}" for label, state in self.lines()]
        return "\n".join([self.heading, self.intro, f"Without a cut: {before}", *lines]).replace("`", "")

    def html(self) -> str:
        before = ", ".join(f"{name}.grad = {text}" for name, text in self.before.items())
        items = "".join(f"<li>{in_html(label)}: <i>{escape(state)}</i></li>" for label, state in self.lines())
        return (
            f"<p><b>{self.heading}</b></p><p>{in_html(self.intro)}</p>{as_image(self.drawing)}"
            f"<p>Without a cut: {escape(before)}</p><ul>{items}</ul>"
        )


def cuts_of(board: Board, kind: str) -> Iterator[Cut]:
    """Every place where this kind of cut can stand."""
    hand = board.hand
    if kind == "no_grad":
        for i in range(len(hand.nodes)):
            if not hand.is_leaf(i):
                gone = [way for way in hand.ways if way.source == i]
                yield made(board, kind, f"n{i}", f"around {board.name(i)}", (board.key(i),), gone, i == hand.root)
        return
    for n, way in enumerate(sorted(hand.ways, key=lambda way: (way.source, way.number))):
        label = f"{board.value(way)} on its way into {board.name(way.source)}"
        if sum(other.source == way.source and board.value(other) == board.value(way) for other in hand.ways) > 1:
            label += f", {looking.ordinal(way.number)} input"
        yield made(board, kind, f"w{n}", label, tuple(board.edges(way)), [way], False)


def made(board: Board, kind: str, place: str, label: str, keys: tuple[str, ...], gone: list[Way], dead: bool) -> Cut:
    """The cut with its table: first whether backward runs, then each `.grad`."""
    id = f"{kind}-{place}"
    size = prod(board.full.incoming[gone[0].target].shape) if gone and gone[0].target in board.full.incoming else 1
    if kind == "numpy":
        state, why = STOPS, f"RuntimeError: {NUMPY}"
    elif kind == "item" and size != 1:
        state, why = STOPS, f"RuntimeError: a Tensor with {size} elements cannot be converted to Scalar."
    elif dead or not tracked(board, gone):
        state, why = RAISES, NO_GRAPH.format(board.root)
    else:
        state, why = RUNS, f"A way from `{board.root}` to a leaf is still open."
    ask = f"`{board.root}.backward()`"
    wrong = [Wrong(o, why, "M5" if state != RUNS else "M15") for o in (RUNS, RAISES, STOPS)]
    first = cell(f"{id}.runs", ask, state, why, wrong, options=(RUNS, RAISES, STOPS))
    after = board.grads(gone) if state == RUNS else dict.fromkeys(board.hand.leaves, "None")
    rows = [Row(ask, (RUNS, first))]
    for i, before in board.grads().items():
        name = board.leaf_name(i)
        rows.append(
            Row(f"`{name}.grad`", (before, grad_cell(f"{id}.{name}", name, before, after[i], state, board.key(i))))
        )
    return Cut(id, kind, f"{kind}: {label}", keys, tuple(rows))


def tracked(board: Board, gone: list[Way]) -> bool:
    """Whether the result still requires grad: a way is left from it to some leaf."""
    seen, todo = {board.hand.root}, [board.hand.root]
    while todo:
        at = todo.pop()
        if board.hand.is_leaf(at):
            return True
        new = {w.target for w in board.hand.ways if w.source == at and w not in gone} - seen
        seen |= new
        todo += new
    return False


def grad_cell(id: str, name: str, before: str, after: str, state: str, key: str) -> Cell:
    """What a leaf has after backward with the cut."""
    wrong = []
    if after == "None":
        because = "Nothing arrives: every way to it passes the cut."
        if state != RUNS:
            because = "backward does not run, so no gradient arrives anywhere."
        wrong = [
            Wrong(before, f"That is without the cut. {because}", "M15"),
            Wrong("0", "Nothing arrives, and that is None. A gradient of 0 would be a number.", "M7"),
        ]
    elif after == before:
        because = "No way to it passes the cut."
        wrong = [Wrong("None", f"A cut takes away what passes through it. {because}", "M15")]
        wrong.append(Wrong("0", "The cut is on another way, so its gradient arrives as before.", "M15"))
    else:
        because = "One way passes the cut, another one is still open: its share alone arrives."
        wrong = [Wrong(before, f"That is the sum of all ways. {because}", "M15"), Wrong("None", because, "M15")]
        a, b = numbers(before), numbers(after)
        if a and b and len(a) == len(b):
            gone = looking.list_text([x - y for x, y in zip(a, b, strict=True)])
            wrong.append(Wrong(gone, "That is the share that was cut off. What is left arrives.", "M9"))
    ask = f"With the cut `{name}.grad` is"
    return cell(id, ask, after, because, wrong, node=key, otherwise=f"Follow each way from the loss to `{name}`.")
