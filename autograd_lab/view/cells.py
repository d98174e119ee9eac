"""A cell of a matrix on demand: the values behind a box, as plain data that a page lays out as a table.

A box of the drawing has room for a few characters; whoever chooses it sees every element. Numbers travel as text, as
they read everywhere else. Read next: `browser/looking.js`.
"""

from __future__ import annotations

from typing import Any

from autograd_lab.view.recording import Snapshot
from autograd_lab.view.texts import number_text


def cells_of(value: Snapshot | None, ask: str = "") -> dict[str, Any] | None:
    """The elements of a tensor, row by row; None for a single number and for what was not kept.

    `ask` is the question that hides them, if one does.

    >>> import numpy as np
    >>> cells_of(Snapshot((2, 1), "torch.float32", np.array([[1.5], [2.0]])))
    {'shape': [2, 1], 'texts': ['1.5', '2']}
    """
    if value is None or value.values is None or not value.shape or value.values.size == 0:
        return None
    cells: dict[str, Any] = {"shape": list(value.shape), "texts": [number_text(v) for v in value.values.reshape(-1)]}
    return {**cells, "ask": ask} if ask else cells
