"""Heat: how large the gradient is at each place of a graph, as colour, width and words.

Picture -> Picture. For our tensors the norms come from the engine's own walk, which leaves no trace; for PyTorch's
from `torch.autograd.grad`, with a hook on each node for that one walk. Where the graph was freed, the `.grad` that were
kept are shown. Vanishing, exploding and not-a-number gradients are named in words.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from autograd_lab import engine
from autograd_lab._tensor import Tensor, bare
from autograd_lab.view.parts import Picture, PictureNode
from autograd_lab.view.texts import array_of
from autograd_lab.view.walk import is_leaf_end, visit

VANISHING, EXPLODING = 1e-7, 1e3
KINDS = (True, "grad")
KEPT_ONLY = "Heat shows the .grad that were kept: backward() has freed the graph."
ONES = "Heat is for backward() with a gradient of ones, since the result has more than one element."


@dataclass
class Norms:
    """The norms found: by node, by (node, input number), by leaf; all by id()."""

    nodes: dict[int, float] = field(default_factory=dict)
    inputs: dict[tuple[int, int], float] = field(default_factory=dict)
    leaves: dict[int, float] = field(default_factory=dict)


def heated(picture: Picture, outputs: Any, heat: Any = True) -> Picture:
    """The picture with the norm of the gradient at each box and on each edge.

    `picture` still holds its places. Raises ValueError for a `heat` other than True or "grad".

    >>> import autograd_lab as torch
    >>> from autograd_lab.view.picture import read_graph
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> y = x * 1e-9
    >>> [(node.kind, node.tags) for node in heated(read_graph(y), y).nodes if node.kind == "leaf"]
    [('leaf', ('norm 1e-09', 'vanishing < 1e-7'))]
    """
    if heat not in KINDS:
        raise ValueError(f'There is no heat {heat!r}. Use heat="grad" for the norms of the gradients.')
    roots = tuple(outputs) if isinstance(outputs, tuple | list) else (outputs,)
    notes = [ONES] if any(root.numel() != 1 for root in roots) else []
    try:
        norms = norms_of(roots)
    except RuntimeError:  # freed, or a saved value was overwritten
        norms, notes = kept_norms(roots), [KEPT_ONLY]
    places = picture.places.keys
    heats: dict[str, list[float]] = {}
    for node in visit(roots):
        if is_leaf_end(node):
            leaf = node.variable
            if id(leaf) in norms.leaves and id(leaf) in places:
                heats.setdefault(places[id(leaf)], []).append(norms.leaves[id(leaf)])
        elif id(node) in norms.nodes and id(node) in places:
            for key in {places[id(node)], picture.result_key(node)}:
                heats.setdefault(str(key), []).append(norms.nodes[id(node)])
    by_edge = {
        (places[node], number): norm for (node, number), norm in norms.inputs.items() if places.get(node) is not None
    }
    edges = tuple(
        replace(edge, heat=warm)
        if edge.backward
        and (warm := by_edge.get((edge.target, edge.number), hottest(heats.get(edge.target)))) is not None
        else edge
        for edge in picture.edges
    )
    shown_by_result = {node.of for node in picture.nodes if node.kind == "result" and node.key in heats}
    nodes = tuple(
        warmed(node, heats[node.key], tell=node.key not in shown_by_result) if node.key in heats else node
        for node in picture.nodes
    )
    return replace(picture, nodes=nodes, edges=edges, notes=(*picture.notes, *notes))


def warmed(node: PictureNode, norms: list[float], tell: bool) -> PictureNode:
    """A box with its heat, and the words for it; several norms belong to operations that were folded."""
    warm = hottest(norms)
    assert warm is not None
    if not tell:
        return replace(node, heat=warm)
    low = min((n for n in norms if n == n), default=warm)
    text = f"norm {short(warm)}" if len(norms) == 1 else f"norms {short(low)} to {short(warm)}"
    told = list(dict.fromkeys(word for norm in norms if (word := word_for(norm))))
    return replace(node, heat=warm, tags=(*node.tags, text, *told))


def word_for(norm: float) -> str:
    """The name of a norm that one should worry about; nothing for others.

    >>> [word_for(n) for n in (0.0, 9e-8, 1.0, 1001.0, math.inf, math.nan)]
    ['vanishing < 1e-7', 'vanishing < 1e-7', '', 'exploding > 1e3', 'exploding > 1e3', 'NaN']
    """
    if norm != norm:
        return "NaN"
    if norm < VANISHING:
        return "vanishing < 1e-7"
    return "exploding > 1e3" if norm > EXPLODING else ""


def hottest(norms: list[float] | None) -> float | None:
    """The largest, and NaN above all."""
    if not norms:
        return None
    return math.nan if any(n != n for n in norms) else max(norms)


def short(norm: float) -> str:
    return f"{norm:.3g}"


def norm_of(gradient: Any) -> float:
    """The length of a gradient of any shape, as one number."""
    array = array_of(gradient)
    if array is None:
        return math.nan
    wide = array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
    return float(np.linalg.norm(wide.reshape(-1)))


def norms_of(roots: tuple[Any, ...]) -> Norms:
    """The norms of one backward over the whole graph; RuntimeError if it cannot run."""
    return our_norms(roots) if isinstance(roots[0], Tensor) else torch_norms(roots)


def our_norms(roots: tuple[Any, ...]) -> Norms:
    """By the engine's walk that only looks."""
    norms = Norms()
    seeds = [bare(np.ones(tuple(root.shape), root._data.dtype)[()]) for root in roots]
    for step in engine.steps(roots, seeds, keep_graph=True, looking=True):
        total = total_of(step.grad_outputs)
        if is_leaf_end(step.node):
            norms.leaves[id(step.node.variable)] = total
        else:
            norms.nodes[id(step.node)] = total
            note_inputs(norms, step.node, step.grad_inputs)
    return norms


def torch_norms(roots: tuple[Any, ...]) -> Norms:
    """By PyTorch's engine, with a hook on each node for the time of one walk. `.grad` stays as it is."""
    import torch

    norms = Norms()
    order = visit(roots)
    leaves = [node.variable for node in order if is_leaf_end(node)]
    handles = []
    for node in order:
        if not is_leaf_end(node):

            def after(grad_inputs: Any, grad_outputs: Any, node: Any = node) -> None:
                norms.nodes[id(node)] = total_of(grad_outputs)
                note_inputs(norms, node, grad_inputs)

            handles.append(node.register_hook(after))
    try:
        ones = [torch.ones_like(root) for root in roots]
        found = torch.autograd.grad(roots, leaves, ones, retain_graph=True, allow_unused=True)
    finally:
        for handle in handles:
            handle.remove()
    norms.leaves.update((id(leaf), norm_of(g)) for leaf, g in zip(leaves, found, strict=True) if g is not None)
    return norms


def note_inputs(norms: Norms, node: Any, gradients: Iterable[Any]) -> None:
    norms.inputs.update(((id(node), i), norm_of(g)) for i, g in enumerate(gradients) if g is not None)


def total_of(gradients: Iterable[Any]) -> float:
    """One norm for the gradients of all outputs of a node."""
    return math.hypot(*(norm_of(g) for g in gradients if g is not None))


def kept_norms(roots: tuple[Any, ...]) -> Norms:
    """What `.grad` of the leaves tells, when backward cannot run again."""
    norms = Norms()
    for node in visit(roots):
        if is_leaf_end(node) and node.variable.grad is not None:
            norms.leaves[id(node.variable)] = norm_of(node.variable.grad)
    return norms
