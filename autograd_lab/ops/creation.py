"""Making tensors, the whole chapter in one place: from data, of a shape, at random.

The functions are in `from_data.py`, `filling.py` and `random_numbers.py`. Read next: `from_data.py`.
"""

from __future__ import annotations

from .filling import (  # noqa: F401
    arange,
    empty,
    empty_like,
    eye,
    filled,
    full,
    full_like,
    linspace,
    logspace,
    new_empty,
    new_full,
    new_ones,
    new_tensor,
    new_zeros,
    ones,
    ones_like,
    sizes_of,
    zeros,
    zeros_like,
)
from .from_data import as_array, as_tensor, asarray, cast, finished, from_numpy, legacy_new, scalar_tensor, tensor  # noqa: F401
from .random_numbers import (  # noqa: F401
    bernoulli,
    multinomial,
    normal,
    poisson,
    rand,
    rand_like,
    randint,
    randint_like,
    randn,
    randn_like,
    randperm,
)
