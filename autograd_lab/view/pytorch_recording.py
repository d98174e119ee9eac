"""Notes of real PyTorch's ops, inside a `record()` block, where the user imported torch.

PyTorch's own `TorchDispatchMode` tells of each op that runs, with its arguments by the names of its schema. The node of
an op is made just before it runs, so the newest sequence number says which node a note belongs to; the note is hung on
that node as soon as somebody holds it: when its result is an argument, or at the end of the block. PyTorch's module
hooks tell which module is running. Nothing here imports torch.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from typing import Any
from weakref import ref

from autograd_lab.recorder import Event
from autograd_lab.view import cuts
from autograd_lab.view.kept import kept, kept_argument
from autograd_lab.view.modules import LEAVES_FROM, call_now, running
from autograd_lab.view.names import is_tensor
from autograd_lab.view.notes import KEY, PYTORCH, Note, library, whence

Told = Callable[[Note, Any], None]
SILENT = ("lift_fresh", "empty", "alias")  # bookkeeping of PyTorch, no step of a program
REDUCTIONS = ("none", "mean", "sum")  # which PyTorch counts


def listening(told: Told, makers: list[Any] | None = None) -> AbstractContextManager[Any]:
    """A block in which `told` gets a note of each op of PyTorch, with its result; nothing if torch is not there.

    `makers` is given where nodes are called by hand: its last element is the node that runs the ops.
    """
    return pytorch_block(told, makers) if "torch" in sys.modules else nullcontext()


@contextmanager
def pytorch_block(told: Told, makers: list[Any] | None) -> Iterator[None]:
    torch = sys.modules["torch"]
    if not PYTORCH:
        PYTORCH.append(True)
        library(os.path.dirname(os.path.abspath(str(torch.__file__))) + os.sep)
    mode = listener()(told, makers)
    open_calls: list[Any] = []

    def before(module: Any, args: Any) -> None:
        call = running(module)
        call.__enter__()
        open_calls.append(call)

    def after(module: Any, args: Any, result: Any) -> None:
        if open_calls:
            open_calls.pop().__exit__(None, None, None)

    hooks = torch.nn.modules.module
    handles = [
        hooks.register_module_forward_pre_hook(before),
        hooks.register_module_forward_hook(after, always_call=True),
    ]
    try:
        with mode:
            yield
    finally:
        for handle in handles:
            handle.remove()
        while open_calls:
            after(None, None, None)
        mode.finish()


@cache
def listener() -> Any:
    """The class of the mode; made when torch is there."""
    torch = sys.modules["torch"]
    from torch.utils._python_dispatch import TorchDispatchMode

    newest: Callable[[], int] = torch.autograd._get_sequence_nr

    class Listener(TorchDispatchMode):
        """Hears of each op, and hangs notes on nodes."""

        def __init__(self, told: Told, makers: list[Any] | None) -> None:
            super().__init__()
            self.told, self.makers = told, makers
            self.waiting: dict[int, tuple[Note, Any]] = {}  # by number: a note whose node nobody has held yet
            self.unnumbered: dict[int, Note] = {}  # by result: of ops whose nodes have no number of their own
            self.first = self.number = newest()
            self.last = ("", 0, 0)  # the op before: its name, number and the tensor it got first
            self.fresh: list[tuple[Any, str]] = []  # results of the op before, weakly, and what its node calls them

        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            made = torch.is_grad_enabled() and newest() != self.number  # a node was made for this op
            number = newest() - 1
            in_backward = self.makers is not None or torch._C._current_graph_task_id() != -1
            quiet = in_backward and not torch.is_grad_enabled()
            arguments = {} if quiet else named_arguments(func, args, kwargs or {})
            if not quiet:
                self.attach(arguments)
                given = {name: kept_argument(value) for name, value in arguments.items()}
            result = func(*args, **(kwargs or {}))
            self.number = newest()
            first = next((r for r in result if is_tensor(r)), None) if isinstance(result, tuple | list) else result
            name = func._schema.name.partition("::")[2]
            if quiet or not is_tensor(first) or (name == "detach" and self.kept_by_node(args[0])):
                return result
            self.fresh = names_of_results(func, result) if made else []
            in_place = name.endswith("_") and not name.endswith("__")
            if in_place and not made and self.last == ("clone", number, id(first)):
                made, number = True, number - 1  # it first kept a copy of what it overwrites
                self.waiting.pop(number + 1, None)
            self.last = name, number, id(args[0]) if args else 0
            card = Event("to" if name == "_to_copy" else name.strip("_"), tuple(arguments))
            by = self.makers[-1] if self.makers else None
            made_by = None if by is None else lambda: by
            note = Note(card, given, kept(first), whence()[0], in_place, in_backward, call_now(), made_by)
            note.feeds = cuts.note_pytorch(card.name, arguments, result, note.place, made)
            if made:
                self.waiting[number] = note, note.result.tensor
            elif torch.is_grad_enabled():
                self.unnumbered[id(first)] = note
            if name not in SILENT:
                self.told(note, note.result.tensor if made else None)
            return result

        def kept_by_node(self, tensor: Any) -> bool:
            """Whether this `detach()` is the engine's own: a node keeps its result without the history."""
            for i, (known, name) in enumerate(self.fresh):
                if known() is tensor and hasattr(tensor.grad_fn, f"_raw_saved_{name}"):
                    del self.fresh[i]
                    return True
            return False

        def attach(self, arguments: dict[str, Any]) -> None:
            """Hang notes on the nodes of these tensors."""
            for value in arguments.values():
                for tensor in value if isinstance(value, list | tuple) else (value,):
                    if is_tensor(tensor):
                        self.hang(tensor)

        def hang(self, tensor: Any) -> None:
            node = tensor.grad_fn
            if node is None:
                return
            number = node._sequence_nr()
            if number >= LEAVES_FROM:
                note = self.unnumbered.pop(id(tensor), None)
                if note is not None and note.result.tensor() is tensor:
                    node.metadata[KEY] = note
            elif number in self.waiting and fits(node, self.waiting[number][0]):
                node.metadata[KEY] = self.waiting.pop(number)[0]
            elif number >= self.first and KEY not in node.metadata:  # of a Function of the user: its value is known
                node.metadata[KEY] = Note(Event(node.name(), ()), {}, kept(tensor), None, False, False, call_now())

        def finish(self) -> None:
            """The results that were no argument of anything: those that somebody still holds."""
            for _, known in list(self.waiting.values()):
                if (tensor := known()) is not None:
                    self.hang(tensor)
            for note in list(self.unnumbered.values()):
                if (tensor := note.result.tensor()) is not None:
                    self.hang(tensor)
            self.waiting.clear()
            self.unnumbered.clear()

    return Listener


