"""Derivatives of functions: jacobian, hessian, and the products vjp, jvp, vhp, hvp."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .._tensor import Tensor, bare
from ..engine import run_backward
from ..grad_mode import enable_grad
from ..graph import LEAF
from ..ops.creation import ones_like, zeros_like
from ..ops.shape import reshape, stack
from .forward_ad import tangent_of
from .gradcheck import as_tuple, unit


def fresh(inputs: Sequence[Tensor], create_graph: bool) -> tuple[Tensor, ...]:
    """Inputs to differentiate: new leaves, or views that keep their history for create_graph."""
    made = []
    for t in inputs:
        if create_graph and t._edge is not None:
            made.append(t.view_as(t))
        else:
            leaf = bare(t.array())
            leaf._edge = LEAF
            made.append(leaf)
    return tuple(made)


def plain(value: Any, create_graph: bool) -> Any:
    """Results without history, unless it was asked for."""
    if isinstance(value, tuple):
        return tuple(plain(v, create_graph) for v in value)
    return value if create_graph or value is None else value.detach()


def grads_of(output: Tensor, inputs: Sequence[Tensor], v: Any, create_graph: bool, keep: bool = True) -> list[Any]:
    """The gradients of one output; zeros where it does not depend on an input."""
    if output._edge is None:
        return [zeros_like(i) for i in inputs]
    found = run_backward([output], [v], keep, create_graph, list(inputs))
    return [found.get(i._node(), None) for i in inputs]


def jacobian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """All derivatives of all outputs: shape of output + shape of input; one backward per output element.

    >>> import autograd_lab as torch
    >>> torch.autograd.functional.jacobian(lambda x: x ** 2, torch.tensor([1.0, 3.0]))
    tensor([[2., 0.],
            [0., 6.]])
    """
    several_in, given = as_tuple(inputs)
    with enable_grad():
        leaves = fresh(given, create_graph)
        several_out, outputs = as_tuple(func(*leaves))
        result = tuple(jacobian_of(o, leaves, create_graph, strict) for o in outputs)
    shaped = tuple(r if several_in else r[0] for r in result)
    return plain(shaped if several_out else shaped[0], create_graph)


def jacobian_of(output: Tensor, inputs: Sequence[Tensor], create_graph: bool, strict: bool = False) -> tuple[Any, ...]:
    """The Jacobian of one output with respect to each input."""
    rows: list[list[Any]] = []
    shape = tuple(output.shape)
    for k in range(output._data.size):
        grads = grads_of(output, inputs, unit(shape, output._data.dtype, k), create_graph)
        if strict and any(g is None for g in grads):
            raise RuntimeError(
                "Output 0 of the user-provided function is independent of input 0. This is not allowed in strict mode."
            )
        rows.append([zeros_like(i) if g is None else g for g, i in zip(grads, inputs, strict=True)])
    return tuple(reshape(stack([row[i] for row in rows], 0), (*shape, *tuple(t.shape))) for i, t in enumerate(inputs))


def one_number(output: Any, name: str) -> Tensor:
    """Check that a function to be differentiated twice returned a single element."""
    if not isinstance(output, Tensor):
        raise RuntimeError(f"The function given to {name} should return a single Tensor")
    if output._data.size != 1:
        raise RuntimeError(f"The Tensor returned by the function given to {name} should contain a single element")
    return output.squeeze() if output.ndim else output


def hessian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """All second derivatives of a function that returns one number.

    >>> import autograd_lab as torch
    >>> torch.autograd.functional.hessian(lambda x: (x ** 3).sum(), torch.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    several, given = as_tuple(inputs)
    with enable_grad():
        leaves = fresh(given, create_graph)
        output = one_number(func(*leaves), "hessian")
        first = [
            zeros_like(i) if g is None else g for g, i in zip(grads_of(output, leaves, None, True), leaves, strict=True)
        ]
        result = tuple(jacobian_of(g, leaves, create_graph) for g in first)
    return plain(result if several else result[0][0], create_graph)


def vjp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """The outputs, and v^T J: one backward.

    >>> import autograd_lab as torch
    >>> torch.autograd.functional.vjp(lambda x: x ** 2, torch.tensor([1.0, 2.0]), torch.tensor([1.0, 1.0]))
    (tensor([1., 4.]), tensor([2., 4.]))
    """
    several_in, given = as_tuple(inputs)
    with enable_grad():
        leaves = fresh(given, create_graph)
        several_out, outputs = as_tuple(func(*leaves))
        weights = [None] * len(outputs) if v is None else list(as_tuple(v)[1])
        if v is None and any(o._data.size != 1 for o in outputs):
            raise RuntimeError(
                "The vector v can only be None if the user-provided function returns a single Tensor with a single "
                "element."
            )
        found = run_backward(outputs, weights, True, create_graph, list(leaves))
        grads = tuple(found.get(i._node(), zeros_like(i)) for i in leaves)
    return plain(outputs if several_out else outputs[0], create_graph), plain(
        grads if several_in else grads[0], create_graph
    )


def jvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """The outputs, and J v: how the outputs move when the inputs move along v."""
    _, given = as_tuple(inputs)
    with enable_grad():
        leaves = fresh(given, create_graph)
        several_out, outputs = as_tuple(func(*leaves))
        tangents = [ones_like(i) for i in leaves] if v is None else list(as_tuple(v)[1])
        moved = tuple(
            zeros_like(o) if t is None else t
            for o, t in ((o, tangent_of(o, list(leaves), tangents, create_graph)) for o in outputs)
        )
    return plain(outputs if several_out else outputs[0], create_graph), plain(
        moved if several_out else moved[0], create_graph
    )


def hvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """The output, and H v, without the Hessian: the gradient of (gradient . v)."""
    return second_product("hvp", func, inputs, v, create_graph)


def vhp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """The output, and v^T H, without the Hessian; H is symmetric, so this equals `hvp`."""
    return second_product("vhp", func, inputs, v, create_graph)


def second_product(name: str, func: Callable[..., Any], inputs: Any, v: Any, create_graph: bool) -> Any:
    several, given = as_tuple(inputs)
    with enable_grad():
        leaves = fresh(given, create_graph)
        raw = func(*leaves)
        output = one_number(raw, name)
        vectors = [ones_like(i) for i in leaves] if v is None else list(as_tuple(v)[1])
        pairs = [
            (g, w)
            for g, w in zip(grads_of(output, leaves, None, True), vectors, strict=True)
            if g is not None and g._edge is not None
        ]
        found = (
            run_backward([g for g, _ in pairs], [w for _, w in pairs], True, create_graph, list(leaves))
            if pairs
            else {}
        )
        result = tuple(found.get(i._node(), zeros_like(i)) for i in leaves)
    return plain(raw, create_graph), plain(result if several else result[0], create_graph)
