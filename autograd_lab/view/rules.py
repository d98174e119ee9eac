"""What an op sends back, where no number says it: its rule as a short text, and the sums of broadcasting.

The rule is the card's own formula in LaTeX, filled with the names in the drawing: `grad @ W` reads
`grad · Wᵀ`. PyTorch's nodes have the names of our cards and so the same rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import Template
from typing import Any

from autograd_lab.view.formula import name, plain

RULE_ROOM = 26  # characters
Shape = tuple[int, ...]


def rule_of(card: Any, argument: str, called: Mapping[str, str]) -> str:
    """What goes back to this argument, as text; empty if the card does not say or it would be long.

    >>> from autograd_lab.op import CARDS
    >>> rule_of(CARDS["mm"], "self", {"self": "X", "mat2": "W"})
    'grad Wᵀ'
    >>> rule_of(CARDS["tanh"], "self", {"result": "h"})
    'grad · (1 - h²)'
    """
    template = card.latex.get(argument.partition("[")[0], "") if card is not None else ""
    if not template:
        return ""
    fillings = Named({key: name(text) for key, text in called.items() if text})
    fillings["grad"] = r"\mathit{grad}"
    filled = Template(template).safe_substitute(fillings)
    text = plain(filled.replace("^T", r"^{\top}"))
    if "$grad" not in template:
        if text == "1":
            text = "grad"
        else:
            text = f"grad · ({text})" if re.search(r" [-+−/] ", text) else f"grad · {text}"
    return text if len(text) <= RULE_ROOM else ""


class Named(dict[str, str]):
    """A template's names: those not known stand for themselves."""

    def __missing__(self, key: str) -> str:
        return name(key)


def sum_of_broadcasting(small: Shape | None, large: Shape | None) -> str:
    """How the gradient of a broadcast input gets its shape back.

    >>> sum_of_broadcasting((3,), (2, 3)), sum_of_broadcasting((2, 1), (2, 3)), sum_of_broadcasting((), (4,))
    ('sum over dim 0', 'sum over dim 1', 'sum over all')
    """
    if small is None or large is None or small == large or len(small) > len(large):
        return ""
    extra = len(large) - len(small)
    aligned = zip(small, large[extra:], strict=True)
    dims = [*range(extra), *(i + extra for i, (a, b) in enumerate(aligned) if a == 1 and b != 1)]
    if not dims or any(a not in (1, b) for a, b in zip(small, large[extra:], strict=True)):
        return ""
    if len(dims) == len(large):
        return "sum over all"
    return f"sum over dim{'s' * (len(dims) > 1)} {', '.join(map(str, dims))}"
