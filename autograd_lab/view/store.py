"""The numbers behind the texts of the frames: each tensor once, as plain lists, for "a cell of the matrix on demand".

The first frame carries the list; frames speak of its entries by place. A tensor of more than 400 elements, or one
beyond the budget of a whole walk, is there with shape and range only. Read next: `frames.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.view.snapshots import Snapshot, span_of

BUDGET = 100_000  # elements of one walk


class Store:
    """Tensors that were met so far, each once."""

    def __init__(self) -> None:
        self.entries: list[dict[str, Any]] = []
        self.places: dict[Any, int] = {}
        self.elements = 0

    def put(self, value: Snapshot | None) -> int | None:
        """The place of a tensor in the list; None if it was not recorded.

        >>> store = Store()
        >>> store.put(Snapshot((2,), "float32", np.array([1.0, 2.5])))
        0
        >>> store.entries
        [{'shape': [2], 'dtype': 'float32', 'values': [1.0, 2.5], 'span': [1.0, 2.5]}]
        """
        if value is None:
            return None
        array = value.values
        key = (value.shape, value.dtype, id(value) if array is None else array.tobytes())
        if key not in self.places:
            self.places[key] = len(self.entries)
            self.entries.append(self.entry(value))
        return self.places[key]

    def entry(self, value: Snapshot) -> dict[str, Any]:
        array, span = value.values, value.span
        values = None
        if array is not None:
            span = span_of(array)
            if self.elements + array.size <= BUDGET and array.dtype.kind in "fiub":
                self.elements += array.size
                values = plain(array)
        shown = None if span is None else [plain(end) for end in span]
        return {"shape": list(value.shape), "dtype": value.dtype.rpartition(".")[2], "values": values, "span": shown}


def plain(value: Any) -> Any:
    """Numbers as JSON can carry them: six digits that count, and words for what is no number.

    >>> plain(np.array([[1.0, float("nan")], [0.1234567, True]]))
    [[1.0, 'nan'], [0.123457, 1.0]]
    """
    array = np.asarray(value)
    if array.ndim:
        return [plain(row) for row in array]
    number = array.item()
    if not isinstance(number, float):
        return number
    return float(f"{number:.6g}") if np.isfinite(number) else str(number)
