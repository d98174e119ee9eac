"""Write docs/ops.md: every card of the registry, chapter by chapter.

python tools/make_ops_table.py           say whether it is current
python tools/make_ops_table.py --write   write it
"""

import inspect
import pkgutil
import re
import sys
from importlib import import_module

from pages import ROOT, table, write_or_say

from autograd_lab import ops
from autograd_lab.op import CARDS, Card

TARGET = ROOT / "docs" / "ops.md"
HEAD = """# The table of ops

Each op is one card in one file (see [adding_an_op.md](adding_an_op.md)). A row says:

- **op**: its public name. Some ops have several cards, as in PyTorch: for a number, for a tensor, for `dim`.
- **grad_fn**: the name of the node that it records, as PyTorch prints it.
- **saves**: what the node keeps for backward, because a formula names it. It is kept only if the input of that formula
  requires grad. A name such as `self_shape` is a shape, not a tensor.
- **local derivative**: for each input that has a gradient, the factor by which it multiplies the incoming gradient,
  element by element. Where the rule is no such factor, the whole product is given and names *grad*. Where nothing
  stands after an input, its rule only moves or adds numbers, or is too long for a line: read it in the file.

This page is written by `tools/make_ops_table.py` from the cards. Change a card, not this page.
"""
NAME = re.compile(r"\$(\w+)")
# GitHub shows no \operatorname, reads \, as a comma, and ends a table cell at |.
PLAIN = ((r"\operatorname{", r"\mathrm{"), (r"\,", r"\thinspace "), ("|", r"\vert "))


def cards() -> list[Card]:
    """The cards of the package, by chapter; a card that somebody else registered is not among them."""
    for module in pkgutil.iter_modules(ops.__path__):
        import_module(f"{ops.__name__}.{module.name}")
    found = [card for card in CARDS.values() if card.forward.__module__.startswith(f"{ops.__name__}.")]
    return sorted(found, key=lambda card: (card.forward.__module__, card.forward.__code__.co_firstlineno))


def latex(formula: str) -> str:
    r"""A card's LaTeX as Markdown shows it; an underscore in a name becomes an index.

    >>> print(latex(r"[|$self| > $min_val]"))
    $[\vert \mathit{self}\vert  > \mathit{min}_{val}]$
    """
    for before, after in PLAIN:
        formula = formula.replace(before, after)
    return f"${NAME.sub(lambda found: shown(found[1]), formula)}$"


def shown(name: str) -> str:
    first, *rest = name.split("_")
    return rf"\mathit{{{first}}}" + "".join(f"_{{{part}}}" for part in rest)


def row(card: Card) -> tuple[str, ...]:
    """One card as cells."""
    local = [f"`{name}`: {latex(card.latex[name])}" if card.latex[name] else f"`{name}`" for name in card.targets]
    saves = ", ".join(f"`{name}`" for name in card.kept_names)
    return f"`{card.name}`", f"`{card.node_name}`", saves or "nothing", "<br>".join(local)


def chapters() -> dict[str, list[Card]]:
    """The cards of each file."""
    found: dict[str, list[Card]] = {}
    for card in cards():
        found.setdefault(card.forward.__module__, []).append(card)
    return found


def text() -> str:
    """The whole page."""
    parts = [HEAD, f"{len(cards())} cards in {len(chapters())} files of `autograd_lab/ops/`.\n"]
    for module, its_cards in chapters().items():
        name = module.rpartition(".")[2]
        about = inspect.getdoc(sys.modules[module]).splitlines()[0]
        parts.append(f"## {name}\n\n{about} File: [ops/{name}.py](../autograd_lab/ops/{name}.py)\n")
        parts.append(table(("op", "grad_fn", "saves", "local derivative"), map(row, its_cards)) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    sys.exit(write_or_say("Write the table of ops from the cards.", TARGET, text()))
