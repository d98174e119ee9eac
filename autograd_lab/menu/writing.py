"""In-place methods and assignment: derived from the ops, or written here where they change the shape.

Read next: `operators.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import Tensor, bare
from ..funnel import is_number, type_name
from ..grad_mode import GRAD_MODE
from ..inplace import alias, check_writable, in_place, overwrite
from ..memory import bump
from ..ops import (
    activation,
    attributes,
    clamping,
    comparison,
    conversion,
    dimensions_written,
    elementwise,
    fills,
    from_data,
    indexing,
    pointwise,
    powers,
    random_numbers,
    remainders,
    reshaping,
    rounding,
    writing_ops,
)
from .chapters import (
    Later,
    angles,
    arranging,
    blends,
    function_of,
    gamma_ops,
    index_writing,
    masks,
    products,
    scan,
    scatter,
    scatter_reduce,
    special_ops,
    trigonometry,
    two_arguments,
)

DERIVED = (
    (pointwise, "add sub mul div neg"),
    (powers, "pow square float_power"),
    (remainders, "floor_divide remainder fmod"),
    (elementwise, "abs exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal nan_to_num"),
    (trigonometry, "sin cos tan asin acos atan sinh cosh asinh acosh atanh"),
    (angles, "atan2 sinc deg2rad rad2deg"),
    (rounding, "sign sgn floor ceil round trunc frac"),
    (special_ops, "erf erfc erfinv logit xlogy"),
    (gamma_ops, "lgamma digamma i0"),
    (clamping, "clamp clamp_min clamp_max"),
    (masks, "masked_fill masked_scatter"),
    (blends, "addcmul addcdiv lerp"),
    (two_arguments, "hypot copysign ldexp heaviside gcd lcm"),
    (scan, "cumsum"),
    (products, "cumprod"),
    (arranging, "tril triu"),
    (scatter, "scatter scatter_add"),
    (index_writing, "index_add index_copy index_fill"),
    (scatter_reduce, "scatter_reduce"),
    (activation, "tanh sigmoid relu"),
    (comparison, "eq ne lt le gt ge logical_and logical_or logical_xor logical_not"),
    (comparison, "bitwise_and bitwise_or bitwise_xor bitwise_not"),
    (writing_ops, "zero index_put"),
)
OTHER_NAMES = {
    "add": "", "sub": "subtract", "mul": "multiply", "div": "divide true_divide", "neg": "negative", "abs": "absolute",
    "clamp": "clip", "trunc": "fix", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2",
    "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "eq": "", "ne": "not_equal", "lt": "less",
    "le": "less_equal", "gt": "greater", "ge": "greater_equal",
}  # fmt: skip
DRAWN = {
    "normal_": random_numbers.drawn_normal,
    "uniform_": random_numbers.drawn_uniform,
    "bernoulli_": random_numbers.drawn_bernoulli,
    "exponential_": random_numbers.drawn_exponential,
    "random_": random_numbers.drawn_integers,
}


def copy_(self: Any, src: Any, non_blocking: bool = False) -> Any:
    """Write the values of another tensor (or a number) into this one."""
    if not isinstance(src, Tensor):
        src = from_data.tensor(src, dtype=self.dtype)
    return overwrite(self, writing_ops.copy, src if src.dtype is self.dtype else conversion.cast(src, self.dtype))


def assigned(self: Tensor, value: Any) -> Tensor:
    """The value of `x[index] = value` as a tensor of x's dtype."""
    if isinstance(value, np.ndarray):
        value = bare(value)
    if isinstance(value, Tensor):
        return conversion.cast(value, self.dtype)
    if not is_number(value):
        raise TypeError(f"can't assign a {type_name(value)} to a torch.{self.type()[6:]}")
    if isinstance(value, complex) and self.dtype.category < 3:
        raise RuntimeError(f"value cannot be converted to type {self.dtype_word()} without overflow")
    return from_data.tensor(value, dtype=self.dtype)


