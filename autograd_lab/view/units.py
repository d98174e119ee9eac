"""Boxes that stand together without a gap, and so are placed as one.

A leaf with its AccumulateGrad, or an op with its result and with what it saved. Every stage of a drawing asks for the
same boxes, so they are worked out once for a picture. Read next: `dot.py` and `layered.py`, which place units.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from autograd_lab.view.boxes import NOTHING, Box, Widest, box_of
from autograd_lab.view.layout import Point
from autograd_lab.view.parts import Picture


@dataclass(frozen=True)
class Unit:
    """Boxes that stand together without a gap: size, and the corner of each from the unit's own."""

    width: float
    height: float
    corners: dict[str, Point]
    port: Point | None = None  # where the edges of a leaf leave: between it and its AccumulateGrad


def remembered(picture: Picture, name: str, make: Callable[[], Any]) -> Any:
    """What `make` gives, worked out once for a picture: every stage of a drawing asks for the same boxes."""
    known = picture.__dict__.setdefault("_remembered", {})
    if name not in known:
        known[name] = make()
    return known[name]


def together(picture: Picture) -> dict[str, tuple[str, ...]]:
    """Which boxes stand together: a leaf and its AccumulateGrad, an op and its one result and what it saved."""
    found: dict[str, tuple[str, ...]] = remembered(picture, "together", lambda: groups_of(picture))
    return found


def groups_of(picture: Picture) -> dict[str, tuple[str, ...]]:
    groups: dict[str, list[str]] = {node.key: [node.key] for node in picture.nodes}
    results: dict[str, list[str]] = {}
    for node in picture.nodes:
        if node.kind == "result":
            results.setdefault(node.of, []).append(node.key)
    joined = [(n.of, n.key) for n in picture.nodes if n.kind == "accumulate" and n.of in groups]
    joined += [(op, keys[0]) for op, keys in results.items() if len(keys) == 1 and op in groups]
    joined += [(n.of, n.key) for n in picture.nodes if n.kind == "saved" and n.of in groups]
    for head, key in joined:
        groups[head].append(key)
        del groups[key]
    return {head: tuple(keys) for head, keys in groups.items()}


def heads(picture: Picture) -> dict[str, str]:
    """The first box of the unit that each box stands in."""
    found: dict[str, str] = remembered(
        picture, "heads", lambda: {key: head for head, keys in together(picture).items() for key in keys}
    )
    return found


def boxes_of(picture: Picture, widest: Widest = NOTHING) -> dict[str, Box]:
    """Every box by key; those that stand together are equally wide, or beside each other equally high."""
    name = f"boxes {sorted(widest.items())}"
    found: dict[str, Box] = remembered(picture, name, lambda: made_boxes(picture, widest))
    return found


def made_boxes(picture: Picture, widest: Widest) -> dict[str, Box]:
    boxes = {n.key: box_of(n, widest, picture.show) for n in picture.nodes if n.kind not in ("op", "untracked")}
    for head, keys in together(picture).items():
        if picture.by_key[head].kind in ("op", "untracked"):
            beside = boxes[keys[1]].width if len(keys) > 1 else 0
            boxes[head] = box_of(picture.by_key[head], widest, picture.show, beside)
        if len(keys) > 1 and not in_a_row(picture, keys):
            width = max(boxes[key].width for key in keys)
            for key in keys:
                boxes[key] = widened(boxes[key], width)
        elif len(keys) > 1:
            height = max(boxes[key].height for key in keys)
            for key in keys:
                down = (height - boxes[key].height) / 2
                rows = tuple(replace(row, y=row.y + down) for row in boxes[key].rows)
                boxes[key] = replace(boxes[key], height=height, rows=rows)
    return boxes


def in_a_row(picture: Picture, keys: tuple[str, ...]) -> bool:
    """Whether a leaf has its AccumulateGrad at its right: in drawings from top to bottom."""
    return picture.rankdir == "TB" and picture.by_key[keys[1]].kind == "accumulate"


def units_of(picture: Picture, boxes: dict[str, Box]) -> dict[str, Unit]:
    """Every unit by the key of its first box."""
    units = {}
    for head, keys in together(picture).items():
        corners: dict[str, Point] = {}
        x = y = 0.0
        row = len(keys) > 1 and in_a_row(picture, keys)
        for key in keys:
            corners[key] = (x, 0.0) if row else (0.0, y)
            x, y = x + boxes[key].width, y + boxes[key].height
        width = x if row else max(boxes[key].width for key in keys)
        height = max(boxes[key].height for key in keys) if row else y
        port = None
        if len(keys) > 1 and picture.by_key[keys[1]].kind == "accumulate":
            port = (boxes[head].width, height) if row else (width, boxes[head].height)
        units[head] = Unit(round(width, 1), round(height, 1), corners, port)
    return units


def widened(box: Box, width: float) -> Box:
    """The same box, wider; what stood in the middle or at the right border stays there."""
    more = width - box.width
    shift = {"end": more, "middle": more / 2, "start": 0.0}
    if box.outline in ("ellipse", "pill"):  # rows in one line move together
        shift["start"] = more / 2
    rows = tuple(replace(row, x=row.x + shift[row.anchor]) for row in box.rows)
    return replace(box, width=width, rows=rows)
