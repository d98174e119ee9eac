"""In a notebook: an error's traceback shows the learner's own lines, and of this package only the place that raised.

Whoever wants all frames types `%tb`, or walks them in `%debug`: the whole traceback stays in `sys.last_traceback`.
Installed by `hook.py`.
"""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import Any

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
OURS = (PACKAGE, "<card ")


def install(shell: Any) -> None:
    """Shorten tracebacks in this shell from now on, unless somebody else handles its exceptions already."""
    if not getattr(shell, "custom_exceptions", True):
        shell.set_custom_exc((Exception,), show)


def show(shell: Any, kind: type[BaseException], error: BaseException, whole: Any, tb_offset: int | None = None) -> None:
    """Called by IPython with an error that a cell raised."""
    shell.showtraceback((kind, error, shortened(whole)), tb_offset=tb_offset)
    sys.last_traceback = whole


def shortened(whole: TracebackType | None) -> TracebackType | None:
    """The traceback without the frames of this package, except the last one if the error was raised there.

    >>> import autograd_lab as torch
    >>> try:
    ...     torch.ones(2).backward()
    ... except RuntimeError as error:
    ...     short = shortened(error.__traceback__)
    >>> short.tb_next.tb_frame.f_code.co_name, short.tb_next.tb_next
    ('seed', None)
    """
    entries = []
    while whole is not None:
        entries.append(whole)
        whole = whole.tb_next
    made: TracebackType | None = None
    for entry in reversed(entries):
        if made is None or not entry.tb_frame.f_code.co_filename.startswith(OURS):
            made = TracebackType(made, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return made
