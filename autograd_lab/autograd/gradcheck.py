"""Is a gradient right? Compare it with finite differences, in float64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._tensor import Tensor, bare
from ..caution import warn
from ..engine import run_backward
from ..grad_mode import GRAD_MODE
from ..graph import LEAF


class GradcheckError(RuntimeError):
    """Raised by `gradcheck` when a gradient differs from finite differences."""


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    fast_mode: bool = False,
) -> bool:
    """Whether backward agrees with central differences, for every input element and output element.

    Inputs should be float64 leaves that require grad; `eps` is the step, `atol` and `rtol` the tolerances.

    >>> import autograd_lab as torch
    >>> x = torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradcheck(torch.sin, (x,))
    True
    """
    given = as_tuple(inputs)[1]
    checked = [(i, t) for i, t in enumerate(given) if isinstance(t, Tensor) and t._edge is not None]
    if not checked:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of the them have "
            "requires_grad=True."
        )
    for i, t in checked:
        if t._data.dtype not in (np.float64, np.complex128):
            warn(
                f"Input #{i} requires gradient and is not a double precision floating point or complex. This check "
                "will likely fail if all the inputs are not of double precision floating point or complex. "
            )
    fault = first_fault(func, given, checked, eps, atol, rtol)
    if fault is not None and raise_exception:
        raise GradcheckError(fault)
    return fault is None


def first_fault(func: Any, given: Any, checked: Any, eps: float, atol: float, rtol: float) -> str | None:
    """The text of the first mismatch, or None."""
    outputs = as_tuple(func(*given))[1]
    for o, output in enumerate(outputs):
        if not isinstance(output, Tensor) or output._data.dtype.kind not in "fc":
            continue
        for i, t in checked:
            wanted = numerical(func, given, i, o, eps)
            got = analytical(output, t)
            if got.shape != wanted.shape or not np.allclose(got, wanted, rtol=rtol, atol=atol):
                return (
                    f"Jacobian mismatch for output {o} with respect to input {i},\nnumerical:{bare(wanted)!r}\n"
                    f"analytical:{bare(got)!r}\n"
                )
    return None


def numerical(func: Any, given: Any, i: int, o: int, eps: float) -> Any:
    """Central differences: rows are input elements, columns output elements."""
    t = given[i]
    base = np.array(t._data)
    rows = []
    for k in range(base.size):
        sides = []
        for step in (eps, -eps):
            moved = base.copy()
            moved.reshape(-1)[k] += step
            shifted = bare(moved[()])
            shifted._edge = LEAF
            before = GRAD_MODE.get()
            try:
                output = as_tuple(func(*(shifted if j == i else a for j, a in enumerate(given))))[1][o]
            finally:
                GRAD_MODE.set(before)
            sides.append(np.array(output._data).reshape(-1))
        rows.append((sides[0] - sides[1]) / (2 * eps))
    width = rows[0].size if rows else 0
    return np.array(rows).reshape(base.size, width)


def analytical(output: Tensor, t: Tensor) -> Any:
    """The same table from backward, one column at a time."""
    columns = []
    shape = tuple(output.shape)
    for k in range(output._data.size):
        grad = None
        if output._edge is not None:
            found = run_backward([output], [unit(shape, output._data.dtype, k)], True, False, [t])
            grad = found.get(t._node())
        columns.append(np.zeros(t._data.size, t._data.dtype) if grad is None else np.array(grad._data).reshape(-1))
    return np.array(columns).reshape(output._data.size, t._data.size).T.copy()


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    **options: Any,
) -> bool:
    """Whether the gradients of the gradients agree with central differences."""
    given = as_tuple(inputs)[1]
    places = [i for i, t in enumerate(given) if isinstance(t, Tensor) and t._edge is not None]
    outputs = [
        o
        for o in as_tuple(func(*given))[1]
        if isinstance(o, Tensor) and o._data.dtype.kind in "fc" and o._edge is not None
    ]
    if grad_outputs is None:
        rng = np.random.Generator(np.random.PCG64(0))
        weights = []
        for o in outputs:
            w = bare(rng.standard_normal(o._data.shape).astype(o._data.dtype))
            w._edge = LEAF
            weights.append(w)
    else:
        weights = list(as_tuple(grad_outputs)[1])

    def first_gradients(*args: Any) -> Any:
        own, seeds = args[: len(given)], args[len(given) :]
        outs = [o for o in as_tuple(func(*own))[1] if isinstance(o, Tensor) and o._edge is not None]
        found = run_backward(outs, list(seeds), True, True, [own[i] for i in places])
        return tuple(g for g in (found.get(own[i]._node()) for i in places) if g is not None)

    return gradcheck(
        first_gradients, (*given, *weights), eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception
    )


def as_tuple(value: Any) -> tuple[bool, tuple[Any, ...]]:
    """Whether several were given, and all of them."""
    return (True, tuple(value)) if isinstance(value, (tuple, list)) else (False, (value,))


def unit(shape: tuple[int, ...], dtype: Any, k: int) -> Tensor:
    """A tensor of zeros with a one at flat index `k`."""
    data = np.zeros(shape, dtype)
    data.reshape(-1)[k] = 1
    return bare(data)
