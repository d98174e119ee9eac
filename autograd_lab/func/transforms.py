"""grad, vjp, jvp and the Jacobians as functions of functions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from .._tensor import Tensor, bare
from ..autograd.forward_ad import tangent_of
from ..autograd.functional import as_tuple, jacobian_of
from ..engine import run_backward
from ..grad_mode import enable_grad
from ..graph import LEAF
from ..ops.creation import zeros_like
from ..ops.indexing import alias


def entered(value: Any) -> Any:
    """A fresh tensor to differentiate: a leaf, or joined to the history the given one has."""
    if isinstance(value, Tensor):
        if value._edge is not None:
            return alias(value)
        leaf = bare(value.array())
        leaf._edge = LEAF
        return leaf
    return mapped(entered, value)


def mapped(function: Callable[[Any], Any], value: Any) -> Any:
    """`function` on each part of a tuple, list or dict; other values stay."""
    if isinstance(value, (tuple, list)):
        return type(value)(function(v) for v in value)
    return {k: function(v) for k, v in value.items()} if isinstance(value, dict) else value


def tensors_in(value: Any) -> list[Tensor]:
    """The tensors of a nested value, in order."""
    found: list[Tensor] = []
    todo = [value]
    while todo:
        item = todo.pop(0)
        if isinstance(item, Tensor):
            found.append(item)
        elif isinstance(item, (tuple, list)):
            todo[:0] = list(item)
        elif isinstance(item, dict):
            todo[:0] = list(item.values())
    return found


def filled(value: Any, replacements: dict[int, Any]) -> Any:
    """The nested value with each tensor replaced by its gradient."""
    if isinstance(value, Tensor):
        return replacements[id(value)]
    return mapped(lambda v: filled(v, replacements), value)


def nested(args: Any) -> bool:
    """Whether an argument has a history of its own, so that results must keep theirs."""
    return any(t._edge is not None for t in tensors_in(args))


def settled(value: Any, keep: bool) -> Any:
    """A result, cut from our own fresh inputs unless an outer transform needs the history."""
    if isinstance(value, Tensor):
        return value if keep else value.detach()
    return mapped(lambda v: settled(v, keep), value)


def grad_and_value(
    func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """A function that returns the gradient of `func` and its value."""

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        chosen = (argnums,) if isinstance(argnums, int) else tuple(argnums)
        chosen = tuple(a % len(args) for a in chosen)
        keep = nested(args) or nested(kwargs)
        with enable_grad():
            inside = tuple(entered(a) if i in chosen else a for i, a in enumerate(args))
            output = func(*inside, **kwargs)
            output, aux = output if has_aux else (output, None)
            check_scalar(output)
            goals = [t for a in chosen for t in tensors_in(inside[a])]
            tracked = output._edge is not None
            found = run_backward([output], [None], True, keep, goals) if tracked else {}
        grads = {id(t): settled(found.get(t._node(), None), True) for t in goals}
        grads = {i: g for i, g in grads.items() if g is not None}
        grads = {id(t): grads.get(id(t), zeros_like(t)) for t in goals}
        shaped = tuple(filled(inside[a], grads) for a in chosen)
        result = shaped[0] if isinstance(argnums, int) else shaped
        value = settled(output, keep)
        return (result, (value, settled(aux, keep))) if has_aux else (result, value)

    return wrapper


def check_scalar(output: Any) -> None:
    if not isinstance(output, Tensor):
        raise RuntimeError(f"grad_and_value(f)(*args): Expected f(*args) to return a single tensor, got {type(output)}")
    if output.ndim:
        raise RuntimeError(
            f"grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with {output.ndim} "
            "dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
        )


def grad(func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that returns the gradient of `func`, which must return a 0-d tensor.

    >>> import autograd_lab as torch
    >>> torch.func.grad(torch.func.grad(lambda x: x ** 3))(torch.tensor(2.0))
    tensor(12.)
    """
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        gradient, value = both(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return wrapper


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """The outputs, and a function that gives v^T J for any v."""
    keep = nested(primals)
    with enable_grad():
        inside = tuple(entered(p) for p in primals)
        output = func(*inside)
        output, aux = output if has_aux else (output, None)
    goals = [t for p in inside for t in tensors_in(p)]

    def pull(cotangents: Any) -> Any:
        with enable_grad():
            pairs = [
                (o, c) for o, c in zip(tensors_in(output), tensors_in(cotangents), strict=True) if o._edge is not None
            ]
            found = (
                run_backward([o for o, _ in pairs], [c for _, c in pairs], True, keep or nested(cotangents), goals)
                if pairs
                else {}
            )
        grads = {id(t): found.get(t._node(), zeros_like(t)) for t in goals}
        return tuple(filled(p, grads) for p in inside)

    return (settled(output, keep), pull, settled(aux, keep)) if has_aux else (settled(output, keep), pull)


def jvp(func: Callable[..., Any], primals: Any, tangents: Any, *, has_aux: bool = False) -> Any:
    """The outputs, and J v."""
    keep = nested(primals) or nested(tangents)
    with enable_grad():
        inside = tuple(entered(p) for p in primals)
        output = func(*inside)
        output, aux = output if has_aux else (output, None)
        several, outputs = as_tuple(output)
        goals, moves = [t for p in inside for t in tensors_in(p)], tensors_in(tangents)
        made = [tangent_of(o, goals, moves, keep) if o._edge is not None else None for o in outputs]
    moved = tuple(zeros_like(o) if m is None else m for o, m in zip(outputs, made, strict=True))
    result = settled(output, keep), moved if several else moved[0]
    return (*result, settled(aux, keep)) if has_aux else result


def jacrev(func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, **options: Any) -> Callable[..., Any]:
    """A function that returns the Jacobian of `func`, row by row (reverse mode)."""

    @functools.wraps(func)
    def wrapper(*args: Any) -> Any:
        chosen = (argnums,) if isinstance(argnums, int) else tuple(argnums)
        keep = nested(args)
        with enable_grad():
            inside = tuple(entered(a) if i in chosen else a for i, a in enumerate(args))
            several, outputs = as_tuple(func(*inside))
            rows = tuple(jacobian_of(o, [inside[a] for a in chosen], keep) for o in outputs)
        shaped = tuple(settled(r[0] if isinstance(argnums, int) else r, keep) for r in rows)
        return shaped if several else shaped[0]

    return wrapper


def jacfwd(func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, **options: Any) -> Callable[..., Any]:
    """A function that returns the Jacobian of `func`, as forward mode would compute it: the numbers are the same."""
    return jacrev(func, argnums)


def hessian(func: Callable[..., Any], argnums: int = 0) -> Callable[..., Any]:
    """A function that returns the second derivatives of `func`."""
    return jacfwd(jacrev(func, argnums), argnums)


def functional_call(module: Any, parameters: dict[str, Any], args: Any = (), kwargs: Any = None) -> Any:
    """Call a module with other parameters in place of its own, without changing it."""
    args = args if isinstance(args, tuple) else (args,)
    owners = dict(module.named_modules())
    before: list[tuple[Any, str, Any]] = []
    try:
        for name, value in parameters.items():
            path, _, leaf = name.rpartition(".")
            table = owners[path]._parameters if leaf in owners[path]._parameters else owners[path]._buffers
            before.append((table, leaf, table[leaf]))
            table[leaf] = value
        return module(*args, **(kwargs or {}))
    finally:
        for table, leaf, value in before:
            table[leaf] = value
