"""Hooks on what the graph saves, and other ways to look at the graph and its edges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .._tensor import Tensor
from ..grad_mode import GRAD_MODE, OBSERVERS, change_observers
from ..graph import Node, Packed, Pick, RemovableHandle
from ..memory import bump

_disabled: list[str] = []


class saved_tensors_hooks:
    """Give every tensor the graph saves to `pack`, and its return value to `unpack` when it is needed.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> with torch.autograd.graph.saved_tensors_hooks(lambda t: (print("kept", t.item()), t)[1], lambda t: t):
    ...     y = x ** 2
    kept 3.0
    """

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self) -> None:
        if _disabled:
            raise RuntimeError(_disabled[-1])
        self.before = OBSERVERS.get()
        inner = tuple(o for o in self.before if not isinstance(o, saved_tensors_hooks))
        change_observers((*inner, self))

    def __exit__(self, *exc: object) -> None:
        change_observers(self.before)

    def noticed(self, node: Any, result: Any) -> None:
        """A new node: pack what it saved."""
        mode = GRAD_MODE.get()
        GRAD_MODE.set(False)
        try:
            if node.card is None:
                node.saved = tuple((None if t is None else self.packed(t), v) for t, v in node.saved)
                return
            for name in node.saved_tensors():
                if name == "result":
                    node.counter_result = self.packed(result.detach())
                    node.saved_result = None
                else:
                    setattr(node, f"saved_{name}", self.packed(getattr(node, f"saved_{name}")))
        finally:
            GRAD_MODE.set(mode)

    def fired(self, node: Any, outputs: Any) -> None:
        """Nothing to do when a node runs."""

    def packed(self, tensor: Tensor) -> Packed:
        return Packed(self.pack_hook(tensor), self.unpacked)

    def unpacked(self, packed: Any) -> Tensor:
        tensor = self.unpack_hook(packed)
        if not isinstance(tensor, Tensor):
            raise TypeError(
                "Output of saved tensor unpack_hook expected to be a Tensor but got result of type "
                f"{type(tensor).__name__}"
            )
        return tensor


class save_on_cpu(saved_tensors_hooks):
    """Keep saved tensors on the CPU, where they are here in any case."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(lambda t: t, lambda t: t)


class disable_saved_tensors_hooks:
    """Within this block, using saved-tensor hooks raises `error_message`."""

    def __init__(self, error_message: str) -> None:
        self.error_message = error_message

    def __enter__(self) -> None:
        if any(isinstance(o, saved_tensors_hooks) for o in OBSERVERS.get()):
            raise RuntimeError(self.error_message)
        _disabled.append(self.error_message)

    def __exit__(self, *exc: object) -> None:
        _disabled.pop()


class GradientEdge(NamedTuple):
    """A place a gradient flows through: a node and the number of its output."""

    node: Any
    output_nr: int


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The edge a tensor's gradient flows through."""
    if tensor._edge is None:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    edge = tensor._node()
    return GradientEdge(edge.next0, edge.index) if isinstance(edge, Pick) else GradientEdge(edge, 0)


def increment_version(tensor: Tensor | Sequence[Tensor]) -> None:
    """Count a write that was made behind autograd's back."""
    for t in [tensor] if isinstance(tensor, Tensor) else tensor:
        bump(t)


def register_multi_grad_hook(tensors: Sequence[Tensor], hook: Callable[..., None], *, mode: str = "all") -> Any:
    """Call `hook` once per backward: with all gradients when they are there, or with the first ("any")."""
    waiting: dict[int, Any] = {}

    def arrived(i: int) -> Callable[[Tensor], None]:
        def tensor_hook(grad: Tensor) -> None:
            if mode == "any":
                if not waiting:
                    waiting[i] = grad
                    hook(grad)
                return
            waiting[i] = grad
            if len(waiting) == len(tensors):
                grads = [waiting.get(k) for k in range(len(tensors))]
                waiting.clear()
                hook(grads)

        return tensor_hook

    handles = [t.register_hook(arrived(i)) for i, t in enumerate(tensors)]
    return Handles(handles)


class Handles:
    """Several hook handles as one."""

    def __init__(self, handles: list[RemovableHandle]) -> None:
        self.handles = handles

    def remove(self) -> None:
        for handle in self.handles:
            handle.remove()

    def __enter__(self) -> Handles:
        return self

    def __exit__(self, *exc: object) -> None:
        self.remove()


__all__ = ["GradientEdge", "Node", "get_gradient_edge", "increment_version", "saved_tensors_hooks"]
