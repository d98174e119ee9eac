"""How large each box of a picture is, and what is written where in it.

Sizes come from the texts alone (a character of the fixed-width font is 0.602 of its size), so every
machine and every layout engine gets the same boxes. A row that a step may rewrite has a `field` and a
`room`: the number of characters that fit, since boxes do not grow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from autograd_lab.view.parts import LEAF_KINDS, SHOWN, PictureEdge, PictureNode, SavedLink
from autograd_lab.view.texts import NOT_RECORDED, fit

Widest = Mapping[str, str]  # the longest text that a step will write into a field: {"n3.value": "[1, 2]"}

MONO = 0.602  # width of a character of the fixed-width font
SANS = 0.6  # average width in the other font
NAME_ROOM = 32
ACCUMULATE_HEIGHT = 18
LINE = 14  # height of a row
LABEL_LINE = 11.5  # height of a text beside an edge
LABELS = 40.0  # where values begin
CUT = (22.0, 14.0)  # room for the mark of a cut
ROOM = 8  # characters that every value has: "not kept"
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
    """One drawn box: size, outline ("rect", "ellipse", "pill", "chip", "folder") and rows, from its top left."""

    width: float
    height: float
    outline: str
    rows: tuple[Row, ...]


def room(widest: Widest, key: str, field: str, *texts: str) -> int:
    """Characters to keep for a field: enough for these texts and for what a step will write."""
    return max(len(text) for text in (*texts, fit(widest.get(f"{key}.{field}", ""), MOST_ROOM)))


def box_of(node: PictureNode, widest: Widest = NOTHING, show: tuple[str, ...] = SHOWN, beside: float = 0) -> Box:
    """The box of one node of a picture; `beside` is the width of the result that an op stands on."""
    if node.kind in ("op", "untracked"):
        return op_box(node, widest, show, beside)
    if node.kind in ("number", "ref"):
        return chip(node)
    if node.kind == "fold":
        return fold_box(node)
    if node.kind == "accumulate":
        return accumulate_box(node, widest)
    if node.kind == "saved":
        return saved_box(node)
    return tensor_box(node, widest, show)


def accumulate_box(node: PictureNode, widest: Widest) -> Box:
    """The small box beside a leaf; a step writes the running sum of what arrived into it."""
    space = room(widest, node.key, "value", node.value or node.title)
    row = Row(6, 12.5, node.value or node.title, "ag-small", field="value", room=space)
    return Box(round(12 + space * 9 * MONO, 1), ACCUMULATE_HEIGHT, "rect", (row,))


def saved_box(node: PictureNode) -> Box:
    """What an op keeps for backward, a line each."""
    rows = [Row(6, 11.5 + 11 * i, text, css_of_saved(text)) for i, text in enumerate(node.tags)]
    width = max(len(row.text) for row in rows) * 9 * SANS + 14
    return Box(round(width, 1), 6 + 11 * len(rows), "rect", tuple(rows))


def css_of_saved(text: str) -> str:
    ending = " ag-freed" if text.endswith("freed") else " ag-changed" if ", now v" in text or "changed" in text else ""
    return f"ag-small ag-saved-text{ending}"


def tensor_box(node: PictureNode, widest: Widest, show: tuple[str, ...]) -> Box:
    """A leaf, a result or a tensor without gradient: name and shape, then `value`, then `grad`."""
    title = node.name or node.symbol if "name" in show else ""
    head = [fit(title, NAME_ROOM)] if title else []
    about = [str(node.shape)] if node.shape and "shape" in show else []
    if node.dtype not in (None, "float32") and "shape" in show:
        about.append(str(node.dtype))
    tags = list(node.tags)
    if node.kind in LEAF_KINDS:
        tags.insert(0, node.kind)
    shown = [(field, text) for field, text in (("value", node.value), ("grad", node.grad)) if field in show]
    shown = [(field, text) for field, text in shown if field == "value" or text is not None]
    texts = [text or NOT_RECORDED for _, text in shown]
    space = max([ROOM, *map(len, texts), *(room(widest, node.key, field, "") for field, _ in shown)])
    rows: list[Row] = []
    y = 4.0
    x = 7.0
    if head:
        rows.append(Row(x, y + LINE - 2, head[0], "ag-name" if node.name else "ag-name ag-symbolic"))
        x += wide(head[0], 13) + 6
    if about:
        rows.append(Row(x, y + LINE - 2, " ".join(about), "ag-about"))
        x += wide(" ".join(about), 10) + 6
    body = LABELS + space * 11 * MONO + 7 if shown else 0
    tag = ", ".join(tags)
    tag_width = len(tag) * 9 * SANS + 6 if tags else 0
    apart = x > 7 and x + tag_width > body and len(tags) > 1
    width = max(x, body, 30.0, tag_width + 14 if apart else x + tag_width)
    if rows or (tags and not apart):
        y += LINE
    if tags and apart:
        y += 11
    if tags:
        rows.append(Row(round(width, 1) - 7, y - 3, tag, "ag-tag", "end"))
    for field, text in shown:
        y += LINE
        rows.append(Row(7, y - 3, field, "ag-label"))
        quiet = text is None or text in ("None", "not kept")
        css = "ag-number ag-quiet" if quiet else "ag-number"
        rows.append(Row(LABELS, y - 3, text or NOT_RECORDED, css, field=field, room=space))
    return Box(round(width, 1), max(y + 4, 18.0), "rect", tuple(rows))


def op_box(node: PictureNode, widest: Widest, show: tuple[str, ...], beside: float) -> Box:
    """An operation: its symbol, PyTorch's name of the node, and where needed settings or a value.

    On the box of its result symbol and name stand in one line if that is no wider.
    """
    symbol, title = fit(node.name, NAME_ROOM), fit(node.title, NAME_ROOM)
    small = []
    if node.tags:
        small.append((", ".join(node.tags), "ag-tag", ""))
    if node.value is not None and "value" in show:
        small.append((node.value, "ag-number ag-value", "value"))
    symbol_width, title_width = wide(symbol, 15), len(title) * 9 * SANS
    line = symbol_width + 6 + title_width + 20
    one_line = bool(beside) and line <= max(beside, 112)
    space = room(widest, node.key, "value", node.value or "") if "value" in show else 0
    width = max(52.0, *(len(t) * 9 * SANS + 22 for t, _, f in small if not f), space * 11 * MONO + 22 if space else 0)
    if beside or small:
        width = max(width, line if one_line else max(symbol_width, title_width) + 20)
    else:  # an ellipse is narrower where its words stand than in its middle
        width = max(width, symbol_width / 0.8 + 12, title_width / 0.9 + 12)
    middle = round(width / 2, 1)
    if one_line:
        start = middle - (line - 20) / 2
        rows = [Row(start, 16, symbol, "ag-symbol"), Row(start + symbol_width + 6, 15, title, "ag-small")]
        y = 15.0
    else:
        rows = [Row(middle, 16, symbol, "ag-symbol", "middle"), Row(middle, 27, title, "ag-small", "middle")]
        y = 27.0
    for text, css, field in small:
        y += 12
        rows.append(Row(middle, y, text, css, "middle", field, space if field else 0))
    outline = "pill" if beside or len(rows) > 2 else "ellipse"
    return Box(round(2 * middle, 1), y + (8 if beside else 9), outline, tuple(rows))


def chip(node: PictureNode) -> Box:
    """A constant, or a far use of a tensor: one short text."""
    text = node.value if node.kind == "number" else fit(node.name, NAME_ROOM)
    css = "ag-number ag-quiet" if text is None else "ag-number"
    text = NOT_RECORDED if text is None else text
    width = round(max(24.0, wide(text, 11) + 14), 1)
    return Box(width, 20, "chip", (Row(width / 2, 14, text, css, "middle"),))


def fold_box(node: PictureNode) -> Box:
    """Operations that are not drawn one by one: what they are, and how many."""
    title, about = fit(node.name, 2 * NAME_ROOM), fit(node.title, 2 * NAME_ROOM)
    width = round(max(wide(title, 13), len(about) * 9 * SANS) + 24, 1)
    rows = (Row(width / 2, 22, title, "ag-name", "middle"), Row(width / 2, 36, about, "ag-tag", "middle"))
    return Box(width, 46, "folder", rows)


def label_rows(edge: PictureEdge, widest: Widest = NOTHING) -> tuple[Row, ...]:
    """The texts beside an edge, from its middle: which argument it is, what goes back (a number or a rule), how
    broadcasting is summed, and, for a step to fill, the gradient. A text that is empty and stays so takes no place.
    """
    local = "" if edge.local is None else f"local {edge.local}"
    rows = [Row(0, 0, edge.argument, "ag-argument", "middle")] if edge.ordered else []
    if edge.labelled:
        space = room(widest, edge.forward_id, "local", local)
        rows.append(Row(0, 0, local, "ag-local", "middle", "local", space))
    if edge.rule:
        rows.append(Row(0, 0, edge.rule, "ag-local ag-rule", "middle"))
    if edge.summed:
        rows.append(Row(0, 0, edge.summed, "ag-sum", "middle"))
    if edge.labelled:
        rows.append(Row(0, 0, "", "ag-flow", "middle", "grad", room(widest, edge.backward_id, "grad", "")))
    places = []
    y = 0.0
    for row in rows:
        places.append(y)
        y += LABEL_LINE if row.room or row.text else 0
    return tuple(replace(row, y=round(at - (y + 14) / 2 + 10, 2)) for row, at in zip(rows, places, strict=True))


def label_size(edge: PictureEdge, widest: Widest = NOTHING, rankdir: str = "LR") -> tuple[float, float]:
    """Width and height of the space that the texts of an edge need; nothing if it has none.

    From top to bottom the texts stand beside the lines, which need their place too.
    """
    rows = [row for row in label_rows(edge, widest) if row.room or row.text]
    if edge.kind == "cut" and edge.argument:
        return CUT
    if not rows:
        return 0, 0
    longest = max(max(row.room, len(row.text)) for row in rows)
    return round(longest * 10 * MONO + (18 if rankdir == "TB" else 6), 1), 14 + LABEL_LINE * len(rows)


def link_size(link: SavedLink) -> tuple[float, float]:
    """Width and height of the space for the words beside a link."""
    return round(len(link.text) * 9 * SANS + 8, 1), 24.0


def wide(text: str, size: float) -> float:
    """The width of a text in the fixed-width font. Signs of far scripts and emoji take two places."""
    return sum(1 if ord(c) < 0x1100 else 2 for c in text) * size * MONO
