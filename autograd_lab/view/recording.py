"""What ran, as plain data: the recorder of the forward pass.

The graph does not hold constants, most values, or the source line of an op. So the funnel tells a recorder of
each op while one is on: inside `with record() as tape:`, and in a notebook by itself. Notes are kept with the
node they belong to, and die with it. Read next: `tape.py`, which joins them with the steps of backward.
"""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary, ref

import numpy as np

from autograd_lab import engine, recorder
from autograd_lab._tensor import Tensor
from autograd_lab.graph import Node
from autograd_lab.view import cuts

LARGEST = 256  # arrays with more elements are noted by shape alone
BOUND = 5000  # the notebook's recorder forgets the oldest op beyond this many
ENGINE = os.path.abspath(engine.__file__)
HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A tensor as it was at one moment; `values` is None when it was too large to keep."""

    shape: tuple[int, ...]
    dtype: str
    values: np.ndarray | None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Snapshot) or (self.shape, self.dtype) != (other.shape, other.dtype):
            return False
        if self.values is None or other.values is None:
            return self.values is other.values
        return bool(np.array_equal(self.values, other.values, equal_nan=self.values.dtype.kind in "fc"))

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype))


@dataclass(frozen=True)
class Argument:
    """One argument of an op. `node` is the graph node it came from, if it is tracked."""

    name: str
    node: Any = field(compare=False)
    tensor_id: int = field(compare=False)  # id() of the tensor if it still lives, else 0
    value: Snapshot | None
    text: str  # how a constant reads: "3"; empty for tensors


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


def snapshot(tensor: Any) -> Snapshot:
    """The tensor's values now, copied unless there are too many."""
    return _finished(_kept(tensor))


def noted(node: Any) -> Noted | None:
    """What a recorder was told about the op behind this node; None if none was on when it ran.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> with record():
    ...     y = x * 3
    >>> note = noted(y.grad_fn)
    >>> note.op, [(a.name, a.text) for a in note.arguments], float(note.result.values)
    ('mul', [('self', ''), ('other', '3')], 6.0)
    """
    note = _NOTES.get(node) if isinstance(node, Node) else None
    return None if note is None else note.finished(node)


class Recording:
    """The ops that ran inside one `record()` block, in order, tracked or not."""

    def __init__(self) -> None:
        self._notes: list[tuple[_Note, Any]] = []

    def recorded(self, card: Any, arguments: dict[str, Any], result: Any, in_place: bool = False) -> None:
        note = _note(card, arguments, result, in_place)
        self._notes.append((note, _maker(result)))
        cuts.note(card, arguments, result, note.place)

    @property
    def ops(self) -> tuple[Noted, ...]:
        """One `Noted` per op."""
        return tuple(note.finished(node) for note, node in self._notes)

    def __len__(self) -> int:
        return len(self._notes)


@contextmanager
def record() -> Iterator[Recording]:
    """Note every op in this block, so that drawings and steps can show constants and values.

    Source: the recorder of `autograd_lab.recorder`; in a notebook one is on by itself.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> with record() as tape:
    ...     loss = x * 3 + 4
    >>> [op.op for op in tape.ops]
    ['mul', 'add']
    """
    with recorder.watch(Recording()) as recording:
        yield recording


class _Background:
    """The notebook's recorder: it hears of every op, and a later `record()` block does not need it."""

    def recorded(self, card: Any, arguments: dict[str, Any], result: Any, in_place: bool = False) -> None:
        place = _note(card, arguments, result, in_place).place if _maker(result) is not None else _place()[0]
        cuts.note(card, arguments, result, place)


def record_in_background() -> None:
    """Switch the bounded recorder on for the rest of the session; a second call changes nothing."""
    if not recording_always():
        recorder.watchers.append(_Background())


def recording_always() -> bool:
    """Whether the recorder of a notebook is on, so that what it did not hear of did not run."""
    return any(isinstance(watcher, _Background) for watcher in recorder.watchers)


