"""Anomaly mode: where in the forward was the op whose backward went wrong?

While it is on, each node remembers the lines that made it, and a backward that returns nan is an error
that shows them.
"""

from __future__ import annotations

import traceback
from typing import Any

import numpy as np

from ..caution import warn
from ..grad_mode import OBSERVERS, change_observers
from ..graph import hooks_of


class Watch:
    """The observer behind anomaly mode."""

    def __init__(self, check_nan: bool) -> None:
        self.check_nan = check_nan

    def noticed(self, node: Any, result: Any) -> None:
        hooks_of(node).metadata["traceback_"] = traceback.format_list(traceback.extract_stack()[:-2])

    def fired(self, node: Any, outputs: tuple[Any, ...]) -> None:
        for i, grad in enumerate(outputs) if self.check_nan else ():
            if grad is not None and np.isnan(grad._data).any():
                self.failed(node)
                raise RuntimeError(f"Function '{type(node).__name__}' returned nan values in its {i}th output.")

    def failed(self, node: Any) -> None:
        """Warn with the lines of the forward that made the node."""
        hooks = getattr(node, "hooks", None)
        lines = hooks.metadata.get("traceback_") if hooks is not None else None
        if lines is None:
            warn(
                f"Error detected in {type(node).__name__}. No forward pass information available. Enable detect "
                "anomaly during forward pass for more information."
            )
            return
        warn(
            f"Error detected in {type(node).__name__}. Traceback of forward call that caused the "
            f"error:\n{''.join(lines)}"
        )


def is_anomaly_enabled() -> bool:
    """Whether anomaly mode is on."""
    return any(isinstance(o, Watch) for o in OBSERVERS.get())


def is_anomaly_check_nan_enabled() -> bool:
    """Whether anomaly mode is on and looks for nan."""
    return any(isinstance(o, Watch) and o.check_nan for o in OBSERVERS.get())


def switch(mode: bool, check_nan: bool) -> tuple[Any, ...]:
    """Turn anomaly mode on or off; what was observed before is returned."""
    before = OBSERVERS.get()
    others = tuple(o for o in before if not isinstance(o, Watch))
    change_observers((*others, Watch(check_nan)) if mode else others)
    return before


class set_detect_anomaly:
    """Turn anomaly mode on or off at once; used as a context, back at its end."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.before = switch(mode, check_nan)

    def __enter__(self) -> None:
        """The switch happened at construction."""

    def __exit__(self, *exc: object) -> None:
        change_observers(self.before)


class detect_anomaly:
    """A block in anomaly mode.

    >>> import warnings, autograd_lab as torch
    >>> warnings.simplefilter("ignore")
    >>> x = torch.tensor(0.0, requires_grad=True)
    >>> with torch.autograd.detect_anomaly():
    ...     y = torch.sqrt(x) * 0
    ...     y.backward()
    Traceback (most recent call last):
    RuntimeError: Function 'SqrtBackward0' returned nan values in its 0th output.
    """

    def __init__(self, check_nan: bool = True) -> None:
        self.check_nan = check_nan
        warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
            "debugging."
        )

    def __enter__(self) -> None:
        self.before = switch(True, self.check_nan)

    def __exit__(self, *exc: object) -> None:
        change_observers(self.before)


__all__ = ["detect_anomaly", "is_anomaly_enabled", "set_detect_anomaly"]
