"""Checkpointing: forget intermediate values in the forward, compute them again in the backward.

It trades time for memory. The variant without reentrance rests on saved-tensor hooks: what the graph would
save is dropped, and the first value that backward asks for runs the function once more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .._tensor import Tensor
from ..autograd import backward as run_all
from ..autograd.function import Function
from ..autograd.graph import saved_tensors_hooks
from ..caution import warn
from ..generators import default_generator
from ..grad_mode import enable_grad, is_grad_enabled


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """Run `function(*args)` without keeping what its backward needs; it runs again during backward.

    >>> import autograd_lab as torch
    >>> from autograd_lab.utils.checkpoint import checkpoint
    >>> x = torch.tensor(1.0, requires_grad=True)
    >>> checkpoint(lambda t: (t * 2).exp(), x, use_reentrant=False).backward()
    >>> x.grad
    tensor(14.7781)
    """
    if use_reentrant is None:
        warn(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in PyTorch 2.9, "
            "calling checkpoint without use_reentrant will raise an exception. use_reentrant=False is recommended, but "
            "if you need to preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for "
            "more details on the differences between the two variants."
        )
        use_reentrant = True
    if use_reentrant:
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        return CheckpointFunction.apply(function, preserve_rng_state, *args)
    if not is_grad_enabled():
        return function(*args, **kwargs)
    with saved_tensors_hooks(*Recomputing(function, args, kwargs, preserve_rng_state).hooks()):
        return function(*args, **kwargs)


class Recomputing:
    """One checkpointed call: how many values were dropped, and how to have them again."""

    def __init__(self, function: Any, args: Any, kwargs: Any, keep_random: bool) -> None:
        self.function, self.args, self.kwargs = function, args, kwargs
        self.state = random_state() if keep_random else None
        self.count = 0
        self.values: list[Tensor] = []

    def hooks(self) -> tuple[Callable[[Tensor], int], Callable[[int], Tensor]]:
        return self.drop, self.bring_back

    def drop(self, tensor: Tensor) -> int:
        self.count += 1
        return self.count - 1

    def bring_back(self, place: int) -> Tensor:
        if not self.values:
            self.run_again()
        return self.values[place]

    def run_again(self) -> None:
        """Run the function once more, keeping what the graph saves this time."""
        now = random_state()
        if self.state is not None:
            set_random_state(self.state)

        def keep(tensor: Tensor) -> Tensor:
            self.values.append(tensor)
            return tensor

        with enable_grad(), saved_tensors_hooks(keep, lambda t: t):
            self.function(*self.args, **self.kwargs)
        set_random_state(now)
        if len(self.values) != self.count:
            raise RuntimeError(
                "torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
                f"recomputation.\nNumber of tensors saved during forward: {self.count}\nNumber of tensors saved during "
                f"recomputation: {len(self.values)}."
            )


class CheckpointFunction(Function):
    """The reentrant variant: one node whose backward runs forward and backward of the function."""

    @staticmethod
    def forward(ctx: Any, function: Any, keep_random: bool, *args: Any) -> Any:
        ctx.run_function, ctx.args = function, args
        ctx.state = random_state() if keep_random else None
        return function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        inside = tuple(a.detach().requires_grad_(a.requires_grad) if isinstance(a, Tensor) else a for a in ctx.args)
        now = random_state()
        if ctx.state is not None:
            set_random_state(ctx.state)
        with enable_grad():
            outputs = ctx.run_function(*inside)
        set_random_state(now)
        listed = outputs if isinstance(outputs, tuple) else (outputs,)
        pairs = [(o, g) for o, g in zip(listed, grads, strict=True) if isinstance(o, Tensor) and o.requires_grad]
        if not pairs:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        run_all([o for o, _ in pairs], [g for _, g in pairs])
        return (None, None, *(a.grad if isinstance(a, Tensor) and a.requires_grad else None for a in inside))


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool | None = None, **options: Any
) -> Any:
    """Run a sequence of functions in `segments` checkpointed parts; the last part is kept as usual."""
    parts: Sequence[Any] = list(functions.children()) if hasattr(functions, "children") else list(functions)
    size = len(parts) // segments
    for k in range(segments - 1):
        input = checkpoint(chained(parts[k * size : (k + 1) * size]), input, use_reentrant=use_reentrant, **options)
    return chained(parts[(segments - 1) * size :])(input)


def chained(parts: Sequence[Any]) -> Callable[[Any], Any]:
    """Several functions as one."""

    def run(value: Any) -> Any:
        for part in parts:
            value = part(value)
        return value

    return run


def random_state() -> Any:
    return default_generator.numpy.bit_generator.state


def set_random_state(state: Any) -> None:
    default_generator.numpy.bit_generator.state = state
