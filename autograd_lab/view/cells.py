"""One cell of a gradient on demand: which numbers were multiplied and added to make it.

A frame's `flow` says for each gradient that is sent how its cells come about: element by element, or as row times
column. Here this is worked out in words; the browser does the same with the same entries. Read next: `frames.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.view.texts import number_text

# A matrix product's gradients are matrix products: (left, its transposition, right, its transposition), where "grad"
# is the incoming gradient.
MATRIX_RULES = {
    ("MmBackward0", "self"): ("grad", False, "mat2", True),
    ("MmBackward0", "mat2"): ("self", True, "grad", False),
    ("AddmmBackward0", "mat1"): ("grad", False, "mat2", True),
    ("AddmmBackward0", "mat2"): ("mat1", True, "grad", False),
}
FEW = 12  # terms that are written out


def cell_rule(node: str, argument: str, places: dict[str, int | None], local: int | None) -> dict[str, Any] | None:
    """How a cell of the gradient for `argument` is made, by places in the store; None if this is not known."""
    if local is not None and places.get("grad") is not None:
        return {"kind": "times", "left": places["grad"], "right": local}
    left, left_turned, right, right_turned = MATRIX_RULES.get((node, argument), ("", False, "", False))
    ends = places.get(left), places.get(right)
    if None in ends:
        return None
    return {
        "kind": "matmul",
        "left": ends[0],
        "left_turned": left_turned,
        "right": ends[1],
        "right_turned": right_turned,
    }


def cell_text(frames: list[dict[str, Any]], at: int, sent: int, place: tuple[int, ...]) -> str:
    """A cell of what is sent at frame `at`, in words; empty if its numbers did not travel.

    >>> import autograd_lab as torch
    >>> X, W = torch.ones(1, 2) * 3, torch.ones(2, 2, requires_grad=True)
    >>> frames = torch.step_through((X @ W).sum()).frames
    >>> at = next(i for i, f in enumerate(frames) if f["node"] == "MmBackward0" and f["flow"])
    >>> cell_text(frames, at, 0, (1, 0))
    '[1, 0] = 3 · 1 = 3'
    """
    flow = frames[at]["flow"][sent]
    terms = terms_of(frames[0]["store"], flow, place)
    if not terms:
        return ""
    written = " + ".join(f"{number_text(a)} · {number_text(b)}" for a, b in terms[:FEW])
    more = f" + {len(terms) - FEW} more terms" if len(terms) > FEW else ""
    return f"{list(place)} = {written}{more} = {number_text(sum(a * b for a, b in terms))}"


def terms_of(store: list[dict[str, Any]], flow: dict[str, Any], place: tuple[int, ...]) -> list[tuple[float, float]]:
    """The pairs of numbers whose products add up to the cell."""
    rule = flow["cell"]
    if rule is None or store[rule["left"]]["values"] is None or store[rule["right"]]["values"] is None:
        return []
    left, right = (np.array(store[rule[side]]["values"], dtype=float) for side in ("left", "right"))
    if rule["kind"] == "matmul":
        left = left.T if rule["left_turned"] else left
        right = right.T if rule["right_turned"] else right
        return list(zip(left[place[0]].tolist(), right[:, place[1]].tolist(), strict=True))
    shape = tuple(flow["shape"])
    whole = np.broadcast_shapes(left.shape, right.shape)
    cells = np.broadcast_to(np.arange(int(np.prod(shape))).reshape(shape), whole)
    chosen = cells == np.ravel_multi_index(place, shape) if shape else np.ones(whole, bool)
    pairs = (np.broadcast_to(side, whole)[chosen].tolist() for side in (left, right))
    return list(zip(*pairs, strict=True))
