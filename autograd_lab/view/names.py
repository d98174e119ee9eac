"""Which variable holds which tensor: names for a drawing, found by identity.

A name is never guessed: a tensor gets one only if a variable of the caller (or an entry of `params=`)
*is* that tensor. Local variables come before global ones, plain variables before elements of lists, dicts
and modules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

MOST_ELEMENTS = 1000  # of one list or dict of the caller


def is_tensor(thing: Any) -> bool:
    """Whether this is a tensor, ours or PyTorch's. Looks at the type only, so that no property runs."""
    return is_tensor_type(type(thing))


@cache
def is_tensor_type(kind: type) -> bool:
    return hasattr(kind, "grad_fn") and hasattr(kind, "requires_grad") and hasattr(kind, "detach")


class Names:
    """Names by identity. Holds the tensors it names, so that an identity cannot be used again meanwhile."""

    def __init__(self, named: Iterator[tuple[str, Any]] | None = None) -> None:
        self.by_id: dict[int, str] = {}
        self.results: dict[tuple[int, int], Any] = {}  # (id of grad_fn, number of its output): the tensor
        self.kept: list[Any] = []
        for name, tensor in named or ():
            self.add(name, tensor)

    def add(self, name: str, tensor: Any) -> None:
        """The first name of a tensor stays; an empty name only makes the tensor known."""
        self.kept.append(tensor)
        if name:
            self.by_id.setdefault(id(tensor), name)
        node = tensor.grad_fn
        if node is not None:
            self.kept.append(node)
            self.results.setdefault((id(node), getattr(tensor, "output_nr", 0)), tensor)

    def of(self, tensor: Any) -> str:
        return self.by_id.get(id(tensor), "")

    def of_id(self, tensor_id: int) -> str:
        return self.by_id.get(tensor_id, "")

    def result(self, node: Any, output: int) -> Any:
        """The tensor that this node made, if a variable holds it."""
        return self.results.get((id(node), output))


def given_names(names: Mapping[str, Any] | None) -> Iterator[tuple[str, Any]]:
    """The entries of `params={"x": x}`; anything else is an error that says so."""
    if names is None:
        return
    if not isinstance(names, Mapping):
        raise TypeError(f'params must be a dict such as {{"x": x}}, got {type(names).__name__}.')
    for name, tensor in names.items():
        if not is_tensor(tensor):
            raise TypeError(
                f"params must map each name to a tensor, but params[{name!r}] is of type {type(tensor).__name__}."
            )
        yield str(name), tensor


def caller_names(frame: Any) -> Iterator[tuple[str, Any]]:
    """Names and tensors in the variables of a frame, nearest first."""
    spaces = [frame.f_locals] if frame.f_locals is frame.f_globals else [frame.f_locals, frame.f_globals]
    variables = [
        (name, thing)
        for space in spaces
        for name, thing in list(space.items())
        if name.isidentifier() and not name.startswith("_") and name not in ("In", "Out")
    ]
    for name, thing in variables:
        if is_tensor(thing):
            yield name, thing
    for name, thing in variables:
        yield from elements(name, thing)


def elements(name: str, thing: Any) -> Iterator[tuple[str, Any]]:
    """The tensors one level inside a list, tuple, dict or module."""
    if isinstance(thing, list | tuple):
        for i, element in enumerate(thing[:MOST_ELEMENTS]):
            if is_tensor(element):
                yield f"{name}[{i}]", element
    elif isinstance(thing, dict):
        for key, element in list(thing.items())[:MOST_ELEMENTS]:
            if is_tensor(element):
                yield f"{name}[{key!r}]", element
    elif not isinstance(thing, type) and hasattr(type(thing), "named_parameters"):
        for inner, parameter in thing.named_parameters():
            yield f"{name}.{inner}", parameter