def fits(node: Any, note: Note) -> bool:
    """Whether a node can be what this op left: views that were changed in place get nodes of their own later."""
    return str(node.name()).rpartition("::")[2].lower().startswith(note.card.name.replace("_", "")[:3])


def named_arguments(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments of an op by the names of its schema, with those that were left out."""
    named: dict[str, Any] = {}
    for i, argument in enumerate(func._schema.arguments):
        if i < len(args):
            named[argument.name] = plain(args[i])
        elif argument.name in kwargs:
            named[argument.name] = plain(kwargs[argument.name])
        elif argument.has_default_value():
            named[argument.name] = plain(argument.default_value)
    if "reduction" in named:
        named["reduction"] = REDUCTIONS[named["reduction"]]
    if func._schema.name == "aten::_to_copy":  # a card of ours says `kind`
        named = {"self": named["self"], "kind": str(named["dtype"]).removeprefix("torch.")}
    return named


def names_of_results(func: Any, result: Any) -> list[tuple[Any, str]]:
    """Each result, weakly, and the name under which a node that needs it keeps it."""
    many = isinstance(result, tuple | list)
    names = [known.name or (f"result{i}" if many else "result") for i, known in enumerate(func._schema.returns)]
    return [(ref(r), n) for r, n in zip(result if many else (result,), names, strict=False) if is_tensor(r)]


def plain(value: Any) -> Any:
    """A list of numbers as one writes it: `dim=(0, 1)`."""
    whole = isinstance(value, list) and value and all(isinstance(member, int) for member in value)
    return tuple(value) if whole else value