@dataclass(frozen=True, eq=False)
class _Note:
    """An op as it was told, unfinished: finishing waits until somebody looks."""

    card: Any
    arguments: dict[str, Any]
    result: Any
    place: tuple[str, int] | None
    in_place: bool
    in_backward: bool

    def finished(self, node: Any) -> Noted:
        named = input_names(self.card, self.arguments, node) if node is not None else []
        edges = dict(zip(named, node.next_functions, strict=False)) if node is not None else {}
        arguments = []
        for name, kept in self.arguments.items():
            members = kept if isinstance(kept, list) else [kept]
            for i, member in enumerate(members):
                full = f"{name}[{i}]" if isinstance(kept, list) else name
                if isinstance(member, _Kept):
                    alive = member.tensor()
                    source = edges.get(full, (None, 0))[0]
                    identity = id(alive) if alive is not None else 0
                    arguments.append(Argument(full, source, identity, _finished(member), ""))
                else:
                    arguments.append(Argument(full, None, 0, None, _text(member)))
        line = linecache.getline(*self.place).strip() if self.place else ""
        result = _finished(self.result)
        return Noted(self.card.name, tuple(arguments), result, line, "", self.in_place, self.in_backward)


_NOTES: WeakKeyDictionary[Any, _Note] = WeakKeyDictionary()


def _note(card: Any, arguments: dict[str, Any], result: Any, in_place: bool) -> _Note:
    """Make the note of an op, and hang it on the node the op left in the graph."""
    kept = {name: _kept_argument(value) for name, value in arguments.items()}
    first = result[0] if isinstance(result, tuple) else result
    place, in_backward = _place()
    note = _Note(card, kept, _kept(first), place, in_place, in_backward)
    node = _maker(result)
    if node is not None:
        _NOTES[node] = note
        while len(_NOTES) > BOUND:
            _NOTES.pop(next(iter(_NOTES)), None)
    return note


def _maker(result: Any) -> Any:
    first = result[0] if isinstance(result, tuple) else result
    return first.grad_fn


class _Kept:
    """A tensor at one moment: its array (a copy if small), and a weak reference to itself."""

    __slots__ = ("array", "dtype", "shape", "tensor")

    def __init__(self, array: Any, dtype: Any, shape: tuple[int, ...], tensor: Any) -> None:
        self.array, self.dtype, self.shape, self.tensor = array, dtype, shape, tensor


def _kept(tensor: Any) -> _Kept:
    data = tensor._data
    if data.size > LARGEST:
        data = None
    elif isinstance(data, np.ndarray):
        data = data.copy()
    return _Kept(data, tensor.dtype, tuple(tensor.shape), ref(tensor))


def _kept_argument(value: Any) -> Any:
    if isinstance(value, Tensor):
        return _kept(value)
    if isinstance(value, (tuple, list)) and any(isinstance(member, Tensor) for member in value):
        return [_kept_argument(member) for member in value]
    return value if isinstance(value, (int, float, complex, str, bool, type(None))) else _text(value)


def _finished(kept: _Kept) -> Snapshot:
    values = None if kept.array is None else np.asarray(kept.array)
    return Snapshot(kept.shape, str(kept.dtype), values)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)


def _place() -> tuple[tuple[str, int] | None, bool]:
    """File and line of the nearest frame outside this package, and whether the engine was at work in between."""
    frame = sys._getframe(2)
    in_backward = False
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith(HOME) and not name.startswith("<card"):
            return (name, frame.f_lineno), in_backward
        in_backward = in_backward or name == ENGINE
        frame = frame.f_back
    return None, in_backward


def input_names(card: Any, arguments: dict[str, Any], node: Any) -> list[str]:
    """The names of a node's inputs, in the order of `next_functions`; a list counts one by one."""
    edges = node.next_functions
    if card is None:
        return [f"input {i}" for i in range(len(edges))]
    names: list[str] = []
    for name in card.targets:
        value = arguments.get(name)
        names += [f"{name}[{i}]" for i in range(len(value))] if isinstance(value, (list, tuple)) else [name]
    if len(names) != len(edges) and len(names) == 1:
        names = [f"{names[0]}[{i}]" for i in range(len(edges))]
    return names + [f"input {i}" for i in range(len(names), len(edges))]
