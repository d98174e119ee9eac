"""One question about one tensor: what is asked, and the answer's words and drawing.

Read next: `cases.py`, which finds the reason.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from autograd_lab.view import cuts
from autograd_lab.view.answer import UNKNOWN, Why
from autograd_lab.view.cuts import Cut
from autograd_lab.view.facts import NOTHING_KNOWN, Facts, tensor_facts
from autograd_lab.view.names import Names, is_tensor
from autograd_lab.view.nearby import around, with_cut
from autograd_lab.view.parts import Picture
from autograd_lab.view.picture import read_graph
from autograd_lab.view.texts import clean


class Case:
    """One question: the tensor, the loss if one was named, and what the caller's variables hold."""

    def __init__(self, tensor: Any, loss: Any, names: Names) -> None:
        self.tensor, self.loss, self.names = tensor, loss, names
        self.silent = False  # True: words only, no drawing
        self.name = clean(names.of(tensor), 60) or "this tensor"
        self.loss_name = (clean(names.of(loss), 60) if loss is not None else "") or "the loss"

    @property
    def dtype(self) -> str:
        return str(self.tensor.dtype).rpartition(".")[2]

    def made(self, kind: str, says: str, place: str = "", advice: str = "", cut: Cut | None = None) -> Why:
        return Why(self.name, kind, says, place, advice, None if self.silent else self.drawn(kind, says, cut))

    def drawn(self, kind: str, says: str, cut: Cut | None) -> Picture | None:
        root = self.loss if self.loss is not None and self.loss.requires_grad else self.tensor
        if cut is not None:
            picture = read_graph(root, self.names).without_places() if root.requires_grad else None
            return with_cut(picture, cut, self.inputs_of(cut), self.result_of(cut), says)
        if not root.requires_grad:
            return None
        picture = read_graph(root, self.names)
        key = picture.key_of(self.tensor)
        if key is None:
            return picture.without_places()
        asked = tuple(replace(n, why=says, tags=(*n.tags, kind)) if n.key == key else n for n in picture.nodes)
        return around(replace(picture, nodes=asked), key)

    def inputs_of(self, cut: Cut) -> list[tuple[str, Facts]]:
        """Name and facts of what an op took, as far as a leaf or a variable still holds it."""
        leaves = [leaf for known in cut.leaves if (leaf := known()) is not None]
        results = [self.names.result(node, 0) for known in cut.nodes if (node := known()) is not None]
        found = []
        for text in cut.inputs:
            held = leaves if text == "a leaf" else [t for t in results if t is not None] if text != "untracked" else []
            tensor = held[0] if len(held) == 1 else None
            name = self.names.of(tensor) if tensor is not None else ""
            found.append((name or text, NOTHING_KNOWN if tensor is None else tensor_facts(tensor)))
        return found

    def result_of(self, cut: Cut) -> tuple[str, Facts]:
        """Name and facts of what an op made, if a variable holds it."""
        for tensor in self.names.kept:
            if is_tensor(tensor) and not tensor.requires_grad and cuts.origin(tensor) is cut:
                return self.names.of(tensor), tensor_facts(tensor)
        return "", Facts(cut.shape, cut.dtype or None)


def place_of(cut: Cut) -> str:
    """The op of a cut and its source line."""
    return f"{cut.op}, in the line `{cut.line}`" if cut.line else f"{cut.op}; the line is {UNKNOWN}"
