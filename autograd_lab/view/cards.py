"""The card of a node: PyTorch's nodes have the names of ours, so ours tell about both.

Several cards leave nodes of one name; they agree in LaTeX where they have any, so the first that has some tells about
all. The chapter of one of our nodes is open, since it made the node. For PyTorch's nodes the chapters that are open are
asked first, and all of them only if those do not know: opening all takes longer than a drawing.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from autograd_lab.graph import Node
from autograd_lab.op import CARDS

WITH_NUMBERS = {f"{op}Backward1": f"{op}Backward0" for op in ("Add", "Sub", "Mul", "Div")}


def card_of(node: Any, op: str = "") -> Any:
    """The card of an op, found by the name of its node, and of the op itself where that is known.

    Inside a recorded backward PyTorch multiplies by plain numbers, and numbers these nodes apart.
    """
    name = type(node).__name__
    card = card_named(name)
    if not isinstance(node, Node) and (card is None or not any(card.latex.values())):
        open_all()
        card = card_named(name)
    card = card or getattr(node, "card", None)
    if op and card is not None and (card.name != op or len(card.targets) != len(node.next_functions)):
        if not isinstance(node, Node):
            open_all()
        fitting = (c for c in cards_by_op(len(CARDS)).get((op, name), ()) if len(c.targets) == len(node.next_functions))
        return next(fitting, card)
    return card


def card_named(name: str) -> Any:
    """The card for nodes of this name, among the chapters that are open."""
    by_name = cards_by_node_name(len(CARDS))
    return by_name.get(name) or by_name.get(WITH_NUMBERS.get(name, ""))


@cache
def open_all() -> None:
    """Open every chapter, so that all cards are registered."""
    import_module("autograd_lab.ops.every")


@cache
def cards_by_op(registered: int) -> dict[tuple[str, str], list[Any]]:
    """The cards by op and name of the node; `registered` counts them, since more chapters may have been opened."""
    found: dict[tuple[str, str], list[Any]] = {}
    for card in CARDS.values():
        found.setdefault((card.name, card.node_name), []).append(card)
    return found


@cache
def cards_by_node_name(registered: int) -> dict[str, Any]:
    """The card that tells about all nodes of a name; `registered` counts the cards, as above."""
    by_name: dict[str, Any] = {}
    for card in sorted(CARDS.values(), key=lambda card: not any(card.latex.values())):
        by_name.setdefault(card.node_name, card)
    return by_name
