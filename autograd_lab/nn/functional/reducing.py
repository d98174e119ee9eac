"""How losses reduce: "mean", "sum" or "none", and the warnings around it.

Read next: `loss.py`.
"""

from __future__ import annotations

from typing import Any

from ...caution import warn
from ...ops.loss import reduced

KNOWN = ("mean", "sum", "none")


def reduction_of(size_average: Any, reduce: Any, reduction: str) -> str:
    """The reduction asked for, also in the words of old PyTorch; raises ValueError for unknown ones."""
    if size_average is not None or reduce is not None:
        average, do = size_average is not False, reduce is not False
        reduction = "none" if not do else "mean" if average else "sum"
        warn(f"size_average and reduce args will be deprecated, please use reduction='{reduction}' instead.")
    if reduction not in KNOWN:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return reduction


def warn_of_sizes(input: Any, target: Any) -> None:
    """PyTorch's warning when a loss broadcasts."""
    if input._data.shape != target.size():
        warn(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). This "
            "will likely "
            "lead to incorrect results due to broadcasting. Please ensure they have the same size."
        )


def finish(losses: Any, reduction: str) -> Any:
    """Elementwise losses, reduced by recorded ops."""
    return reduced(losses, reduction)
