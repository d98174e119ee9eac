"""Products over chosen dimensions: outer, inner, tensordot, kron, cross, einsum.

Each is built from reshapes and one plain product, as in PyTorch. Read next: `linear_systems.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..op import op
from ..samples import Shape, shaped
from .diagonals import diagonal
from .dimensions import movedim, permute, unsqueeze
from .matrix_products import bmm, dot, mm
from .pointwise import mul
from .reduction import sum_dim
from .reshaping import reshape, view
from .views import checked_dim, reshape_card, sized


def outer(self, vec2):
    """All products of an element of one vector with an element of another.

    >>> import autograd_lab as torch
    >>> torch.outer(torch.tensor([1, 2]), torch.tensor([3, 4]))
    tensor([[3, 4],
            [6, 8]])
    """
    for name, vector in (("self", self), ("vec2", vec2)):
        if vector.ndim != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {vector.ndim}-D")
    return mul(reshape(self, -1, 1), vec2)


def inner(self, other):
    """The dot products of the last dimensions.

    >>> import autograd_lab as torch
    >>> torch.inner(torch.tensor([1, 2]), torch.tensor([3, 4]))
    tensor(11)
    """
    if not self.ndim or not other.ndim:
        return mul(self, other)
    if self.shape[-1] != other.shape[-1]:
        raise RuntimeError(
            f"inner() the last dimension must match on both input tensors but got shapes {list(self.shape)} and "
            f"{list(other.shape)}"
        )
    if self.ndim == other.ndim == 1:
        return view(dot(self, other), ())
    return tensordot(self, other, ([-1], [-1]))


def tensordot(a, b, dims=2, out=None):
    """The sum of products over the last `dims` dimensions of `a` and the first of `b`, or over chosen ones.

    >>> import autograd_lab as torch
    >>> torch.tensordot(torch.ones(2, 3), torch.ones(3, 4), dims=1).shape
    torch.Size([2, 4])
    """
    if isinstance(dims, int):
        dims = list(range(-dims, 0)), list(range(dims))
    given = [[d] if isinstance(d, int) else list(d) for d in dims]
    left, right = [checked_dim(d, a.ndim) for d in given[0]], [checked_dim(d, b.ndim) for d in given[1]]
    for i, j, first, second in zip(left, right, *given, strict=True):
        if a.shape[i] != b.shape[j]:
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {a.shape[i]} in dim {first} and second has "
                f"size {b.shape[j]} in dim {second}"
            )
    rest_a, rest_b = [d for d in range(a.ndim) if d not in left], [d for d in range(b.ndim) if d not in right]
    inside = math.prod(a.shape[d] for d in left)
    rows = reshape(permute(a, (*rest_a, *left)), math.prod(a.shape[d] for d in rest_a), inside)
    columns = reshape(permute(b, (*right, *rest_b)), inside, math.prod(b.shape[d] for d in rest_b))
    return view(mm(rows, columns), (*(a.shape[d] for d in rest_a), *(b.shape[d] for d in rest_b)))


def kron(self, other):
    """Kronecker's product: `other` times each element of `self`, as blocks.

    >>> import autograd_lab as torch
    >>> torch.kron(torch.tensor([[1, 2]]), torch.tensor([[1], [1]]))
    tensor([[1, 2],
            [1, 2]])
    """
    ndim = max(self.ndim, other.ndim)
    a = (1,) * (ndim - self.ndim) + tuple(self.shape)
    b = (1,) * (ndim - other.ndim) + tuple(other.shape)
    left = reshape_card(self, tuple(n for s in a for n in (s, 1)))
    right = reshape_card(other, tuple(n for s in b for n in (1, s)))
    return reshape_card(mul(left, right), tuple(x * y for x, y in zip(a, b, strict=True)))


@op(
    "LinalgCrossBackward0",
    called="linalg.cross",
    hidden=("self_shape", "other_shape"),
    samples=shaped((Shape(2, 3), Shape(2, 3), -1), (Shape(3, 2), Shape(3, 2), 0)),
)
def cross_card(self, other, dim=-1):
    """The cross products of vectors of three elements."""
    return np.cross(self, other, axis=dim)


@cross_card.wrt("self", latex=r"$other \times $grad")
def _(grad, self_shape, other, dim):
    return sized(cross_card(other, grad, dim), self_shape)


@cross_card.wrt("other", latex=r"$grad \times $self")
def _(grad, self, other_shape, dim):
    return sized(cross_card(grad, self, dim), other_shape)


def cross(self, other, dim=None):
    """The cross products of vectors of three elements along `dim`.

    >>> import autograd_lab as torch
    >>> torch.linalg.cross(torch.tensor([1.0, 0.0, 0.0]), torch.tensor([0.0, 1.0, 0.0]))
    tensor([0., 0., 1.])
    """
    if self.ndim != other.ndim:
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    if dim is None:
        dim = next((d for d, n in enumerate(self.shape) if n == 3), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    if self.shape[dim] != 3 or other.shape[dim] != 3:
        raise RuntimeError(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {self.shape[dim]} and {other.shape[dim]}"
        )
    return cross_card(self, other, dim)


def labels_of(equation: str, operands: list[Any]) -> tuple[list[str], str]:
    """The letters of each operand and of the result, with `...` as capital Greek letters."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(operands):
        word = "fewer" if len(terms) > len(operands) else "more"
        raise RuntimeError(f"einsum(): {word} operands were provided than specified in the equation")
    extra = 0
    for i, (term, operand) in enumerate(zip(terms, operands, strict=True)):
        named = len(term.replace("...", ""))
        if "..." not in term and named != operand.ndim:
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({named}) does not match the number of dimensions "
                f"({operand.ndim}) for operand {i} and no ellipsis was given"
            )
        extra = max(extra, operand.ndim - named if "..." in term else 0)
    dots = [chr(913 + i) for i in range(extra)]
    full = []
    for term, operand in zip(terms, operands, strict=True):
        count = operand.ndim - len(term.replace("...", ""))
        full.append(term.replace("...", "".join(dots[extra - count :])))
    if not arrow:
        once = sorted(c for c in set("".join(full)) if c not in dots and "".join(full).count(c) == 1)
        return full, "".join(dots) + "".join(once)
    result = right.replace("...", "".join(dots))
    for i, c in enumerate(result):
        if c in result[:i]:
            raise RuntimeError(f"einsum(): output subscript {c} appears more than once in the output")
        if c not in "".join(full):
            raise RuntimeError(f"einsum(): output subscript {c} does not appear in the equation for any input operand")
    return full, result


