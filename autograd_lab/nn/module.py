"""Module: a part of a network that knows its parameters, its buffers and its own parts.

Assigning a Parameter, a Buffer or another Module to an attribute registers it; everything else follows from
those three dictionaries. Saving and loading is in `state.py`, hooks in `hooks.py`. Read next: `linear.py`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .. import dtypes
from .._tensor import Tensor, bare
from ..grad_mode import no_grad
from .hooks import Hooked
from .parameter import Buffer, Parameter
from .state import Stateful

REGISTERS = ("_parameters", "_buffers", "_modules")


def typename(value: Any) -> str:
    """What PyTorch's errors call the type of a value."""
    if isinstance(value, Tensor):
        return str(value.type())
    kind = value if isinstance(value, type) else type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


class Module(Hooked, Stateful):
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
        for register in REGISTERS:
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
                f"cannot assign '{typename(param)}' object to parameter '{name}' "
                "(torch.nn.Parameter or None required)"
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

    # going through the parts

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The direct parts with their names, each once."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator[Module]:
        """The direct parts."""
        return (module for _, module in self.named_children())

    def named_modules(
        self, memo: set[Module] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
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

    def modules(self) -> Iterator[Module]:
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

    def get_submodule(self, target: str) -> Module:
        """The part with a dotted name."""
        found: Any = self
        for name in target.split(".") if target else ():
            if not hasattr(found, name):
                raise AttributeError(f"{found._get_name()} has no attribute `{name}`")
            found = getattr(found, name)
            if not isinstance(found, Module):
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

    # changing all of them

    def apply(self, fn: Callable[[Module], Any]) -> Module:
        """Call `fn` on every part, then on this module; returns the module."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def train(self, mode: bool = True) -> Module:
        """Set training mode here and in all parts: dropout drops, batch norm counts."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Module:
        """Set evaluation mode here and in all parts."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Module:
        """Switch tracking of all parameters on or off: `False` freezes the module."""
        for p in self.parameters():
            p.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradients of all parameters."""
        for p in self.parameters():
            grad = getattr(p, "_grad", None)
            if grad is not None:
                p._grad = None if set_to_none else bare(np.zeros_like(grad._data))

    def _apply(self, fn: Callable[[Any], Any], recurse: bool = True) -> Module:
        """Put `fn(tensor)` in the place of every parameter's, gradient's and buffer's data."""
        for module in self.children() if recurse else ():
            module._apply(fn)
        with no_grad():
            for p in self._parameters.values():
                if p is not None:
                    p.data = fn(p)
                    grad = getattr(p, "_grad", None)
                    if grad is not None:
                        grad.data = fn(grad)
            for name, b in self._buffers.items():
                if b is not None:
                    self._buffers[name] = fn(b)
        return self

    def to(self, *args: Any, **kwargs: Any) -> Module:
        """Change dtype or device of all floating-point parameters and buffers, in place; returns the module."""
        dtype = kwargs.pop("dtype", None)
        place = []
        for a in args:
            if isinstance(a, dtypes.dtype):
                dtype = a
            elif isinstance(a, Tensor):
                dtype, place = a.dtype, [a.device]
            else:
                place.append(a)
        if dtype is not None and dtype.category < 2:
            raise TypeError(
                f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype!r}"
            )
        return self._apply(lambda t: t.to(*place, dtype=dtype if t.dtype.category >= 2 else None, **kwargs))

    def float(self) -> Module:
        """All floating-point parameters and buffers as float32."""
        return self.to(dtypes.float32)

    def double(self) -> Module:
        """All floating-point parameters and buffers as float64."""
        return self.to(dtypes.float64)

    def half(self) -> Module:
        """All floating-point parameters and buffers as float16."""
        return self.to(dtypes.float16)

    def cpu(self) -> Module:
        """The module on the CPU, where it is."""
        return self._apply(lambda t: t.cpu())

    def cuda(self, device: Any = None) -> Module:
        """There is no GPU here; raises what a CPU build of PyTorch raises."""
        return self._apply(lambda t: t.cuda(device))

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


def dotted(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix else name


def inside(text: str) -> str:
    """The lines of a part's repr, all but the first indented by two blanks."""
    first, newline, rest = text.partition("\n")
    return first + newline + textwrap.indent(rest, "  ")
