"""What is known of one tensor: its shape, dtype and value, and for an input without gradient how it reads.

Asks the recorder's notes, the tensor itself, or what a node saved. No boxes and no keys. Read next: `one_op.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autograd_lab.view.names import is_tensor
from autograd_lab.view.texts import array_of, clean, dtype_text, number_text, value_text

OPTIONAL = ("bias", "weight", "running_mean", "running_var")  # inputs that an op may be called without


@dataclass(frozen=True)
class Facts:
    """Shape, dtype and value of a tensor, as far as they are known."""

    shape: tuple[int, ...] | None = None
    dtype: str | None = None
    value: str | None = None

    @property
    def known(self) -> bool:
        return self.shape is not None

    def as_fields(self) -> dict[str, Any]:
        return {"shape": self.shape, "dtype": self.dtype, "value": self.value}


NOTHING_KNOWN = Facts()


@dataclass(frozen=True)
class Constant:
    """An input without a gradient: a number (no `tensor_id`) or a tensor. `text` None: not recorded.

    A `saved` one comes from the node alone, which does not tell a number from a tensor without dimensions.
    """

    argument: str
    text: str | None = None
    tensor_id: int | None = None
    tensor: Any = None
    facts: Facts = NOTHING_KNOWN
    saved: bool = False


def tensor_facts(tensor: Any) -> Facts:
    """The facts of a tensor at hand."""
    array = array_of(tensor)
    if array is None:
        return Facts(tuple(int(n) for n in tensor.shape), dtype_text(tensor.dtype))
    return Facts(array.shape, dtype_text(tensor.dtype), value_text(array))


def snapshot_facts(snapshot: Any) -> Facts:
    """The facts of a tensor that the recorder noted."""
    if isinstance(snapshot, tuple):
        snapshot = snapshot[0] if snapshot else None
    if snapshot is None:
        return NOTHING_KNOWN
    value = None if snapshot.values is None else value_text(snapshot.values)
    return Facts(tuple(int(n) for n in snapshot.shape), dtype_text(snapshot.dtype), value)


def constant_of(argument: str, record: Any, saved: Any) -> Constant | None:
    """An input without gradient: what the recorder or a saved value says of it; None if it was left out."""
    if record is not None:
        if record.value is not None:
            facts = snapshot_facts(record.value)
            return Constant(argument, facts.value, record.tensor_id or id(record), record, facts)
        return None if record.text in ("", "None") else Constant(argument, clean(record.text, 24))
    if is_tensor(saved):
        facts = tensor_facts(saved)
        return Constant(argument, facts.value, id(saved), saved, facts, saved=True)
    if isinstance(saved, bool | int | float | complex):
        return Constant(argument, number_text(saved))
    return None if argument in OPTIONAL else Constant(argument)
