"""Which module a node was made in: while somebody watches, every call of a module is noted.

Works for our modules and for PyTorch's alike. Each call is an interval of sequence numbers, so a node belongs to the
innermost call that its number falls into, whether anybody noted the node or not. A note knows the call it was made
in (`notes.py`), and so a finished loss still knows its modules.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from autograd_lab import recorder
from autograd_lab.graph import next_number
from autograd_lab.view.names import is_tensor

LEAVES_FROM = 2**62  # sequence numbers of AccumulateGrad nodes


@dataclass(eq=False)
class Call:
    """One call of a module: its attribute path, its type, and the numbers of the nodes made meanwhile."""

    path: str
    type: str
    start: int
    end: int = LEAVES_FROM
    parent: Call | None = None
    parameters: int = 0
    module: int = 0  # the identity of the module
    again: int = 1  # which call of this module it is, in one drawing

    @property
    def title(self) -> str:
        name = self.path.rpartition(".")[2]
        title = f"{name} : {self.type}" if name else self.type
        return f"{title} (call {self.again})" if self.again > 1 else title

    @property
    def depth(self) -> int:
        return 0 if self.parent is None else self.parent.depth + 1

    def around(self) -> list[Call]:
        """The calls around this one and itself, from the outermost."""
        chain: list[Call] = []
        call: Call | None = self
        while call is not None:
            chain.append(call)
            call = call.parent
        return chain[::-1]


@dataclass(frozen=True)
class Running:
    """A call that has not returned yet, and the paths of the modules below its outermost one."""

    call: Call
    paths: dict[int, str]


RUNNING: ContextVar[Running | None] = ContextVar("running", default=None)
PATHS: WeakKeyDictionary[Any, dict[int, str]] = WeakKeyDictionary()
PARAMETERS: WeakKeyDictionary[Any, int] = WeakKeyDictionary()


def call_now() -> Call | None:
    """The innermost module call that is running."""
    running_now = RUNNING.get()
    return running_now.call if running_now is not None else None


@contextmanager
def running(module: Any) -> Iterator[None]:
    """The block of a module's call."""
    outer = RUNNING.get()
    paths = outer.paths if outer is not None and id(module) in outer.paths else paths_below(module)
    call = Call(
        paths[id(module)],
        type(module).__name__,
        number_of(module),
        parent=outer.call if outer is not None else None,
        parameters=parameters_of(module),
        module=id(module),
    )
    token = RUNNING.set(Running(call, paths))
    try:
        yield
    finally:
        RUNNING.reset(token)
        call.end = number_of(module)


recorder.on_call.append(running)


def paths_below(module: Any) -> dict[int, str]:
    """The attribute path of each module inside this one, by identity; found once."""
    if module not in PATHS:
        PATHS[module] = {id(part): path for path, part in module.named_modules()}
    return PATHS[module]


def parameters_of(module: Any) -> int:
    """How many numbers a module learns; counted once."""
    if module not in PARAMETERS:
        PARAMETERS[module] = sum(parameter.numel() for parameter in module.parameters())
    return PARAMETERS[module]


def number_of(module: Any) -> int:
    """A sequence number between those of the nodes made before and after."""
    if any(kind.__module__.startswith("torch.") for kind in type(module).__mro__):
        return int(sys.modules["torch"].autograd._get_sequence_nr())
    return next_number()


def calls_by_node(calls: Iterable[Call], nodes: Iterable[Any]) -> dict[int, Call]:
    """The innermost of these calls, and of those around them, that each node was made in, by its identity."""
    known = {id(call): call for inner in calls for call in inner.around()}
    ordered = sorted(known.values(), key=lambda call: (call.start, call.depth))
    met: Counter[int] = Counter()
    for call in ordered:
        met[call.module] += 1
        call.again = met[call.module]
    numbered = sorted(
        ((node._sequence_nr(), node) for node in nodes if hasattr(node, "_sequence_nr")), key=lambda pair: pair[0]
    )
    found: dict[int, Call] = {}
    open_calls: list[Call] = []
    at = 0
    for number, node in numbered:
        while at < len(ordered) and ordered[at].start <= number:
            open_calls.append(ordered[at])
            at += 1
        open_calls = [call for call in open_calls if call.end > number]
        if open_calls:
            found[id(node)] = open_calls[-1]
    return found


def is_module(thing: Any) -> bool:
    """Whether this is a module that can be called, ours or PyTorch's."""
    kind = type(thing)
    return callable(thing) and hasattr(kind, "named_modules") and hasattr(kind, "register_forward_pre_hook")


def tensors_in(result: Any) -> list[Any]:
    """Every tensor in what a model returned: a tensor, or tensors in tuples, lists, dicts and objects."""
    found: list[Any] = []
    waiting = [result]
    while waiting:
        thing = waiting.pop(0)
        if is_tensor(thing):
            found.append(thing)
        elif isinstance(thing, Mapping):
            waiting[:0] = thing.values()
        elif isinstance(thing, tuple | list):
            waiting[:0] = thing
        elif hasattr(thing, "__dict__"):
            waiting[:0] = [value for value in vars(thing).values() if is_tensor(value)]
    return found
