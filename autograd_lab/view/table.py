"""The same picture as a text table: what a terminal shows, and what a reader without images gets."""

from __future__ import annotations

from autograd_lab.view.parts import LEAF_KINDS, Picture, PictureNode
from autograd_lab.view.texts import NOT_RECORDED, fit, shape_text

HEADINGS = ("node", "name", "op", "shape", "value", "grad", "inputs")
WIDEST_CELL = 34


def to_table(picture: Picture) -> str:
    """One line a leaf, constant or operation, in an order in which inputs come before what uses them.

    >>> import autograd_lab as torch
    >>> from autograd_lab.view.picture import read_graph
    >>> print(to_table(read_graph(torch.tensor(2.0, requires_grad=True) * 3)))
    graph: 1 operation, 1 leaf
    node  name  op            shape  value  grad      inputs
    n0          leaf          ()     2      None
    n2    3     number
    n3    t1    MulBackward0  ()     6      not kept  n0, 3
    """
    kept: dict[str, list[str]] = {}
    for link in picture.links:
        kept.setdefault(link.op, []).append(f"{reference(picture, link.tensor)} {link.text}")
    rows = [HEADINGS]
    for node in picture.nodes:
        if row := row_of(picture, node):
            rows.append(row)
        if node.key in kept:
            rows.append(("", "", f"saved by {node.key}", "", "", "", "; ".join(kept[node.key])))
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADINGS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join(line.rstrip() for line in [heading(picture), *lines, *picture.notes])


def heading(picture: Picture) -> str:
    operations = sum(node.kind == "op" for node in picture.nodes)
    leaves = sum(node.kind in LEAF_KINDS for node in picture.nodes)
    names = ", ".join(node.name for key in picture.roots if (node := picture.by_key[key]).name)
    counted = f"{operations} operation{'s' * (operations != 1)}, {leaves} {'leaf' if leaves == 1 else 'leaves'}"
    return f"graph{' of ' + fit(names, 60) if names else ''}: {counted}"


def row_of(picture: Picture, node: PictureNode) -> tuple[str, ...] | None:
    """The cells of one line. A result shares the line of its op, an AccumulateGrad that of its leaf."""
    if node.kind in ("accumulate", "ref"):
        return None
    if node.kind == "result":
        first = picture.edge_out(node.of, 0)
        if first is not None and first.target == node.key:
            return None  # in the line of its op
        return cells(node.key, node, "another result", f"{node.of}")
    if node.kind == "number":
        return (
            node.key,
            fit(node.value or "?", WIDEST_CELL),
            "number",
            "",
            "" if node.value else NOT_RECORDED,
            "",
            "",
        )
    if node.kind == "saved":
        return node.key, "", f"saved by {node.of}", "", "", "", "; ".join(node.tags)
    if node.kind == "untracked":
        inputs = ", ".join(reference(picture, e.source) for e in picture.edges if e.target == node.key)
        return node.key, "", f"{node.name}, {node.title}", "", "", "", inputs
    if node.kind == "op":
        edge = picture.edge_out(node.key, 0)
        result = picture.by_key[edge.target] if edge else node
        tags = "".join(f" {tag}" for tag in node.tags)
        inputs = ", ".join(reference(picture, e.source) for e in picture.edges if e.target == node.key)
        return cells(node.key, result, node.title + tags, inputs)
    inputs = ", ".join(reference(picture, e.source) for e in picture.edges if e.target == node.key)
    if node.kind == "fold":
        return (node.key, fit(node.name, WIDEST_CELL), fit(node.title, 60), "", "", "", fit(inputs, 60))
    kind = "tensor" if node.kind == "frozen" else node.title or node.kind
    return cells(node.key, node, kind, inputs)


def cells(key: str, node: PictureNode, op: str, inputs: str) -> tuple[str, ...]:
    name = node.symbol if node.kind == "op" else node.name or node.symbol
    nowhere = node.kind == "fold" or (node.kind == "op" and node.shape is None)
    shape = "" if nowhere else shape_text(node.shape)
    value = "" if node.kind == "fold" else node.value or NOT_RECORDED
    dtype = f" {node.dtype}" if node.dtype not in (None, "float32") else ""
    grad = node.grad or ("not kept" if node.kind == "op" else "")
    tags = "".join(f" {tag}" for tag in node.tags) if node.kind != "op" else ""
    texts = (key, name, op + tags, shape + dtype, value, grad, inputs)
    return (*(fit(text, WIDEST_CELL) for text in texts[:-1]), fit(inputs, 60))


def reference(picture: Picture, key: str) -> str:
    """How a line names its input: by name, or by the node's key."""
    node = picture.by_key[key]
    if node.kind == "number":
        return fit(node.value or "?", 16)
    if node.kind == "ref":
        node = picture.by_key[node.of]
    if node.kind in ("op", "untracked"):
        return node.symbol or node.key
    return fit(node.name or node.symbol or node.key, 20)
