"""Lists and dictionaries of parameters: ParameterList, ParameterDict.

Read next: `module.py`, if you came here first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .._tensor import Tensor
from .container import place
from .module import Module, typename
from .parameter import Parameter


class ParameterList(Module):
    """A list of parameters that count; tensors become parameters."""

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        self.extend(values or ())

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(getattr(self, str(i)) for i in range(*index.indices(self._size)))
        return getattr(self, str(place(self._size, index)))

    def __setitem__(self, index: int, value: Any) -> None:
        setattr(self, str(place(self._size, index)), as_parameter(value))

    def __iter__(self) -> Iterator[Any]:
        return iter([self[i] for i in range(self._size)])

    def append(self, value: Any) -> ParameterList:
        """Add a parameter at the end."""
        self._size += 1
        self[self._size - 1] = value
        return self

    def extend(self, values: Iterable[Any]) -> ParameterList:
        """Add several parameters at the end."""
        for value in values:
            self.append(value)
        return self

    def extra_repr(self) -> str:
        return "\n".join(f"  ({i}): {described(value, value.dtype)}" for i, value in enumerate(self))


class ParameterDict(Module):
    """A dictionary of parameters that count; tensors become parameters."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        self.update(parameters or {})

    def __getitem__(self, key: str) -> Any:
        return getattr(self, key)

    def __setitem__(self, key: str, value: Any) -> None:
        self._keys[key] = None
        setattr(self, key, as_parameter(value))

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, key)

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def keys(self) -> Iterable[str]:
        """The names."""
        return self._keys.keys()

    def items(self) -> Iterable[tuple[str, Any]]:
        """Names and parameters."""
        return [(key, self[key]) for key in self._keys]

    def values(self) -> Iterable[Any]:
        """The parameters."""
        return [self[key] for key in self._keys]

    def update(self, parameters: Any) -> None:
        """Add parameters from a mapping, or from pairs of a name and a parameter."""
        for key, value in parameters.items() if hasattr(parameters, "items") else parameters:
            self[key] = value

    def extra_repr(self) -> str:
        return "\n".join(f"  ({key}): {described(value, typename(value))}" for key, value in self.items())


def as_parameter(value: Any) -> Any:
    """A plain tensor as a Parameter; parameters and other values as they are."""
    return Parameter(value) if isinstance(value, Tensor) and not isinstance(value, Parameter) else value


def described(value: Any, kind: Any) -> str:
    """How a parameter stands in the repr of its list."""
    sizes = "x".join(str(n) for n in value.shape)
    return f"{'Parameter' if isinstance(value, Parameter) else 'Tensor'} containing: [{kind} of size {sizes}]"
