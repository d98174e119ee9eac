"""What ran, as plain data: the recorder of the forward pass.

The graph does not hold constants, most values, or the source line of an op. So the funnel tells a recorder of
each op while one is on: inside `with record() as tape:`, and in a notebook by itself. Notes are kept with the
node they belong to, and die with it. PyTorch's operations are heard by `recording_torch.py`. Read next: `tape.py`,
which joins the notes with the steps of backward.
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
from autograd_lab.dtypes import BY_NUMPY
from autograd_lab.graph import Node
from autograd_lab.view import cuts
from autograd_lab.view.names import is_tensor
from autograd_lab.view.snapshots import LARGEST, Snapshot, snapshot

__all__ = ["Noted", "Recording", "Snapshot", "input_names", "noted", "record", "record_in_background", "snapshot"]
NOTE = "autograd_lab.note"  # where the note of PyTorch's node is kept, in the node's own `metadata`
BOUND = 5000  # the notebook's recorder forgets the oldest op beyond this many
ENGINE = os.path.abspath(engine.__file__)
HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


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
    made_by: Any = field(default=None, compare=False)  # the node whose formula ran it, if that still lives


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
    if isinstance(node, Node):
        note = _NOTES.get(node)
    else:  # PyTorch keeps a dict with each of its nodes
        note = getattr(node, "metadata", {}).get(NOTE) if node is not None else None
    return None if note is None else note.finished(node)


def told(node: Any) -> Note | None:
    """The unfinished note of our op behind this node: its card and arguments as they were told; None without one."""
    return _NOTES.get(node) if isinstance(node, Node) else None


class Recording:
    """The ops that ran inside one `record()` block, in order, tracked or not."""

    def __init__(self) -> None:
        self._notes: list[tuple[Note, Any]] = []

    def recorded(self, card: Any, arguments: dict[str, Any], result: Any, in_place: bool = False) -> None:
        note = _note(card, arguments, result, in_place)
        self._notes.append((note, _maker(result)))
        cuts.note(card, arguments, result, note.place)

    @property
    def ops(self) -> tuple[Noted, ...]:
        """One `Noted` per op."""
        return tuple(note.finished(node) for note, node in self._notes)

    def add(self, note: Note, node: Any) -> None:
        """One more op, noted by somebody else."""
        self._notes.append((note, node))

    def __len__(self) -> int:
        return len(self._notes)


@contextmanager
def record() -> Iterator[Recording]:
    """Note every op in this block, ours or PyTorch's, so that drawings and steps can show constants and values.

    In a notebook our operations are noted by themselves; PyTorch's only here, and only if PyTorch was imported.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> with record() as tape:
    ...     loss = x * 3 + 4
    >>> [op.op for op in tape.ops]
    ['mul', 'add']
    """
    recording = Recording()
    with recorder.watch(recording):
        if "torch" not in sys.modules:
            yield recording
            return
        from autograd_lab.view.recording_torch import listening

        with listening(recording):
            yield recording


class _Background:
    """The notebook's recorder: it hears of every op, and a later `record()` block does not need it."""

    def recorded(self, card: Any, arguments: dict[str, Any], result: Any, in_place: bool = False) -> None:
        place = _note(card, arguments, result, in_place).place if _maker(result) is not None else whence()[0]
        cuts.note(card, arguments, result, place)


def record_in_background() -> None:
    """Switch the bounded recorder on for the rest of the session; a second call changes nothing."""
    if not recording_always():
        recorder.watchers.append(_Background())


def recording_always() -> bool:
    """Whether the recorder of a notebook is on, so that what it did not hear of did not run."""
    return any(isinstance(watcher, _Background) for watcher in recorder.watchers)


