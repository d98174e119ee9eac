"""The cards, by chapter. Importing this package registers all of them."""

from . import (  # noqa: F401
    activation,
    comparison,
    conversion,
    convolution,
    creation,
    elementwise,
    indexing,
    loss,
    matmul,
    pointwise,
    reduction,
    shape,
    writing_ops,
)
