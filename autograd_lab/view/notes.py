"""What is noted of one op: its arguments and result as they were, its source line, and the module it ran in.

The graph does not hold constants, most values, or the source line of an op. A note is made as the op runs, hangs
on the node that the op left in the graph, and dies with it: for our nodes in a dictionary that does not keep them,
for PyTorch's in their own `metadata`. Read next: `recording.py`, which says when notes are made.
"""

from __future__ import annotations

import inspect
import linecache
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary, ref

from autograd_lab import engine
from autograd_lab._tensor import Tensor
from autograd_lab.graph import Node
from autograd_lab.view.cards import card_of
from autograd_lab.view.kept import Kept, finished_snapshot, kept_argument, kept_of_ours, text_of
from autograd_lab.view.modules import Call, call_now, calls_by_node
from autograd_lab.view.snapshots import Snapshot

BOUND = 5000  # nodes with notes: beyond this many, the oldest note is forgotten
ENGINE = os.path.abspath(engine.__file__)
HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
LIBRARIES = [HOME, "<card"]  # what files begin with that no line of the user is in
IN_LIBRARY: dict[str, bool] = {}  # by file: whether it is in one of these; asked for every frame of every op
KEY = "autograd_lab.note"  # in the metadata of PyTorch's nodes


@dataclass(frozen=True)
class Argument:
    """One argument of an op. `node` is the graph node it came from, if it is tracked."""

    name: str
    node: Any = field(compare=False)
    tensor_id: int = field(compare=False)  # id() of the tensor if it still lives, else 0
    value: Snapshot | None
    text: str  # how a constant reads: "3"; empty for tensors
    tracked: bool = field(default=False, compare=False)  # a tensor that gradients go to


@dataclass(frozen=True)
class Noted:
    """What the recorder knows about one op."""

    op: str
    arguments: tuple[Argument, ...]
    result: Snapshot
    line: str
    module: str
    in_place: bool
    in_backward: bool = False  # it ran while a gradient was computed
    made_by: Any = field(default=None, compare=False)  # the node whose formula ran it, if that still lives


def noted(node: Any) -> Noted | None:
    """What a recorder was told about the op behind this node; None if none was on when it ran.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> with torch.record():
    ...     y = x * 3
    >>> note = noted(y.grad_fn)
    >>> note.op, [(a.name, a.text) for a in note.arguments], float(note.result.values)
    ('mul', [('self', ''), ('other', '3')], 6.0)
    """
    note = note_at(node)
    return None if note is None else note.finished(node)


def note_at(node: Any) -> Note | None:
    """The note that hangs on a node."""
    if isinstance(node, Node):
        return _NOTES.get(node) if _NOTES.data else None
    metadata = getattr(node, "metadata", None) if PYTORCH else None
    return metadata.get(KEY) if metadata else None


def told(node: Any) -> Note | None:
    """The unfinished note of our op behind this node: its card and arguments as they were told; None without one."""
    return _NOTES.get(node) if isinstance(node, Node) else None


def noted_calls(nodes: Iterable[Any]) -> dict[int, Call]:
    """The module call in which each node was made, where notes tell."""
    called = {id(note.call): note.call for node in nodes if (note := note_at(node)) and note.call is not None}
    return calls_by_node(called.values(), nodes) if called else {}


@dataclass(eq=False, slots=True)
class Note:
    """An op as it was told, unfinished: finishing waits until somebody looks. Made for every op, so it is cheap."""

    card: Any
    arguments: dict[str, Any]
    result: Any
    place: tuple[str, int] | None
    in_place: bool
    in_backward: bool
    call: Call | None = None  # of a module
    made_by: Any = None  # a weak reference to the node whose formula ran it
    feeds: dict[str, int] | None = None  # of PyTorch's nodes: the cuts behind their untracked inputs

    def finished(self, node: Any) -> Noted:
        card, op, told_arguments = as_our_card(self, node)
        edges = node.next_functions if node is not None else ()
        named = input_names(card, told_arguments, edges) if edges else []
        sources = {name: source for name, (source, _) in zip(named, edges, strict=False)}
        arguments = []
        for name, given in told_arguments.items():
            if isinstance(given, list):
                arguments += [self.argument(f"{name}[{i}]", member, sources) for i, member in enumerate(given)]
            else:
                arguments.append(self.argument(name, given, sources))
        line = linecache.getline(*self.place).strip() if self.place else ""
        result = finished_snapshot(self.result)
        module = self.call.path or self.call.type if self.call else ""
        by = self.made_by() if self.made_by is not None else None
        return Noted(op, tuple(arguments), result, line, module, self.in_place, self.in_backward, by)

    def argument(self, name: str, given: Any, sources: dict[str, Any]) -> Argument:
        """One argument as it was told; `sources` are the nodes behind the tracked ones."""
        if not isinstance(given, Kept):
            return Argument(name, None, 0, None, text_of(getattr(given, "value", given)))
        alive, source = given.tensor(), sources.get(name)
        overwritten = self.in_place and source is None and alive is self.result.tensor()
        identity = 0 if alive is None or overwritten else id(alive)  # as it was, it has no name any more
        return Argument(name, source, identity, finished_snapshot(given), "", given.tracked)


