"""When ops are noted: inside `with record() as tape:`, and in a notebook by itself.

The funnel tells a recorder of each op of ours while one is on; of PyTorch's own ops, `pytorch_recording.py` hears
inside a `record()` block. Read next: `notes.py`, what is noted; then `tape.py`, which joins notes with the steps of
backward.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from autograd_lab import recorder
from autograd_lab.view import cuts
from autograd_lab.view.notes import (
    Argument,
    Note,
    Noted,
    input_names,
    maker,
    note_of,
    noted,
    whence,
)
from autograd_lab.view.pytorch_recording import listening
from autograd_lab.view.snapshots import Snapshot, snapshot

__all__ = ["Argument", "Noted", "Recording", "Snapshot", "input_names", "noted", "record", "snapshot"]


class Recording:
    """The ops that ran inside one `record()` block, in order, tracked or not."""

    def __init__(self) -> None:
        self._notes: list[tuple[Note, Callable[[], Any]]] = []  # with what gives the node, if there is one

    def recorded(self, card: Any, arguments: dict[str, Any], result: Any, in_place: bool = False) -> None:
        note, node = note_of(card, arguments, result, in_place)
        self._notes.append((note, lambda: node))
        cuts.note(card, arguments, result, note.place)

    @property
    def ops(self) -> tuple[Noted, ...]:
        """One `Noted` per op."""
        return tuple(note.finished(node()) for note, node in self._notes)

    def told_by_pytorch(self, note: Note, tensor: Any) -> None:
        """An op of PyTorch ran; `tensor` is a weak reference to its result if that gets a node."""
        self._notes.append((note, lambda: getattr(tensor(), "grad_fn", None) if tensor is not None else None))

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
    with recorder.watch(Recording()) as recording, listening(recording.told_by_pytorch):
        yield recording


class _Background:
    """The notebook's recorder: it hears of every op, and a later `record()` block does not need it."""

    def recorded(self, card: Any, arguments: dict[str, Any], result: Any, in_place: bool = False) -> None:
        place = note_of(card, arguments, result, in_place)[0].place if maker(result) is not None else whence()[0]
        cuts.note(card, arguments, result, place)


def record_in_background() -> None:
    """Switch the bounded recorder on for the rest of the session; a second call changes nothing."""
    if not recording_always():
        recorder.watchers.append(_Background())


def recording_always() -> bool:
    """Whether the recorder of a notebook is on, so that what it did not hear of did not run."""
    return any(isinstance(watcher, _Background) for watcher in recorder.watchers)
