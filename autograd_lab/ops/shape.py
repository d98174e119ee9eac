"""The shape chapter in one place: views, dimensions, joining and cutting.

The cards are in `views.py`, `dimensions.py` and `joining.py`. Read next: `views.py`.
"""

from __future__ import annotations

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
from .joining import (  # noqa: F401
    cat,
    cat_card,
    chunk,
    narrow,
    slice_backward,
    slice_card,
    split,
    stack,
    stack_card,
    tensor_split,
    unbind,
)
from .views import (  # noqa: F401
    alias,
    checked_dim,
    clone,
    clone_card,
    contiguous_card,
    expand,
    expand_copy,
    expand_to,
    expand_view,
    flatten,
    reshape,
    reshape_card,
    resolved,
    sized,
    sum_to,
    unflatten,
    view,
    view_card,
    wanted,
)
