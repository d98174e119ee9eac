"""From a picture and a layout to the SVG that pages show, step through and export.

What others rely on: every id is `PREFIX-n12` (a box) or `PREFIX-e3-5-0` (an edge from n3 to n5, input 0;
the edge the gradient takes back is `PREFIX-e5-3-0`), with the prefix made from the picture's content;
classes begin with `ag-`; a text that steps rewrite has `data-field` and `data-room`; colours are CSS
variables. There is no script and no reference to anything outside, and titles hold names, operations and
shapes, never values. Read next: `svg_edges.py`.
"""

from __future__ import annotations

from pathlib import Path

from autograd_lab.view.boxes import NOTHING, Box, Widest
from autograd_lab.view.layout import Layout, Point
from autograd_lab.view.palette import variables
from autograd_lab.view.parts import Cluster, Picture, PictureNode
from autograd_lab.view.spoken import cluster_title, description, node_title, title_of
from autograd_lab.view.svg_edges import ARC, edge_lines, joint_lines, link_lines, view_lines
from autograd_lab.view.svg_parts import attribute, escape, num, states, text, wrapped
from autograd_lab.view.texts import fit
from autograd_lab.view.units import boxes_of, heads, units_of

MARGIN = 12.0
MOST_REFS = 50  # tensors whose uses light up together
NOTE_HEIGHT = 16.0
CLASSES = {
    "accumulate": "ag-acc",
    "param": "ag-leaf ag-param",
    "number": "ag-number-chip",
    "saved": "ag-saved",
    "untracked": "ag-op ag-untracked",
}

STYLE = Path(__file__).with_name("drawing.css").read_text("utf-8")
LINK_STYLE = Path(__file__).with_name("links.css").read_text("utf-8")


def to_svg(picture: Picture, layout: Layout, widest: Widest = NOTHING, theme: str = "auto") -> str:
    """The drawing as SVG text."""
    boxes = boxes_of(picture, widest)
    prefix = picture.prefix
    corners = corners_of(picture, layout, boxes)
    width = layout.width + 2 * MARGIN
    notes = [line for note in picture.notes for line in wrapped(note, max(40, int(width / 6)))]
    width = max(width, *(len(line) * 6 + 2 * MARGIN for line in notes), 60.0)
    arcs = ARC * any(edge.kind == "view" for edge in picture.edges)
    height = layout.height + 2 * MARGIN + arcs + NOTE_HEIGHT * len(notes)
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
        f"<style>{sheet(theme)}{same_tensor(picture)}{LINK_STYLE * bool(picture.links)}</style>",
        f'<rect class="ag-paper" width="{num(width)}" height="{num(height)}"/>',
        f'<g class="ag-body" transform="translate({num(MARGIN)} {num(MARGIN)})">',
    ]
    for cluster in picture.clusters:
        if cluster.key in layout.frames:
            lines += cluster_lines(picture, cluster, layout.frames[cluster.key])
    head_of, several = heads(picture), referred(picture)
    for edge in picture.edges:
        if edge.kind == "view":
            lines += view_lines(picture, edge, boxes, corners)
        elif head_of[edge.source] == head_of[edge.target]:
            lines += joint_lines(picture, edge)
        else:
            lines += edge_lines(picture, edge, layout, widest)
    for link in picture.links:
        lines += link_lines(picture, link, layout, boxes, corners)
    for node in picture.nodes:
        lines += node_lines(picture, node, boxes[node.key], corners[node.key], several)
    lines.append("</g>")
    for i, line in enumerate(notes):
        y = layout.height + 2 * MARGIN + arcs + NOTE_HEIGHT * i + 6
        lines.append(f'<text class="ag-note" x="{num(MARGIN)}" y="{num(y)}">{escape(line)}</text>')
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def sheet(theme: str) -> str:
    """The style sheet that every drawing of this theme holds."""
    return variables(theme) + STYLE


def corners_of(picture: Picture, layout: Layout, boxes: dict[str, Box]) -> dict[str, Point]:
    """The top left corner of each box."""
    corners: dict[str, Point] = {}
    for first, unit in units_of(picture, boxes).items():
        x, y = layout.centres[first]
        for key, (dx, dy) in unit.corners.items():
            corners[key] = x - unit.width / 2 + dx, y - unit.height / 2 + dy
    return corners


# Boxes


