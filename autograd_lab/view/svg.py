"""From a picture and a layout to the SVG that pages show, step through and export.

What others rely on: every id is `PREFIX-n12` (a box) or `PREFIX-e3-5-0` (an edge from n3 to n5, input 0;
the edge the gradient takes back is `PREFIX-e5-3-0`), with the prefix made from the picture's content;
classes begin with `ag-`; a text that steps rewrite has `data-field` and `data-room`; colours are CSS
variables. There is no script and no reference to anything outside, and titles hold names, operations and
shapes, never values.
"""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from autograd_lab.view.boxes import NOTHING, Box, Row, Widest, boxes_of, heads, label_rows, units_of
from autograd_lab.view.layout import Layout, Point
from autograd_lab.view.palette import variables
from autograd_lab.view.parts import LEAF_KINDS, Picture, PictureEdge, PictureNode
from autograd_lab.view.strokes import both_ways, head, path
from autograd_lab.view.texts import fit, shape_text

MARGIN = 12.0
NOTE_HEIGHT = 16.0
CLASSES = {"accumulate": "ag-acc", "param": "ag-leaf ag-param", "number": "ag-number-chip"}

STYLE = Path(__file__).with_name("drawing.css").read_text("utf-8")


def to_svg(picture: Picture, layout: Layout, widest: Widest = NOTHING, theme: str = "auto") -> str:
    """The drawing as SVG text."""
    boxes = boxes_of(picture, widest)
    prefix = picture.prefix
    corners = corners_of(picture, layout, boxes)
    width = layout.width + 2 * MARGIN
    notes = [line for note in picture.notes for line in wrapped(note, max(40, int(width / 6)))]
    width = max(width, *(len(line) * 6 + 2 * MARGIN for line in notes), 60.0)
    height = layout.height + 2 * MARGIN + NOTE_HEIGHT * len(notes)
    head_tag = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{num(width)}" height="{num(height)}" '
        f'viewBox="0 0 {num(width)} {num(height)}" class="ag-graph ag-{theme}" '
        f'role="graphics-document document" aria-labelledby="{prefix}-title {prefix}-desc" '
        f'data-engine="{layout.engine}" data-prefix="{prefix}">'
    )
    lines = [
        head_tag,
        f'<title id="{prefix}-title">{escape(title_of(picture))}</title>',
        f'<desc id="{prefix}-desc">{escape(description(picture))}</desc>',
        f"<style>{variables(theme)}{STYLE}</style>",
        f'<rect class="ag-paper" width="{num(width)}" height="{num(height)}"/>',
        f'<g class="ag-body" transform="translate({num(MARGIN)} {num(MARGIN)})">',
    ]
    for edge in picture.edges:
        lines += edge_lines(picture, edge, layout, widest)
    for node in picture.nodes:
        lines += node_lines(picture, node, boxes[node.key], corners[node.key])
    lines.append("</g>")
    for i, line in enumerate(notes):
        y = layout.height + 2 * MARGIN + NOTE_HEIGHT * i + 6
        lines.append(f'<text class="ag-note" x="{num(MARGIN)}" y="{num(y)}">{escape(line)}</text>')
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def corners_of(picture: Picture, layout: Layout, boxes: dict[str, Box]) -> dict[str, Point]:
    """The top left corner of each box."""
    corners: dict[str, Point] = {}
    for head, unit in units_of(picture, boxes).items():
        x, y = layout.centres[head]
        for key, (dx, dy) in unit.corners.items():
            corners[key] = x - unit.width / 2 + dx, y - unit.height / 2 + dy
    return corners


# Boxes


def node_lines(picture: Picture, node: PictureNode, box: Box, corner: Point) -> list[str]:
    classes = ["node", CLASSES.get(node.kind, f"ag-{node.kind}")]
    if node.key in picture.roots:
        classes.append("ag-root")
    if node.kind == "number" and node.value is None:
        classes.append("ag-unknown")
    if "freed" in node.tags:
        classes.append("is-freed")
    label = node_title(picture, node)
    group = (
        f'<g id="{picture.prefix}-{node.key}" class="{" ".join(classes)}" role="graphics-symbol" '
        f'aria-label={quoteattr(label)} transform="translate({num(corner[0])} {num(corner[1])})">'
    )
    return [
        group,
        f"<title>{escape(label)}</title>",
        *shapes(box, double=node.key in picture.roots),
        *(text(row) for row in box.rows),
        "</g>",
    ]


def shapes(box: Box, double: bool) -> list[str]:
    """The outline of a box; a root has a second one."""
    w, h = box.width, box.height
    if box.outline == "ellipse":
        ring = '<ellipse class="ag-shape" cx="{}" cy="{}" rx="{}" ry="{}"/>'
        made = [ring.format(num(w / 2), num(h / 2), num(w / 2), num(h / 2))]
        return made + [ring.format(num(w / 2), num(h / 2), num(w / 2 - 3), num(h / 2 - 3))] * double
    if box.outline == "folder":
        return [f'<path class="ag-shape" d="M0 6V{num(h)}H{num(w)}V6H38L32 0H4L0 6Z"/>']
    round_by = 10 if box.outline == "chip" else 5
    made = [f'<rect class="ag-shape" width="{num(w)}" height="{num(h)}" rx="{round_by}"/>']
    if double:
        size = f'width="{num(w + 6)}" height="{num(h + 6)}"'
        made.insert(0, f'<rect class="ag-shape" x="-3" y="-3" {size} rx="{round_by + 3}"/>')
    return made


