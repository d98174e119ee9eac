"""The bench of `version_tags`: a forward pass that is run afresh with one edit, and what backward then does.

Which node raises is found from the versions of what the nodes saved; that backward raises, by calling it. Read
`snippet.py` first; next: `version_tags.py`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from autograd_lab.view.names import Names, is_tensor
from autograd_lab.view.one_op import kind_of
from autograd_lab.view.saved import Saved, saved_tensors, version_of
from autograd_lab.view.walk import is_leaf_end, visit
from autograd_lab.widgets import looking, snippet
from autograd_lab.widgets.sheet import Scene, drawn

ASSIGNS = re.compile(r"\w+ *=(?!=)")


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
    scene: Scene | None = None  # the graph after the edit
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
        changed = [node for node in named if any(kept.state == "changed" for kept in saved_tensors(node))]
        scene = scene_of(result, names, changed[-1] if changed else ran.namespace.get(target))
        raised = raising(result, [named[node] for node in changed])
        moved = target in before and before[target] != looking.typed(ran.namespace[target])
        moved = moved and not ASSIGNS.match(edit)  # a new tensor under an old name changes no numbers
        holders = [label for label, tags in saved.items() if any(t.startswith(f"`{target}` ") for t in tags)]
        silent = holders[0] if moved and not raised and holders and not versions.get(target) else ""
        return Made(at, edit, target, versions.get(target), raised, "", silent, scene, saved)


def scene_of(result: Any, names: Names, concerned: Any) -> Scene:
    """The graph after an edit: tensors with their versions, nodes with what they saved, then and now."""
    drawing, picture = drawn([result], names, show=("name", "value"), show_saved=True)
    if is_tensor(concerned):
        return Scene(drawing, picture.key_of(concerned) or "")
    return Scene(drawing, str(picture.places.keys.get(id(concerned), "")))


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
        inputs = node.next_functions
        for argument, (source, output) in zip(kind_of(node, len(inputs)).arguments, inputs, strict=False):
            if argument == kept.name and source is None:
                return f"the number {looking.short(getattr(node, '_saved_' + kept.name))}"
            if argument == kept.name:
                held = getattr(source, "variable", None) if is_leaf_end(source) else names.result(source, output)
                name = names.of(held) if held is not None else argument
    return f"`{name}` v{kept.version}"
