"""Hangs ops and operators on Tensor: its whole surface on one page. The only place that does.

Adding an op to Tensor is one line here. Read next: `autograd/__init__.py`.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from . import dtypes
from ._tensor import Tensor
from .engine import run_backward, warn_of_cycle
from .inplace import in_place, overwrite
from .ops import (
    activation,
    comparison,
    conversion,
    creation,
    elementwise,
    indexing,
    matmul,
    pointwise,
    reduction,
    shape,
    writing_ops,
)

max_result = namedtuple("max", ["values", "indices"])
min_result = namedtuple("min", ["values", "indices"])
for _kind in (max_result, min_result):
    _kind.__module__ = "torch.return_types"
    _kind.__repr__ = lambda self: (  # type: ignore[method-assign]
        f"torch.return_types.{type(self).__name__}(\n"
        + ",\n".join(f"{n}={v!r}" for n, v in zip(self._fields, self, strict=True))
        + ")"
    )


def max(self, dim=None, keepdim=False):
    """The largest element; with `dim` (values, indices); with a tensor the elementwise maximum."""
    if isinstance(dim, Tensor):
        return comparison.maximum(self, dim)
    return reduction.max_all(self) if dim is None else max_result(*reduction.max_dim(self, dim, keepdim))


def min(self, dim=None, keepdim=False):
    """The smallest element; with `dim` (values, indices); with a tensor the elementwise minimum."""
    if isinstance(dim, Tensor):
        return comparison.minimum(self, dim)
    return reduction.min_all(self) if dim is None else min_result(*reduction.min_dim(self, dim, keepdim))


def log_softmax(self, dim, dtype=None):
    """The logarithm of softmax along `dim`."""
    return activation.log_softmax_card(self if dtype is None else self.to(dtype), dim)


def softmax(self, dim, dtype=None):
    """e^x over the sum of e^x along `dim`.

    >>> import autograd_lab as torch
    >>> torch.softmax(torch.tensor([0.0, 0.0]), 0)
    tensor([0.5000, 0.5000])
    """
    return activation.softmax_card(self if dtype is None else self.to(dtype), dim)


def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    """Compute the gradients of all leaves this tensor was made from and add them to their `.grad`."""
    from_inputs = None if inputs is None else [inputs] if isinstance(inputs, Tensor) else list(inputs)
    keep = create_graph if retain_graph is None else retain_graph
    if create_graph:
        warn_of_cycle(3)
    run_backward([self], [gradient], keep, create_graph, from_inputs, accumulate_into_inputs=True)


def sum_to_size(self, *size):
    """The sum over the dimensions that broadcasting would add or stretch."""
    wanted = tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    return self if tuple(self.shape) == wanted else shape.sum_to(self, wanted)


def dims_of(dims: tuple[Any, ...]) -> Any:
    """Dimensions given one by one or as one sequence."""
    if not dims:
        return None
    return dims[0] if len(dims) == 1 else dims


def hang_reduction(name: str, function: Any) -> None:
    """A reduction as a method: `x.sum(0)`, `x.sum(0, 1)`, `x.sum(dim=0, keepdim=True)`, NumPy's `axis=`."""

    def method(self: Tensor, *dims: Any, dim: Any = None, keepdim: bool = False, axis: Any = None, **more: Any) -> Any:
        if len(dims) > 1 and isinstance(dims[-1], bool):
            dims, keepdim = dims[:-1], dims[-1]
        given = dims_of(dims)
        wanted = given if given is not None else dim if dim is not None else axis
        return function(self, wanted, keepdim, **more)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = function.__doc__
    setattr(Tensor, name, method)


def copy_(self, src, non_blocking=False):
    """Write the values of another tensor (or a number) into this one."""
    if not isinstance(src, Tensor):
        src = creation.tensor(src, dtype=self.dtype)
    return overwrite(self, writing_ops.copy, src if src.dtype is self.dtype else conversion.cast(src, self.dtype))


def setitem(self, index, value):
    """What `x[index] = value` calls."""
    items = indexing.parts(index)
    gather = any(hasattr(i, "ndim") for i in items)
    if gather:
        view, indices = indexing.basic(self, items)
        source = value if isinstance(value, Tensor) else creation.tensor(value, dtype=self.dtype)
        source = conversion.cast(source, self.dtype)
        overwrite(view, writing_ops.index_put, source, indices)
    else:
        view, _ = indexing.basic(self, items)
        copy_(view, value)


