"""Which operations are not drawn one by one: collapsed modules, folded repeats, and what is too much.

Works on the order in which the operations ran. Every fold is an interval of that order, so folding never
makes a cycle. Nothing is read of a folded operation but its name and its inputs, which keeps very large
graphs quick. Next: `picture.py`, which draws one box for each fold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from autograd_lab.view.modules import Call
from autograd_lab.view.texts import symbol_of
from autograd_lab.view.wanted import Wanted

LONGEST_PERIOD = 128  # operations of one repeat
ENDS = 30  # operations drawn at each end when nothing else shortens a graph
CHUNKS = 12  # boxes for the middle
FEW = 3  # repeats from this number on are folded


@dataclass(frozen=True)
class Fold:
    """Operations `start` to `end` (without it), as one box."""

    start: int
    end: int
    title: str
    about: str
    kind: str  # "module", "repeat" or "part"
    path: str = ""
    how: str = ""  # how to see what is inside

    @property
    def size(self) -> int:
        return self.end - self.start


def planned(
    operations: Sequence[Any], calls: dict[int, Call], options: Wanted
) -> tuple[tuple[Fold, ...], tuple[str, ...]]:
    """What is folded for these options, and the sentences that say so and how to open it."""
    folds = module_folds(operations, calls, options.collapse, options.max_depth) if calls else []
    depth, room = options.max_depth, options.max_nodes
    if calls and visible(operations, folds) > room:
        depth = depth_that_fits(operations, calls, room) or 1
        depth = min(depth, options.max_depth or depth)
        folds = module_folds(operations, calls, options.collapse, depth)
    if options.roll is True or (options.roll == "auto" and visible(operations, folds) > room):
        folds = sorted([*folds, *repeat_folds(operations, folds)], key=lambda fold: fold.start)
    if visible(operations, folds) > room:
        folds = part_folds(operations, folds, room)
    return tuple(folds), tuple(remarks(operations, folds, options, depth))


def visible(operations: Sequence[Any], folds: Sequence[Fold]) -> int:
    """How many boxes remain."""
    return len(operations) - sum(fold.size for fold in folds) + len(folds)


def remarks(operations: Sequence[Any], folds: Sequence[Fold], options: Wanted, depth: int | None) -> Iterator[str]:
    """One sentence for each kind of fold."""
    total = f"of {len(operations):,} operations"
    larger = f", max_nodes={len(operations)}" if len(operations) > options.max_nodes else ""
    for kind in ("module", "repeat", "part"):
        some = [fold for fold in folds if fold.kind == kind]
        size = sum(fold.size for fold in some)
        boxes = "one box" if len(some) == 1 else f"{len(some)} boxes"
        if some and kind == "module":
            deeper = f"max_depth={(depth or 0) + 1}" if depth is not None else "without collapse="
            what = f"Modules are collapsed: {size:,} {total} are in {boxes}."
            yield f"{what} draw_graph(..., {deeper}{larger}) opens them."
        elif some and kind == "repeat":
            yield (
                f"Repeated steps are folded: {size:,} {total} are in {boxes}. "
                f"draw_graph(..., roll=False{larger}) draws each of them."
            )
        elif some:
            yield f"{size:,} {total} are folded into {boxes}; draw_graph(...{larger}) draws each of them."


def in_order_of_running(operations: Sequence[Any]) -> list[Any]:
    """The same operations in the order in which they ran, if their numbers tell."""
    try:
        ordered = sorted(operations, key=lambda node: node._sequence_nr())
    except (AttributeError, RuntimeError):
        return list(operations)
    place = {id(node): i for i, node in enumerate(ordered)}
    for i, node in enumerate(ordered):
        if any(place.get(id(source), -1) >= i for source, _ in node.next_functions if source is not None):
            return list(operations)
    return ordered


def module_folds(
    operations: Sequence[Any], calls: dict[int, Call], collapse: Collection[str], max_depth: int | None
) -> list[Fold]:
    """One fold for each call of a module that is collapsed by its path, its type, or its depth."""
    folds: list[Fold] = []
    i = 0
    while i < len(operations):
        outer = collapsed_call(calls.get(id(operations[i])), collapse, max_depth)
        end = i + 1
        if outer is not None:
            while end < len(operations) and is_inside(calls.get(id(operations[end])), outer):
                end += 1
            count = f"{counted(outer.parameters, 'parameter')}, " if outer.parameters else ""
            about = f"{count}{counted(end - i, 'operation')}"
            folds.append(Fold(i, end, outer.title, about, "module", outer.path))
        i = end
    return folds


def collapsed_call(call: Call | None, collapse: Collection[str], max_depth: int | None) -> Call | None:
    """The outermost call around this one that is collapsed."""
    found = None
    while call is not None:
        deep = max_depth is not None and call.depth >= max(1, max_depth)
        if deep or call.path in collapse or call.type in collapse:
            found = call
        call = call.parent
    return found


def is_inside(call: Call | None, outer: Call) -> bool:
    while call is not None:
        if call is outer:
            return True
        call = call.parent
    return False


def depth_that_fits(operations: Sequence[Any], calls: dict[int, Call], room: int) -> int | None:
    """The largest depth at which the collapsed graph has at most `room` boxes; None if not even 1 does."""
    depths = sorted({call.depth for call in calls.values() if call.depth}, reverse=True)
    for depth in depths:
        folds = module_folds(operations, calls, (), depth)
        if len(operations) - sum(fold.size for fold in folds) + len(folds) <= room:
            return depth
    return None


def repeat_folds(operations: Sequence[Any], taken: Sequence[Fold] = ()) -> list[Fold]:
    """The middle of every run of equal steps: the first and the last step of each run stay drawn.

    Two steps are equal if their operations have the same names and take their inputs from the same
    distance. Of several periods the one that folds most wins.
    """
    signs = signatures(operations)
    free = np.ones(len(signs), bool)
    for fold in taken:
        free[fold.start : fold.end] = False
    best: list[tuple[int, int, int]] = []  # how much is folded, start, period
    for period in range(1, min(LONGEST_PERIOD, len(signs) // FEW) + 1):
        same = (signs[period:] == signs[:-period]) & free[period:] & free[:-period]
        edges = np.flatnonzero(np.diff(np.concatenate(([False], same, [False])).astype(np.int8)))
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            repeats = (int(end - start)) // period + 1
            if repeats >= FEW and (repeats - 2) * period > 1:
                best.append(((repeats - 2) * period, -period, int(start)))
    folds: list[Fold] = []
    for folded, minus_period, start in sorted(best, key=lambda run: (-run[0], -run[1], run[2])):
        period = -minus_period
        begin = start + period
        end = begin + folded
        if free[start : end + period].all():
            free[start : end + period] = False
            times = folded // period
            names = [symbol_of(operations[begin + k].name()) for k in range(min(period, 5))]
            what = " ".join(names) + (" …" if period > 5 else "")
            title = f"{times:,} × [{what}]"
            about = f"{times:,} more steps like the one before, {counted(folded, 'operation')}"
            folds.append(Fold(begin, end, title, about, "repeat", how="roll=False draws every step"))
    return sorted(folds, key=lambda fold: fold.start)


def signatures(operations: Sequence[Any]) -> Any:
    """One number for each operation: equal for equal name and equal distances to the inputs."""
    place = {id(node): i for i, node in enumerate(operations)}
    known: dict[Any, int] = {}
    signs = np.empty(len(operations), np.int64)
    for i, node in enumerate(operations):
        distances = []
        for source, _ in node.next_functions:
            at = None if source is None else place.get(id(source))
            distances.append(-1 if source is None else 0 if at is None else i - at)
        signs[i] = known.setdefault((type(node), tuple(distances)), len(known))
    return signs


def part_folds(operations: Sequence[Any], taken: Sequence[Fold], room: int) -> list[Fold]:
    """Everything between the two ends, in a few parts cut where few edges cross."""
    items = spans(len(operations), taken)
    if len(items) <= room:
        return list(taken)
    ends = max(1, min(ENDS, room // 2))
    start, end = items[ends][0], items[-ends - 1][1]
    kept = [fold for fold in taken if fold.end <= start or fold.start >= end]
    crossing = crossings(operations)
    parts = 1 if end - start < 1000 else CHUNKS
    if linear(crossing, start, end):
        parts = 1
    cuts = [start]
    for k in range(1, parts):
        middle = start + (end - start) * k // parts
        reach = max(1, (end - start) // parts // 3)
        window = range(max(cuts[-1] + 1, middle - reach), min(end, middle + reach))
        cuts.append(min(window, key=lambda at: (crossing[at], abs(at - middle))))
    cuts.append(end)
    folds = []
    for a, b in pairwise(cuts):
        common = Counter(symbol_of(operations[i].name()) for i in range(a, min(b, a + 2000))).most_common(3)
        about = (
            ", ".join(name for name, _ in common) if len(common) < 3 else "mostly " + ", ".join(n for n, _ in common)
        )
        how = f"draw_graph(..., max_nodes={len(operations)}) draws each of them"
        folds.append(Fold(a, b, counted(b - a, "operation"), about, "part", how=how))
    return sorted([*kept, *folds], key=lambda fold: fold.start)


def spans(count: int, taken: Sequence[Fold]) -> list[tuple[int, int]]:
    """Operations that are drawn, and folds, in order, as intervals."""
    found, at = [], 0
    for fold in taken:
        found += [(i, i + 1) for i in range(at, fold.start)]
        found.append((fold.start, fold.end))
        at = fold.end
    return found + [(i, i + 1) for i in range(at, count)]


def crossings(operations: Sequence[Any]) -> list[int]:
    """How many edges pass each place of the order, `crossing[i]` just before operation i."""
    place = {id(node): i for i, node in enumerate(operations)}
    steps = [0] * (len(operations) + 2)
    for i, node in enumerate(operations):
        for source, _ in node.next_functions:
            at = place.get(id(source)) if source is not None else None
            if at is not None:
                steps[at + 1] += 1
                steps[i + 1] -= 1
    total, result = 0, []
    for step in steps:
        total += step
        result.append(total)
    return result


def linear(crossing: Sequence[int], start: int, end: int) -> bool:
    """Whether the part is one chain: cutting it would show nothing."""
    return all(crossing[i] == 1 for i in range(start, end, max(1, (end - start) // 200)))


def counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