def setitem(self: Any, index: Any, value: Any) -> Any:
    """What `x[index] = value` calls."""
    view, gather = indexing.basic(self, indexing.parts(index))
    source = assigned(self, value)
    if gather is not None:
        overwrite(view, writing_ops.index_put_card, gather, source)
        return
    if source.ndim > view.ndim:  # dimensions of size 1 in front do not count
        extra = source.ndim - view.ndim
        if all(n == 1 for n in source.shape[:extra]):
            source = reshaping.reshape(source, tuple(source.shape[extra:]))
    if source.shape != view.shape and source.ndim:
        source = reshaping.expand_to(source, tuple(view.shape))
    overwrite(view, writing_ops.copy, source)


def shape_writer(function: Any, name: str) -> Any:
    """An in-place method that changes how the same memory is seen: `t_`, `squeeze_`."""

    def method(self: Any, *args: Any, **named: Any) -> Any:
        check_writable(self)
        before = alias(self)
        made = function(before, *args, **named)
        self._data = made._data
        if made._edge is not None and GRAD_MODE.get() is not False:
            self._edge = made._edge
        bump(self)
        return self

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"In-place version of `{name.rstrip('_')}`: this tensor itself gets the new shape."
    return method


def fill_diagonal_(self: Any, fill_value: Any, wrap: Any = False) -> Any:
    """Write one value on the diagonal."""
    size = min(self.shape)
    view = self.as_strided((size,), (sum(self.stride()),)) if self.ndim > 1 else self
    view.fill_(fill_value)
    return self


def resize_(self: Any, *sizes: Any) -> Any:
    """Change the shape; elements beyond the old ones are zero here."""
    shape = reshaping.wanted(sizes[0], sizes[1:])
    old = self.array().reshape(-1)
    count = int(np.prod(shape))
    self._data = np.concatenate([old[:count], np.zeros(max(0, count - old.size), old.dtype)]).reshape(shape)
    return self


def hang() -> None:
    """Hang the in-place methods on Tensor."""
    T: Any = Tensor
    T.fill_ = in_place(fills.fill_, "fill_")
    T.copy_, T.fill_diagonal_, T.resize_ = copy_, fill_diagonal_, resize_
    for room, names in DERIVED:
        for name in names.split():
            function = function_of(room, name)
            for shown in (name, *OTHER_NAMES.get(name, "").split()):
                if isinstance(function, Later):
                    function.then(in_place, name + "_").hang(shown + "_")
                else:
                    setattr(T, shown + "_", in_place(function, name + "_"))
    for name, card in DRAWN.items():
        setattr(T, name, in_place(card, name))
    d = dimensions_written
    T.t_ = shape_writer(d.t_written, "t_")
    T.squeeze_ = shape_writer(
        lambda self, dim=None: d.squeeze_all_written(self) if dim is None else d.squeeze_written(self, dim), "squeeze_"
    )
    T.unsqueeze_ = shape_writer(d.unsqueeze_written, "unsqueeze_")
    T.transpose_ = T.swapaxes_ = T.swapdims_ = shape_writer(d.transpose_written, "transpose_")
    T.apply_ = attributes.apply_
    for sign, name in (("add", "add_"), ("sub", "sub_"), ("mul", "mul_"), ("truediv", "div_"), ("pow", "pow_")):
        setattr(T, f"__i{sign}__", written_operator(getattr(T, name)))
    for sign, name in (
        ("floordiv", "floor_divide_"),
        ("mod", "remainder_"),
        ("and", "bitwise_and_"),
        ("or", "bitwise_or_"),
        ("xor", "bitwise_xor_"),
    ):
        setattr(T, f"__i{sign}__", written_operator(getattr(T, name)))


def written_operator(method: Any) -> Any:
    """`x += y`: NotImplemented for operands that are no tensors and no numbers."""

    def operator(self: Any, other: Any) -> Any:
        return method(self, other) if comparison.is_operand(other) else NotImplemented

    operator.__name__, operator.__doc__ = method.__name__, method.__doc__
    return operator
