"""From a picture to DOT, the language of Graphviz: `draw_graph(loss).dot`.

The text is made by the `graphviz` package, which quotes and escapes. Sizes are fixed by `boxes.py`, so every
layout engine places the same boxes. One DOT edge stands for a use: it is drawn as two lines, forward and
backward, in both here and the SVG.
"""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape
from typing import Any

import graphviz
from graphviz.quoting import quote as quoted

from autograd_lab.view.boxes import NOTHING, Box, Widest, label_rows, label_size, link_size
from autograd_lab.view.palette import PLAIN, ROLES
from autograd_lab.view.parts import Picture, PictureEdge, PictureNode
from autograd_lab.view.units import Unit, boxes_of, heads, units_of

ROLE_OF_KIND = {
    "leaf": "leaf",
    "param": "leaf",
    "ref": "leaf",
    "accumulate": "acc",
    "op": "op",
    "fold": "op",
    "untracked": "frozen",
    "saved": "saved",
    "number": "frozen",
    "frozen": "frozen",
}
WEIGHTS = {"op": "12", "result": "12", "leaf": "2", "param": "2"}  # the way of the results stays straight
SHAPES = {"rect": "box", "ellipse": "ellipse", "pill": "box", "chip": "box", "folder": "folder"}
FAST = {True: {"splines": "line", "nslimit": "0.1", "nslimit1": "0.1", "mclimit": "0.1"}}


def to_dot(picture: Picture, widest: Widest = NOTHING, hurry: bool = False, wordless: bool = False) -> str:
    """The picture as DOT text; in a `hurry` with straight lines and less search for a good order.

    All sizes are fixed, so a layout needs no words: `wordless` leaves them out.

    >>> import autograd_lab as torch
    >>> from autograd_lab.view.picture import read_graph
    >>> to_dot(read_graph(torch.tensor(2.0, requires_grad=True) * 3)).splitlines()[0]
    'digraph {'
    """
    boxes = boxes_of(picture, widest)
    units = units_of(picture, boxes)
    head = heads(picture)
    ports = {key: f"{key}:out:{'s' if picture.rankdir == 'TB' else 'e'}" for key, unit in units.items() if unit.port}
    graph = graphviz.Digraph(
        graph_attr={
            "rankdir": picture.rankdir,
            "nodesep": "0.16" if picture.rankdir == "LR" else "0.2",
            "ranksep": "0.22" if len(picture.edges) <= 80 else "0.3",
            "pad": "0.1",
            "bgcolor": "transparent",
            **FAST.get(hurry, {}),
        },
        node_attr={"fontname": "Courier", "fontsize": "10", "style": "filled", "fixedsize": "true"},
        edge_attr={"fontname": "Courier", "fontsize": "9", "arrowsize": "0.6"},
    )
    inside: dict[str, list[str]] = {}
    for key in units:
        inside.setdefault(picture.by_key[key].cluster, []).append(key)

    def add_units(where: Any, cluster: str) -> None:
        for key in inside.get(cluster, ()):
            add_unit(where, picture, key, units[key], boxes, wordless)

    add_units(graph, "")
    frames = {"": graph}
    for frame in picture.clusters:
        frames[frame.key] = graphviz.Digraph(
            f"cluster_{frame.key}",
            graph_attr={"label": graphviz.escape(frame.title), "style": "dashed,rounded", "fontname": "Helvetica",
                        "fontsize": "11", "labeljust": "l", "margin": "7", "color": ROLES["frozen"][0]},
        )  # fmt: skip
        add_units(frames[frame.key], frame.key)
    for frame in reversed(picture.clusters):  # inner frames first: their text is complete when it is put in
        frames[frame.parent].subgraph(frames[frame.key])
    for edge in picture.edges:
        if edge.kind == "view" or head[edge.source] == head[edge.target]:
            continue
        source = head[edge.source]
        look = edge_look(edge, widest, picture.rankdir, wordless)
        look["weight"] = WEIGHTS.get(picture.by_key[edge.source].kind, "1")
        told = " ".join(f"{name}={quote(value)}" for name, value in look.items())
        graph.body.append(f"\t{ports.get(source, source)} -> {head[edge.target]} [{told}]\n")
    for link in picture.links:
        first, last = (head[key] for key in link.ends(picture))
        if first != last:
            look = {"id": link.id, "style": "dotted", "color": ROLES["saved"][0], "dir": "none", "weight": "0"}
            look["label"] = spacer(*link_size(link), "" if wordless else escape(link.text))
            told = " ".join(f"{name}={quote(value)}" for name, value in look.items())
            graph.body.append(f"\t{first} -> {last} [{told}]\n")
    return graph.source


