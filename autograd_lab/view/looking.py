"""What the page says of a chosen box, besides its numbers: a tensor's attributes, an op's inputs.

Plain data made from the picture alone, so it is the same for our tensors and PyTorch's. Numbers are left out: a step
may hide them, and the page knows which ones it shows.
"""

from __future__ import annotations

from typing import Any

from autograd_lab.view.parts import LEAF_KINDS, Picture, PictureNode

WORDS = {
    "leaf": "leaf",
    "param": "leaf, a Parameter",
    "result": "result of an op",
    "frozen": "tensor without gradient",
    "number": "constant",
    "op": "op",
    "accumulate": "end of the way back",
    "fold": "operations in one box",
    "saved": "saved for backward",
}


def boxes_of(picture: Picture) -> list[dict[str, Any]]:
    """Every box that can be chosen, in reading order: key, title, and lines of (word, text).

    >>> import autograd_lab as torch
    >>> from autograd_lab.view.picture import read_graph
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> [(box["key"], box["title"]) for box in boxes_of(read_graph(x * 3))][:3]
    [('n0', 'n0: leaf'), ('n1', 'AccumulateGrad of n0'), ('n3', '×: MulBackward0')]
    """
    boxes = []
    for node in picture.nodes:
        if node.kind in WORDS and node.kind not in ("number", "saved"):
            boxes.append({"key": node.key, "title": title_of(picture, node), "facts": facts_of(picture, node)})
    return boxes


def title_of(picture: Picture, node: PictureNode) -> str:
    if node.kind == "op":
        return f"{node.name}: {node.title}"
    if node.kind == "accumulate":
        return f"AccumulateGrad of {called(picture.by_key[node.of])}"
    if node.kind == "fold":
        return node.name
    return f"{called(node)}: {WORDS[node.kind]}"


def called(node: PictureNode) -> str:
    return node.name or node.symbol or node.key


def facts_of(picture: Picture, node: PictureNode) -> list[tuple[str, str]]:
    """What is so at every step."""
    if node.kind == "op":
        into = [edge for edge in picture.edges if edge.target == node.key]
        given = [f"{edge.argument or edge.number} = {operand(picture.by_key[edge.source])}" for edge in into]
        made = [called(picture.by_key[e.target]) for e in picture.edges if e.source == node.key]
        return [("inputs", ", ".join(given)), ("goes to", ", ".join(made)), *tags_of(node)]
    if node.kind == "accumulate":
        return [("does", f"adds what arrives to {called(picture.by_key[node.of])}.grad")]
    if node.kind == "fold":
        return [("holds", node.title), ("why", node.why)]
    tracked = node.kind != "frozen"
    leaf = node.kind in LEAF_KINDS or not tracked
    facts = [
        ("shape", "not recorded" if node.shape is None else str(tuple(node.shape))),
        ("dtype", node.dtype or "not recorded"),
        ("requires_grad", str(tracked)),
        ("is_leaf", str(leaf)),
        ("grad_fn", "None" if leaf else picture.by_key[node.of].title),
    ]
    if not leaf and node.grad == "not kept":
        facts.append((".grad", "None: only leaves keep it, unless retain_grad() was called"))
    if not tracked:
        facts.append((".grad", "None: it asks for no gradient"))
    return [*facts, *tags_of(node)]


def tags_of(node: PictureNode) -> list[tuple[str, str]]:
    return [("remarks", ", ".join(node.tags))] if node.tags else []


def operand(node: PictureNode) -> str:
    """How an input of an op reads: its name, or a constant as written."""
    if node.kind == "number":
        return node.value or "not recorded"
    return node.name or node.symbol or node.title or node.key
