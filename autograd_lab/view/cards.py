"""The card of a node: PyTorch's nodes have the names of ours, so ours tell about both."""

from __future__ import annotations

from functools import cache
from typing import Any

from autograd_lab.op import CARDS
from autograd_lab.ops import every  # noqa: F401  (PyTorch's nodes are looked up among all cards)

WITH_NUMBERS = {f"{op}Backward1": f"{op}Backward0" for op in ("Add", "Sub", "Mul", "Div")}


def card_of(node: Any, op: str = "") -> Any:
    """The card of an op, found by the name of its node, and of the op itself where that is known.

    Inside a recorded backward PyTorch multiplies by plain numbers, and numbers these nodes apart.
    """
    by_name, name = cards_by_node_name(), type(node).__name__
    card = by_name.get(name) or by_name.get(WITH_NUMBERS.get(name, "")) or getattr(node, "card", None)
    if op and card is not None and (card.name != op or len(card.targets) != len(node.next_functions)):
        fitting = (
            c for c in cards_by_op().get((op, type(node).__name__), ()) if len(c.targets) == len(node.next_functions)
        )
        return next(fitting, card)
    return card


@cache
def cards_by_op() -> dict[tuple[str, str], list[Any]]:
    found: dict[tuple[str, str], list[Any]] = {}
    for card in CARDS.values():
        found.setdefault((card.name, card.node_name), []).append(card)
    return found


@cache
def cards_by_node_name() -> dict[str, Any]:
    by_name: dict[str, Any] = {}
    for card in sorted(CARDS.values(), key=lambda card: not any(card.latex.values())):
        by_name.setdefault(card.node_name, card)
    return by_name
