"""Your own op: `Function`, with a static `forward(ctx, …)` and `backward(ctx, …)`.

The `ctx` of a call is also its node in the graph: the second, smaller user of the Node protocol besides
the cards. Read next: `gradcheck.py`, which tells whether a backward is right.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from .._tensor import Tensor, bare
from ..grad_mode import GRAD_MODE
from ..graph import FREED, FREED_TEXT, LEAF, Node, Packed, Pick, Several, next_number, stale
from ..inplace import rebase
from ..memory import share


class FunctionNode(Node):
    """One call of a Function: what `forward` and `backward` know as `ctx`, and `grad_fn` of the result."""

    __slots__ = ("__dict__", "edges", "several")
    function: ClassVar[Any] = None
    arity = 3

    def start(self, args: tuple[Any, ...]) -> None:
        self.number = next_number()
        self.several = 0
        self.needs_input_grad = tuple(isinstance(a, Tensor) and a._edge is not None for a in args)
        self.tensor_places = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        self.inputs_like = [(args[i]._data.shape, args[i]._data.dtype) for i in self.tensor_places]
        self.edges = tuple(args[i] if args[i]._edge is LEAF else args[i]._edge for i in self.tensor_places)
        self.argument_count = len(args)
        self.saved: Any = ()
        self.to_save: tuple[Any, ...] = ()
        self.dirty: tuple[Any, ...] = ()
        self.non_differentiable: tuple[Any, ...] = ()
        self.materialize_grads = True

    # what the learner calls

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors for backward; they are checked for in-place changes when used."""
        for i, t in enumerate(tensors):
            if t is not None and not isinstance(t, Tensor):
                raise TypeError(
                    f"save_for_backward can only save variables, but argument {i} is of type {type(t).__name__}"
                )
        self.to_save = tensors

    save_for_forward = save_for_backward

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say which inputs forward has changed in place."""
        self.dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say which outputs have no gradient."""
        self.non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """With False, backward gets None instead of zeros for outputs that were not used."""
        self.materialize_grads = value

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """The tensors given to `save_for_backward`."""
        if self.saved is FREED:
            raise RuntimeError(FREED_TEXT)
        found = []
        for i, (value, version) in enumerate(self.saved):
            if isinstance(value, Packed):
                value = value.unpack()
            elif value is not None and value._version != version:
                stale(self, f"saved tensor {i}", version, value)
            found.append(value)
        return tuple(found)

    saved_variables = saved_tensors

    # what the engine calls

    def run_tensors(self, grad: Any) -> tuple[Any, ...]:
        given = list(grad) if isinstance(grad, (Several, list)) else [grad]
        if self.materialize_grads:
            given = [
                bare(np.zeros(*like)) if g is None else g for g, like in zip(given, self.outputs_like, strict=True)
            ]
        return self.checked(self.function.backward(self, *given))

    def checked(self, grads: Any) -> tuple[Any, ...]:
        """One gradient per tensor argument, with PyTorch's errors for what does not fit."""
        name, grads = type(self).__name__, grads if isinstance(grads, tuple) else (grads,)
        if len(grads) > self.argument_count and all(g is None for g in grads[self.argument_count :]):
            grads = grads[: self.argument_count]
        if len(grads) != self.argument_count:
            raise RuntimeError(
                f"function {name} returned an incorrect number of gradients (expected {self.argument_count}, got "
                f"{len(grads)})"
            )
        for i, g in enumerate(grads):
            if g is not None and i not in self.tensor_places:
                raise RuntimeError(
                    f"function {name} returned a gradient different from None at position {i + 1}, but the "
                    "corresponding forward input was not a Variable"
                )
        chosen = [grads[i] for i in self.tensor_places]
        return tuple(
            None if g is None or edge is None else self.fitted(g, i, *like)
            for i, (g, edge, like) in enumerate(zip(chosen, self.edges, self.inputs_like, strict=True))
        )

    def fitted(self, grad: Any, i: int, shape: Any, dtype: Any) -> Any:
        """A gradient in its input's shape and dtype; one that was broadcast is summed."""
        name = type(self).__name__
        if not isinstance(grad, Tensor):
            raise TypeError(f"expected Variable or None (got {type(grad).__name__})")
        if grad._data.shape != shape:
            extra = grad._data.ndim - len(shape)
            if extra < 0 or any(n not in (1, m) for n, m in zip(shape, grad._data.shape[extra:], strict=True)):
                raise RuntimeError(
                    f"Function {name} returned an invalid gradient at index {i} - got {list(grad._data.shape)} but "
                    f"expected shape compatible with {list(shape)}"
                )
            grad = grad.sum_to_size(tuple(shape))
        if grad._data.dtype != dtype:
            grad = bare(grad._data.astype(dtype)) if grad._edge is None else grad.to(dtypes_of(dtype))
        return grad

    def run_keep(self, grad: Any) -> tuple[Any, ...]:
        wrapped = [None if g is None else bare(g) for g in grad] if isinstance(grad, list) else bare(grad)
        before = GRAD_MODE.get()
        GRAD_MODE.set(False)
        try:
            return tuple(None if g is None else g._data for g in self.run_tensors(wrapped))
        finally:
            GRAD_MODE.set(before)

    def run(self, grad: Any) -> tuple[Any, ...]:
        grads = self.run_keep(grad)
        self.free()
        return grads

    def free(self) -> None:
        if self.saved:
            self.saved = FREED


