"""The cards, by chapter. Importing this package registers all of them."""

from . import (  # noqa: F401
    activation,
    comparison,
    conversion,
    convolution,
    creation,
    elementwise,
    embedding,
    indexing,
    likelihood,
    loss,
    matmul,
    normalization,
    passing,
    pointwise,
    pooling,
    rectifier,
    reduction,
    shape,
    smooth,
    writing_ops,
)