def einsum(equation, *operands):
    """A sum of products, written with one letter for each dimension.

    >>> import autograd_lab as torch
    >>> torch.einsum("ij,j->i", torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([1.0, 1.0]))
    tensor([3., 7.])
    """
    given = list(operands[0]) if len(operands) == 1 and isinstance(operands[0], (list, tuple)) else list(operands)
    terms, result = labels_of(equation, given)
    sizes: dict[str, int] = {}
    for i, (term, operand) in enumerate(zip(terms, given, strict=True)):
        for c, n in zip(term, operand.shape, strict=True):
            if sizes.get(c, 1) not in (1, n) and n != 1:
                raise RuntimeError(
                    f"einsum(): subscript {c} has size {n} for operand {i} which does not broadcast with previously "
                    "seen "
                    f"size {sizes[c]}"
                )
            sizes[c] = max(sizes.get(c, 1), n)
    summed = [c for c in sizes if c not in result]
    letters = result + "".join(summed)
    aligned = [align(x, term, letters) for x, term in zip(given, terms, strict=True)]
    last = {c: max(i for i, term in enumerate(terms) if c in term) for c in summed}
    made = aligned[0]
    if len(aligned) == 1:
        dims = tuple(range(len(result), len(letters)))
        return sum_dim(made, dims) if dims else made
    for i, operand in enumerate(aligned[1:], 1):
        over = [letters.index(c) for c in summed if last[c] == i or (i == 1 and last[c] == 0)]
        made = contracted(made, operand, over) if over else mul(made, operand)
    kept = [d for d in range(len(letters)) if d < len(result)]
    return made if made.ndim == len(kept) else view(made, tuple(made.shape[d] for d in kept))


def align(self: Any, term: str, letters: str) -> Any:
    """An operand with one dimension per letter, in the common order; missing ones have size 1."""
    for c in dict.fromkeys(term):
        while term.count(c) > 1:  # a letter twice: the diagonal
            first, second = term.index(c), term.rindex(c)
            self = movedim(diagonal(self, 0, first, second), -1, first)
            term = term[:second] + term[second + 1 :]
    missing = [c for c in letters if c not in term]
    for c in missing:
        self, term = unsqueeze(self, self.ndim), term + c
    return permute(self, tuple(term.index(c) for c in letters))


def contracted(a: Any, b: Any, over: list[int]) -> Any:
    """The product of two aligned operands, summed over some dimensions, which keep size 1 each."""
    ndim = a.ndim
    only = [[d for d in over if x.shape[d] > 1 and y.shape[d] == 1] for x, y in ((a, b), (b, a))]
    a, b = (sum_dim(x, tuple(dims), True) if dims else x for x, dims in zip((a, b), only, strict=True))
    both = [d for d in over if d not in only[0] and d not in only[1]]
    rest = [d for d in range(ndim) if d not in both]
    batch = [d for d in rest if a.shape[d] > 1 and b.shape[d] > 1]
    left = [d for d in rest if d not in batch and b.shape[d] == 1]
    right = [d for d in rest if d not in batch and d not in left]

    def size(x: Any, dims: list[int]) -> int:
        return math.prod(x.shape[d] for d in dims)

    rows = reshape(permute(a, (*batch, *left, *both, *right)), size(a, batch), size(a, left), size(a, both))
    columns = reshape(permute(b, (*batch, *both, *right, *left)), size(b, batch), size(b, both), size(b, right))
    made = bmm(rows, columns)
    order = [*batch, *left, *right, *both]
    shape = [a.shape[d] for d in (*batch, *left)] + [b.shape[d] for d in right] + [1] * len(both)
    return permute(view(made, tuple(shape)), tuple(order.index(d) for d in range(ndim)))
