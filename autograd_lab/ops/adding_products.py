"""A product added to something in one op: addmm, addmv, addr, baddbmm, addbmm.

`addmm` is what a Linear layer computes. Read next: `matmul.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import TYPE_NAMES, of
from ..formulas import on_both
from ..op import op
from ..samples import Shape, shaped
from .dimensions import t, transpose, unsqueeze
from .layout import laid_as
from .plain_products import layout_of, matrices, mm_plain, multiplied, mv_plain, operand, second_grad, sizes
from .views import sized


def added(base: Any, product: Any, beta: float, alpha: float) -> Any:
    """beta * base + alpha * product, in place where nobody sees it."""
    if alpha != 1:
        product *= alpha
    try:
        if beta == 1:
            product += base
        elif beta:
            product += beta * base
    except ValueError:
        raise too_large(base, product) from None
    return product


def too_large(base: Any, product: Any) -> RuntimeError:
    """PyTorch's error for a first operand that does not expand to the product's shape."""
    want, have = product.shape, base.shape
    for i in reversed(range(len(have))):
        place = i + len(want) - len(have)
        if place >= 0 and have[i] not in (1, want[place]):
            return RuntimeError(
                f"The expanded size of the tensor ({want[place]}) must match the existing size ({have[i]}) at "
                "non-singleton "
                f"dimension {place}.  Target sizes: {list(want)}.  Tensor sizes: {list(have)}"
            )
    return RuntimeError(f"expand: the number of sizes provided ({len(want)}) must be at least {len(have)}")


@on_both
def times(found, number):
    """A gradient times alpha or beta; mostly they are 1."""
    return found if number == 1 else found * number


@op(
    "AddmmBackward0",
    symbol="@ +",
    shows=layout_of("mat1", "mat2"),
    samples=shaped((Shape(4), Shape(2, 3), Shape(3, 4)), (Shape(2, 4), Shape(2, 3), Shape(3, 4))),
    hidden=("self_shape", "mat2_strides"),
)
def addmm(self, mat1, mat2, beta=1, alpha=1):
    """`beta * self + alpha * (mat1 @ mat2)`: what a Linear layer computes.

    >>> import autograd_lab as torch
    >>> torch.addmm(torch.tensor([10.0]), torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0], [4.0]]))
    tensor([[21.]])
    """
    if mat1.ndim == 2 == mat2.ndim and mat1.dtype is mat2.dtype and beta == 1 == alpha:
        try:
            product = multiplied(mat1, mat2)
            product += self  # a Linear layer's bias: nothing else to do
            return product
        except ValueError:
            pass  # the checks below say why
    if mat1.ndim != 2 or mat2.ndim != 2:
        raise RuntimeError(
            f"mat{1 if mat1.ndim != 2 else 2} must be a matrix, got {(mat1 if mat1.ndim != 2 else mat2).ndim}-D tensor"
        )
    if mat1.shape[1] != mat2.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({mat1.shape[0]}x{mat1.shape[1]} and "
            f"{mat2.shape[0]}x{mat2.shape[1]})"
        )
    if mat1.dtype != mat2.dtype:
        names = [TYPE_NAMES[of(m).name] for m in (mat1, mat2)]
        raise RuntimeError(f"mat1 and mat2 must have the same dtype, but got {names[0]} and {names[1]}")
    product = mat1 @ mat2
    return added(self, product, beta, alpha)


@addmm.wrt("self", latex=r"\sum $grad")
def _(grad, self_shape, beta):
    return sized(times(grad, beta), self_shape)


@addmm.wrt("mat1", latex=r"$grad \, $mat2^T")
def _(grad, mat2, alpha):
    return times(mm_plain(grad, t(mat2)), alpha)


@addmm.wrt("mat2", latex=r"$mat1^T \, $grad")
def _(grad, mat1, mat2_strides, alpha):
    return times(second_grad(grad, mat1, mat2_strides), alpha)


@op("AddmvBackward0", symbol="@ +", samples=shaped((Shape(2), Shape(2, 3), Shape(3))), hidden=("self_shape",))
def addmv(self, mat, vec, beta=1, alpha=1):
    """`beta * self + alpha * (mat @ vec)`.

    >>> import autograd_lab as torch
    >>> torch.addmv(torch.tensor([10.0]), torch.tensor([[1.0, 2.0]]), torch.tensor([3.0, 4.0]))
    tensor([21.])
    """
    if mat.ndim != 2 or vec.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {self.ndim}, {mat.ndim}, {vec.ndim}")
    if mat.shape[1] != vec.shape[0]:
        raise RuntimeError(
            f"size mismatch, got input ({mat.shape[0]}), mat ({mat.shape[0]}x{mat.shape[1]}), vec ({vec.shape[0]})"
        )
    return added(self, mat @ vec, beta, alpha)


@addmv.wrt("self")
def _(grad, self_shape, beta):
    return sized(times(grad, beta), self_shape)


@addmv.wrt("mat")
def _(grad, vec, alpha):
    return times(unsqueeze(grad, 1) * unsqueeze(vec, 0), alpha)


@addmv.wrt("vec")
def _(grad, mat, alpha):
    return times(mv_plain(t(mat), grad), alpha)


@op("AddrBackward0", samples=shaped((Shape(2, 3), Shape(2), Shape(3))), hidden=("self_shape",))
def addr(self, vec1, vec2, beta=1, alpha=1):
    """`beta * self + alpha * outer(vec1, vec2)`.

    >>> import autograd_lab as torch
    >>> torch.addr(torch.zeros(1, 2), torch.tensor([2.0]), torch.tensor([3.0, 4.0]))
    tensor([[6., 8.]])
    """
    found = added(self, np.outer(vec1, vec2), beta, alpha)
    return laid_as(self, found) if self.shape == found.shape else found


@addr.wrt("self")
def _(grad, self_shape, beta):
    return sized(times(grad, beta), self_shape)


@addr.wrt("vec1")
def _(grad, vec2, alpha):
    return times(mv_plain(grad, vec2), alpha)


@addr.wrt("vec2")
def _(grad, vec1, alpha):
    return times(mv_plain(t(grad), vec1), alpha)


@op(
    "BaddbmmBackward0",
    symbol="@ +",
    samples=shaped((Shape(2, 2, 4), Shape(2, 2, 3), Shape(2, 3, 4))),
    hidden=("self_shape",),
)
def baddbmm(self, batch1, batch2, beta=1, alpha=1):
    """`beta * self + alpha * (batch1 @ batch2)`, matrix by matrix.

    >>> import autograd_lab as torch
    >>> torch.baddbmm(torch.ones(1, 1, 1), torch.ones(1, 1, 2), torch.ones(1, 2, 1))
    tensor([[[3.]]])
    """
    check_batches(batch1, batch2)
    return added(self, batch1 @ batch2, beta, alpha)


def check_batches(batch1: Any, batch2: Any) -> None:
    """Raise what PyTorch raises for batches that cannot be multiplied."""
    if batch1.ndim != 3 or batch2.ndim != 3:
        raise RuntimeError(f"batch{1 if batch1.ndim != 3 else 2} must be a 3D tensor")
    if batch1.shape[0] != batch2.shape[0] or batch1.shape[2] != batch2.shape[1]:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{batch1.shape[0]}, {batch1.shape[2]}] "
            "but got: "
            f"[{batch2.shape[0]}, {batch2.shape[1]}]."
        )


@baddbmm.wrt("self")
def _(grad, self_shape, beta):
    return sized(times(grad, beta), self_shape)


@baddbmm.wrt("batch1")
def _(grad, batch2, alpha):
    return times(matrices(grad, transpose(batch2, 1, 2)), alpha)


@baddbmm.wrt("batch2")
def _(grad, batch1, alpha):
    return times(matrices(transpose(batch1, 1, 2), grad), alpha)


BATCH_SIZES = {
    "batch1_sym_argsize_0": lambda node: (*sizes(operand(node, "batch1")), 0)[0],
    "batch1_sym_argsize_1": lambda node: (*sizes(operand(node, "batch1")), 0, 0)[1],
    "batch2_sym_argsize_2": lambda node: (*sizes(operand(node, "batch2")), 0, 0, 0)[2],
}


@op(
    "AddbmmBackward0",
    symbol="@ +",
    shows=BATCH_SIZES,
    samples=shaped((Shape(2, 4), Shape(2, 2, 3), Shape(2, 3, 4))),
    hidden=("self_shape",),
)
def addbmm(self, batch1, batch2, beta=1, alpha=1):
    """`beta * self + alpha *` the sum of the products of all pairs of matrices.

    >>> import autograd_lab as torch
    >>> torch.addbmm(torch.zeros(1, 1), torch.ones(2, 1, 2), torch.ones(2, 2, 1))
    tensor([[4.]])
    """
    check_batches(batch1, batch2)
    return added(self, np.add.reduce(batch1 @ batch2, 0), beta, alpha)


@addbmm.wrt("self")
def _(grad, self_shape, beta):
    return sized(times(grad, beta), self_shape)


@addbmm.wrt("batch1")
def _(grad, batch2, alpha):
    return times(matrices(unsqueeze(grad, 0), transpose(batch2, 1, 2)), alpha)


@addbmm.wrt("batch2")
def _(grad, batch1, alpha):
    return times(matrices(transpose(batch1, 1, 2), unsqueeze(grad, 0)), alpha)
