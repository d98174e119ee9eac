"""Optimizer: parameters in groups, options per group, a state per parameter.

The rules themselves are in a file each; they write plain NumPy into the parameters' arrays, unrecorded, and
count the write so that a saved value notices. Read next: `rules.py`.
"""

from __future__ import annotations

import functools
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from itertools import chain, count
from typing import Any

import numpy as np

from .._tensor import Tensor, bare
from ..caution import warn
from ..memory import bump

next_id = count().__next__


class StepHook:
    """Takes a step hook off again: `handle.remove()`."""

    def __init__(self, hooks: OrderedDict[int, Any], hook: Callable[..., Any]) -> None:
        self.id, self._hooks = next_id(), hooks
        hooks[self.id] = hook

    def remove(self) -> None:
        self._hooks.pop(self.id, None)


class Optimizer:
    """The base of all optimizers: `zero_grad()`, then after backward `step()`.

    Raises TypeError or ValueError, with PyTorch's texts, for anything but a non-empty collection of leaf
    tensors or of dictionaries with `params`.
    """

    _opt_called = False  # schedulers ask whether a step was made
    _before: OrderedDict[int, Any] | None = None
    _after: OrderedDict[int, Any] | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "step" in cls.__dict__:
            cls.step = noted(cls.__dict__["step"])

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                + params.type()
            )
        self.defaults = defaults
        self.state: defaultdict[Any, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change every parameter that has a gradient; returns what `closure` returned, if given."""
        raise NotImplementedError

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add parameters with options of their own."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        group = dict(param_group)
        params = group["params"]
        if isinstance(params, Tensor):
            params = [params]
        elif isinstance(params, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the ordering of tensors "
                "in sets will "
                "change between runs. Please use a list instead."
            )
        params, names = without_names(list(params))
        for p in params:
            check_parameter(p)
        group["params"] = params
        if names:
            group["param_names"] = names
        for name, default in self.defaults.items():
            group.setdefault(name, default)
        if len({id(p) for p in params}) != len(params):
            warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this will cause an "
                "error; see "
                "github.com/pytorch/pytorch/issues/40967 for more information"
            )
        known = {id(p) for g in self.param_groups for p in g["params"]}
        if any(id(p) in known for p in params):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(group)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradients of all parameters: None, or zeros with `set_to_none=False`."""
        for group in self.param_groups:
            for p in group["params"]:
                grad = getattr(p, "_grad", None)
                if grad is None:
                    continue
                if set_to_none:
                    p._grad = None
                else:
                    grad._edge = None
                    grad.array().fill(0)
                    bump(grad)

    def gradients(self, group: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
        """(parameter, gradient array) for each parameter that has a gradient; reversed to maximize."""
        maximize = group.get("maximize", False)
        for p in group["params"]:
            grad = getattr(p, "_grad", None)
            if grad is not None:
                yield p, -grad._data if maximize else grad._data

    def state_dict(self) -> dict[str, Any]:
        """Options and state, with parameters by number, as plain dictionaries."""
        numbers = {id(p): i for i, p in enumerate(chain.from_iterable(g["params"] for g in self.param_groups))}
        groups = [
            {**{k: v for k, v in g.items() if k != "params"}, "params": [numbers[id(p)] for p in g["params"]]}
            for g in self.param_groups
        ]
        state = {numbers[id(p)] if isinstance(p, Tensor) else p: s for p, s in self.state.items()}
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take over options and state from a `state_dict()` of an optimizer with parameters of the same shapes."""
        saved = deepcopy(state_dict["param_groups"])
        if len(saved) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(a["params"]) != len(b["params"]) for a, b in zip(saved, self.param_groups, strict=True)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        params = list(chain.from_iterable(g["params"] for g in self.param_groups))
        numbers = chain.from_iterable(g["params"] for g in saved)
        by_number = dict(zip(numbers, params, strict=True))
        self.state = defaultdict(dict)
        for key, value in state_dict["state"].items():
            p = by_number.get(key)
            self.state[key if p is None else p] = (
                value if p is None else {name: own_copy(name, v, p) for name, v in value.items()}
            )
        for old, new in zip(self.param_groups, saved, strict=True):
            new["params"] = old["params"]
        self.param_groups = saved

    def register_step_pre_hook(self, hook: Callable[..., Any]) -> StepHook:
        """Call `hook(optimizer, args, kwargs)` before each step."""
        self._before = self._before if self._before is not None else OrderedDict()
        return StepHook(self._before, hook)

    def register_step_post_hook(self, hook: Callable[..., Any]) -> StepHook:
        """Call `hook(optimizer, args, kwargs)` after each step."""
        self._after = self._after if self._after is not None else OrderedDict()
        return StepHook(self._after, hook)

    def __repr__(self) -> str:
        text = type(self).__name__ + " ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            text += "".join(f"    {key}: {group[key]}\n" for key in sorted(group) if key != "params")
        return text + ")"


def noted(step: Callable[..., Any]) -> Callable[..., Any]:
    """A class's `step`, which also notes that it was called and runs the step hooks."""

    @functools.wraps(step)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        self._opt_called = True
        if not self._before and not self._after:
            return step(self, *args, **kwargs)
        for hook in list((self._before or {}).values()):
            changed = hook(self, args, kwargs)
            if changed is not None:
                if not (isinstance(changed, tuple) and len(changed) == 2):
                    raise RuntimeError(
                        f"{step} must return None or a tuple of (new_args, new_kwargs), but got {changed}."
                    )
                args, kwargs = changed
        result = step(self, *args, **kwargs)
        for hook in list((self._after or {}).values()):
            hook(self, args, kwargs)
        return result

    return call


def without_names(params: list[Any]) -> tuple[list[Any], list[str]]:
    """Parameters and names of a list that may hold (name, parameter) pairs."""
    pairs = [p for p in params if isinstance(p, tuple)]
    if pairs and len(pairs) != len(params):
        raise ValueError("all optimizer params should be with/without names. Some param names are missing")
    return ([p for _, p in pairs], [n for n, _ in pairs]) if pairs else (params, [])


def check_parameter(p: Any) -> None:
    """Raise PyTorch's errors for what cannot be optimized."""
    if not isinstance(p, Tensor):
        kind = type(p)
        name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
        raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {name}")
    if not p.is_leaf:
        error = ValueError("can't optimize a non-leaf Tensor")
        error.add_note(
            f"This tensor was made by {type(p.grad_fn).__name__}. Optimize the leaf it was made from, or make "
            "a new leaf with "
            "x.detach().requires_grad_()."
        )
        raise error


def own_copy(name: str, value: Any, p: Any) -> Any:
    """A loaded state value as this optimizer's own: tensors copied, in the dtype of the parameter."""
    if not isinstance(value, Tensor):
        return deepcopy(value)
    kind = p._data.dtype if p._data.dtype.kind == "f" and name != "step" else value._data.dtype
    return bare(np.array(value._data, kind))