def text(row: Row) -> str:
    anchor = "" if row.anchor == "start" else f' text-anchor="{row.anchor}"'
    field = f' data-field="{row.field}" data-room="{row.room}"' if row.field else ""
    shown = fit(row.text, row.room) if row.field else row.text
    return f'<text class="{row.css}" x="{num(row.x)}" y="{num(row.y)}"{anchor}{field}>{escape(shown)}</text>'


# Edges


def edge_lines(picture: Picture, edge: PictureEdge, layout: Layout, widest: Widest) -> list[str]:
    """Forward: solid, filled head. Backward: dashed, open head, on the same route a little below."""
    points = layout.routes[edge.forward_id]
    there, back = both_ways(points) if edge.backward else (points, points)
    at = layout.labels.get(edge.forward_id)
    local, flow = label_rows(edge, widest) if at and edge.labelled else (None, None)
    name = edge_title(picture, edge)
    kind = "ag-fwd" if edge.backward else "ag-fwd ag-constant"
    lines = [
        f'<g id="{picture.prefix}-{edge.forward_id}" class="edge {kind}">',
        f"<title>{escape(name)}</title>",
        f'<path class="ag-line" d="{path(there)}"/>',
        f'<path class="ag-head" d="{head(there)}Z"/>',
        *([text(moved(local, at))] if local and at else []),
        "</g>",
    ]
    if edge.backward:
        lines += [
            f'<g id="{picture.prefix}-{edge.backward_id}" class="edge ag-bwd">',
            f"<title>{escape('gradient: ' + edge_title(picture, edge, back=True))}</title>",
            f'<path class="ag-line" d="{path(back)}"/>',
            f'<path class="ag-head" d="{head(back[::-1])}"/>',
            *([text(moved(flow, at))] if flow and at else []),
            "</g>",
        ]
    return lines


def moved(row: Row, by: Point) -> Row:
    return Row(by[0] + row.x, by[1] + row.y, row.text, row.css, row.anchor, row.field, row.room)


# Words


def title_of(picture: Picture) -> str:
    names = [called(picture, picture.by_key[key]) for key in picture.roots]
    return f"Graph of {fit(', '.join(names), 80)}"


def description(picture: Picture) -> str:
    """How many operations and leaves there are, and which: what a screen reader says first."""
    operations = sum(node.kind == "op" for node in picture.nodes)
    leaves = [node for node in picture.nodes if node.kind in LEAF_KINDS]
    names = ", ".join(fit(leaf.name or leaf.key, 40) for leaf in leaves[:8])
    more = ", ..." if len(leaves) > 8 else ""
    count = f"{counted(operations, 'operation')}, {counted(len(leaves), 'leaf', 'leaves')}"
    which = f" ({names}{more})" if names else ""
    arrows = "Solid arrows: forward. Dashed arrows: the way of the gradients."
    return " ".join([f"{count}{which}. {arrows}", *picture.notes])


def counted(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def called(picture: Picture, node: PictureNode) -> str:
    """What to call a box in a sentence."""
    if node.kind == "accumulate":
        return f"AccumulateGrad of {called(picture, picture.by_key[node.of])}"
    if node.kind == "op":
        return f"{node.name} ({node.title})"
    if node.kind == "number":
        return "a number"
    return fit(node.name or node.symbol or node.kind, 200)


def node_title(picture: Picture, node: PictureNode) -> str:
    """What the pointer and the screen reader get: no values, since a step may hide them."""
    words = {"result": "result of an operation", "frozen": "tensor without gradient", "ref": "another use of"}
    if node.kind in ("op", "accumulate", "number", "fold"):
        return ", ".join([called(picture, node), *node.tags])
    kind = words.get(node.kind, "parameter" if node.kind == "param" else node.kind)
    facts = [f"{kind} {called(picture, node)}" if node.kind == "ref" else f"{called(picture, node)}: {kind}"]
    facts.append(f"shape {shape_text(node.shape)}")
    if node.dtype:
        facts.append(node.dtype)
    return ", ".join(facts)


def edge_title(picture: Picture, edge: PictureEdge, back: bool = False) -> str:
    source, target = (called(picture, picture.by_key[key]) for key in (edge.source, edge.target))
    if back:
        source, target = target, source
    return f"{source} → {target}" + (f" as {edge.argument}" if edge.argument else "")


def wrapped(note: str, width: int) -> list[str]:
    """A remark on lines of at most about `width` characters."""
    lines = [""]
    for word in note.split():
        if lines[-1] and len(lines[-1]) + len(word) + 1 > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def num(value: float) -> str:
    """A coordinate with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