def node_lines(picture: Picture, node: PictureNode, box: Box, corner: Point, several: set[str]) -> list[str]:
    classes = ["node", CLASSES.get(node.kind, f"ag-{node.kind}")]
    if node.key in picture.roots:
        classes.append("ag-root")
    if node.kind == "number" and node.value is None:
        classes.append("ag-unknown")
    if "freed" in node.tags:
        classes.append("is-freed")
    classes += states(node)
    label = node_title(picture, node)
    same = node.of if node.kind == "ref" else node.key if node.key in several else ""
    opens = f' data-opens="{node.of}"' if node.kind == "fold" and node.of else ""
    more = opens + (f' data-same="{same}"' if same else "") + (f" data-why={attribute(node.why)}" if node.why else "")
    group = (
        f'<g id="{picture.prefix}-{node.key}" class="{" ".join(classes)}" role="graphics-symbol" '
        f'aria-label={attribute(label)}{more} transform="translate({num(corner[0])} {num(corner[1])})">'
    )
    return [
        group,
        f"<title>{escape(label)}</title>",
        *shapes(box, double=node.key in picture.roots and not node.failed),
        *(text(row) for row in box.rows),
        "</g>",
    ]


def referred(picture: Picture) -> set[str]:
    """The boxes that have small references elsewhere."""
    return {node.of for node in picture.nodes if node.kind == "ref"}


def same_tensor(picture: Picture) -> str:
    """Rules that light every use of a tensor while the pointer is on one, or one has the focus."""
    rules = []
    for key in sorted(referred(picture), key=lambda key: int(key[1:]))[:MOST_REFS]:
        mark = f'[data-same="{key}"]'
        for state in ("hover", "focus"):
            rules.append(f".ag-graph:has({mark}:{state}) {mark} .ag-shape{{stroke:var(--ag-back);stroke-width:3}}")
    return "\n".join(rules)


def shapes(box: Box, double: bool) -> list[str]:
    """The outline of a box; a root has a second one."""
    w, h = box.width, box.height
    if box.outline == "ellipse":
        ring = '<ellipse class="ag-shape" cx="{}" cy="{}" rx="{}" ry="{}"/>'
        made = [ring.format(num(w / 2), num(h / 2), num(w / 2), num(h / 2))]
        return made + [ring.format(num(w / 2), num(h / 2), num(w / 2 - 3), num(h / 2 - 3))] * double
    if box.outline == "folder":
        return [f'<path class="ag-shape" d="M0 6V{num(h)}H{num(w)}V6H38L32 0H4L0 6Z"/>']
    round_by = {"chip": 10.0, "pill": round(min(h / 2, 15), 2)}.get(box.outline, 5.0)
    made = [f'<rect class="ag-shape" width="{num(w)}" height="{num(h)}" rx="{num(round_by)}"/>']
    if double:
        size = f'width="{num(w - 6)}" height="{num(h - 6)}"'
        made.append(f'<rect class="ag-shape ag-ring" x="3" y="3" {size} rx="{num(max(1.0, round_by - 3))}"/>')
    return made


def cluster_lines(picture: Picture, cluster: Cluster, area: tuple[float, float, float, float]) -> list[str]:
    """A frame and its title."""
    x, y, w, h = (num(n) for n in area)
    title = escape(fit(cluster.title, max(6, int(area[2] / 5.6))))
    lines = [
        f'<g id="{picture.prefix}-{cluster.key}" class="cluster ag-{cluster.kind}" data-cluster="{cluster.key}">',
        f"<title>{escape(cluster_title(cluster))}</title>",
        f'<rect class="ag-frame" x="{x}" y="{y}" width="{w}" height="{h}" rx="8"/>',
    ]
    if cluster.kind == "no_grad":
        lines.append(f'<path class="ag-hatch" d="{hatching(area)}"/>')
    return [
        *lines,
        f'<text class="ag-frame-title" x="{num(area[0] + 8)}" y="{num(area[1] + 13)}">{title}</text>',
        "</g>",
    ]


def hatching(area: tuple[float, float, float, float]) -> str:
    """Diagonal lines inside a rectangle: a frame that is known without colour."""
    left, top, width, height = area
    lines = []
    for offset in range(12, int(width + height), 12):
        x0, y0 = left + min(offset, width), top + max(0.0, offset - width)
        x1, y1 = left + max(0.0, offset - height), top + min(offset, height)
        lines.append(f"M{num(x0)} {num(y0)}L{num(x1)} {num(y1)}")
    return "".join(lines)
