"""Whether ops are recorded: grad mode, and the contexts that change it.

The mode is a context variable, so each thread has its own. It holds False (record nothing), True, or
an `Observer` that is told of every new node (saved-tensor hooks, anomaly mode): one look-up answers
all three. Read next: `op.py`, where the mode is asked.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator
from contextvars import ContextVar
from typing import Any, Protocol

from .recorder import watchers


class Observer(Protocol):
    """Is told of each node right after the op that made it."""

    def noticed(self, node: Any, result: Any) -> None: ...


class Observers:
    """Several observers as one."""

    def __init__(self, members: tuple[Observer, ...]) -> None:
        self.members = members

    def noticed(self, node: Any, result: Any) -> None:
        for member in self.members:
            member.noticed(node, result)


GRAD_MODE: ContextVar[Any] = ContextVar("grad_mode", default=True)
GRAD_MODE.set(True)  # the same, but a variable that was set once is found quicker
OBSERVERS: ContextVar[tuple[Any, ...]] = ContextVar("observers", default=())
INFERENCE: ContextVar[bool] = ContextVar("inference", default=False)


def is_grad_enabled() -> bool:
    """Whether ops on tracked tensors are recorded now.

    >>> with no_grad():
    ...     is_grad_enabled()
    False
    """
    return GRAD_MODE.get() is not False


def mode_for(enabled: bool) -> Any:
    """The value of GRAD_MODE that says `enabled` and keeps today's observers."""
    if not enabled:
        return False
    members = OBSERVERS.get()
    return Observers(members) if members else True


def change_observers(members: tuple[Any, ...]) -> None:
    """Make `members` the observers of this context."""
    OBSERVERS.set(members)
    GRAD_MODE.set(mode_for(is_grad_enabled()))


class ContextDecorator:
    """A context manager that also decorates functions, generator functions and classes."""

    def __enter__(self) -> Any:
        raise NotImplementedError

    def __exit__(self, *exc: object) -> None:
        raise NotImplementedError

    def clone(self) -> ContextDecorator:
        return type(self)()

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.isclass(function):
            raise TypeError(f"Cannot decorate the class {function.__name__}; decorate its methods instead.")
        if inspect.isgeneratorfunction(function):
            return self._around_generator(function)

        @functools.wraps(function)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return function(*args, **kwargs)

        return decorated

    def _around_generator(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def decorated(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
            generator = function(*args, **kwargs)
            sent: Any = None
            fault: BaseException | None = None
            while True:  # the mode holds while the generator's own code runs, never while it is paused
                try:
                    with self.clone():
                        value = generator.send(sent) if fault is None else generator.throw(fault)
                except StopIteration as stop:
                    return stop.value
                fault = None
                try:
                    sent = yield value
                except GeneratorExit:
                    generator.close()
                    raise
                except BaseException as raised:
                    fault = raised

        return decorated


class _Mode(ContextDecorator):
    enabled = True

    def __enter__(self) -> None:
        self.before = GRAD_MODE.get()
        GRAD_MODE.set(mode_for(self.enabled))

    def __exit__(self, *exc: object) -> None:
        GRAD_MODE.set(self.before)


class no_grad(_Mode):
    """Run a block, or a function, without recording.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> with torch.no_grad():
    ...     y = x * 3
    >>> y.requires_grad
    False
    """

    enabled = False

    def __new__(cls, function: Callable[..., Any] | None = None) -> Any:
        made = super().__new__(cls)
        return made if function is None else made(function)


class enable_grad(_Mode):
    """Record inside a block, or a function, even within `no_grad`."""

    def __new__(cls, function: Callable[..., Any] | None = None) -> Any:
        made = super().__new__(cls)
        return made if function is None else made(function)


class set_grad_enabled(ContextDecorator):
    """Switch recording on or off: at once, and back at the end when used as a context."""

    def __init__(self, mode: bool) -> None:
        self.mode, self.before = bool(mode), GRAD_MODE.get()
        GRAD_MODE.set(mode_for(self.mode))

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        GRAD_MODE.set(self.before)  # as a decorator it must change nothing now
        return super().__call__(function)

    def __enter__(self) -> None:
        GRAD_MODE.set(mode_for(self.mode))

    def __exit__(self, *exc: object) -> None:
        GRAD_MODE.set(self.before)

    def clone(self) -> set_grad_enabled:
        return type(self)(self.mode)

    def __repr__(self) -> str:
        return f"set_grad_enabled(mode={self.mode})"


class InferenceVersion(list[int]):
    """Stands where a version counter would be; asking it is the error of a tensor without one."""

    def __getitem__(self, index: Any) -> Any:
        raise RuntimeError(
            "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode "
            "in computation tracked by autograd. To work around this, you can make a clone to get a normal tensor "
            "and use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
        )


INFERENCE_VERSION = InferenceVersion()


class _MarkInference:
    """The watcher that takes the version counter from tensors made in inference mode."""

    def recorded(self, card: Any, arguments: dict[str, Any], result: Any, in_place: bool = False) -> None:
        if INFERENCE.get() and not in_place:
            for tensor in result if isinstance(result, tuple) else (result,):
                if hasattr(tensor, "_counter"):
                    tensor._counter = INFERENCE_VERSION


_MARK = _MarkInference()


class inference_mode(ContextDecorator):
    """Like `no_grad`, and results are inference tensors, which autograd can never use later."""

    def __new__(cls, mode: Any = True) -> Any:
        made = super().__new__(cls)
        if callable(mode):
            made.mode = True
            return made(mode)
        return made

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode

    def clone(self) -> inference_mode:
        return type(self)(self.mode)

    def __enter__(self) -> None:
        self.before = GRAD_MODE.get(), INFERENCE.get()
        INFERENCE.set(self.mode)
        if self.mode:
            GRAD_MODE.set(False)
            watchers.append(_MARK)
        else:
            GRAD_MODE.set(mode_for(True))

    def __exit__(self, *exc: object) -> None:
        mode, inference = self.before
        GRAD_MODE.set(mode)
        INFERENCE.set(inference)
        if self.mode:
            watchers.remove(_MARK)


def is_inference_mode_enabled() -> bool:
    """Whether results are inference tensors now."""
    return INFERENCE.get()
