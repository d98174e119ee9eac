"""Forward-mode derivatives with dual numbers: a value and a tangent that travels with it.

There is no second set of formulas for this. The tangent of a result is the derivative, with respect to u, of
the reverse-mode product J^T u: two backward passes make one forward derivative ("double backward trick").
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from .._tensor import Tensor, bare
from ..engine import run_backward
from ..grad_mode import enable_grad
from ..graph import LEAF
from ..ops.creation import ones_like, zeros_like


class UnpackedDualTensor(NamedTuple):
    """What `unpack_dual` returns."""

    primal: Any
    tangent: Any


_levels: list[list[tuple[Tensor, Tensor]]] = []


@contextlib.contextmanager
def dual_level() -> Iterator[int]:
    """The block in which dual tensors live.

    >>> import autograd_lab as torch
    >>> import autograd_lab.autograd.forward_ad as fwAD
    >>> with fwAD.dual_level():
    ...     d = fwAD.make_dual(torch.tensor(3.0), torch.tensor(1.0))
    ...     fwAD.unpack_dual(d ** 2).tangent
    tensor(6.)
    """
    _levels.append([])
    try:
        yield len(_levels) - 1
    finally:
        _levels.pop()


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """A tensor that carries a tangent."""
    if not _levels:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."
        )
    if tensor.shape != tangent.shape:
        raise RuntimeError(
            f"Trying to set a forward gradient that has a different size than that of the original Tensor, this is not "
            f"supported. Tensor is of size {list(tensor.shape)} while the given forward gradient is of size "
            f"{list(tangent.shape)}."
        )
    dual = bare(tensor.array())
    dual._edge = LEAF
    _levels[-1].append((dual, tangent))
    return dual


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """The value and the tangent of a tensor; the tangent is None if it depends on no dual tensor."""
    if not _levels or tensor._edge is None:
        return UnpackedDualTensor(tensor, None)
    duals = _levels[-1]
    known = [tangent for dual, tangent in duals if dual is tensor]
    if known:
        return UnpackedDualTensor(tensor.detach(), known[0])
    tangent = tangent_of(tensor, [d for d, _ in duals], [t for _, t in duals])
    return UnpackedDualTensor(tensor.detach(), tangent)


def tangent_of(output: Tensor, inputs: list[Tensor], tangents: list[Tensor], create_graph: bool = False) -> Any:
    """J v by two backward passes: differentiate J^T u with respect to u, weighted by v."""
    with enable_grad():
        u = ones_like(output.detach())
        u._edge = LEAF
        first = run_backward([output], [u], True, True, inputs)
        pairs = [(first.get(i._node()), t) for i, t in zip(inputs, tangents, strict=True)]
        reached = [(g, t) for g, t in pairs if g is not None and g._edge is not None]
        if not reached:
            return None
        second = run_backward([g for g, _ in reached], [t for _, t in reached], True, create_graph, [u])
    found = second.get(u._node())
    return zeros_like(output) if found is None else found


def enter_dual_level() -> int:
    """Begin what `dual_level` begins, without a block."""
    _levels.append([])
    return len(_levels) - 1


def exit_dual_level(*, level: int | None = None) -> None:
    """End what `enter_dual_level` began."""
    _levels.pop()