@dataclass(eq=False, slots=True)
class Note:
    """An op as it was told, unfinished: finishing waits until somebody looks. Made for every op, so it is cheap."""

    card: Any
    arguments: dict[str, Any]
    result: Any
    place: tuple[str, int] | None
    in_place: bool
    in_backward: bool
    made_by: Any = None  # a weak reference to the node whose formula ran it

    def finished(self, node: Any) -> Noted:
        named = input_names(self.card, self.arguments, node) if node is not None else []
        edges = dict(zip(named, node.next_functions, strict=False)) if node is not None else {}
        arguments = []
        for name, kept in self.arguments.items():
            members = kept if isinstance(kept, list) else [kept]
            for i, member in enumerate(members):
                full = f"{name}[{i}]" if isinstance(kept, list) else name
                if isinstance(member, Kept):
                    alive = member.tensor()
                    source = edges.get(full, (None, 0))[0]
                    identity = id(alive) if alive is not None else 0
                    arguments.append(Argument(full, source, identity, _finished(member), ""))
                else:
                    arguments.append(Argument(full, None, 0, None, _text(getattr(member, "value", member))))
        line = linecache.getline(*self.place).strip() if self.place else ""
        result = _finished(self.result)
        maker = self.made_by() if self.made_by is not None else None
        return Noted(self.card.name, tuple(arguments), result, line, "", self.in_place, self.in_backward, maker)


_NOTES: WeakKeyDictionary[Any, Note] = WeakKeyDictionary()


def _note(card: Any, arguments: dict[str, Any], result: Any, in_place: bool) -> Note:
    """Make the note of an op, and hang it on the node the op left in the graph."""
    kept = {n: _kept(v) if isinstance(v, Tensor) else kept_argument(v) for n, v in arguments.items()}
    first = result[0] if isinstance(result, tuple) else result
    place, in_backward, maker = whence()
    note = Note(card, kept, _kept(first), place, in_place, in_backward, maker)
    node = first.grad_fn
    if node is not None:
        _NOTES[node] = note
        while len(_NOTES) > BOUND:
            _NOTES.pop(next(iter(_NOTES)), None)
    return note


def _maker(result: Any) -> Any:
    first = result[0] if isinstance(result, tuple) else result
    return first.grad_fn


class Kept:
    """A tensor at one moment: its array (a copy if small), its dtype or NumPy's, and a weak reference to itself."""

    __slots__ = ("array", "dtype", "shape", "tensor")

    def __init__(self, array: Any, dtype: Any, shape: tuple[int, ...], tensor: Any) -> None:
        self.array, self.dtype, self.shape, self.tensor = array, dtype, shape, tensor


class Given:
    """A constant that is no plain number or text, as the op got it: a dim, a shape, an index."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = list(value) if type(value) is list else value


def _kept(tensor: Any) -> Kept:
    data = tensor._data
    if data.__class__ is not np.ndarray:
        return Kept(data, data.dtype, (), ref(tensor))
    return Kept(data.copy() if data.size <= LARGEST else None, data.dtype, data.shape, ref(tensor))


def kept_argument(value: Any, keep: Any = _kept) -> Any:
    """An argument at one moment: a tensor as `keep` keeps it, a list of them as a list, else what it says."""
    if isinstance(value, (int, float, complex, str, bool, type(None))):
        return value
    if isinstance(value, Tensor) or is_tensor(value):
        return keep(value)
    if isinstance(value, (tuple, list)) and any(is_tensor(member) for member in value):
        return [kept_argument(member, keep) for member in value]
    return Given(value)


def _finished(kept: Kept) -> Snapshot:
    values = None if kept.array is None else np.asarray(kept.array)
    dtype = BY_NUMPY[kept.dtype] if isinstance(kept.dtype, np.dtype) else kept.dtype
    return Snapshot(kept.shape, str(dtype), values)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)


def whence(inside: tuple[str, ...] = (HOME,)) -> tuple[tuple[str, int] | None, bool, Any]:
    """File and line of the nearest frame that is not `inside` a library, whether the engine was at work in between,
    and a weak reference to the node that it fired."""
    frame: Any = sys._getframe(2)
    in_backward, maker = False, None
    while frame is not None:
        code = frame.f_code
        name = code.co_filename
        if not name.startswith(inside) and not name.startswith("<card"):
            return (name, frame.f_lineno), in_backward, maker
        if name == ENGINE and maker is None:
            in_backward = True
            if code.co_name == "fire":
                maker = ref(frame.f_locals["node"])
        frame = frame.f_back
    return None, in_backward, maker


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
