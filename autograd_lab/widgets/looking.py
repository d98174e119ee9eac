"""Looking at tensors, ours or PyTorch's, without a trace: names, values, gradients and nodes as texts.

Every widget reads tensors through these functions, so that one fact never reads in two ways.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import autograd_lab
from autograd_lab.view.names import Names, caller_names, is_tensor
from autograd_lab.view.texts import array_of, number_text, value_text, written_out

FEW = 6  # elements that a learner may be asked to type


def named_tensors(
    tensors: Iterable[Any], named: Mapping[str, Any], frame: Any, function: str
) -> tuple[dict[str, Any], Names]:
    """The tensors by name: given names, else the caller's variables. TypeError for what is no tensor."""
    names = Names()
    found: dict[str, Any] = {}
    for name, tensor in named.items():
        _check(tensor, name, function)
        names.add(str(name), tensor)
        found[str(name)] = tensor
    for name, tensor in caller_names(frame):
        names.add(name, tensor)
    for i, tensor in enumerate(tensors, 1):
        _check(tensor, f"argument {i}", function)
        found[names.of(tensor) or f"tensor {i}"] = tensor
    if not found:
        raise TypeError(f"{function} needs at least one tensor, for example {function}(x).")
    return found, names


def _check(thing: Any, name: str, function: str) -> None:
    if not is_tensor(thing):
        raise TypeError(f"{function} needs tensors, but {name} is of type {type(thing).__name__}.")


def numbers_of(tensor: Any) -> str | None:
    """A tensor's numbers as one types them; None if they are too many."""
    array = array_of(tensor)
    if array is None or array.size > FEW or array.size == 0:
        return None
    return written_out(array.tolist())


def short(tensor: Any) -> str:
    """A tensor's numbers in a few characters, None as "None"."""
    if tensor is None:
        return "None"
    array = array_of(tensor)
    return "not known" if array is None else value_text(array)


def grad_of(tensor: Any) -> Any:
    """`.grad` without the warning that reading it on a non-leaf gives."""
    with quiet():
        return tensor.grad


def node_name(tensor: Any) -> str:
    """The name of the node that made this tensor; "None" for a leaf."""
    return "None" if tensor.grad_fn is None else short_name(tensor.grad_fn)


def short_name(node: Any) -> str:
    """`AccumulateGrad` for `torch::autograd::AccumulateGrad`."""
    return str(node.name()).rpartition("::")[2]


def number(value: Any) -> str:
    """A plain number, or a tensor of one element, as text."""
    return number_text(value if isinstance(value, int | float | bool) else array_of(value))


def library_of(tensor: Any) -> Any:
    """The package that made this tensor: ours, or PyTorch."""
    return sys.modules[type(tensor).__module__.partition(".")[0]]


def library_in(frame: Any) -> Any:
    """What the caller calls `torch`: PyTorch if that is what they imported, else this package."""
    found = frame.f_locals.get("torch", frame.f_globals.get("torch"))
    return found if isinstance(found, ModuleType) and found.__name__ == "torch" else autograd_lab


def typed(tensor: Any) -> str:
    """A tensor as one would type it; its range if it has too many elements."""
    return numbers_of(tensor) or short(tensor)


def list_text(values: list[float]) -> str:
    """Numbers as one would type them: one alone, or a list."""
    if len(values) == 1:
        return number_text(values[0])
    return "[" + ", ".join(number_text(v) for v in values) + "]"


def ordinal(i: int) -> str:
    """Which input: "first" for 0, "second" for 1."""
    words = ("first", "second", "third", "fourth", "fifth", "sixth")
    return words[i] if i < len(words) else f"{i + 1}th"


@contextmanager
def quiet() -> Iterator[None]:
    """Without warnings: looking at a `.grad` that is not kept is no mistake here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
