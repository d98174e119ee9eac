"""How large each box of a picture is, and what is written where in it.

Sizes come from the texts alone (a character of the fixed-width font is 0.602 of its size), so every
machine and every layout engine gets the same boxes. A row that a step may rewrite has a `field` and a
`room`: the number of characters that fit, since boxes do not grow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from autograd_lab.view.parts import LEAF_KINDS, Picture, PictureEdge, PictureNode
from autograd_lab.view.texts import NOT_RECORDED, fit, room_for

Widest = Mapping[str, str]  # the longest text that a step will write into a field: {"n3.value": "[1, 2]"}

MONO = 0.602  # width of a character of the fixed-width font
SANS = 0.56  # average width in the other font
NAME_ROOM = 32
ACCUMULATE_HEIGHT = 18
LINE = 15  # height of a row
MOST_ROOM = 44  # characters, whatever a step wants to show
NOTHING: Widest = {}


@dataclass(frozen=True)
class Row:
    """One text: where its baseline starts, its CSS class, and what a step may write into it."""

    x: float
    y: float
    text: str
    css: str
    anchor: str = "start"
    field: str = ""
    room: int = 0


@dataclass(frozen=True)
class Box:
    """One drawn box: size, outline ("rect", "ellipse", "chip", "folder") and rows, from its top left."""

    width: float
    height: float
    outline: str
    rows: tuple[Row, ...]


def room(widest: Widest, key: str, field: str, *texts: str) -> int:
    """Characters to keep for a field: enough for these texts and for what a step will write."""
    return max(len(text) for text in (*texts, fit(widest.get(f"{key}.{field}", ""), MOST_ROOM)))


def box_of(node: PictureNode, widest: Widest = NOTHING) -> Box:
    """The box of one node of a picture."""
    if node.kind == "op":
        return op_box(node, widest)
    if node.kind in ("number", "ref"):
        return chip(node)
    if node.kind == "fold":
        return fold_box(node)
    if node.kind == "accumulate":
        return accumulate_box(node, widest)
    return tensor_box(node, widest)


def boxes_of(picture: Picture, widest: Widest = NOTHING) -> dict[str, Box]:
    """Every box by key; a leaf and its AccumulateGrad are equally wide."""
    boxes = {node.key: box_of(node, widest) for node in picture.nodes}
    for node in picture.nodes:
        if node.kind == "accumulate":
            width = max(boxes[node.of].width, boxes[node.key].width)
            for key in (node.key, node.of):
                boxes[key] = widened(boxes[key], width)
    return boxes


def widened(box: Box, width: float) -> Box:
    """The same box, wider; what stood at the right border stays there."""
    more = width - box.width
    rows = tuple(replace(row, x=row.x + more) if row.anchor == "end" else row for row in box.rows)
    return replace(box, width=width, rows=rows)


def accumulate_box(node: PictureNode, widest: Widest) -> Box:
    """The small box beside a leaf; a step writes the running sum of what arrived into it."""
    space = room(widest, node.key, "value", node.title)
    row = Row(8, 12.5, node.title, "ag-small", field="value", room=space)
    return Box(round(16 + space * 9 * MONO, 1), ACCUMULATE_HEIGHT, "rect", (row,))


def tensor_box(node: PictureNode, widest: Widest) -> Box:
    """A leaf, a result or a tensor without gradient: name and shape, then `value`, then `grad`."""
    head = [fit(node.name or node.symbol, NAME_ROOM)] if node.name or node.symbol else []
    about = [str(node.shape)] if node.shape else []
    if node.dtype not in (None, "float32"):
        about.append(str(node.dtype))
    tags = list(node.tags)
    if node.kind in LEAF_KINDS:
        tags.insert(0, node.kind)
    spaces = [room_for(node.shape), len(node.value or NOT_RECORDED)]
    space = max(*spaces, *(room(widest, node.key, field, "") for field in ("value", "grad")))
    rows: list[Row] = []
    y = 4.0
    head_width = 0.0
    if head or about or tags:
        y += LINE
        x = 8.0
        if head:
            rows.append(Row(x, y - 2, head[0], "ag-name" if node.name else "ag-name ag-symbolic"))
            x += wide(head[0], 13) + 7
        if about:
            rows.append(Row(x, y - 2, " ".join(about), "ag-about"))
            x += wide(" ".join(about), 10) + 7
        head_width = x + (len(" ".join(tags)) * 9 * SANS + 6 if tags else 0)
    width = max(head_width, 46 + space * 11 * MONO + 8)
    if tags:
        rows.append(Row(width - 8, y - 3, " ".join(tags), "ag-tag", "end"))
    for label, text, field in (("value", node.value, "value"), ("grad", node.grad, "grad")):
        if field == "grad" and node.grad is None:
            continue
        y += LINE
        rows.append(Row(8, y - 3, label, "ag-label"))
        quiet = text is None or text in ("None", "not kept")
        css = "ag-number ag-quiet" if quiet else "ag-number"
        rows.append(Row(42, y - 3, text or NOT_RECORDED, css, field=field, room=space))
    return Box(round(width, 1), y + 4, "rect", tuple(rows))


def op_box(node: PictureNode, widest: Widest) -> Box:
    """An operation: its symbol, PyTorch's name of the node, and where needed settings or a value."""
    symbol, title = fit(node.name, NAME_ROOM), fit(node.title, NAME_ROOM)
    small = [(title, "ag-small", "")]
    if node.tags:
        small.append((" ".join(node.tags), "ag-tag", ""))
    if node.value is not None:
        small.append((node.value, "ag-number ag-value", "value"))
    space = room(widest, node.key, "value", node.value or "")
    width = max(64.0, wide(symbol, 15) + 26, *(wide(t, 9) + 26 for t, _, f in small if not f))
    width = max(width, space * 11 * MONO + 26)
    middle = round(width / 2, 1)
    rows = [Row(middle, 19, symbol, "ag-symbol", "middle")]
    y = 19.0
    for text, css, field in small:
        y += 12
        rows.append(Row(middle, y, text, css, "middle", field, space if field else 0))
    return Box(2 * middle, y + 12, "ellipse", tuple(rows))


