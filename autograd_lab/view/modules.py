"""Which module a node was made in: a model is called with a hook before and after each of its parts.

Works for our modules and for PyTorch's alike, through public hooks only. Each call of a module is an interval
of sequence numbers, so a node belongs to the innermost call that its number falls into. The hooks are taken
off again, whatever happens in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from autograd_lab.graph import next_number
from autograd_lab.view.names import is_tensor

MOST_RESULTS = 5000
LEAVES_FROM = 2**62  # sequence numbers of AccumulateGrad nodes


@dataclass
class Call:
    """One call of a module: its attribute path, its type, and the numbers of the nodes made meanwhile."""

    path: str
    type: str
    start: int
    end: int = LEAVES_FROM
    parent: Call | None = None
    parameters: int = 0
    again: int = 1  # which call of this module it is

    @property
    def title(self) -> str:
        name = self.path.rpartition(".")[2]
        title = f"{name} : {self.type}" if name else self.type
        return f"{title} (call {self.again})" if self.again > 1 else title

    @property
    def depth(self) -> int:
        return 0 if self.parent is None else self.parent.depth + 1


@dataclass
class Calls:
    """Every call of a run, in the order in which they began."""

    all: list[Call] = field(default_factory=list)
    results: list[Any] = field(default_factory=list)  # tensors met on the way, of PyTorch's modules

    def of(self, node: Any) -> Call | None:
        """The innermost call in which this node was made."""
        number = node._sequence_nr()
        inside = [call for call in self.all if call.start <= number < call.end]
        return inside[-1] if inside else None

    def by_node(self, nodes: Iterable[Any]) -> dict[int, Call]:
        """The innermost call of each node, by the node's identity."""
        marks = sorted({n for call in self.all for n in (call.start, call.end)})
        innermost: dict[int, Call | None] = {}
        open_calls: list[Call] = []
        starts = {call.start: call for call in self.all}
        for mark in marks:
            open_calls = [call for call in open_calls if call.end > mark]
            if mark in starts:
                open_calls.append(starts[mark])
            innermost[mark] = open_calls[-1] if open_calls else None
        found = {}
        numbered = sorted(((node._sequence_nr(), node) for node in nodes if hasattr(node, "_sequence_nr")), key=first)
        i, current = 0, None
        for number, node in numbered:
            while i < len(marks) and marks[i] <= number:
                current = innermost[marks[i]]
                i += 1
            if current is not None:
                found[id(node)] = current
        return found


def noted_calls(nodes: Iterable[Any]) -> dict[int, Call]:
    """The module call in which each node was made, where the recorder noted it."""
    return {}


def first(pair: tuple[int, Any]) -> int:
    return pair[0]


def is_module(thing: Any) -> bool:
    """Whether this is a module that can be called, ours or PyTorch's."""
    kind = type(thing)
    return callable(thing) and hasattr(kind, "named_modules") and hasattr(kind, "register_forward_pre_hook")


def called(model: Any, inputs: tuple[Any, ...]) -> tuple[Any, Calls]:
    """Call the model and note every call of its parts."""
    calls, stack, handles = Calls(), [], []
    tick = ticker(model)
    counts: dict[str, int] = {}

    def before(path: str, module: Any) -> None:
        counts[path] = counts.get(path, 0) + 1
        parameters = sum(p.numel() for p in module.parameters())
        parent = stack[-1] if stack else None
        call = Call(path, type(module).__name__, tick(), parent=parent, parameters=parameters, again=counts[path])
        calls.all.append(call)
        stack.append(call)

    def after() -> None:
        stack.pop().end = tick()

    try:
        for path, module in model.named_modules():
            handles.append(module.register_forward_pre_hook(lambda m, args, path=path: before(path, m)))
            handles.append(module.register_forward_hook(lambda m, args, result: after()))
        with watching(model, calls.results):
            result = model(*inputs)
    finally:
        for handle in handles:
            handle.remove()
    return result, calls


def is_of_pytorch(model: Any) -> bool:
    return any(kind.__module__.startswith("torch.") for kind in type(model).__mro__)


def ticker(model: Any) -> Any:
    """A function that gives a sequence number between those of the nodes made before and after."""
    if not is_of_pytorch(model):
        return next_number
    import torch

    def tick() -> int:
        with torch.enable_grad():
            return torch.ones((), requires_grad=True).view(()).grad_fn._sequence_nr()

    return tick


def watching(model: Any, results: list[Any]) -> AbstractContextManager[Any]:
    """A block in which the results of PyTorch's functions are kept: their values are known to the drawing."""
    if not is_of_pytorch(model):
        return nullcontext()
    from torch.overrides import TorchFunctionMode

    class Keeping(TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            result = func(*args, **(kwargs or {}))
            if is_tensor(result) and len(results) < MOST_RESULTS:
                results.append(result)
            return result

    return Keeping()


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
