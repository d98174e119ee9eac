"""The symbols of a walk: what each tensor is called, how a value reads, which question hides which number.

The same number may be seen in the drawing, in a formula and in a sentence, in many frames. A `Veil` remembers
which question asked for it, so that it stays hidden everywhere until the answer is given. Read next:
`phrases.py`.
"""

from __future__ import annotations

from autograd_lab.view.formula import HIDDEN, derivative, hidden
from autograd_lab.view.parts import Picture
from autograd_lab.view.recording import Snapshot
from autograd_lab.view.steps import Operand, Tape
from autograd_lab.view.texts import LONGEST, number_text, value_text, written_out

LINE = 64  # characters of an array in a formula; a box of the drawing has less room


class Veil:
    """Which question hides a number, if one does: by node for values, by node for gradients."""

    def __init__(self) -> None:
        self.values: dict[int, str] = {}
        self.grads: dict[int, str] = {}
        self.parts: dict[tuple[int, int], str] = {}  # by sending node and number of its input
        self.locals: dict[tuple[int, int], str] = {}  # local derivatives, the same

    def value(self, source: int | None, text: str) -> str:
        return token(self.values.get(source, "") if source is not None else "", text)


class Symbols:
    """A short name for each node's tensor: the variable's if there is one, else t1, t2, ..."""

    def __init__(self, tape: Tape, picture: Picture) -> None:
        self.picture = picture
        self.boxes = [self._box(tape, i) for i in range(len(tape.nodes))]
        taken = {text for node in picture.nodes for text in (node.name, node.symbol)}
        self.names = [self._drawn_name(key) for key in self.boxes]
        for i, title in enumerate(self.names):
            if not title:
                letter = "t" if tape.leaves[i] is None else "leaf"
                self.names[i] = next(free for n in range(1, 10**9) if (free := f"{letter}{n}") not in taken)
                taken.add(self.names[i])
        self.root = self.names[tape.root]

    def _box(self, tape: Tape, i: int) -> str | None:
        """The key of the box that shows node i's tensor."""
        node = tape.nodes[i]
        leaf = getattr(node, "variable", None)
        return self.picture.key_of(leaf) if leaf is not None else self.picture.result_key(node)

    def _drawn_name(self, key: str | None) -> str:
        box = self.picture.by_key.get(key or "")
        if box is None or box.kind in ("fold", "ref"):
            return ""
        return box.symbol if box.kind == "op" else box.name or box.symbol

    def operand(self, operand: Operand) -> str:
        """What stands for an operand in a formula."""
        if operand.source is not None:
            return self.names[operand.source]
        key = self.picture.places.keys.get(operand.tensor_id) if operand.tensor_id else None
        title = self.picture.by_key[key].name if key else ""
        return operand.text or title or written(operand.value) or ("(not recorded)" if operand.value is None else "")

    def slope(self, node: int) -> str:
        """LaTeX of the gradient that arrives at a node."""
        return derivative(self.root, self.names[node])


def token(ask: str, text: str) -> str:
    """The text, behind the question that hides it if there is one."""
    return HIDDEN.format(ask=ask, text=text) if ask else text


def veiled(ask: str, latex: str) -> str:
    """The same for a part of a formula."""
    return hidden(ask, latex) if ask else latex


def written(value: Snapshot | None, room: int = LINE) -> str:
    """The value as text if it is known and short, else nothing."""
    if value is None or value.values is None:
        return ""
    if not value.shape:
        return number_text(value.values[()])
    text = written_out(value.values.tolist()) if value.values.size <= LONGEST else ""
    return text if len(text) <= room else ""


def shown(value: Snapshot | None) -> str:
    """The value as text, or its range and shape, or that it is not recorded."""
    if value is None:
        return "not recorded"
    if value.values is None:
        return f"a tensor of shape {tuple(value.shape)}"
    return written(value) or f"{value_text(value.values)}, shape {tuple(value.shape)}"


def boxed(value: Snapshot | None) -> str:
    """The value as a box of the drawing shows it."""
    if value is None or value.values is None:
        return "not recorded" if value is None else f"shape {tuple(value.shape)}"
    return value_text(value.values)
