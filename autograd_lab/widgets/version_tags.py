"""`version_tags(source, edits)`: does an edit in place make backward raise, and at which node?

A node saves some of its inputs together with their version number; an edit in place raises the number, and backward
compares. Each edit is really made, in a run of its own, and backward is really called. Read `snippet.py` first.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from textwrap import dedent
from typing import Any

from autograd_lab.view.facts import argument_names
from autograd_lab.view.names import Names, is_tensor
from autograd_lab.view.saved import Saved, saved_tensors, version_of
from autograd_lab.view.walk import is_leaf_end, visit
from autograd_lab.widgets import looking, snippet
from autograd_lab.widgets.sheet import Cell, Edit, Row, Sheet, Wrong, cell, drawn

RUNS = "backward runs"
REFUSED = "the edit itself raises"
ASSIGNS = re.compile(r"\w+ *=(?!=)")
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
    rows = [row_of(bench, i, bench.made(at, edit)) for i, (at, edit) in enumerate(edits, 1)]
    own = Edit(
        "Try an edit of your own:",
        (("edit", edits[-1][1]), ("after line", str(edits[-1][0]))),
        lambda texts: sheet_of(bench, [*edits, (bench.line_of(texts["after line"]), texts["edit"].strip())]),
        "Add this edit",
    )
    made = Sheet(
        heading="Version tags",
        intro="Every edit below is tried alone, after the forward pass in the drawing unless a line is named. Each "
        "tensor starts at version 0. Nodes show what they saved, and at which version.",
        columns=("version afterwards", "`loss.backward()`".replace("loss", bench.loss)),
        rows=rows,
        drawing=bench.drawing,
        closing="backward raises when a node finds a saved tensor at another version, not when a tensor was changed.",
        edit=own,
    )
    made.keeps = True
    return made


@dataclass
class Made:
    """What one edit did. `target` is the tensor it names first, `raised` the node where backward raised."""

    at: int
    edit: str
    target: str
    version: int | None
    raised: str
    refused: str
    silent: str  # a node that saved the target without noticing that its numbers changed
    saved: dict[str, list[str]] = field(default_factory=dict)  # of each node: names of what it saved, with versions

    @property
    def assigns(self) -> bool:
        """Whether the edit gives a name to a new tensor."""
        return bool(ASSIGNS.match(self.edit))


class Bench:
    """The forward pass: its lines, its nodes as the learner may choose them, its drawing."""

    def __init__(self, source: str, loss: str, namespace: dict[str, Any]) -> None:
        self.source, self.loss, self.namespace = source, loss, namespace
        ran = snippet.run(source, namespace)
        if ran.error is not None:
            raise ValueError(f"The source raises {type(ran.error).__name__}: {ran.error}") from ran.error
        self.lines = ran.statements
        result: Any = ran.namespace.get(loss)
        if not is_tensor(result) or result.grad_fn is None:
            raise ValueError(f"The source makes no tracked tensor called {loss!r}.")
        names = names_in(ran.namespace, ran.lines_of_names())
        self.nodes = list(labels([result], names).values())
        self.drawing, picture = drawn([result], names, show=("name", "value"), show_saved=True)
        self.keys = {n: picture.key_of(t) or "" for n, t in ran.namespace.items() if is_tensor(t)}

    def line_of(self, text: str) -> int:
        if not text.strip().isdigit() or not 1 <= int(text) <= len(self.lines):
            raise ValueError(f"after line must be a number from 1 to {len(self.lines)}.")
        return int(text)

    def made(self, at: int, edit: str) -> Made:
        """Run everything afresh with this edit, then backward."""
        try:
            names_first = [node.id for node in ast.walk(ast.parse(edit)) if isinstance(node, ast.Name)]
        except SyntaxError as error:
            raise ValueError(f"{edit!r} is no Python code: {error.msg}.") from None
        source = "\n".join([*self.lines[:at], edit, *self.lines[at:]])
        before: dict[str, str] = {}
        known: dict[Any, str] = {}  # nodes made before the edit, by the names that their results had then
        tags: dict[Any, list[str]] = {}
        versions: dict[str, int | None] = {}
        targets = [n for n in names_first if n != "torch"]

        def look(i: int, namespace: dict[str, Any]) -> None:
            if i == at - 1:
                names = names_in(namespace, namespace)
                known.update(labels([t for t in names.kept if is_tensor(t)], names))
                tags.update({node: [tag(kept, node, names) for kept in saved_tensors(node)] for node in known})
            for name in targets:
                if i == at - 1 and is_tensor(namespace.get(name)):
                    before[name] = looking.typed(namespace[name])
                if i == at and is_tensor(namespace.get(name)):
                    versions[name] = version_of(namespace[name])

        ran = snippet.run(source, self.namespace, look)
        target = next((n for n in targets if n in before), targets[0] if targets else "")
        if ran.failed == at:
            return Made(at, edit, target, None, "", f"{type(ran.error).__name__}: {ran.error}", "")
        if ran.error is not None:
            raise ValueError(f"After {edit!r} the forward pass raises {type(ran.error).__name__}: {ran.error}")
        result = ran.namespace[self.loss]
        names = names_in(ran.namespace, ran.lines_of_names())
        named = {**labels([result], names), **known}
        saved = {
            label: tags.get(node) or [tag(kept, node, names) for kept in saved_tensors(node)]
            for node, label in named.items()
        }
        changed = [named[node] for node in named if any(kept.state == "changed" for kept in saved_tensors(node))]
        raised = raising(result, changed)
        moved = target in before and before[target] != looking.typed(ran.namespace[target])
        moved = moved and not ASSIGNS.match(edit)  # a new tensor under an old name changes no numbers
        holders = [label for label, tags in saved.items() if any(t.startswith(f"`{target}` ") for t in tags)]
        silent = holders[0] if moved and not raised and holders and not versions.get(target) else ""
        return Made(at, edit, target, versions.get(target), raised, "", silent, saved)


def raising(result: Any, changed: list[str]) -> str:
    """The node at which backward raises. It is really called: the graph is the bench's own."""
    try:
        result.backward()
    except RuntimeError:
        return changed[-1] if changed else "another node"
    return ""