def hang() -> None:
    """Hang everything. Called once, by the package."""
    T: Any = Tensor
    p, e, r, s, m, c, x = pointwise, elementwise, reduction, shape, matmul, comparison, conversion
    # operators
    T.__add__ = T.__radd__ = p.add
    T.__sub__, T.__rsub__ = p.sub, p.rsub
    T.__mul__ = T.__rmul__ = p.mul
    T.__truediv__ = p.true_divide
    T.__rtruediv__ = lambda self, other: p.mul(e.reciprocal(self), other)
    T.__pow__, T.__rpow__ = p.pow, lambda self, other: p.pow_base(other, self)
    T.__neg__, T.__pos__, T.__abs__ = p.neg, lambda self: self, e.abs
    T.__matmul__ = m.matmul
    T.__eq__, T.__ne__, T.__lt__, T.__le__, T.__gt__, T.__ge__ = c.eq, c.ne, c.lt, c.le, c.gt, c.ge
    T.__hash__ = object.__hash__
    T.__and__ = lambda self, other: c.logical(self, other, "and")
    T.__or__ = lambda self, other: c.logical(self, other, "or")
    T.__xor__ = lambda self, other: c.logical(self, other, "xor")
    T.__invert__ = c.invert
    T.__getitem__, T.__setitem__ = indexing.getitem, setitem
    T.__iter__ = lambda self: iter([indexing.select(self, 0, i) for i in range(len(self))])
    for name in ("__array__", "__bool__", "__index__", "__len__", "__format__", "__deepcopy__"):
        setattr(T, name, getattr(x, name))
    for kind in (float, int, complex):
        setattr(T, f"__{kind.__name__}__", x.to_python(kind, f"__{kind.__name__}__"))
    # methods of one name and one function
    for room, names in (
        (p, "add sub mul div pow square neg true_divide"),
        (e, "abs sign exp log sqrt rsqrt reciprocal sin cos tan floor ceil round"),
        (c, "eq ne lt le gt ge equal isclose allclose isnan isinf isfinite maximum minimum clamp"),
        (activation, "tanh sigmoid relu"),
        (s, "view reshape flatten unsqueeze squeeze t transpose clone"),
        (m, "matmul mm mv dot bmm addmm"),
        (r, "argmax argmin all any norm"),
        (x, "to cpu cuda item tolist numpy size dim numel element_size stride is_contiguous contiguous data_ptr"),
        (x, "storage_offset is_floating_point is_complex"),
    ):
        for name in names.split():
            setattr(T, name, getattr(room, name))
    for name in ("sum", "mean"):
        hang_reduction(name, getattr(r, name))
    T.max, T.min, T.softmax, T.log_softmax = max, min, softmax, log_softmax
    T.multiply, T.divide, T.subtract, T.negative, T.absolute = p.mul, p.div, p.sub, p.neg, e.abs
    T.backward, T.sum_to_size, T.expand, T.nelement = backward, sum_to_size, s.expand_to, x.numel
    T.view_as = lambda self, other: s.view(self, tuple(other.shape))
    T.reshape_as = lambda self, other: s.reshape(self, tuple(other.shape))
    T.expand_as = lambda self, other: s.expand_to(self, tuple(other.shape))
    T.permute = lambda self, *dims: s.permute(self, s.wanted(dims[0], dims[1:]))
    T.T = property(lambda self: s.permute(self, tuple(reversed(range(self.ndim)))))
    T.mT = property(lambda self: s.transpose(self, -2, -1))
    for name in (
        "float32:float",
        "float64:double",
        "int64:long",
        "int32:int",
        "bool_:bool",
        "float16:half",
        "int16:short",
    ):
        kind_name, method = name.split(":")
        setattr(T, method, x.caster(getattr(dtypes, kind_name), method))
    # in place
    T.copy_, T.zero_ = copy_, in_place(writing_ops.zero, "zero_")
    T.fill_ = in_place(writing_ops.fill_number, "fill_")
    for room, names in (
        (p, "add sub mul div pow square neg"),
        (e, "abs exp log sqrt rsqrt reciprocal sin cos tan floor ceil round"),
        (c, "clamp"),
        (activation, "tanh sigmoid relu"),
    ):
        for name in names.split():
            setattr(T, name + "_", in_place(getattr(room, name), name + "_"))
    T.__iadd__, T.__isub__, T.__imul__, T.__itruediv__, T.__ipow__ = T.add_, T.sub_, T.mul_, T.div_, T.pow_
