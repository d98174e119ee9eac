"""Beliefs about what a node sends to one of its inputs: incoming gradient times local derivative, and what goes wrong.

Each function yields numbers with their reasons; `known` holds the numbers of the walk. Read next: `beliefs.py`, which
asks these, and has the rules for values, local derivatives and leaves.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from autograd_lab.formulas import on_arrays
from autograd_lab.view.cards import card_of
from autograd_lab.view.known import Known, elements, number_of, operand_number
from autograd_lab.view.steps import BackwardStep, ForwardStep, SentGrad
from autograd_lab.view.texts import number_text
from autograd_lab.view.wrong import WrongAnswer, near

MOST_PLACES = 40  # in longer walks nobody is asked at which other value a slope was taken


def about_what_is_sent(known: Known, back: BackwardStep, sent: SentGrad, parts: int) -> Iterator[WrongAnswer]:
    """All beliefs, the more telling first."""
    step, right = known.forward_of.get(back.node), number_of(sent.value)
    if right is None or step is None:
        return
    yield from whole_for_part(known, step, sent, parts)
    yield from value_for_slope(known, step, sent)
    yield from about_the_op(known, step, sent, number_of(back.incoming), right)
    yield from factor_lost(known, step, back, sent)
    yield from broadcasting(known, back, sent, right)
    yield from transpose_lost(step, back, sent)
    yield from another_tensor(known, back, sent)
    made, target = known.names[back.node], known.names[sent.target]
    yield WrongAnswer(
        -right,
        f"The size is right, the sign is not. Ask whether {made} grows or falls when {target} grows.",
        "sign.flipped",
    )
    yield WrongAnswer(1.0, f"1 is the start, d{known.root}/d{known.root}. Go on from there.", "chain.only-the-start")
    if step.op in ("add", "sub"):
        yield WrongAnswer(
            0.0,
            f"An added term moves {made} up or down and leaves its slope alone: a factor of 1, not 0.",
            "chain.added-constant",
        )


def whole_for_part(known: Known, step: ForwardStep, sent: SentGrad, parts: int) -> Iterator[WrongAnswer]:
    """R11 at a fan-out: the sum where one contribution is asked."""
    whole = known.slopes.get(sent.target)
    if parts > 1 and whole is not None:
        yield WrongAnswer(
            whole,
            f"That is all of d{known.root}/d{known.names[sent.target]}, the sum of its {parts} parts. Here one part is "
            f"asked: what comes along this way, through {known.names[step.node]}.",
            "chain.wrong-pair",
        )


def value_for_slope(known: Known, step: ForwardStep, sent: SentGrad) -> Iterator[WrongAnswer]:
    """R1: a value in the place of a slope."""
    target, made = known.names[sent.target], known.names[step.node]
    for node, name in ((known.tape.root, known.root), (step.node, made)):
        if (value := known.values.get(node)) is not None:
            yield WrongAnswer(
                value,
                f"{number_text(value)} is the value of {name}. The question asks for a slope: how fast {known.root} "
                f"changes when {target} changes a little.",
                "returned.value-not-gradient",
            )
    if (value := known.values.get(sent.target)) is not None:
        yield WrongAnswer(
            value, f"{number_text(value)} is the value of {target} itself, not a slope.", "returned.input-value"
        )


def about_the_op(
    known: Known, step: ForwardStep, sent: SentGrad, incoming: float | None, right: float
) -> Iterator[WrongAnswer]:
    """Beliefs about one op: where its slope is taken (R4), the exponent (R2), the product's own factor (R9), the sign
    of a minus (R7), the N of a mean (R14).
    """
    factor = 1.0 if incoming is None else incoming
    target, made, local = known.names[sent.target], known.names[step.node], number_of(sent.local)
    own = known.values.get(sent.target)
    if step.op.startswith("pow") and local is not None and sent.name == "self":
        exponent = next((operand_number(o) for o in step.operands if o.name == "exponent"), None)
        if exponent:
            yield WrongAnswer(
                factor * local / exponent,
                f"The factor {number_text(exponent)} is missing: the exponent comes down in front of {target}.",
                "power.factor-lost",
            )
    yield from slope_elsewhere(known, step, sent, factor)
    if step.op == "mul" and own is not None and sent.summed is None:
        yield WrongAnswer(
            factor * own,
            f"That takes {target} itself as the slope. The slope of a product with respect to {target} is the other "
            "factor.",
            "product.own-factor",
        )
    if step.op in ("sub", "rsub"):
        yield WrongAnswer(-right, f"Mind the minus: on which side of it is {target} in {made}?", "sub.sign")
    count = elements(step)
    if step.op == "mean":
        yield WrongAnswer(
            right * count,
            f"A mean divides by N = {count}, so each element gets 1/{count} of it.",
            "loss.sum-for-mean",
        )
    if step.op == "sum":
        yield WrongAnswer(right / count, "A sum has no 1/N: every element counts whole.", "loss.mean-for-sum")


def slope_elsewhere(known: Known, step: ForwardStep, sent: SentGrad, factor: float) -> Iterator[WrongAnswer]:
    """R4: the local derivative at another number than the one that went into the node."""
    card, own = card_of(known.node(step)), known.values.get(sent.target)
    single = step.result is not None and not step.result.shape
    if card is None or own is None or sent.local is None or not single or len(known.values) > MOST_PLACES:
        return
    given = {operand.name: operand_number(operand) for operand in step.operands}
    needs = card.needs.get(sent.name, ())
    if sent.name not in needs or any(given.get(name) is None for name in needs):
        return
    formula = on_arrays(card.formulas[sent.name])
    for node, value in known.values.items():
        if value is None or near(value, own):
            continue
        numbers = [np.float64(value if name == sent.name else given[name]) for name in needs]
        with np.errstate(all="ignore"):
            local = float(formula(np.float64(1), *numbers))
        yield WrongAnswer(
            factor * local,
            f"That takes the local derivative at {known.names[node]} = {number_text(value)}. What went into this node "
            f"is {known.names[sent.target]} = {number_text(own)}: take it there.",
            "chain.wrong-place",
        )


def factor_lost(known: Known, step: ForwardStep, back: BackwardStep, sent: SentGrad) -> Iterator[WrongAnswer]:
    """R3, R5, R15: one of the two factors, or their sum."""
    incoming, local = number_of(back.incoming), number_of(sent.local)
    made, target = known.names[back.node], known.names[sent.target]
    if incoming is None:
        return
    if local is None:
        yield WrongAnswer(
            incoming,
            f"That is an element of d{known.root}/d{made}, what arrives. This op still changes it on its way to "
            f"{target}.",
            "chain.inner-derivative",
        )
    elif sent.summed is None:
        yield WrongAnswer(
            local,
            f"That is the local derivative d{made}/d{target} alone. Multiply it by d{known.root}/d{made}.",
            "chain.cotangent-dropped",
        )
        yield WrongAnswer(
            incoming,
            f"That is d{known.root}/d{made}, what arrives. Multiply it by the local derivative d{made}/d{target}.",
            "chain.inner-derivative",
        )
        yield WrongAnswer(
            incoming + local,
            f"{number_text(incoming)} + {number_text(local)} is a sum. Along one way gradients are multiplied; they "
            "are added only where ways meet.",
            "chain.sum-not-product",
        )


def broadcasting(known: Known, back: BackwardStep, sent: SentGrad, right: float) -> Iterator[WrongAnswer]:
    """Broadcasting undone wrongly: not at all, or by a mean."""
    if sent.summed is None or sent.value is None:
        return
    count = math.prod(sent.summed) // max(1, math.prod(sent.value.shape))
    incoming, local = number_of(back.incoming), number_of(sent.local)
    if incoming is not None and local is not None:
        yield WrongAnswer(
            incoming * local,
            f"That is one of {count} places where {known.names[sent.target]} was used. Broadcasting used it {count} "
            "times, so what comes back is summed.",
            "broadcast.not-reduced",
        )
    yield WrongAnswer(
        right / count, f"That is the mean of {count} places. Broadcasting is undone by a sum.", "broadcast.mean-not-sum"
    )


def transpose_lost(step: ForwardStep, back: BackwardStep, sent: SentGrad) -> Iterator[WrongAnswer]:
    """A product of matrices whose transpose was forgotten."""
    arrays = [operand.value.values for operand in step.operands if operand.value is not None]
    grad = back.incoming.values if back.incoming is not None else None
    if step.op not in ("mm", "matmul") or grad is None:
        return
    matrices = [array for array in (*arrays, grad) if array is not None and array.ndim == 2]
    if len(matrices) != 3:
        return
    a, b, grad = matrices
    for left, right in [(grad, b), (b, grad)] if sent.number == 0 else [(a, grad), (grad, a)]:
        if left.shape[1] == right.shape[0]:
            yield WrongAnswer(
                float((left @ right).reshape(-1)[0]),
                "A transpose is missing: compare the shapes, each gradient has the shape of its tensor.",
                "matmul.transposed",
            )


def another_tensor(known: Known, back: BackwardStep, sent: SentGrad) -> Iterator[WrongAnswer]:
    """R11, R12: the gradient of another tensor."""
    target = known.names[sent.target]
    for other in back.sent:
        if other.number != sent.number and (number := number_of(other.value)) is not None:
            yield WrongAnswer(
                number,
                f"That is what goes to {known.names[other.target]}. The question is about {target}.",
                "returned.swapped",
            )
    for node, slope in known.slopes.items() if len(known.slopes) <= MOST_PLACES else ():
        if slope is not None and node not in (sent.target, back.node) and node in known.forward_of:
            yield WrongAnswer(
                slope,
                f"That is d{known.root}/d{known.names[node]}. The question is d{known.root}/d{target}.",
                "chain.wrong-pair",
            )
