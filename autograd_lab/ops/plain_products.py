"""Matrix products for formulas: the cards of mm, mv and bmm without their checks.

Read next: `matmul.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import Tensor
from ..formulas import on_both
from ..graph import FREED, FREED_TEXT
from ..op import op
from ..samples import Shape, shaped
from .dimensions import t, transpose, unsqueeze
from .views import sized


def layout_of(*names: str) -> dict[str, Any]:
    """What a product shows of its matrices: the sizes of each, the strides of those that want a gradient."""
    shown: dict[str, Any] = {}
    for name in names:
        shown[f"{name}_sym_sizes"] = lambda node, name=name: sizes(operand(node, name))
        shown[f"{name}_sym_strides"] = lambda node, name=name: strides(
            operand(node, name) if tracked(node, name) else None
        )
    return shown


def tracked(node: Any, name: str) -> bool:
    return node.edges[node.card.targets.index(name)] is not None


def operand(node: Any, name: str) -> Any:
    """A matrix that the node saved, or the leaf its gradient goes to; None for one that is not held at all."""
    saved = getattr(node, f"saved_{name}", None)  # not there if no input needed it
    if saved is FREED:
        raise RuntimeError(FREED_TEXT)
    return node.edges[node.card.targets.index(name)] if saved is None else saved


def sizes(value: Any) -> tuple[int, ...]:
    return tuple(value.shape) if isinstance(value, Tensor) else ()


def strides(value: Any) -> tuple[int, ...]:
    """The strides in elements."""
    return tuple(s // value._data.itemsize for s in value.array().strides) if isinstance(value, Tensor) else ()


def multiplied(left: Any, right: Any) -> Any:
    """The product of two matrices, as arrays; `dot` is quicker than `@` for small ones.

    A few rows times a transposed weight, as in a Linear layer, are multiplied the other way round: for float32
    OpenBLAS takes up to twice as long when the second matrix is the large one and lies across.
    """
    rows, inner = left.shape
    few = 1 < rows < right.shape[1] and 4 * rows <= inner and left.dtype.char == "f"
    if few and type(right) is np.ndarray and right.strides[0] < right.strides[1]:
        return np.ascontiguousarray(right.T.dot(left.T).T)
    return left.dot(right)


@op("MmBackward0", samples=shaped((Shape(2, 3), Shape(3, 4))))
def mm_plain(self, mat2):
    """`mm` for formulas, where nothing needs a check."""
    return self.dot(mat2)


@on_both
def second_grad(grad, first, strides):
    """The gradient of a product's second matrix, in that matrix's own memory order."""
    if strides[0] < strides[1]:
        return t(mm_plain(t(grad), first))
    return mm_plain(t(first), grad)


@mm_plain.wrt("self")
def _(grad, mat2):
    return mm_plain(grad, t(mat2))


@mm_plain.wrt("mat2")
def _(grad, self):
    return mm_plain(t(self), grad)


@op("MvBackward0", samples=shaped((Shape(2, 3), Shape(3))))
def mv_plain(self, vec):
    """`mv` for formulas, where nothing needs a check."""
    return self @ vec


@mv_plain.wrt("self")
def _(grad, vec):
    return unsqueeze(grad, 1) * unsqueeze(vec, 0)


@mv_plain.wrt("vec")
def _(grad, self):
    return mv_plain(t(self), grad)


@op("BmmBackward0", samples=shaped((Shape(2, 2, 3), Shape(2, 3, 4)), (Shape(2, 3), Shape(4, 3, 2))))
def matrices(self, other):
    """The product of stacks of matrices, broadcasting, for formulas."""
    return np.matmul(self, other)


@matrices.wrt("self")
def _(grad, self_shape, other):
    return sized(matrices(grad, transpose(other, -2, -1)), self_shape)


@matrices.wrt("other")
def _(grad, self, other_shape):
    return sized(matrices(transpose(self, -2, -1), grad), other_shape)
