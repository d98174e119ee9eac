"""The box of operations that are not drawn one by one, and the leaves that only they use."""

from __future__ import annotations

from typing import Any

from autograd_lab.view.draft import MANY_USES, Draft
from autograd_lab.view.folding import Fold
from autograd_lab.view.frames_of_calls import common, frame_of_fold
from autograd_lab.view.reading import Reading
from autograd_lab.view.texts import clean
from autograd_lab.view.walk import is_leaf_end

FOLDED_LEAVES = 12  # leaves that are drawn although only folded operations use them


def add_folded(draft: Draft, reading: Reading, node: Any, fold: Fold, known: dict[Fold, tuple[str, set[str]]]) -> None:
    """The box of a fold when its first node is met (`known` holds those made), and an edge from each new source."""
    if fold not in known:
        key = draft.new("fold", name=clean(fold.title, 60), title=clean(fold.about, 80), why=fold.how)
        known[fold] = key, set()
        if reading.calls:
            inside = [reading.calls.get(id(one)) for one in reading.order if reading.folded.get(id(one)) is fold]
            if (call := common(inside)) is not None:
                draft.frames.stands_in(key, frame_of_fold(call, fold))
    key, sources = known[fold]
    draft.places.put(node, key)
    for source, output in node.next_functions:
        if source is None or reading.folded.get(id(source)) is fold:
            continue
        source_key = draft.source_key(source, output)
        if source_key and source_key not in sources:
            sources.add(source_key)
            if is_leaf_end(source):
                source_key = draft.far_use(source_key, 0 if len(reading.folds) < MANY_USES else MANY_USES + 1)
            draft.edge(source_key, key, len(sources) - 1, backward=True)


def leaves_to_draw(reading: Reading) -> tuple[set[int], int]:
    """Which AccumulateGrad nodes are drawn, and how many are not: those of drawn operations, a few of folded ones."""
    direct = {id(source) for op in reading.ops.values() for source, _ in op.inputs if source is not None}
    others = [node for node in reading.order if is_leaf_end(node) and id(node) not in direct]
    parts = {fold for fold in reading.folds if fold.kind != "module"}
    inside = {
        id(source)
        for node in reading.order
        if (fold := reading.folded.get(id(node))) and fold not in parts
        for source, _ in node.next_functions
        if source is not None
    }
    others = [node for node in others if id(node) not in inside] if reading.folds else others
    hidden = max(0, len(others) - FOLDED_LEAVES)
    return direct | {id(node) for node in others[:FOLDED_LEAVES]}, hidden
