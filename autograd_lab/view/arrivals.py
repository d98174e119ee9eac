"""From nodes that fire to the steps of backward: each contribution at the node where it arrives, and their sums.

Snapshots only: what is made here holds no tensor. Read next: `tape.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from autograd_lab._tensor import bare
from autograd_lab.view.cards import card_of
from autograd_lab.view.firing import Fired, names_of_inputs
from autograd_lab.view.hooks_waiting import hooks_at
from autograd_lab.view.names import Names
from autograd_lab.view.saved import saved_tensors
from autograd_lab.view.snapshots import Snapshot, snapshot, snapshot_of
from autograd_lab.view.starting import is_leaf_node
from autograd_lab.view.steps import ROOT, ArrivedGrad, BackwardStep, Failure, LeafGrad, SentGrad
from autograd_lab.view.texts import array_of


def steps_of(
    firing: Iterable[Fired], number: dict[Any, int], root: Any, names: Names, useful: set[Any], towards: bool
) -> list[BackwardStep]:
    """The steps of backward; `towards` says that the walk goes to `inputs=` and adds to no `.grad`."""
    arrived: dict[Any, list[ArrivedGrad]] = {}
    steps = []
    for fired in firing:
        node = fired.node
        got = tuple(None if grad is None else snapshot(grad) for grad in fired.got)
        if node is root:
            first = next((value for value in got if value is not None), None)
            if first is not None:
                arrived.setdefault(node, []).insert(0, ArrivedGrad(ROOT, 0, first))
        parts = tuple(arrived.get(node, ()))
        if fired.error is not None and not got:
            got = added(parts)
        for i, (target, output) in enumerate(node.next_functions):
            grad = fired.sent[i] if i < len(fired.sent) else None
            if target in useful and grad is not None:
                arrived.setdefault(target, []).append(ArrivedGrad(number[node], i, snapshot(grad), output))
        leaf = leaf_grad(node.variable, fired.got[0]) if is_leaf_node(node) and not towards and fired.got else None
        steps.append(
            BackwardStep(
                number[node],
                parts,
                next((value for value in got if value is not None), None),
                sent_by(fired, number, useful),
                leaf,
                wanted=fired.wanted,
                frees=tuple(dict.fromkeys(kept.name for kept in saved_tensors(node))) if fired.sent else (),
                unsent=unsent_by(fired, useful),
                hooks=hooks_at(node, names),
                incomings=got if len(got) > 1 else (),
                error=failure(fired.error),
            )
        )
    return steps


def added(parts: tuple[ArrivedGrad, ...]) -> tuple[Snapshot | None, ...]:
    """The sum of what had arrived at a node that then failed, output by output."""
    sums: dict[int, Snapshot] = {}
    for part in parts:
        old = sums.get(part.output)
        if old is None or old.values is None or part.value.values is None:
            sums[part.output] = part.value if old is None else old
        else:
            sums[part.output] = snapshot_of(np.asarray(old.values + part.value.values), old.shape, old.dtype)
    return tuple(sums.get(i) for i in range(max(sums, default=-1) + 1))


def sent_by(fired: Fired, number: dict[Any, int], useful: set[Any]) -> tuple[SentGrad, ...]:
    """What a node sends, with the local derivative and the card's formula where there are such."""
    node, card = fired.node, card_of(fired.node) if not is_leaf_node(fired.node) else None
    names = names_of_inputs(node, card)
    sent = []
    for i, (target, _) in enumerate(node.next_functions):
        if target not in useful or i >= len(fired.sent):
            continue
        grad, local = fired.sent[i], fired.locals.get(i)
        summed = None
        if local is not None and grad is not None:
            whole = np.broadcast_shapes(np.shape(local), tuple(fired.got[0].shape))
            summed = None if whole == tuple(grad.shape) else whole
        template = card.latex.get(names[i].partition("[")[0], "") if card is not None else ""
        about = None if local is None else snapshot_of(local, np.shape(local), dtype_of(local))
        value = None if grad is None else snapshot(grad)
        sent.append(SentGrad(names[i], i, number[target], about, template, value, summed))
    return tuple(sent)


def dtype_of(array: Any) -> str:
    return str(bare(array).dtype)


def unsent_by(fired: Fired, useful: set[Any]) -> tuple[int, ...]:
    """Inputs to which this walk sends nothing though a gradient could flow: they lead to none of `inputs=`."""
    if not fired.sent:
        return ()
    targets = enumerate(node for node, _ in fired.node.next_functions)
    return tuple(i for i, target in targets if target is not None and target not in useful)


def leaf_grad(variable: Any, grad: Any) -> LeafGrad:
    """A leaf's `.grad` before this step, and as it would be after."""
    before, arriving = variable.grad, snapshot(grad)
    if before is None:
        return LeafGrad(None, arriving)
    sum_ = np.asarray(array_of(before) + array_of(grad))
    return LeafGrad(snapshot(before), snapshot_of(sum_, arriving.shape, arriving.dtype))


def failure(error: BaseException | None) -> Failure | None:
    if error is None:
        return None
    return Failure(type(error).__name__, str(error), tuple(getattr(error, "__notes__", ())))
