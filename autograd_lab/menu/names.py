"""The names of all ops: which chapter has them, and what else they are called.

Plain data for `methods.py` and `functions.py`. A name after a colon is the function's own name where the
public one differs. Read next: `chapters.py`, then `methods.py`.
"""

from __future__ import annotations

from typing import Any

from ..ops import (
    activation,
    adding_products,
    attributes,
    choice,
    clamping,
    comparison,
    conversion,
    dimensions,
    elementwise,
    extremes,
    filling,
    fills,
    from_data,
    gather,
    indexing,
    joining,
    matmul,
    matrix_products,
    pointwise,
    powers,
    random_numbers,
    reduction,
    remainders,
    reshaping,
    rounding,
    views,
    writing_ops,
)
from .chapters import (
    angles,
    arranging,
    blends,
    contractions,
    counting,
    covariance,
    cutting,
    diagonals,
    function_of,
    gamma_ops,
    index_writing,
    linear_systems,
    masks,
    matrix_functions,
    medians,
    norms,
    padding,
    picking,
    products,
    pseudo_inverse,
    quantiles,
    scan,
    scatter,
    scatter_reduce,
    sorting,
    special_ops,
    spectra,
    stacking,
    statistics,
    triangular,
    trigonometry,
    two_arguments,
    windows,
)