def as_our_card(note: Note, node: Any) -> tuple[Any, str, dict[str, Any]]:
    """Card, op and arguments of a note; an op of PyTorch has the names of our card where that has all its arguments."""
    told_arguments = note.arguments
    if node is None or isinstance(node, Node):
        return note.card, note.card.name, told_arguments
    card = card_of(node, note.card.name)
    if card is None or not told_arguments:
        return card, note.card.name, told_arguments
    defaults = {p.name: p.default for p in card.parameters if p.default is not inspect.Parameter.empty}
    tensors = [name for name, given in told_arguments.items() if isinstance(given, Kept | list)]
    if not (set(tensors) <= set(card.names) <= {*told_arguments, *defaults}):
        return card, note.card.name, told_arguments
    arguments = {}
    for name in card.names:
        given = told_arguments.get(name)
        arguments[name] = kept_argument(defaults.get(name)) if given is None else given
    return card, card.name, arguments


PYTORCH: list[bool] = []  # not empty once notes were made of PyTorch's ops
_NOTES: WeakKeyDictionary[Any, Note] = WeakKeyDictionary()


def library(start: str) -> None:
    """From now on, no line of the user is in files whose names begin like this."""
    LIBRARIES.append(start)
    IN_LIBRARY.clear()


def note_of(card: Any, arguments: dict[str, Any], result: Any, in_place: bool) -> tuple[Note, Any]:
    """Make the note of an op, and hang it on the node the op left in the graph; the note and that node, or None."""
    given = {n: kept_of_ours(v) if isinstance(v, Tensor) else kept_argument(v) for n, v in arguments.items()}
    first = result[0] if isinstance(result, tuple) else result
    place, in_backward, by = whence()
    note = Note(card, given, kept_of_ours(first), place, in_place, in_backward, call_now(), by)
    node = first.grad_fn
    if node is not None:
        _NOTES[node] = note
        while len(_NOTES) > BOUND:
            _NOTES.pop(next(iter(_NOTES)), None)
    return note, node


def maker(result: Any) -> Any:
    first = result[0] if isinstance(result, tuple) else result
    return first.grad_fn


def whence() -> tuple[tuple[str, int] | None, bool, Any]:
    """File and line of the nearest frame that is in no library, whether the engine was at work in between, and a weak
    reference to the node that it fired."""
    frame: Any = sys._getframe(2)
    in_backward, by = False, None
    while frame is not None:
        code = frame.f_code
        name = code.co_filename
        inside = IN_LIBRARY.get(name)
        if inside is None:
            inside = IN_LIBRARY[name] = name.startswith(tuple(LIBRARIES))
        if not inside:
            return (name, frame.f_lineno), in_backward, by
        if name == ENGINE and by is None:
            in_backward = True
            if code.co_name == "fire":
                by = ref(frame.f_locals["node"])
        frame = frame.f_back
    return None, in_backward, by


def input_names(card: Any, arguments: dict[str, Any], edges: Sequence[Any]) -> list[str]:
    """The names of a node's inputs, in the order of its `next_functions`, `edges`; a list counts one by one."""
    if card is None:
        return [f"input {i}" for i in range(len(edges))]
    names: list[str] = []
    for name in card.targets:
        value = arguments.get(name)
        names += [f"{name}[{i}]" for i in range(len(value))] if isinstance(value, (list, tuple)) else [name]
    if len(names) != len(edges) and len(names) == 1:
        names = [f"{names[0]}[{i}]" for i in range(len(edges))]
    return names + [f"input {i}" for i in range(len(names), len(edges))]