def add_unit(graph: Any, picture: Picture, key: str, unit: Unit, boxes: dict[str, Box], wordless: bool) -> None:
    """One node of DOT for boxes that stand together."""
    node = picture.by_key[key]
    if wordless and not unit.port:
        shape = SHAPES[boxes[key].outline] if len(unit.corners) == 1 else "box"
        rings = 2 if key in picture.roots and len(unit.corners) == 1 else 1
        size = f'width="{inches(unit.width)}" height="{inches(unit.height)}"'
        graph.body.append(f'\t{key} [label="" shape="{shape}" {size} peripheries="{rings}"]\n')
        return
    if len(unit.corners) == 1:
        graph.node(key, graphviz.escape(words(boxes[key])), **outline(node, boxes[key], picture))
        return
    members = [(picture.by_key[k], boxes[k]) for k in unit.corners]
    row = bool(unit.port) and unit.port[1] == unit.height if unit.port else False
    if wordless:
        members = [(member, replace(box, rows=())) for member, box in members]
    graph.node(key, table(members, port=bool(unit.port), row=row), id=key, shape="plain", style="", fixedsize="false")


PLAINLY = re.compile(r"[#:\w.-]*")


def quote(value: str) -> str:
    """A value of an attribute; only words of others need the care of the `graphviz` package."""
    return f'"{value}"' if PLAINLY.fullmatch(value) else quoted(value)


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
        "style": "filled,rounded" if box.outline in ("rect", "chip", "pill") else "filled",
    }


def table(members: list[tuple[PictureNode, Box]], port: bool, row: bool) -> str:
    """Boxes that stand together, as one table, so that no engine can part them.

    The edges of a leaf leave from a thin cell between it and its AccumulateGrad: forward from the leaf,
    backward into the AccumulateGrad.
    """
    cells = []
    for node, one in members:
        stroke, fill = colours_of(node)
        text = "<BR/>".join(escape(line) for line in words(one).split("\n"))
        width, height = (one.width - port, one.height) if row else (one.width, one.height - port)
        cells.append(
            f'<TD FIXEDSIZE="TRUE" WIDTH="{width:.0f}" HEIGHT="{height:.0f}" '
            f'COLOR="{stroke}" BGCOLOR="{fill}">{text}</TD>'
        )
    if port:
        size = (2, members[0][1].height) if row else (members[0][1].width, 2)
        gap = f'<TD PORT="out" FIXEDSIZE="TRUE" BORDER="0" WIDTH="{size[0]:.0f}" HEIGHT="{size[1]:.0f}"></TD>'
        cells.insert(1, gap)
    inner = f"<TR>{''.join(cells)}</TR>" if row else "".join(f"<TR>{cell}</TR>" for cell in cells)
    return f'<<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0" CELLPADDING="0">{inner}</TABLE>>'


def edge_look(edge: PictureEdge, widest: Widest, rankdir: str, wordless: bool) -> dict[str, str]:
    look = {"id": edge.forward_id, "color": ROLES["op"][0]}
    if edge.kind == "cut":
        look |= {"style": "dotted", "color": ROLES["frozen"][0], "label": ""}
    elif edge.backward:
        look |= {"dir": "both", "arrowtail": "vee", "color": f"{ROLES['op'][0]}:{ROLES['back'][0]}"}
    else:
        look |= {"style": "dotted", "color": ROLES["frozen"][0]}
    width, height = label_size(edge, widest, rankdir)
    if width:
        text = "" if wordless else escape(" ".join(row.text for row in label_rows(edge, widest) if row.text))
        look["label"] = spacer(width, height, text)
    return look


def spacer(width: float, height: float, text: str) -> str:
    """A label of this size."""
    return (
        f'<<TABLE BORDER="0" CELLBORDER="0" CELLPADDING="0" CELLSPACING="0"><TR><TD FIXEDSIZE="TRUE" '
        f'WIDTH="{width:.0f}" HEIGHT="{height:.0f}">{text}</TD></TR></TABLE>>'
    )


def colours_of(node: PictureNode) -> tuple[str, str]:
    """Stroke and fill of the light theme."""
    role = ROLE_OF_KIND.get(node.kind)
    return (ROLES[role][0], ROLES[role][1]) if role else (PLAIN["line"][0], PLAIN["box"][0])


def inches(pixels: float) -> str:
    """DOT measures in inches of 72 points; a point is one pixel here."""
    return f"{pixels / 72:.4f}"
