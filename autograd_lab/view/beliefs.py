"""What a wrong answer to a step's question would have been the answer to, computed from the tape's own numbers.

A step asks for a value, for a local derivative, for what a node sends to one input, or for a leaf's `.grad`. Each rule
yields the numbers that one wrong belief gives there, the more telling reason first; the ids are those of
`grading/catalogue.py`, which maps them to the feedback rules R1 to R16. Where a tensor has several elements, the first
one is asked. Since everything is computed, the reasons follow every change of the inputs. Read next:
`beliefs_sent.py`; then `frames.py`, which lets the reasons travel with the question.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from autograd_lab.view.beliefs_sent import about_the_op, about_what_is_sent
from autograd_lab.view.known import Known, elements, number_of, operand_number
from autograd_lab.view.recording import Snapshot
from autograd_lab.view.steps import ROOT, BackwardStep, ForwardStep, SentGrad
from autograd_lab.view.texts import number_text
from autograd_lab.view.wrong import WrongAnswer, kept

Plain = list[dict[str, Any]]
SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


def wrong_values(known: Known, step: ForwardStep) -> Plain:
    """Wrong answers to "which value comes next?"."""
    return plain(step.result, _values(known, step))


def wrong_locals(known: Known, step: ForwardStep, sent: SentGrad) -> Plain:
    """Wrong answers to "what is the local derivative?"."""
    return plain(sent.local, _locals(known, step, sent))


def wrong_sent(known: Known, back: BackwardStep, sent: SentGrad, parts: int) -> Plain:
    """Wrong answers to "what does this node send there?"; `parts` is how many contributions arrive there in all."""
    return plain(sent.value, about_what_is_sent(known, back, sent, parts))


def wrong_grads(known: Known, back: BackwardStep) -> Plain:
    """Wrong answers to "what does this leaf's `.grad` hold now?"."""
    return plain(back.leaf.after if back.leaf else None, _grads(known, back))


def plain(answer: Snapshot | None, wrong: Iterator[WrongAnswer]) -> Plain:
    """Wrong answers as JSON carries them, none equal to the right one, one reason for each number."""
    right = number_of(answer)
    if right is None:
        return []
    return [{"value": w.value, "reason": w.reason, "rule": w.rule} for w in kept(right, wrong)]


def _values(known: Known, step: ForwardStep) -> Iterator[WrongAnswer]:
    numbers = [operand_number(operand) for operand in step.operands]
    made, right = known.names[step.node], known.values[step.node]
    if right is None:
        return
    if step.op.startswith("pow") and len(numbers) == 2 and numbers[0] is not None and numbers[1] is not None:
        yield WrongAnswer(
            numbers[0] * numbers[1],
            f"That is {number_text(numbers[0])} times {number_text(numbers[1])}. ** is a power: the first number "
            "multiplied by itself, not by the second.",
            "value.power-as-product",
        )
    if step.op in ("sub", "rsub"):
        yield WrongAnswer(-right, "The two sides of the minus are swapped: the size is right.", "sub.sign")
    yield from _other_ops(step.op, numbers)
    count = elements(step)
    if step.op == "mean":
        yield WrongAnswer(right * count, f"That is the sum. A mean divides it by {count}.", "loss.sum-for-mean")
    if step.op == "sum":
        yield WrongAnswer(right / count, "That is the mean. A sum divides by nothing.", "loss.mean-for-sum")
    for operand, number in zip(step.operands, numbers, strict=True):
        if number is not None and operand.source is not None:
            yield WrongAnswer(
                number,
                f"{number_text(number)} is the value of {known.names[operand.source]}, before this op. Do the op, then "
                f"you have {made}.",
                "value.too-early",
            )
    yield WrongAnswer(-right, "The size is right, the sign is not.", "sign.flipped")


def _other_ops(op: str, numbers: list[float | None]) -> Iterator[WrongAnswer]:
    """Plus for times, and the like."""
    if op not in SIGNS or len(numbers) < 2 or numbers[0] is None or numbers[1] is None:
        return
    a, b = numbers[:2]
    for other, (sign, value) in {"add": ("+", a + b), "sub": ("-", a - b), "mul": ("*", a * b)}.items():
        if other != op:
            yield WrongAnswer(
                value,
                f"That is {number_text(a)} {sign} {number_text(b)}. The op here is {SIGNS[op]}.",
                "value.other-op",
            )


def _locals(known: Known, step: ForwardStep, sent: SentGrad) -> Iterator[WrongAnswer]:
    right, made, target = number_of(sent.local), known.names[step.node], known.names[sent.target]
    if right is None:
        return
    for node, name, rule in (
        (step.node, made, "returned.value-not-gradient"),
        (sent.target, target, "returned.input-value"),
    ):
        if (value := known.values.get(node)) is not None:
            yield WrongAnswer(
                value,
                f"{number_text(value)} is the value of {name}. The local derivative says how fast {made} changes "
                f"when {target} changes.",
                rule,
            )
    yield from about_the_op(known, step, sent, 1.0, right)
    if (product := number_of(sent.value)) is not None:
        yield WrongAnswer(
            product,
            f"That is already the product, d{known.root}/d{target}. Here only this node's own slope is asked.",
            "chain.wrong-pair",
        )
    yield WrongAnswer(-right, f"The sign: does {made} grow or fall when {target} grows?", "sign.flipped")
    if step.op in ("add", "sub"):
        yield WrongAnswer(0.0, f"When {target} grows by 1, so does {made}: the slope is not 0.", "chain.added-constant")


def _grads(known: Known, back: BackwardStep) -> Iterator[WrongAnswer]:
    name, leaf = known.names[back.node], back.leaf
    before = number_of(leaf.before) if leaf else None
    after = number_of(leaf.after) if leaf else None
    parts = [number for a in back.arrived if a.source != ROOT and (number := number_of(a.value)) is not None]
    if before is not None and (incoming := number_of(back.incoming)) is not None:
        yield WrongAnswer(
            incoming,
            f"That is what arrives now. {name}.grad held {number_text(before)} already, and backward adds to it; it "
            "never replaces it.",
            "accumulate.overwritten",
        )
        yield WrongAnswer(
            before,
            f"That is what {name}.grad held before. This step adds to it.",
            "accumulate.from-last-step",
        )
    if len(parts) > 1:
        for part in reversed(parts):
            yield WrongAnswer(
                part,
                f"{number_text(part)} comes along one way only. {len(parts)} ways lead to {name}: what comes along "
                "them is added; the later does not overwrite the earlier.",
                "accumulate.overwritten",
            )
        yield WrongAnswer(
            math.prod(parts),
            "You multiplied the parts. Along one way gradients are multiplied; where ways meet they are added.",
            "accumulate.multiplied",
        )
        mean = sum(parts) / len(parts)
        yield WrongAnswer(mean, "That is the mean of the parts. They are added.", "broadcast.mean-not-sum")
    if (value := known.values.get(back.node)) is not None:
        yield WrongAnswer(value, f"{number_text(value)} is the value of {name}, not its .grad.", "returned.input-value")
    if after is not None:
        yield WrongAnswer(
            2 * after,
            f"That would be {name}.grad after a second backward pass without clearing.",
            "accumulate.not-zeroed",
        )
        yield WrongAnswer(-after, "The size is right, the sign is not.", "sign.flipped")
