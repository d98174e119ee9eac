"""`reaches(loss, params)`: which parameters get a gradient from this loss, and where the way is cut for the others.

Reads the graph by its public protocol, so it answers for our tensors and for PyTorch's. Where a way is cut comes from
the recorder (`cuts.py`), or from memory that an untracked input shares with a variable of the caller; where
neither knows, the answer is "not recorded". Read next: `reason.py`.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from math import prod
from typing import Any

from autograd_lab.view import cuts
from autograd_lab.view.cuts import Cut
from autograd_lab.view.names import Names, caller_names, is_tensor
from autograd_lab.view.one_op import kind_of, saved_values
from autograd_lab.view.recording import noted
from autograd_lab.view.texts import array_of, clean, fit, shape_text
from autograd_lab.view.walk import is_leaf_end, visit

HEADINGS = ("parameter", "shape", "reached", "where")
NOT_RECORDED = "not recorded: compute inside `with record():` to see where"
NO_WAY = "no recorded operation leads from it to {loss}"
FROZEN = "frozen: requires_grad=False"


@dataclass(frozen=True)
class Reached:
    """One parameter: whether the loss reaches it, the nodes that use it, and the first cut if it does not."""

    name: str
    shape: tuple[int, ...]
    reached: bool
    used_by: tuple[str, ...]  # names of the nodes that take it
    cut: Cut | None
    where: str  # the same in words

    @property
    def row(self) -> tuple[str, str, str, str]:
        return self.name, shape_text(self.shape), "yes" if self.reached else "NO", self.where


@dataclass(frozen=True)
class Reach:
    """The answer of `reaches`: one `Reached` for each parameter, in the order given."""

    loss: str
    parameters: tuple[Reached, ...]

    @property
    def missed(self) -> tuple[str, ...]:
        """The names of the parameters that get no gradient."""
        return tuple(p.name for p in self.parameters if not p.reached)

    @property
    def heading(self) -> str:
        count, total = sum(p.reached for p in self.parameters), len(self.parameters)
        return f"{self.loss} reaches {count} of {total} parameter{'s' * (total != 1)}"

    def text(self) -> str:
        """The answer as a table."""
        rows = [HEADINGS, *((fit(p.name, 40), *p.row[1:]) for p in self.parameters)]
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        lines = ["  ".join([*(c.ljust(w) for c, w in zip(row, widths, strict=False)), row[3]]) for row in rows]
        return "\n".join(line.rstrip() for line in [self.heading, *lines])

    def html(self) -> str:
        """The answer as a table of a page."""
        head = "".join(f"<th scope='col'>{cell}</th>" for cell in HEADINGS)
        body = "".join(
            f"<tr><th scope='row'>{escape(clean(name))}</th>" + "".join(f"<td>{escape(c)}</td>" for c in rest) + "</tr>"
            for name, *rest in (p.row for p in self.parameters)
        )
        return f"<table class='ag-reaches'><caption>{escape(self.heading)}</caption><tr>{head}</tr>{body}</table>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": self.html(), "text/plain": self.text()}

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


def reaches(loss: Any, params: Any) -> Reach:
    """Say which parameters get a gradient from `loss`, and where the way to the others is cut.

    `loss` is a tensor or several, of ours or of PyTorch; `params` a dict {"name": tensor}, a module, a tensor, or
    an iterable of tensors. Nothing is computed and no `.grad` changes.

    Raises TypeError if something given is no tensor.

    >>> import autograd_lab as torch
    >>> w = torch.tensor(2.0, requires_grad=True)
    >>> b = torch.tensor(1.0, requires_grad=True)
    >>> loss = w * 3
    >>> with torch.record():
    ...     loss = w * 3
    >>> reaches(loss, {"w": w, "b": b})
    loss reaches 1 of 2 parameters
    parameter  shape  reached  where
    w          ()     yes      used by MulBackward0
    b          ()     NO       no recorded operation leads from it to loss
    """
    frame = sys._getframe(1)
    names = Names(caller_names(frame))
    several = loss if isinstance(loss, tuple | list) else (loss,)
    for output in several:
        if not is_tensor(output):
            raise TypeError(f"reaches() needs the loss as a tensor, got {type(output).__name__}.")
    asked = list(named(params, names))
    search = Search(several, names)
    title = ", ".join(names.of(output) or "this loss" for output in several)
    return Reach(title, tuple(search.answer(name, tensor, title) for name, tensor in asked))


def named(params: Any, names: Names) -> Iterator[tuple[str, Any]]:
    """Name and tensor of each parameter, whatever they came in."""
    if isinstance(params, Mapping):
        pairs: Iterable[tuple[Any, Any]] = params.items()
    elif hasattr(type(params), "named_parameters"):
        pairs = params.named_parameters()
    elif isinstance(params, Iterable) and not is_tensor(params):
        pairs = ((names.of(t) if is_tensor(t) else "", t) for t in params)
    else:
        pairs = [(names.of(params) if is_tensor(params) else "", params)]
    for i, (name, tensor) in enumerate(pairs):
        if not is_tensor(tensor):
            raise TypeError(
                f"reaches() needs parameters that are tensors, but {name or i!r} is {type(tensor).__name__}."
            )
        yield str(name) or f"params[{i}]", tensor


class Search:
    """The graph of a loss, read once: who takes each leaf, and where untracked values came in."""

    def __init__(self, roots: Iterable[Any], names: Names) -> None:
        self.roots, self.names = tuple(roots), names
        self.order = visit(self.roots)
        self.ids = {id(node) for node in self.order}
        self.users: dict[int, Counter[str]] = {}  # id of a leaf: the names of the nodes that take it
        for node in self.order:
            for source, _ in node.next_functions:
                if source is not None and is_leaf_end(source):
                    self.users.setdefault(id(source.variable), Counter())[node.name()] += 1
        for root in self.roots:
            if root.grad_fn is None and root.requires_grad:
                self.users.setdefault(id(root), Counter())
        operations = [node for node in self.order if not is_leaf_end(node)]
        self.complete = bool(operations) and all(noted(n) is not None for n in operations)
        found = [cut for node in operations for cut in cuts.feeds(node).values()]
        found += [cut for root in self.roots if (cut := cuts.origin(root)) is not None]
        self.cuts = list(cuts.before(found))

    def reached(self, tensor: Any) -> bool:
        """Whether a gradient of the roots arrives at this tensor, a leaf or not."""
        node = tensor.grad_fn
        return id(tensor) in self.users if node is None else id(node) in self.ids

    def first_cut(self, tensor: Any) -> Cut | None:
        """The earliest op on the way from this tensor to the roots whose result is not tracked."""
        recorded = [cut for cut in self.cuts if cut.hides(tensor)]
        return recorded[-1] if recorded else self.shared_memory(tensor)

    def shared_memory(self, tensor: Any) -> Cut | None:
        """A cut that the recorder did not hear of: an untracked input that lies in the memory of a tracked variable."""
        tracked = [t for t in self.names.kept if is_tensor(t) and t.requires_grad]
        by_place = {place: t for t in reversed(tracked) if (place := memory(t))}
        for untracked in (*self.untracked(), *(root for root in self.roots if not root.requires_grad)):
            source = by_place.get(memory(untracked))
            if source is not None and source is not untracked and Search((source,), self.names).reached(tensor):
                name = self.names.of(source) or "a tracked tensor"
                return Cut("detach", f"{name}.detach()", "", (name,), tuple(untracked.shape), "")
        return None

    def untracked(self) -> Iterator[Any]:
        """The untracked tensors that nodes of the graph saved, or took while a recorder was on and still live."""
        known = {id(t): t for t in self.names.kept if is_tensor(t)}
        for node in self.order:
            if is_leaf_end(node):
                continue
            saved, _ = saved_by(node)
            note = noted(node)
            taken = (known.get(a.tensor_id) for a in note.arguments) if note else ()
            yield from (t for t in (*saved.values(), *taken) if is_tensor(t) and not t.requires_grad)

    def answer(self, name: str, tensor: Any, loss: str) -> Reached:
        shape = tuple(int(n) for n in tensor.shape)
        if not tensor.requires_grad:
            return Reached(name, shape, False, (), None, FROZEN)
        if self.reached(tensor):
            users = self.users.get(id(tensor), Counter())
            texts = [f"{user} ×{count}" if count > 1 else user for user, count in users.items()]
            used = fit(", ".join(texts), 60)
            return Reached(name, shape, True, tuple(users), None, f"used by {used}" if used else "it is in the graph")
        cut = self.first_cut(tensor)
        if cut is not None:
            return Reached(name, shape, False, (), cut, f"cut at {cut.text}")
        return Reached(name, shape, False, (), None, self.unknown(loss))

    def unknown(self, loss: str) -> str:
        """What to say where no cut was found: that there is no way, if everything was recorded."""
        return NO_WAY.format(loss=loss) if self.complete else NOT_RECORDED


def saved_by(node: Any) -> tuple[dict[str, Any], str]:
    """What a node saved, by name, and "freed" or "overwritten" if something of it is gone."""
    return saved_values(node, kind_of(node, len(node.next_functions)).saved)


def memory(tensor: Any) -> tuple[int, tuple[int, ...]] | None:
    """Where a tensor lies in memory, and its shape; None for an empty one or if nobody can say."""
    array = array_of(tensor)
    if array is None or not prod(array.shape):
        return None
    return array.__array_interface__["data"][0], array.shape


def same_memory(one: Any, other: Any) -> bool:
    """Whether two tensors are the same numbers in the same place."""
    place = memory(one)
    return one is not other and place is not None and place == memory(other)
