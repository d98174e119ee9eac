"""Hooks on modules: functions called before and after `forward`, and when gradients pass through.

A module without hooks pays two truth tests per call; while a recorder is on, it is told which module runs.
Gradients are seen by passing inputs and outputs through a node that changes nothing (`ops/passing.py`).
Read next: `container.py`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from itertools import count
from typing import Any

from .._tensor import Tensor
from ..caution import warn
from ..ops.passing import pass_through
from ..recorder import running, watchers

next_id = count().__next__

NO_INPUTS = (
    "Full backward hook is firing when gradients are computed with respect to module outputs since no inputs require "
    "gradients. See https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html"
    "#torch.nn.Module.register_full_backward_hook for more details."
)


class Entry:
    """One registered hook with its options."""

    __slots__ = ("always", "hook", "kwargs")

    def __init__(self, hook: Callable[..., Any], kwargs: bool = False, always: bool = False) -> None:
        self.hook, self.kwargs, self.always = hook, kwargs, always


class HookHandle:
    """Takes a module's hook off again: `handle.remove()`, or leave its `with` block."""

    def __init__(self, hooks: OrderedDict[int, Entry], entry: Entry, prepend: bool) -> None:
        self.id, self._hooks = next_id(), hooks
        hooks[self.id] = entry
        if prepend:
            hooks.move_to_end(self.id, last=False)

    def remove(self) -> None:
        self._hooks.pop(self.id, None)

    def __enter__(self) -> HookHandle:
        return self

    def __exit__(self, *exc: object) -> None:
        self.remove()


