"""Going through a module: its parts, their parts, and what they hold, with dotted names.

Read next: `changing.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._tensor import Tensor
from .parameter import Parameter


class Walked:
    """The traversing half of Module."""

    _modules: dict[str, Any]

    def named_children(self) -> Iterator[tuple[str, Any]]:
        """The direct parts with their names, each once."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator[Any]:
        """The direct parts."""
        return (module for _, module in self.named_children())

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """This module and all parts of its parts, with dotted names."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, dotted(prefix, name), remove_duplicate)

    def modules(self) -> Iterator[Any]:
        """This module and all parts of its parts."""
        return (module for _, module in self.named_modules())

    def _named(self, register: str, prefix: str, recurse: bool, remove_duplicate: bool) -> Iterator[tuple[str, Any]]:
        seen = set()
        owners = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for place, module in owners:
            for name, value in module.__dict__[register].items():
                if value is None or id(value) in seen:
                    continue
                if remove_duplicate:
                    seen.add(id(value))
                yield dotted(place, name), value

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """All parameters with dotted names, in the order of registration, shared ones once."""
        return self._named("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """All parameters: what an optimizer wants."""
        return (p for _, p in self.named_parameters(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """All buffers with dotted names."""
        return self._named("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """All buffers."""
        return (b for _, b in self.named_buffers(recurse=recurse))

    def get_submodule(self, target: str) -> Any:
        """The part with a dotted name."""
        found: Any = self
        for name in target.split(".") if target else ():
            if not hasattr(found, name):
                raise AttributeError(f"{found._get_name()} has no attribute `{name}`")
            found = getattr(found, name)
            if not isinstance(found, Walked):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return found

    def get_parameter(self, target: str) -> Parameter:
        """The parameter with a dotted name."""
        return self._get(target, "_parameters", "is not an nn.Parameter")

    def get_buffer(self, target: str) -> Tensor:
        """The buffer with a dotted name."""
        return self._get(target, "_buffers", "is not a buffer")

    def _get(self, target: str, register: str, complaint: str) -> Any:
        path, _, name = target.rpartition(".")
        owner = self.get_submodule(path)
        if not hasattr(owner, name):
            raise AttributeError(f"{owner._get_name()} has no attribute `{name}`")
        if owner.__dict__[register].get(name) is None:
            raise AttributeError(f"`{name}` {complaint}")
        return owner.__dict__[register][name]


def dotted(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix else name
