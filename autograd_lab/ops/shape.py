"""The shape chapter in one place: views, dimensions, joining and cutting.

The cards are in `views.py`, `dimensions.py` and `joining.py`. Read next: `views.py`.
"""

from __future__ import annotations

from .cutting import chunk, split, tensor_split  # noqa: F401
from .dimensions import (  # noqa: F401
    atleast_1d,
    atleast_2d,
    atleast_3d,
    inverse_order,
    movedim,
    permute,
    squeeze,
    squeeze_all,
    squeeze_dim,
    squeeze_dims,
    t,
    transpose,
    unsqueeze,
    unsqueeze_all,
)
from .joining import cat, cat_card, narrow, slice_backward, slice_card, stack, stack_card, unbind  # noqa: F401
from .reshaping import expand_to, flatten, reshape, unflatten, view, wanted  # noqa: F401
from .views import (  # noqa: F401
    alias,
    checked_dim,
    clone,
    clone_card,
    contiguous_card,
    expand,
    expand_copy,
    expand_view,
    reshape_card,
    resolved,
    sized,
    sum_to,
    view_card,
)