def names_in(namespace: dict[str, Any], assigned: Iterable[str]) -> Names:
    return Names((name, namespace[name]) for name in assigned if is_tensor(namespace.get(name)))


def labels(results: list[Any], names: Names) -> dict[Any, str]:
    """Each op node with a name a learner can choose: `PowBackward0 of loss`, in forward order."""
    ops = [node for node in visit(results) if not is_leaf_end(node)]
    ops.sort(key=lambda node: node._sequence_nr())
    found: dict[Any, str] = {}
    for node in ops:
        name = names.of(held) if (held := names.result(node, 0)) is not None else ""
        label = looking.short_name(node) + (f" of {name}" if name else "")
        same = sum(other.partition(" (")[0] == label for other in found.values())
        found[node] = f"{label} ({same + 1})" if same else label
    return found


def tag(kept: Saved, node: Any, names: Names) -> str:
    """`a` v0: what a node saved, by the name of the variable."""
    name = kept.name
    if kept.name == "result":
        held = names.result(node, 0)
        name = names.of(held) if held is not None else "result"
    else:
        for argument, (source, output) in zip(argument_names(node), node.next_functions, strict=False):
            if argument == kept.name and source is None:
                return f"the number {looking.short(getattr(node, '_saved_' + kept.name))}"
            if argument == kept.name:
                held = getattr(source, "variable", None) if is_leaf_end(source) else names.result(source, output)
                name = names.of(held) if held is not None else argument
    return f"`{name}` v{kept.version}"


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
    return cell(f"{number}.version", ask, str(made.version), because, wrong, node=bench.keys.get(made.target, ""))


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
    return cell(f"{number}.verdict", ask, right, because, wrong, options=options, node=bench.keys.get(made.target, ""))