def chip(node: PictureNode) -> Box:
    """A constant, or a far use of a tensor: one short text."""
    text = node.value if node.kind == "number" else fit(node.name, NAME_ROOM)
    css = "ag-number ag-quiet" if text is None else "ag-number"
    text = NOT_RECORDED if text is None else text
    width = round(max(24.0, wide(text, 11) + 14), 1)
    return Box(width, 20, "chip", (Row(width / 2, 14, text, css, "middle"),))


def fold_box(node: PictureNode) -> Box:
    text = node.name
    width = round(wide(text, 13) + 28, 1)
    rows = (Row(width / 2, 22, text, "ag-name", "middle"), Row(width / 2, 36, node.title, "ag-tag", "middle"))
    return Box(width, 46, "folder", rows)


def label_rows(edge: PictureEdge, widest: Widest = NOTHING) -> tuple[Row, Row]:
    """The two texts beside an edge: the local derivative, and, for a step to fill, the gradient."""
    local = "" if edge.local is None else f"local {edge.local}"
    return (
        Row(0, -6, local, "ag-local", "middle", "local", room(widest, edge.forward_id, "local", local)),
        Row(0, 5.5, "", "ag-flow", "middle", "grad", room(widest, edge.backward_id, "grad", " " * edge.room)),
    )


def label_size(edge: PictureEdge, widest: Widest = NOTHING) -> tuple[float, float]:
    """Width and height of the space that the texts of an edge need; nothing if it has none."""
    if not edge.labelled:
        return 0, 0
    longest = max(row.room for row in label_rows(edge, widest))
    return round(longest * 10 * MONO + 8, 1), 37


def wide(text: str, size: float) -> float:
    """The width of a text in the fixed-width font. Signs of far scripts and emoji take two places."""
    return sum(1 if ord(c) < 0x1100 else 2 for c in text) * size * MONO
