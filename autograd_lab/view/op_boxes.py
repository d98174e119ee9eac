"""The box of an operation, the edges into it, and the boxes of what it made.

In small drawings an edge says what the gradient is multiplied by, as a number or as a rule, and how broadcasting
is undone. In large ones (`compact`) a result without a name is shown inside its operation.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any

from autograd_lab.view.around import add_saved
from autograd_lab.view.cards import card_of
from autograd_lab.view.draft import Draft
from autograd_lab.view.facts import NOTHING_KNOWN, Facts
from autograd_lab.view.one_op import Op
from autograd_lab.view.reading import Reading
from autograd_lab.view.rules import rule_of, sum_of_broadcasting
from autograd_lab.view.tensor_boxes import add_constant, result_box
from autograd_lab.view.texts import clean, shape_text, symbol_of

COMMUTATIVE = ("+", "×")
FIRST = (0,)  # the results of an op that has only one
LABELLED_SIZE = 4  # edges carry no numbers beside tensors with more elements than this
Into = list[tuple[int, str, str, "str | None", bool]]  # number, source, argument, local derivative, backward


def add_op(draft: Draft, reading: Reading, node: Any, op: Op) -> None:
    """The chips of the op's constants, the op, the edges into it, and the box of each of its results."""
    first_new = len(draft.nodes)
    into = inputs_of(draft, reading, node, op)
    outputs = sorted(reading.outputs.get(id(node), FIRST))
    boxes = [(output, *result_box(draft, reading, node, op, output)) for output in outputs]
    _, has_box, facts, fields = boxes[0]
    sums = {} if draft.compact else sums_of(draft, node, into, facts)
    tags = op.tags
    if sums:
        small = draft.box(into[min(sums)][1]).shape
        tags = (*tags, f"broadcast {shape_text(small)} → {shape_text(facts.shape)}")
    inside = facts if draft.compact and len(boxes) == 1 and not has_box else NOTHING_KNOWN
    title, symbol = title_and_symbol(node.name())
    key = draft.new(
        "op",
        name=symbol,
        title=title,
        tags=tags,
        shape=inside.shape,
        dtype=inside.dtype,
        value=inside.value,
        symbol="" if has_box else fields["symbol"],
    )
    draft.places.put(node, key)
    if reading.labelled:
        add_labelled_edges(draft, reading, node, key, into, sums, fields["name"] or fields["symbol"])
    else:
        for number, source, argument, _, backward in into:
            draft.edge(source, key, number, argument=argument, backward=backward)
    for output, has_box, facts, fields in boxes:
        if has_box:
            result = draft.new("result", of=key, **facts.as_fields(), **fields)
            draft.places.put(node, result, output)
            draft.edge(key, result, output, backward=True)
    if op.saved:
        add_saved(draft, key, op, node, {argument: source for _, source, argument, _, _ in into})
    if reading.calls or op.in_backward:
        call = reading.calls.get(id(node))
        for made in draft.nodes[first_new:]:
            if made.kind not in ("leaf", "param", "accumulate", "frozen"):
                draft.frames.stands_in(made.key, call, op.in_backward)


def inputs_of(draft: Draft, reading: Reading, node: Any, op: Op) -> Into:
    """Where each input comes from, with a box for each constant."""
    into: Into = []
    slopes, constants, uses = op.slopes, op.constants, reading.uses
    for number, ((source, output), argument) in enumerate(zip(op.inputs, op.arguments, strict=False)):
        if source is not None:
            key = draft.far_use(draft.source_key(source, output), uses[id(source)])
            into.append((number, key, argument, slopes.get(number), True))
        elif number in constants:
            into.append((number, add_constant(draft, reading, constants[number], node), argument, None, False))
    for number, constant in enumerate(op.extra, len(op.inputs)):
        into.append((number, add_constant(draft, reading, constant, node), constant.argument, None, False))
    return into


@lru_cache(maxsize=4096)
def title_and_symbol(name: str) -> tuple[str, str]:
    """PyTorch's name of a node and its sign, as a box shows them."""
    return clean(name, 60), clean(symbol_of(name), 40)


# Texts beside edges


def add_labelled_edges(
    draft: Draft, reading: Reading, node: Any, key: str, into: Into, sums: dict[int, str], result: str
) -> None:
    """The edges of a small drawing: each with its local derivative, else the rule for what goes back.

    Where the tensors of an op may not change places, each edge says which argument it is.
    """
    told = reading.options.show_local_grads
    tensors = sum(draft.box(source).kind != "number" for _, source, *_ in into)
    ordered = tensors > 1 and draft.box(key).name not in COMMUTATIVE
    rules = rules_of(draft, node, into, result) if told else {}
    for at, (number, source, argument, slope, backward) in enumerate(into):
        shape = draft.box(source).shape
        labelled = backward and prod(shape or ()) <= LABELLED_SIZE
        local = slope if told else None
        draft.edge(
            source,
            key,
            number,
            argument=argument,
            local=local,
            backward=backward,
            labelled=labelled,
            ordered=ordered and draft.box(source).kind != "number",
            rule="" if labelled and local else rules.get(at, ""),
            summed=sums.get(at, "") if backward else "",
        )


def sums_of(draft: Draft, node: Any, into: Into, result: Facts) -> dict[int, str]:
    """Which inputs were broadcast, and how their gradients are summed, by place in `into`."""
    card = card_of(node)
    if card is None or not card.broadcasts or result.shape is None:
        return {}
    found = {}
    for at, (_, key, _, _, backward) in enumerate(into):
        if backward and (text := sum_of_broadcasting(draft.box(key).shape, result.shape)):
            found[at] = text
    return found


def rules_of(draft: Draft, node: Any, into: Into, result: str) -> dict[int, str]:
    """What goes back to each input as a formula, by place in `into`."""
    called = {argument: called_in_formulas(draft, key) for _, key, argument, _, _ in into}
    called["result"] = result
    card = card_of(node)
    return {
        at: rule
        for at, (_, _, argument, _, backward) in enumerate(into)
        if backward and (rule := rule_of(card, argument, called))
    }


def called_in_formulas(draft: Draft, key: str) -> str:
    """How a formula calls the tensor of a box."""
    box = draft.box(key)
    name = (box.value or "") if box.kind == "number" else "" if box.kind in ("op", "fold") else box.name
    return name or box.symbol
