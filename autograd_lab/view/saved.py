"""What a node keeps for backward, with versions, and which hooks wait: read from the public attributes alone.

A value that was freed, or changed in place since it was saved, is a fact to show and never an error here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import GetSetDescriptorType
from typing import Any

from autograd_lab.graph import Node
from autograd_lab.view.names import is_tensor


@dataclass(frozen=True)
class Saved:
    """A tensor that an op keeps for backward: its name in the formula, and its version then and now."""

    name: str
    version: int | None = None
    now: int | None = None
    state: str = ""  # "freed" or "changed"
    tensor: Any = field(default=None, compare=False, repr=False)  # while it is there


CHANGED = re.compile(r"is at version (\d+); expected version (\d+)")


def saved_tensors(node: Any) -> Iterator[Saved]:
    """Every tensor that a node saved, or that it had saved before it was freed."""
    if isinstance(getattr(type(node), "saved_tensors", None), property | GetSetDescriptorType):  # a Function of yours
        try:
            for i, tensor in enumerate(node.saved_tensors):
                if tensor is not None:
                    yield Saved(f"saved[{i}]", version_of(tensor), version_of(tensor), tensor=tensor)
        except RuntimeError as error:
            yield Saved("saved", state="changed" if CHANGED.search(str(error)) else "freed")
        return
    for name in saved_names(node):
        try:
            value = getattr(node, "_saved_" + name)
        except AttributeError:
            continue
        except RuntimeError as error:
            found = CHANGED.search(str(error))
            if found:
                yield Saved(name, int(found[2]), int(found[1]), "changed")
            elif "freed" in str(error):
                yield Saved(name, state="freed")
        else:
            if is_tensor(value):
                yield Saved(name, version_of(value), version_of(value), tensor=value)


def version_of(tensor: Any) -> int | None:
    """How often the tensor was changed in place; None if it does not count."""
    try:
        return int(tensor._version)
    except RuntimeError:
        return None


def has_hook(tensor: Any) -> bool:
    """Whether a hook waits for this tensor's gradient."""
    node = getattr(tensor, "grad_fn", None) or getattr(tensor, "_accumulate", None)
    hung = getattr(node, "hooks", None) if isinstance(node, Node) else None
    if hung is not None and (hung.tensor or hung.post):
        return True
    return any(getattr(tensor, name, None) for name in ("_backward_hooks", "_post_accumulate_grad_hooks"))


SAVED_NAMES: dict[type, tuple[str, ...]] = {}


def saved_names(node: Any) -> tuple[str, ...]:
    """The names of what nodes of this type save."""
    kind = type(node)
    if kind not in SAVED_NAMES:
        SAVED_NAMES[kind] = tuple(n.removeprefix("_saved_") for n in dir(node) if n.startswith("_saved_"))
    return SAVED_NAMES[kind]