def dtypes_of(kind: Any) -> Any:
    from_numpy: Any = Tensor.dtype.fget
    return from_numpy(bare(np.zeros(0, kind)))


class Function:
    """Base of custom ops.

    >>> import autograd_lab as torch
    >>> class Square(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         (x,) = ctx.saved_tensors
    ...         return 2 * x * grad
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> Square.apply(x).backward()
    >>> x.grad
    tensor(6.)
    """

    node: ClassVar[Any] = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise RuntimeError(
            f"{type(self).__name__} should not be instantiated. Methods on autograd functions are all static, so you "
            "should invoke them on the class itself. Instantiating an autograd function will raise an error in a "
            "future version of PyTorch."
        )

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
            "backward mode AD."
        )

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "vjp" in vars(cls) and "backward" not in vars(cls):
            cls.backward = cls.vjp
        cls.node = type(cls.__name__ + "Backward", (FunctionNode,), {"function": cls, "__slots__": ()})

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Run forward without recording, and record the call as one node."""
        node = object.__new__(cls.node or FunctionNode)
        node.start(args)
        before = GRAD_MODE.get()
        GRAD_MODE.set(False)
        try:
            if cls.setup_context is not Function.setup_context:
                output = cls.forward(*args)
                cls.setup_context(node, args, output)
            else:
                output = cls.forward(node, *args)
        finally:
            GRAD_MODE.set(before)
        return connected(node, args, output, before)


def connected(node: Any, args: tuple[Any, ...], output: Any, mode: Any) -> Any:
    """The outputs of a call, joined to its node if anything is tracked."""
    outputs = output if isinstance(output, tuple) else (output,)
    tracked = bool(mode) and any(e is not None for e in node.edges)
    node.outputs_like = [(o._data.shape, o._data.dtype) if isinstance(o, Tensor) else ((), np.float32) for o in outputs]
    if isinstance(output, tuple):
        node.several = len(outputs)
    made = tuple(joined(node, args, i, o, tracked, isinstance(output, tuple)) for i, o in enumerate(outputs))
    if tracked:
        node.saved = tuple((t, None if t is None else t._version) for t in node.to_save)
        if mode is not True:
            mode.noticed(node, output)
    del node.to_save
    node.dirty = node.non_differentiable = ()
    return made if isinstance(output, tuple) else made[0]


def joined(node: Any, args: tuple[Any, ...], i: int, output: Any, tracked: bool, several: bool) -> Any:
    """One output with its edge. An input returned unchanged comes back as a new view of it."""
    if not isinstance(output, Tensor):
        return output
    dirty = any(output is d for d in node.dirty)
    if not dirty and any(output is a for a in args):
        shown = bare(output.array())
        shown._counter = share(output)
        output = shown
    fixed = any(output is t for t in node.non_differentiable) or output._data.dtype.kind not in "fc"
    if not tracked or fixed:
        if fixed and not dirty:
            output._edge = None
        return output
    edge = Pick(node, i) if several else node
    if dirty:
        if output._edge is LEAF:
            raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
        rebase(output, edge, output._edge)
    else:
        output._edge = edge
    return output


class DelayedError(Node):
    """Stands behind results that cannot be differentiated again; walking through it is the error."""

    __slots__ = ("edges", "text")
    arity = 3

    def __init__(self, edges: tuple[Any, ...], text: str) -> None:
        self.edges, self.text, self.number = edges, text, next_number()

    def run(self, grad: Any) -> Any:
        raise RuntimeError(self.text)

    run_keep = run_tensors = run


def once_differentiable(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator for a backward that must not be differentiated again."""

    @functools.wraps(function)
    def wrapper(ctx: Any, *grads: Any) -> Any:
        before = GRAD_MODE.get()
        GRAD_MODE.set(False)
        try:
            outputs = function(ctx, *grads)
        finally:
            GRAD_MODE.set(before)
        sources = [
            g for g in (*grads, *getattr(ctx, "saved_tensors", ())) if isinstance(g, Tensor) and g._edge is not None
        ]
        if not before or not sources:
            return outputs
        edges = tuple(g if g._edge is LEAF else g._edge for g in sources)
        text = "trying to differentiate twice a function that was marked with @once_differentiable"
        results = outputs if isinstance(outputs, tuple) else (outputs,)
        for r in results:
            if isinstance(r, Tensor):
                r._edge = DelayedError(edges, text)
        return outputs

    return wrapper


FunctionCtx = BackwardCFunction = FunctionNode
InplaceFunction = Function

__all__ = ["Function", "FunctionCtx", "InplaceFunction", "once_differentiable"]