# functions and methods alike
BOTH = (
    (pointwise, "add sub mul div true_divide neg"),
    (powers, "pow square float_power"),
    (remainders, "floor_divide remainder fmod"),
    (elementwise, "abs exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal nan_to_num"),
    (trigonometry, "sin cos tan asin acos atan sinh cosh asinh acosh atanh"),
    (angles, "atan2 sinc deg2rad rad2deg"),
    (rounding, "sign sgn floor ceil round trunc frac signbit"),
    (activation, "tanh sigmoid relu"),
    (special_ops, "erf erfc erfinv logit xlogy"),
    (gamma_ops, "lgamma digamma i0"),
    (blends, "addcmul addcdiv lerp"),
    (two_arguments, "hypot logaddexp logaddexp2 copysign ldexp heaviside gcd lcm"),
    (gamma_ops, "mvlgamma"),
    (comparison, "eq ne lt le gt ge equal isclose allclose isnan isinf isposinf isneginf isfinite isreal isin"),
    (comparison, "logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor bitwise_not"),
    (comparison, "bitwise_left_shift bitwise_right_shift"),
    (choice, "maximum minimum fmax fmin"),
    (clamping, "clamp clamp_min clamp_max"),
    (masks, "masked_fill masked_select masked_scatter"),
    (reduction, "sum mean all any count_nonzero"),
    (products, "prod cumprod"),
    (extremes, "max min amax amin aminmax argmax argmin"),
    (medians, "median nanmedian"),
    (statistics, "var std nansum nanmean"),
    (quantiles, "quantile nanquantile"),
    (covariance, "cov corrcoef"),
    (norms, "dist renorm logsumexp"),
    (matrix_functions, "norm matrix_power matrix_exp"),
    (scan, "cumsum logcumsumexp cummax cummin diff"),
    (picking, "kthvalue mode"),
    (sorting, "sort argsort msort topk"),
    (counting, "unique unique_consecutive bincount histc nonzero argwhere"),
    (views, "clone"),
    (reshaping, "reshape flatten unflatten"),
    (dimensions, "unsqueeze squeeze t transpose permute movedim"),
    (joining, "narrow:narrow_checked"),
    (cutting, "split split_with_sizes:split chunk tensor_split"),
    (joining, "unbind"),
    (arranging, "flip fliplr flipud roll rot90 tile repeat_interleave tril triu"),
    (stacking, "hsplit vsplit dsplit broadcast_to"),
    (diagonals, "diagonal diag diag_embed diagflat trace diagonal_scatter"),
    (indexing, "select"),
    (gather, "gather index_select take take_along_dim"),
    (scatter, "scatter scatter_add"),
    (index_writing, "index_add index_copy index_fill"),
    (scatter_reduce, "scatter_reduce"),
    (writing_ops, "index_put as_strided"),
    (matmul, "matmul"),
    (matrix_products, "mm mv dot vdot bmm"),
    (adding_products, "addmm addmv addr baddbmm addbmm"),
    (contractions, "outer inner kron cross"),
    (linear_systems, "det logdet slogdet"),
    (spectra, "qr svd:svd_old"),
    (pseudo_inverse, "pinverse:pinv"),
    (attributes, "is_floating_point is_signed is_same_size is_complex numel is_nonzero"),
)
METHODS = (
    (reshaping, "view expand:expand_to"),
    (arranging, "repeat"),
    (windows, "unfold"),
    (conversion, "to cpu cuda item tolist numpy type:type_of type_as"),
    (attributes, "size dim element_size stride is_contiguous contiguous data_ptr storage_offset"),
    (filling, "new_tensor new_zeros new_ones new_empty new_full"),
    (random_numbers, "bernoulli multinomial"),
)
FUNCTIONS = (
    (from_data, "tensor as_tensor asarray from_numpy scalar_tensor"),
    (filling, "zeros ones empty full zeros_like ones_like empty_like full_like arange range linspace logspace eye"),
    (filling, "tril_indices triu_indices vander"),
    (
        random_numbers,
        "rand randn randint randperm rand_like randn_like randint_like bernoulli normal multinomial poisson",
    ),
    (pointwise, "rsub"),
    (fills, "fill"),
    (padding, "constant_pad_nd:constant_pad"),
    (gamma_ops, "polygamma"),
    (choice, "where"),
    (statistics, "var_mean std_mean"),
    (covariance, "trapezoid cumulative_trapezoid"),
    (norms, "cdist"),
    (sorting, "searchsorted bucketize"),
    (joining, "cat stack"),
    (dimensions, "atleast_1d atleast_2d atleast_3d"),
    (stacking, "hstack vstack dstack column_stack block_diag broadcast_shapes broadcast_tensors meshgrid"),
    (stacking, "cartesian_prod combinations"),
    (contractions, "tensordot einsum"),
    (linear_systems, "inverse:inv"),
    (matrix_functions, "chain_matmul"),
    (triangular, "cholesky:cholesky_old"),
    (matrix_functions, "cosine_similarity"),
    (conversion, "is_tensor result_type"),
)
ALIASES = {
    "abs": "absolute", "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan",
    "atan2": "arctan2", "atanh": "arctanh", "cat": "concat concatenate", "clamp": "clip", "cross": "", "digamma": "",
    "div": "divide", "eq": "", "flatten": "", "ge": "greater_equal", "gt": "greater", "le": "less_equal", "lt": "less",
    "movedim": "moveaxis", "mul": "multiply", "ne": "not_equal", "neg": "negative", "outer": "ger", "sub": "subtract",
    "transpose": "swapaxes swapdims", "trapezoid": "trapz", "trunc": "fix", "vstack": "row_stack",
}  # fmt: skip
# in-place methods that PyTorch offers as functions too
WRITING_FUNCTIONS = """
abs_ acos_ acosh_ arccos_ arccosh_ arcsin_ arcsinh_ arctan_ arctanh_ asin_ asinh_ atan_ atanh_ ceil_ clamp_
clamp_max_ clamp_min_ clip_ cos_ cosh_ deg2rad_ detach_ erf_ erfc_ exp2_ exp_ expm1_ fill_ fix_ floor_ frac_
gcd_ i0_ index_put_ lcm_ ldexp_ log10_ log1p_ log2_ log_ logit_ nan_to_num_ neg_ negative_ rad2deg_ reciprocal_
relu_ round_ rsqrt_ sigmoid_ sin_ sinc_ sinh_ sqrt_ square_ tan_ tanh_ trunc_ xlogy_ zero_
"""


def entries(table: Any) -> Any:
    """(public name, function) of a table, other names included; of an unopened chapter a `Later`."""
    for room, names in table:
        for entry in names.split():
            shown, _, own = entry.partition(":")
            function = function_of(room, own or shown)
            for name in (shown, *ALIASES.get(shown, "").split()):
                yield name, function
