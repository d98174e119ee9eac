"""Where tracking ended: what the recorder knows of results that no node made.

A graph shows nothing of `detach()`, of a `no_grad` block, or of `argmax`: there it simply has no edge. A `Cut` is such
a place, noted as the op ran; `reason.py` and `reach.py` ask for it. Notes hold no tensor and no node alive, and the
oldest are forgotten beyond a bound. Read next: `reach.py`.
"""

from __future__ import annotations

import linecache
import sys
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any
from weakref import WeakKeyDictionary, finalize, ref

from autograd_lab._tensor import Tensor
from autograd_lab.grad_mode import GRAD_MODE, INFERENCE
from autograd_lab.graph import Node, Nowhere

BOUND = 5000  # notes kept
WALKED = 10_000  # nodes looked at, at most, to find the leaves behind a tensor
WORDS = {
    "detach": "which cuts the history",
    "data": "which has no history",
    "no_grad": "which ran under torch.no_grad()",
    "inference_mode": "which ran under torch.inference_mode()",
    "not differentiable": "which no gradient can pass",
    "untracked": "which got nothing that asks for a gradient",
}
Place = tuple[str, int] | None


@dataclass(frozen=True)
class Cut:
    """An op whose result is not tracked. `kind` is a key of WORDS; `line` is its source line, if known.

    `inputs` says how its arguments read (a node's name for a tracked one), `shape` and `dtype` are the result's.
    """

    kind: str
    op: str
    line: str
    inputs: tuple[str, ...]
    shape: tuple[int, ...]
    dtype: str
    number: int = field(compare=False, default=0)  # later ops have higher numbers
    leaves: tuple[Any, ...] = field(compare=False, repr=False, default=())  # weak references to tracked leaves behind
    nodes: tuple[Any, ...] = field(compare=False, repr=False, default=())  # the same to the nodes of its inputs
    parents: tuple[int, ...] = field(compare=False, repr=False, default=())  # numbers of the cuts it was computed from

    @property
    def text(self) -> str:
        """The place in words: the op, why it is not tracked, and its line."""
        return f"{self.op}, {WORDS[self.kind]}" + (f", in the line `{self.line}`" if self.line else "")

    def hides(self, tensor: Any) -> bool:
        """Whether this very op took the tensor, or something computed from it, and gave a result without history."""
        if tensor.grad_fn is None:
            return any(known() is tensor for known in self.leaves)
        alive = [node for known in self.nodes if (node := known()) is not None]
        seen = set(alive)
        while alive and tensor.grad_fn not in seen:
            new = {n for n, _ in alive.pop().next_functions if n is not None} - seen
            seen |= new
            alive.extend(new)
        return tensor.grad_fn in seen


_BY_NUMBER: OrderedDict[int, Cut] = OrderedDict()
_OF_TENSOR: dict[int, int] = {}  # id of a living untracked tensor: number of the cut that made it
_FEEDS: WeakKeyDictionary[Any, dict[str, int]] = WeakKeyDictionary()  # a node's untracked inputs
_LEAVES: WeakKeyDictionary[Any, tuple[Any, ...]] = WeakKeyDictionary()
_numbers = count(1)


def note(card: Any, arguments: dict[str, Any], result: Any, place: Place) -> None:
    """Keep what matters of an op that just ran; called by the recorders of `recording.py`."""
    results = result if isinstance(result, tuple) else (result,)
    if not _OF_TENSOR and _tracked(results[0]):
        return  # tracked, and nothing untracked that matters is alive
    given = list(_tensors(arguments))
    parents = {name: number for name, t in given if (number := _OF_TENSOR.get(id(t))) and not _tracked(t)}
    if any(_tracked(t) for t in results):  # tracked, or a leaf that was written under no_grad
        node = next((t.grad_fn for t in results if t.grad_fn is not None), None)
        if node is not None and parents:
            _FEEDS[node] = parents
        return
    tracked = [t for _, t in given if _tracked(t)]
    if not tracked and not parents:
        return
    _keep(_kind(card.name, bool(tracked)), card.name, place, given, tracked, parents, results)


def _tracked(tensor: Any) -> bool:
    """Whether gradients of this tensor arrive somewhere. Those of a view made under no_grad do not, although it says
    that it requires grad, as PyTorch's does."""
    edge = tensor._edge
    return edge is not None and not isinstance(edge, Nowhere)


def note_pytorch(op: str, arguments: dict[str, Any], result: Any, place: Place, made: bool) -> dict[str, int]:
    """The same for an op of PyTorch, told before its result has a node; `made` says whether it gets one.

    For a tracked op, the numbers of the cuts behind its untracked inputs, by argument.
    """
    torch = sys.modules["torch"]
    results = [r for r in (result if isinstance(result, tuple | list) else (result,)) if isinstance(r, torch.Tensor)]
    given = list(_tensors(arguments, torch.Tensor))
    parents = {n: number for n, t in given if (number := _OF_TENSOR.get(id(t))) and not t.requires_grad}
    if made:
        return parents
    tracked = [t for _, t in given if t.requires_grad]
    if (not tracked and not parents) or any(r.requires_grad for r in results):
        return {}
    if op in ("detach", "data"):
        kind = op
    elif not tracked:
        kind = "untracked"
    elif torch.is_inference_mode_enabled():
        kind = "inference_mode"
    else:
        kind = "not differentiable" if torch.is_grad_enabled() else "no_grad"
    _keep(kind, op, place, given, tracked, parents, results)
    return {}


