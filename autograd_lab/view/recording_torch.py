"""The recorder of PyTorch's operations: a dispatch mode that notes each one as PyTorch computes it.

Imported only when PyTorch already is. A note hangs in the `metadata` dict that PyTorch keeps with each node, so it
dies with the graph; an op's node is known as soon as the next op begins. Names of ops and arguments are those of our
card, where a card has the node's name, so that the same program reads the same. Read next: `walk_torch.py`.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import ref

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from autograd_lab.view.facts import card_of
from autograd_lab.view.recording import HOME, NOTE, Kept, Note, Recording, kept_argument, whence
from autograd_lab.view.snapshots import LARGEST
from autograd_lab.view.texts import array_of

LIBRARIES = (HOME, os.path.dirname(os.path.abspath(torch.__file__)) + os.sep)
SILENT = ("detach", "lift_fresh", "empty", "alias", "_to_copy")  # bookkeeping of PyTorch, no step of a program


@contextmanager
def listening(recording: Recording, maker: Any = None) -> Iterator[Listener]:
    """Note PyTorch's operations of this block. `maker` is a list whose last element is the node that runs them."""
    listener = Listener(recording, maker)
    try:
        with listener:
            yield listener
    finally:
        listener.settle()


class OpName:
    """Stands where a card would: the op's name, and what its inputs are called, in the order of its edges."""

    def __init__(self, name: str, targets: list[str]) -> None:
        self.name, self.targets = name, targets


class Listener(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Hears of each op below autograd; the node of its result is there when PyTorch has returned."""

    def __init__(self, recording: Recording, makers: Any = None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.recording, self.makers = recording, makers
        self.waiting: list[tuple[Any, dict[str, Any], Any, Any, Any]] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.settle()
        kwargs = kwargs or {}
        name = func._overloadpacket.__name__
        told = None
        if name not in SILENT:
            bound = dict(zip((a.name for a in func._schema.arguments), args, strict=False)) | kwargs
            told = {key: kept_argument(value, kept) for key, value in bound.items()}
        result = func(*args, **kwargs)
        if told is not None:
            self.waiting.append((func, told, result, whence(LIBRARIES)[0], self.makers[-1] if self.makers else None))
        return result

    def settle(self) -> None:
        """Hang the notes of finished ops on the nodes that PyTorch has made for them by now."""
        waiting, self.waiting = self.waiting, []
        for func, told, result, place, maker in waiting:
            first = result[0] if isinstance(result, tuple | list) and result else result
            if not isinstance(first, torch.Tensor):
                continue
            node: Any = first.grad_fn
            in_place = func._overloadpacket.__name__.endswith("_")
            op, arguments = named(func, told, node)
            made_by = None if maker is None else lambda maker=maker: maker
            note = Note(op, arguments, kept(first), place, in_place, self.makers is not None, made_by)
            if node is not None and NOTE not in node.metadata:
                node.metadata[NOTE] = note
            self.recording.add(note, node)


def named(func: Any, told: dict[str, Any], node: Any) -> tuple[OpName, dict[str, Any]]:
    """The op and its arguments as our card calls them; as PyTorch's own schema does, if there is no such card."""
    card = card_of(node) if node is not None else None
    if card is not None:
        defaults = {p.name: p.default for p in card.parameters if p.default is not inspect.Parameter.empty}
        if all(name in told or name in defaults for name in card.names):
            arguments = {n: told.get(n, kept_argument(defaults.get(n), kept)) for n in card.names}
            return OpName(card.name, card.targets), arguments
    tensors = [name for name, value in told.items() if isinstance(value, Kept | list)]
    return OpName(func._overloadpacket.__name__.rstrip("_"), tensors), told


def kept(tensor: Any) -> Kept:
    """A tensor of PyTorch at this moment: a copy of its numbers if there are few."""
    shape = tuple(int(n) for n in tensor.shape)
    array = array_of(tensor) if tensor.numel() <= LARGEST and known(tensor) else None
    return Kept(None if array is None else array.copy(), tensor.dtype, shape, ref(tensor))


def known(tensor: Any) -> bool:
    """Whether the tensor has numbers at all: one on the device "meta", or of a tracer, has not."""
    return type(tensor) in (torch.Tensor, torch.nn.Parameter) and not tensor.is_meta
