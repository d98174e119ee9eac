"""Module: a part of a network that knows its parameters, its buffers and its own parts.

Assigning a Parameter, a Buffer or another Module to an attribute registers it; everything else follows from
those three dictionaries. Going through the parts is in `walking.py`, changing all of them in `changing.py`, saving and
loading in `state.py`, hooks in `hooks.py`. Read next: `linear.py`.
"""

from __future__ import annotations

import textwrap
from typing import Any

from .._tensor import Tensor
from .changing import Changed
from .hooks import Hooked
from .parameter import Buffer, Parameter
from .state import Stateful
from .walking import Walked

REGISTERS = ("_parameters", "_buffers", "_modules")


def typename(value: Any) -> str:
    """What PyTorch's errors call the type of a value."""
    if isinstance(value, Tensor):
        return str(value.type())
    kind = value if isinstance(value, type) else type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


class Module(Hooked, Stateful, Walked, Changed):
    """The base of all layers and networks: write `__init__` and `forward`, then call the module.

    >>> import autograd_lab as torch
    >>> class Twice(torch.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.layer = torch.nn.Linear(1, 1, bias=False)
    ...     def forward(self, x):
    ...         return 2 * self.layer(x)
    >>> [name for name, _ in Twice().named_parameters()]
    ['layer.weight']
    """

    training: bool
    call_super_init = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        name = type(self).__name__
        if kwargs and not self.call_super_init:
            raise TypeError(f"{name}.__init__() got an unexpected keyword argument '{next(iter(kwargs))}'")
        if args and not self.call_super_init:
            raise TypeError(f"{name}.__init__() takes 1 positional argument but {len(args) + 1} were given")
        own = self.__dict__
        own["training"] = True
        own["_parameters"], own["_buffers"], own["_modules"] = {}, {}, {}
        own["_non_persistent_buffers_set"] = set()
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What calling the module computes; every module defines its own."""
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    # attributes are registers

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        try:
            return own["_parameters"][name]
        except KeyError:
            pass
        for register in REGISTERS[1:]:
            if register in own and name in own[register]:
                return own[register][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        if isinstance(value, Parameter):
            if "_parameters" not in own:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name, "_parameters")
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            if "_modules" not in own:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._forget(name, "_modules")
            own["_modules"][name] = value
        elif isinstance(value, Buffer):
            self.register_buffer(name, value, value.persistent)
        else:
            self._set_plain(name, value)

    def _set_plain(self, name: str, value: Any) -> None:
        """Assign something that is no part; a register's name accepts only None or, for buffers, a tensor."""
        own = self.__dict__
        wanted = {"_parameters": "parameter '{}' (torch.nn.Parameter", "_modules": "child module '{}' (torch.nn.Module"}
        for register, text in wanted.items():
            if name in own.get(register, ()):
                if value is not None:
                    raise TypeError(f"cannot assign '{typename(value)}' as {text.format(name)} or None expected)")
                own[register][name] = None
                return
        if name in own.get("_buffers", ()):
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    f"cannot assign '{typename(value)}' as buffer '{name}' "
                    "(torch.nn.Buffer, torch.Tensor or None expected)"
                )
            own["_buffers"][name] = value
            return
        object.__setattr__(self, name, value)

    def _forget(self, name: str, keep: str) -> None:
        """Take a name out of every register but one, and out of the plain attributes."""
        own = self.__dict__
        own.pop(name, None)
        for register in REGISTERS:
            if register != keep:
                own[register].pop(name, None)

    def __delattr__(self, name: str) -> None:
        for register in REGISTERS:
            if name in self.__dict__[register]:
                del self.__dict__[register][name]
                self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        names = [*dir(type(self)), *self.__dict__, *(n for r in REGISTERS for n in self.__dict__[r])]
        return sorted(n for n in names if not n[0].isdigit())

    def _check_name(self, kind: str, name: Any, register: str) -> None:
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {typename(name)}")
        if hasattr(self, name) and name not in self.__dict__[register]:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            raise KeyError(f'{kind} name can\'t contain "."' + (f", got: {name}" if kind == "module" else ""))
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter under a name; None reserves the name."""
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        self._check_name("parameter", name, "_parameters")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{typename(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)"
            )
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that is saved (if persistent) and moved with the module, but not trained."""
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        self._check_name("buffer", name, "_buffers")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)"
            )
        self._buffers[name] = tensor
        (self._non_persistent_buffers_set.discard if persistent else self._non_persistent_buffers_set.add)(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Add a part under a name."""
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{typename(module)} is not a Module subclass")
        self._check_name("module", name, "_modules")
        self._modules[name] = module

    register_module = add_module

    # how it prints

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """What stands between the parentheses of this module's own line."""
        return ""

    def _child_lines(self) -> list[str]:
        return [f"({name}): " + inside(repr(module)) for name, module in self._modules.items()]

    def __repr__(self) -> str:
        own = self.extra_repr()
        lines = [*(own.split("\n") if own else []), *self._child_lines()]
        if len(lines) == 1 and own:
            return f"{self._get_name()}({own})"
        return f"{self._get_name()}(" + "".join(f"\n  {line}" for line in lines) + ("\n" if lines else "") + ")"


def inside(text: str) -> str:
    """The lines of a part's repr, all but the first indented by two blanks."""
    first, newline, rest = text.partition("\n")
    return first + newline + textwrap.indent(rest, "  ")
