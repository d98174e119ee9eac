"""From a picture to DOT, the language of Graphviz: `draw_graph(loss).dot`.

The text is made by the `graphviz` package, which quotes and escapes. Sizes are fixed by `boxes.py`, so every
layout engine places the same boxes. One DOT edge stands for a use: it is drawn as two lines, forward and
backward, in both here and the SVG.
"""

from __future__ import annotations

from html import escape
from typing import Any

import graphviz

from autograd_lab.view.boxes import NOTHING, Box, Widest, boxes_of, label_rows, label_size
from autograd_lab.view.palette import PLAIN, ROLES
from autograd_lab.view.parts import Picture, PictureEdge, PictureNode

ROLE_OF_KIND = {
    "leaf": "leaf",
    "param": "leaf",
    "ref": "leaf",
    "accumulate": "acc",
    "op": "op",
    "fold": "op",
    "number": "frozen",
    "frozen": "frozen",
}
WEIGHTS = {"op": "12", "result": "12", "leaf": "2", "param": "2"}  # the way of the results stays straight
SHAPES = {"rect": "box", "ellipse": "ellipse", "chip": "box", "folder": "folder"}


def to_dot(picture: Picture, widest: Widest = NOTHING) -> str:
    """The picture as DOT text.

    >>> import autograd_lab as torch
    >>> from autograd_lab.view.picture import read_graph
    >>> to_dot(read_graph(torch.tensor(2.0, requires_grad=True) * 3)).splitlines()[0]
    'digraph {'
    """
    boxes = boxes_of(picture, widest)
    beside = {node.of: node for node in picture.nodes if node.kind == "accumulate"}
    spread = len(picture.edges) <= 80
    graph = graphviz.Digraph(
        graph_attr={
            "rankdir": "LR",
            "nodesep": "0.2",
            "ranksep": "0.25" if spread else "0.3",
            "pad": "0.1",
            "bgcolor": "transparent",
        },
        node_attr={"fontname": "Courier", "fontsize": "10", "style": "filled", "fixedsize": "true"},
        edge_attr={"fontname": "Courier", "fontsize": "9", "arrowsize": "0.6"},
    )
    for node in picture.nodes:
        if node.kind == "accumulate":
            continue
        box = boxes[node.key]
        if node.key in beside:
            end = beside[node.key]
            graph.node(
                node.key,
                two_boxes(node, box, end, boxes[end.key]),
                shape="plain",
                style="",
                fixedsize="false",
            )
        else:
            graph.node(node.key, graphviz.escape(words(box)), **outline(node, box, picture))
    for edge in picture.edges:
        graph.edge(
            f"{edge.source}:out:e" if edge.source in beside else edge.source,
            edge.target,
            **edge_look(edge, widest),
            weight=WEIGHTS.get(picture.by_key[edge.source].kind, "1"),
        )
    return graph.source


def words(box: Box) -> str:
    """The texts of a box, a line each row of the box."""
    lines: dict[float, list[str]] = {}
    for row in box.rows:
        lines.setdefault(round(row.y / 5), []).append(row.text)
    return "\n".join(" ".join(texts) for texts in lines.values())


def outline(node: PictureNode, box: Box, picture: Picture) -> dict[str, Any]:
    stroke, fill = colours_of(node)
    return {
        "id": node.key,
        "shape": SHAPES[box.outline],
        "width": inches(box.width),
        "height": inches(box.height),
        "color": stroke,
        "fillcolor": fill,
        "peripheries": "2" if node.key in picture.roots else "1",
        "style": "filled,rounded" if box.outline in ("rect", "chip") else "filled",
    }


def two_boxes(leaf: PictureNode, box: Box, end: PictureNode, end_box: Box) -> str:
    """A leaf with its AccumulateGrad below, as one table, so that no engine can part them.

    Edges leave from a thin row between the two: forward from the leaf, backward into the AccumulateGrad.
    """
    rows = []
    for node, one, height in ((leaf, box, box.height - 1), (end, end_box, end_box.height - 1)):
        stroke, fill = colours_of(node)
        text = "<BR/>".join(escape(line) for line in words(one).split("\n"))
        rows.append(
            f'<TR><TD FIXEDSIZE="TRUE" WIDTH="{one.width:.0f}" HEIGHT="{height:.0f}" '
            f'COLOR="{stroke}" BGCOLOR="{fill}">{text}</TD></TR>'
        )
    rows.insert(1, f'<TR><TD PORT="out" FIXEDSIZE="TRUE" BORDER="0" WIDTH="{box.width:.0f}" HEIGHT="2"></TD></TR>')
    table = '<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0" CELLPADDING="0">'
    return f"<{table}{''.join(rows)}</TABLE>>"


def edge_look(edge: PictureEdge, widest: Widest) -> dict[str, str]:
    look = {"id": edge.forward_id, "color": ROLES["op"][0]}
    if edge.backward:
        look |= {"dir": "both", "arrowtail": "vee", "color": f"{ROLES['op'][0]}:{ROLES['back'][0]}"}
    else:
        look |= {"style": "dotted", "color": ROLES["frozen"][0]}
    if edge.labelled:
        width, height = label_size(edge, widest)
        text = escape(label_rows(edge, widest)[0].text)
        look["label"] = (
            f'<<TABLE BORDER="0" CELLBORDER="0" CELLPADDING="0" CELLSPACING="0"><TR><TD FIXEDSIZE="TRUE" '
            f'WIDTH="{width:.0f}" HEIGHT="{height:.0f}">{text}</TD></TR></TABLE>>'
        )
    return look


def colours_of(node: PictureNode) -> tuple[str, str]:
    """Stroke and fill of the light theme."""
    role = ROLE_OF_KIND.get(node.kind)
    return (ROLES[role][0], ROLES[role][1]) if role else (PLAIN["line"][0], PLAIN["box"][0])


def inches(pixels: float) -> str:
    """DOT measures in inches of 72 points; a point is one pixel here."""
    return f"{pixels / 72:.4f}"
