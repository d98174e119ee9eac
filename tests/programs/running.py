"""Run a program's statements under one library and note everything an onlooker can see."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numpy as np


class Session:
    """One library, one name space; each statement's result or error is noted."""

    def __init__(self, library: str) -> None:
        self.lib = importlib.import_module(library)
        self.log: list[Any] = []
        self.done = 0
        self.names: dict[str, Any] = {
            "torch": self.lib,
            "note": self.note,
            "seen": self.seen,
            "untracked": self.untracked,
            "twice": self.twice,
            "hooked": self.hooked,
        }

    def run(self, lines: list[str]) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for line in lines:
                self.done += 1
                try:
                    exec(line, self.names)
                except Exception as error:
                    self.log.append((line, type(error).__name__, str(error)))
                if "backward" in line or "twice" in line:
                    self.materialize_grads()

    def materialize_grads(self) -> None:
        """Make PyTorch's ZeroTensors ordinary: a `.grad` from `sgn` refuses to be added to, which is its own fault."""
        for value in self.names.values():
            grad = value.grad if isinstance(value, self.lib.Tensor) else None
            if grad is not None and getattr(grad, "_is_zerotensor", bool)():
                value.grad = grad.clone()

    def note(self, value: Any) -> None:
        self.log.append(("note", described(value)))

    def seen(self, key: int, grad: Any) -> None:
        self.log.append(("hook", key, numbers(grad)))

    def untracked(self, function: Any) -> Any:
        with self.lib.no_grad():
            return function()

    def twice(self, tensor: Any) -> None:
        loss = (tensor * tensor).sum()
        loss.backward()
        loss.backward()

    def hooked(self, node: Any, key: int) -> bool:
        node.register_hook(
            lambda gi, go: self.log.append(("node hook", key, [numbers(g) for g in gi], [numbers(g) for g in go]))
        )
        return True

    def finish(self) -> list[Any]:
        """Backward from the sum of the newest results, then everything that can be read."""
        variables = {n: v for n, v in self.names.items() if n[0] == "v" and n[1:].isdigit()}
        tensors = {n: v for n, v in variables.items() if isinstance(v, self.lib.Tensor)}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            roots, failed = [], False
            for value in list(tensors.values())[-6:]:
                try:
                    if value.requires_grad and value.dtype is self.lib.float64:
                        roots.append(value.sum())
                except Exception as error:
                    self.log.append(("sum", type(error).__name__, str(error)))
            try:
                if roots:
                    total = roots[0]
                    for r in roots[1:]:
                        total = total + r
                    self.note(total)
                    total.backward()
            except Exception as error:
                failed = True  # how far a walk came before its error is nobody's promise: no grads are compared
                self.log.append(("backward", type(error).__name__, str(error)))
            for name, value in tensors.items():
                try:
                    grad = None if failed else value.grad
                    self.log.append((name, described(value), None if grad is None else numbers(grad)))
                except Exception as error:
                    self.log.append((name, type(error).__name__, str(error)))
        return self.log


def numbers(value: Any) -> Any:
    """A tensor's shape, dtype and values."""
    if value is None:
        return None
    return tuple(value.shape), str(value.dtype), np.array(value.detach().numpy(force=True), copy=True)


def described(value: Any) -> Any:
    """What can be read off a result."""
    if isinstance(value, (tuple, list)):
        return [described(v) for v in value]
    if not hasattr(value, "requires_grad"):
        return value
    node = value.grad_fn
    parents = None
    if node is not None:
        parents = [(None if n is None else n.name(), k) for n, k in node.next_functions]
    return (numbers(value), value.requires_grad, value.is_leaf, None if node is None else node.name(), parents)


def difference(a: Any, b: Any, where: str = "") -> str | None:
    """The first place two notes differ; numbers may differ in their last digits."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        close = a.shape == b.shape and np.allclose(a, b, rtol=1e-7, atol=1e-9, equal_nan=True)
        return None if close else f"{where}: {a!r} is not {b!r}"
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        if len(a) != len(b):
            return f"{where}: {len(a)} entries, not {len(b)}: {str(a)[:300]} / {str(b)[:300]}"
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            found = difference(x, y, f"{where}[{i}]")
            if found:
                return found
        return None
    if a == b:
        return None
    return f"{where}: {a!r} is not {b!r}"
