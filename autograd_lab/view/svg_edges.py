"""The arrows of a drawing as SVG: uses and their gradients, dotted links to saved values, curves to views.

Read next: `strokes.py`, where the curves come from.
"""

from __future__ import annotations

from autograd_lab.view.boxes import Box, Row, Widest, css_of_saved, label_rows
from autograd_lab.view.layout import Layout, Point
from autograd_lab.view.parts import Picture, PictureEdge, SavedLink
from autograd_lab.view.spoken import edge_title, link_title
from autograd_lab.view.strokes import arc, beside, both_ways, head, path, slashes
from autograd_lab.view.svg_parts import escape, states, text

ARC = 26.0  # room below the boxes for the lines from views to their bases


def edge_lines(picture: Picture, edge: PictureEdge, layout: Layout, widest: Widest) -> list[str]:
    """Forward: solid, filled head. Backward: dashed, open head, on the same route a little below."""
    points = layout.routes[edge.forward_id]
    both = edge.backward and picture.view == "both"
    there, back = both_ways(points) if both else (points, points)
    at = layout.labels.get(edge.forward_id)
    if at and picture.rankdir == "TB":
        at = at[0] + 4, at[1]
    rows = [moved(row, at) for row in label_rows(edge, widest)] if at else []
    sent = [row for row in rows if row.field == "grad" or row.css == "ag-sum"]
    kind = "ag-fwd" if edge.backward else "ag-fwd ag-cut" if edge.kind == "cut" else "ag-fwd ag-constant"
    classes = " ".join(["edge", kind, *states(edge)])
    lines = [
        f'<g id="{picture.prefix}-{edge.forward_id}" class="{classes}">',
        f"<title>{escape(edge_title(picture, edge))}</title>",
    ]
    if picture.view != "backward" or not edge.backward:
        lines += [f'<path class="ag-line" d="{path(there)}"/>', f'<path class="ag-head" d="{head(there)}Z"/>']
    if edge.kind == "cut" and picture.by_key[edge.source].kind != "untracked":
        lines.append(f'<path class="ag-slash" d="{slashes(points)}"/>')
    lines += [*(text(row) for row in rows if row not in sent), "</g>"]
    if edge.backward and picture.view != "forward":
        classes = " ".join(["edge", "ag-bwd", *states(edge)])
        lines += [
            f'<g id="{picture.prefix}-{edge.backward_id}" class="{classes}">',
            f"<title>{escape('gradient: ' + edge_title(picture, edge, back=True))}</title>",
            f'<path class="ag-line" d="{path(back)}"/>',
            f'<path class="ag-head" d="{head(back[::-1])}"/>',
            *(text(row) for row in sent),
            "</g>",
        ]
    return lines


def joint_lines(picture: Picture, edge: PictureEdge) -> list[str]:
    """An edge between boxes that touch: nothing to see, but steps and screen readers find it."""
    made = [(edge.forward_id, "ag-fwd", edge_title(picture, edge))]
    if edge.backward and picture.view != "forward":
        made.append((edge.backward_id, "ag-bwd", "gradient: " + edge_title(picture, edge, back=True)))
    return [
        f'<g id="{picture.prefix}-{name}" class="edge {css} ag-joint"><title>{escape(title)}</title></g>'
        for name, css, title in made
    ]


def link_lines(
    picture: Picture, link: SavedLink, layout: Layout, boxes: dict[str, Box], corners: dict[str, Point]
) -> list[str]:
    """A dotted line from an op to a tensor that it keeps; where they touch, a small curve beside them."""
    if link.id in layout.routes:
        points = layout.routes[link.id]
        points = points if link.ends(picture)[0] == link.op else points[::-1]
    else:
        ends = [(corners[k][0] + boxes[k].width, corners[k][1] + boxes[k].height / 2) for k in (link.op, link.tensor)]
        points = beside(*ends)
    lines = [
        f'<g id="{picture.prefix}-{link.id}" class="edge ag-saved-edge">',
        f"<title>{escape(link_title(picture, link))}</title>",
        f'<path class="ag-line" d="{path(points)}"/>',
        f'<path class="ag-head" d="{head(points)}"/>',
    ]
    if at := layout.labels.get(link.id):
        lines.append(text(Row(at[0], at[1] + 3, link.text, css_of_saved(link.text), "middle")))
    return [*lines, "</g>"]


def view_lines(picture: Picture, edge: PictureEdge, boxes: dict[str, Box], corners: dict[str, Point]) -> list[str]:
    """A dotted curve below the boxes, from a tensor to its view."""
    ends = []
    for key in (edge.source, edge.target):
        ends.append((corners[key][0] + boxes[key].width / 2, corners[key][1] + boxes[key].height))
    points = arc(ends[0], ends[1], ARC)
    return [
        f'<g id="{picture.prefix}-{edge.forward_id}" class="edge ag-view">',
        f"<title>{escape(edge_title(picture, edge))}</title>",
        f'<path class="ag-line" d="{path(points)}"/>',
        "</g>",
    ]


def moved(row: Row, by: Point) -> Row:
    return Row(by[0] + row.x, by[1] + row.y, row.text, row.css, row.anchor, row.field, row.room)
