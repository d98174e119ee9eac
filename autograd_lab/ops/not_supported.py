"""Names of PyTorch's nodes that have no card here, each with the reason: plain data.

`tests/ops/test_names.py` checks that every name of PyTorch's tables is a card or stands here, and never both.
"""

from __future__ import annotations

NOT_SUPPORTED = {
    "MkldnnRnnLayerBackward0": "a fused kernel of PyTorch's CPU build; LSTM runs as the single steps of its cell",
    "LinalgEigBackward0": "eigenvalues of general matrices are complex, and complex gradients are not supported",
    "LinalgLuBackward0": "solve, inv and det use the factorization inside; nothing in the course differentiates it",
    "LinalgLuFactorExBackward0": "as LinalgLuBackward0",
    "CholeskySolveBackward0": "linalg.solve does the same from the matrix itself",
    "FftR2CBackward0": "Fourier transforms need complex gradients",
    "ComplexBackward0": "complex gradients are not supported",
    "ViewAsRealBackward0": "complex gradients are not supported",
    "SpecialZetaBackward0": "its gradient is defined for one argument only, and no layer or loss uses it",
    "NextafterBackward0": "the next floating-point number has no useful slope",
    "IndexReduceBackward0": "beta in PyTorch; scatter_reduce does the same",
    "PdistBackward0": "cdist gives the same distances",
    "SelectScatterBackward0": "an assignment x[i] = y on a clone does the same",
    "SliceScatterBackward0": "an assignment x[a:b] = y on a clone does the same",
    "AsStridedScatterBackward0": "an assignment to a view of a clone does the same",
    "NormBackward1": "the node of C++ code behind pairwise_distance; ours is LinalgVectorNormBackward0",
    "MulBackward1": "a product with a number from C++; Python code and ours record MulBackward0",
    "AddBackward1": "a sum with a number from C++; Python code and ours record AddBackward0",
    "DivBackward1": "a quotient by a number from C++; Python code and ours record DivBackward0",
}