class Hooked:
    """The calling half of Module."""

    _before: OrderedDict[int, Entry] | None = None
    _after: OrderedDict[int, Entry] | None = None
    _backward_before: OrderedDict[int, Entry] | None = None
    _backward_after: OrderedDict[int, Entry] | None = None
    _hooked = False  # whether one of these was ever set
    forward: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if watchers:
            with running(self):
                return self._call_with_hooks(args, kwargs)
        if self._hooked:
            return self._call_with_hooks(args, kwargs)
        return self.forward(*args, **kwargs)

    def _hang(self, where: str, entry: Entry, prepend: bool) -> HookHandle:
        if self.__dict__.get(where) is None:
            self.__dict__[where] = OrderedDict()
            self.__dict__["_hooked"] = True
        return HookHandle(self.__dict__[where], entry, prepend)

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> HookHandle:
        """Call `hook(module, args)` before `forward`; what it returns replaces the arguments."""
        return self._hang("_before", Entry(hook, with_kwargs), prepend)

    def register_forward_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> HookHandle:
        """Call `hook(module, args, output)` after `forward`; what it returns replaces the output.

        >>> import autograd_lab as torch
        >>> layer = torch.nn.Linear(2, 3)
        >>> handle = layer.register_forward_hook(lambda module, args, output: print(output.shape))
        >>> _ = layer(torch.ones(4, 2))
        torch.Size([4, 3])
        """
        return self._hang("_after", Entry(hook, with_kwargs, always_call), prepend)

    def register_full_backward_hook(self, hook: Callable[..., Any], prepend: bool = False) -> HookHandle:
        """Call `hook(module, grad_input, grad_output)` when the gradients of the inputs are known."""
        return self._hang("_backward_after", Entry(hook), prepend)

    def register_full_backward_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> HookHandle:
        """Call `hook(module, grad_output)` when the gradients of the outputs are known."""
        return self._hang("_backward_before", Entry(hook), prepend)

    def _call_with_hooks(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        done: set[int] = set()
        result = None
        try:
            args, kwargs = self._run_before(args, kwargs)
            watch = Gradients(self) if self._backward_before or self._backward_after else None
            if watch:
                args = watch.inputs(args)
            result = self.forward(*args, **kwargs)
            for key, entry in list((self._after or {}).items()):
                done.add(key)
                result = run_after(self, entry, args, kwargs, result)
            return watch.outputs(result) if watch else result
        except Exception:
            for key, entry in list((self._after or {}).items()):
                if entry.always and key not in done:
                    result = run_after(self, entry, args, kwargs, result)
            raise

    def _run_before(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        for entry in list((self._before or {}).values()):
            changed = entry.hook(self, args, kwargs) if entry.kwargs else entry.hook(self, args)
            if changed is None:
                continue
            if entry.kwargs:
                if not (isinstance(changed, tuple) and len(changed) == 2):
                    raise RuntimeError(
                        f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {changed}."
                    )
                args, kwargs = changed
            else:
                args = changed if isinstance(changed, tuple) else (changed,)
        return args, kwargs


def run_after(module: Any, entry: Entry, args: Any, kwargs: Any, result: Any) -> Any:
    """Call one forward hook; the result it leaves."""
    changed = entry.hook(module, args, kwargs, result) if entry.kwargs else entry.hook(module, args, result)
    return result if changed is None else changed


class Gradients:
    """Watches the gradients of one call of a module, for its full backward hooks."""

    def __init__(self, module: Any) -> None:
        self.module = module
        self.before = [e.hook for e in (module._backward_before or {}).values()]
        self.after = [e.hook for e in (module._backward_after or {}).values()]
        self.grad_outputs: Any = None
        self.waits_for_inputs, self.count = False, 0

    def inputs(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments passed through a node that calls the hooks once their gradients are known."""
        places = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        passed, node = through([args[i] for i in places])
        self.count = len(args)
        if node is None:
            return args
        self.waits_for_inputs = True
        new_args = list(args)
        for i, tensor in zip(places, passed, strict=True):
            new_args[i] = tensor

        def hook(grad_inputs: Any, grad_outputs: Any) -> Any:
            if self.grad_outputs is None:
                return None
            full = [None] * len(args)
            for i, grad in zip(places, grad_inputs, strict=True):
                full[i] = grad
            left = self.call(tuple(full))
            self.grad_outputs = None
            return tuple(left[i] for i in places)

        node.register_hook(hook)
        return tuple(new_args)

    def outputs(self, result: Any) -> Any:
        """The results passed through a node that notes their gradients."""
        single = not isinstance(result, tuple)
        results = (result,) if single else result
        places = [i for i, r in enumerate(results) if isinstance(r, Tensor)]
        passed, node = through([results[i] for i in places])
        if node is None:
            return result

        def prehook(grads: Any) -> Any:
            full = [None] * len(results)
            for i, grad in zip(places, grads, strict=True):
                full[i] = grad
            seen = tuple(full)
            for hook in self.before:
                changed = hook(self.module, seen)
                if changed is not None:
                    seen = changed if isinstance(changed, tuple) else (changed,)
            self.grad_outputs = seen
            if not self.waits_for_inputs:
                warn(NO_INPUTS)
                if any(g is not None for g in self.call((None,) * self.count)):
                    raise RuntimeError(
                        "Backward hook for Modules where no input requires gradient should always return None "
                        "or None for "
                        "all gradients."
                    )
                self.grad_outputs = None
            return tuple(seen[i] for i in places)

        node.register_prehook(prehook)
        new_results = list(results)
        for i, tensor in zip(places, passed, strict=True):
            new_results[i] = tensor
        return new_results[0] if single else tuple(new_results)

    def call(self, grad_inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        for hook in self.after:
            changed = hook(self.module, grad_inputs, self.grad_outputs)
            if changed is None:
                continue
            changed = changed if isinstance(changed, tuple) else (changed,)
            if len(changed) != len(grad_inputs):
                raise RuntimeError(
                    f"Backward hook returned an invalid number of grad_input, got {len(changed)}, but expected "
                    f"{len(grad_inputs)}"
                )
            grad_inputs = changed
        return grad_inputs


def through(tensors: list[Any]) -> tuple[list[Any], Any]:
    """Tensors passed through one node, and that node; None if nothing is tracked."""
    if not tensors:
        return tensors, None
    passed = list(pass_through(tensors))
    node = next((t.grad_fn for t in passed if t.grad_fn is not None), None)
    return passed, node
