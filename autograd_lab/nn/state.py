"""A module's state as a dictionary of named tensors, and back into a module.

`state_dict()` shares memory with the parameters; `load_state_dict()` copies into them and reports every
name that does not fit at once. Read next: `hooks.py`.
"""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from collections.abc import Mapping
from typing import Any

import numpy as np

from .._tensor import Size, Tensor
from ..memory import bump


class IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    """What `load_state_dict` could not place."""

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return "_" + super().__repr__()

    __str__ = __repr__


class Loading:
    """What is being loaded, and the complaints so far."""

    def __init__(self, state: Mapping[str, Any], strict: bool, assign: bool) -> None:
        self.state, self.strict, self.assign = state, strict, assign
        self.missing: list[str] = []
        self.unexpected: list[str] = []
        self.errors: list[str] = []


class Stateful:
    """The saving and loading half of Module."""

    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _modules: dict[str, Any]
    _non_persistent_buffers_set: set[str]

    def state_dict(
        self, *, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> OrderedDict[str, Any]:
        """All parameters and persistent buffers by dotted name, detached but not copied.

        >>> import autograd_lab as torch
        >>> list(torch.nn.Linear(2, 1).state_dict())
        ['weight', 'bias']
        """
        found = OrderedDict() if destination is None else destination
        for name, value in self._own_state().items():
            found[prefix + name] = value if keep_vars else value.detach()
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=found, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        return found

    def _own_state(self) -> dict[str, Any]:
        """Parameters and persistent buffers of this module alone."""
        buffers = {n: b for n, b in self._buffers.items() if n not in self._non_persistent_buffers_set}
        return {n: v for n, v in (self._parameters | buffers).items() if v is not None}

    def load_state_dict(self, state_dict: Any, strict: bool = True, assign: bool = False) -> IncompatibleKeys:
        """Copy named tensors into the parameters and buffers of the same names.

        Raises RuntimeError listing all missing keys, unexpected keys (unless `strict=False`) and wrong
        sizes. With `assign=True` the tensors themselves become the parameters.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        loading = Loading(state_dict, strict, assign)
        load_into(self, loading, "")
        errors = list(loading.errors)
        for kind, keys in (("Unexpected", loading.unexpected), ("Missing", loading.missing)):
            if strict and keys:
                errors.insert(0, f"{kind} key(s) in state_dict: " + ", ".join(f'"{k}"' for k in keys) + ". ")
        if errors:
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(errors))
        return IncompatibleKeys(loading.missing, loading.unexpected)


def load_into(module: Any, loading: Loading, prefix: str) -> None:
    """Load one module and its parts. Modules nest a few levels deep, so recursion is short."""
    own = module._own_state()
    for name, target in own.items():
        if prefix + name in loading.state:
            place(module, name, target, loading, prefix + name)
        else:
            loading.missing.append(prefix + name)
    for key in loading.state:
        if key.startswith(prefix):
            first, dot, _ = key[len(prefix) :].partition(".")
            if (dot and first not in module._modules) or (not dot and first not in own):
                loading.unexpected.append(key)
    for name, part in module._modules.items():
        if part is not None:
            load_into(part, loading, f"{prefix}{name}.")


def place(module: Any, name: str, target: Tensor, loading: Loading, key: str) -> None:
    """Put one saved tensor where it belongs, or note why it does not fit."""
    value = loading.state[key]
    if not isinstance(value, Tensor):
        loading.errors.append(
            f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from checkpoint '
            f"but received {type(value)}"
        )
        return
    data = value._data
    if target._data.ndim == 0 and data.shape == (1,):
        data = data[0]  # old checkpoints stored single numbers with one dimension
    if data.shape != target._data.shape:
        loading.errors.append(
            f"size mismatch for {key}: copying a param with shape {Size(data.shape)} from checkpoint, the shape in "
            f"current model is {Size(target._data.shape)}."
        )
        return
    if loading.assign:
        kind = type(target)
        is_parameter = name in module._parameters and not isinstance(value, kind)
        setattr(module, name, kind(value, target.requires_grad) if is_parameter else value)
    elif not target.is_meta:
        np.copyto(target.array(), data, casting="unsafe")
        bump(target)
