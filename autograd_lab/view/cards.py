"""The card of a node: PyTorch's nodes have the names of ours, so ours tell about both."""

from __future__ import annotations

from functools import cache
from typing import Any

from autograd_lab.op import CARDS


def card_of(node: Any) -> Any:
    """The card of an op, found by the name of its node: PyTorch's nodes have the names of ours."""
    return cards_by_node_name().get(type(node).__name__) or getattr(node, "card", None)


@cache
def cards_by_node_name() -> dict[str, Any]:
    by_name: dict[str, Any] = {}
    for card in sorted(CARDS.values(), key=lambda card: not any(card.latex.values())):
        by_name.setdefault(card.node_name, card)
    return by_name
