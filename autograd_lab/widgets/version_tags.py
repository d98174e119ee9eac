"""`version_tags(source, edits)`: does an edit in place make backward raise, and at which node?

A node saves some of its inputs together with their version number; an edit in place raises the number, and backward
compares. Each edit is really made, in a run of its own, and backward is really called. Read `version_bench.py` first.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from textwrap import dedent
from typing import Any

from autograd_lab.widgets import snippet
from autograd_lab.widgets.sheet import Cell, Edit, Row, Sheet, Wrong, cell
from autograd_lab.widgets.version_bench import Bench, Made

RUNS = "backward runs"
REFUSED = "the edit itself raises"
LEAF_RULE = "A leaf that requires grad may be changed in place only under `torch.no_grad()`."


def version_tags(source: str, edits: Iterable[str | tuple[int, str]], loss: str = "loss", **variables: Any) -> Sheet:
    """Ask for each edit: the version of the tensor afterwards, and whether backward raises, and at which node.

    `source` is the forward pass as text; it makes a tensor called `loss`. An edit is a line of code that runs after the
    forward pass, or `(n, line)`, which runs after line n of the source. The learner may try edits of their own.

    Raises ValueError if the source fails or makes no tracked tensor called `loss`.

    >>> code = '''
    ... w = torch.tensor(3.0, requires_grad=True)
    ... a = w * 2
    ... loss = a ** 2
    ... '''
    >>> [cell.right for cell in version_tags(code, ["a.add_(1)", "loss.mul_(2)"]).cells]
    ['1', 'backward raises at PowBackward0 of loss', '1', 'backward runs']
    """
    bench = Bench(dedent(source).strip("\n"), loss, snippet.namespace(sys._getframe(1), variables))
    return sheet_of(bench, [edit if isinstance(edit, tuple) else (len(bench.lines), edit) for edit in edits])


def sheet_of(bench: Bench, edits: list[tuple[int, str]]) -> Sheet:
    found = [bench.made(at, edit) for at, edit in edits]
    rows = [row_of(bench, i, made) for i, made in enumerate(found, 1)]
    own = Edit(
        "Try an edit of your own:",
        (("edit", edits[-1][1]), ("after line", str(edits[-1][0]))),
        lambda texts: sheet_of(bench, [*edits, (bench.line_of(texts["after line"]), texts["edit"].strip())]),
        "Add this edit",
    )
    sheet = Sheet(
        heading="Version tags",
        intro="Every edit below is tried alone, after the forward pass in the drawing unless a line is named. Each "
        "tensor starts at version 0. Nodes show what they saved, and at which version.",
        columns=("version afterwards", "`loss.backward()`".replace("loss", bench.loss)),
        rows=rows,
        drawing=bench.drawing,
        closing="backward raises when a node finds a saved tensor at another version, not when a tensor was changed.",
        edit=own,
        scenes={str(i): made.scene for i, made in enumerate(found, 1) if made.scene is not None},
    )
    sheet.keeps = True
    return sheet


def row_of(bench: Bench, number: int, made: Made) -> Row:
    return Row(
        f"`{made.edit}`{where(bench, made)}", (version_cell(bench, number, made), verdict_cell(bench, number, made))
    )


def where(bench: Bench, made: Made) -> str:
    """After which line an edit stands, unless it stands after all of them."""
    return "" if made.at == len(bench.lines) else f" after line {made.at}"


def version_cell(bench: Bench, number: int, made: Made) -> Cell | str:
    if made.refused or made.version is None:
        return NOTHING
    because = "Every change in place adds 1 to the version of the tensor and of all its views."
    wrong = [Wrong("0", "A change in place adds 1. `a = a + 1` would not: it makes a new tensor.", "M16")]
    if made.version == 0:
        because = SAME_VERSION
        if made.assigns:
            because = "The line makes a new tensor, at version 0, and gives it the name. Nothing is changed in place."
        elif ".data" in made.edit:
            because = "`.data` gives another tensor with a version of its own. The change does not count here."
        wrong = [Wrong("1", because, "M16")]
    else:
        wrong.append(Wrong(str(made.version + 1), "A version counts the changes in place; it starts at 0.", "M16"))
    ask = f"After `{made.edit}`{where(bench, made)} the version of `{made.target}` is"
    return cell(
        f"{number}.version",
        ask,
        str(made.version),
        because,
        wrong,
        node=bench.keys.get(made.target, ""),
        scene=str(number),
    )


NOTHING = "–"
SAME_VERSION = "Nothing was changed in place through this tensor, so its version stays 0."


def verdict_cell(bench: Bench, number: int, made: Made) -> Cell:
    options = (RUNS, *(f"backward raises at {node}" for node in bench.nodes), REFUSED)
    right = REFUSED if made.refused else f"backward raises at {made.raised}" if made.raised else RUNS
    if right not in options:
        options = (*options[:-1], right, REFUSED)
    if made.refused:
        because = LEAF_RULE if "leaf" in made.refused else made.refused
    elif made.raised:
        tags = ", ".join(made.saved.get(made.raised, []))
        because = f"{made.raised} saved {tags}, and `{made.target}` is at version {made.version} now."
    elif made.silent:
        because = (
            f"Nobody notices: the version is the same. {made.silent} uses the changed number, so the gradient is wrong."
        )
    elif made.assigns:
        because = f"The nodes keep the old tensor, and nobody changed that one. Only the name `{made.target}` moved on."
    else:
        because = f"No node needs the old numbers of `{made.target}`."
    wrong = []
    for option in options:
        node = option.removeprefix("backward raises at ")
        if option == RUNS:
            reason = because
        elif option == REFUSED:
            reason = "This edit is allowed. " + because
        elif made.refused:
            reason = "So far it never comes. " + because
        else:
            tags = ", ".join(made.saved.get(node, []))
            reason = f"{node} saved {tags or 'nothing'}. " + because
        wrong.append(Wrong(option, reason, "M5" if made.silent else "M16"))
    ask = f"After `{made.edit}`{where(bench, made)}:"
    more = {"options": options, "node": bench.keys.get(made.target, ""), "scene": str(number)}
    return cell(f"{number}.verdict", ask, right, because, wrong, **more)