def _keep(
    kind: str, op: str, place: Place, given: Any, tracked: list[Any], parents: dict[str, int], results: Any
) -> None:
    """Remember a cut, and which living tensors it made. A tensor that is changed in place keeps its first cut."""
    first = results[0]
    if id(first) in _OF_TENSOR and any(t is first for _, t in given):
        return
    number = next(_numbers)
    _BY_NUMBER[number] = Cut(
        kind=kind,
        op=op,
        line=linecache.getline(*place).strip() if place else "",
        inputs=tuple(_called(t) for _, t in given),
        shape=tuple(first.shape),
        dtype=str(first.dtype).rpartition(".")[2],
        number=number,
        leaves=tuple({id(known()): known for t in tracked for known in leaves_behind(t)}.values()),
        nodes=tuple(_weak_node(t) for t in tracked if t.grad_fn is not None),
        parents=tuple(parents.values()),
    )
    for tensor in results:
        if id(tensor) not in _OF_TENSOR:
            finalize(tensor, _OF_TENSOR.pop, id(tensor), None).atexit = False
        _OF_TENSOR[id(tensor)] = number
    while len(_BY_NUMBER) > BOUND:
        _BY_NUMBER.popitem(last=False)


def _weak_node(tensor: Any) -> Any:
    """A weak reference to a tensor's node; PyTorch's nodes have none, so there it is one to the tensor."""
    if isinstance(tensor.grad_fn, Node):
        return ref(tensor.grad_fn)
    known = ref(tensor)
    return lambda: getattr(known(), "grad_fn", None)


def origin(tensor: Any) -> Cut | None:
    """The op that made this untracked tensor, if the recorder heard of it and something tracked stands behind it.

    >>> import autograd_lab as torch
    >>> from autograd_lab.view.recording import record
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> with record(), torch.no_grad():
    ...     y = x * 3
    >>> origin(y).text
    'mul, which ran under torch.no_grad(), in the line `y = x * 3`'
    """
    return _BY_NUMBER.get(_OF_TENSOR.get(id(tensor), 0)) if tensor.grad_fn is None else None


def feeds(node: Any) -> dict[str, Cut]:
    """The untracked inputs of a node that have something tracked behind them, by argument name."""
    if isinstance(node, Node):
        numbers = _FEEDS.get(node, {})
    else:
        note = (getattr(node, "metadata", None) or {}).get("autograd_lab.note")
        numbers = (note.feeds or {}) if note is not None else {}
    return {name: cut for name, number in numbers.items() if (cut := _BY_NUMBER.get(number))}


def before(cuts: list[Cut]) -> Iterator[Cut]:
    """These cuts and all that they were computed from, the latest first."""
    seen: dict[int, Cut] = {}
    todo = list(cuts)
    while todo:
        cut = todo.pop()
        if cut.number not in seen:
            seen[cut.number] = cut
            todo.extend(_BY_NUMBER[n] for n in cut.parents if n in _BY_NUMBER)
    yield from sorted(seen.values(), key=lambda cut: -cut.number)


def leaves_behind(tensor: Any) -> tuple[Any, ...]:
    """Weak references to the tracked leaves that a tracked tensor was computed from."""
    top = tensor.grad_fn
    if top is None:
        return (ref(tensor),)
    ours = isinstance(top, Node)  # PyTorch's nodes cannot be remembered weakly
    if ours and top in _LEAVES:
        return _LEAVES[top]
    found: dict[int, Any] = {}
    seen, todo = {top}, [top]
    while todo and len(seen) < WALKED:
        for source, _ in todo.pop().next_functions:
            if source is None or source in seen:
                continue
            seen.add(source)
            if hasattr(source, "variable"):
                found[id(source.variable)] = ref(source.variable)
            elif ours and source in _LEAVES:
                found.update((id(known()), known) for known in _LEAVES[source])
            else:
                todo.append(source)
    if ours:
        _LEAVES[top] = tuple(found.values())
    return tuple(found.values())


def _kind(op: str, tracked: bool) -> str:
    if op in ("detach", "data"):
        return op
    if not tracked:
        return "untracked"
    if INFERENCE.get():
        return "inference_mode"
    return "no_grad" if GRAD_MODE.get() is False else "not differentiable"


def _tensors(arguments: dict[str, Any], kind: Any = Tensor) -> Iterator[tuple[str, Any]]:
    for name, value in arguments.items():
        if isinstance(value, kind):
            yield name, value
        elif isinstance(value, list | tuple):
            for i, member in enumerate(value):
                if isinstance(member, kind):
                    yield f"{name}[{i}]", member


def _called(tensor: Any) -> str:
    node = tensor.grad_fn
    if node is not None:
        return str(node.name())
    return "a leaf" if tensor.requires_grad else "untracked"
