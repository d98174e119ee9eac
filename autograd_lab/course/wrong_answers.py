"""Wrong answers with their reasons, computed from the same graph as the right one.

Each rule reads a chain and yields the numbers that one wrong belief would give, with a sentence for whoever
types them. Since they are computed, they follow every change of the inputs. A rule's name is the id that
progress keeps. Read next: `prompt.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

from autograd_lab.course.chain import Chain, Factor
from autograd_lab.view.texts import number_text
from autograd_lab.view.wrong import WrongAnswer, kept, near

__all__ = ["WrongAnswer", "kept", "named", "near", "wrong_slopes", "wrong_values"]


def wrong_slopes(chain: Chain) -> Iterator[WrongAnswer]:
    """What learners type for a slope; the more telling reason first.

    >>> way = (Factor("PowBackward0", "**", "y", "x", 25.0, 5.0, 10.0, bare=5.0),)
    >>> [(wrong.value, wrong.rule) for wrong in wrong_slopes(Chain("y", "x", 25.0, 5.0, (way,)))][:2]
    [(25.0, 'returned.value-not-gradient'), (5.0, 'power.factor-lost')]
    """
    for rule in SLOPE_RULES:
        yield from rule(chain)


def value_of_the_result(chain: Chain) -> Iterator[WrongAnswer]:
    """R1: the function's value in place of its slope. Where both agree (exp), a factor is missing instead."""
    if any(near(chain.of_value, rest) for way, _, rest in _each_factor(chain) if len(way) > 1):
        return
    yield WrongAnswer(
        chain.of_value,
        f"{number_text(chain.of_value)} is the value of {chain.of}. The question asks for a slope: how fast "
        f"{chain.of} changes when {chain.wrt} changes a little.",
        "returned.value-not-gradient",
    )


def evaluated_elsewhere(chain: Chain) -> Iterator[WrongAnswer]:
    """R4: a local derivative at another number than the one that went into the node."""
    for _, factor, rest in _each_factor(chain):
        for other in factor.elsewhere:
            yield WrongAnswer(
                rest * other.local,
                f"You took the local derivative of {factor.node} at {named(other.name, other.value)}. "
                f"What went into this node is {named(factor.source, factor.source_value)}: take it there.",
                "chain.wrong-place",
            )
        if factor.swapped is not None:
            yield WrongAnswer(
                rest * factor.swapped,
                f"You used the input of {factor.node}, {named(factor.source, factor.source_value)}. Its "
                f"local derivative is built from its output, {named(factor.result, factor.result_value)}.",
                "chain.input-for-output",
            )


def exponent_lost(chain: Chain) -> Iterator[WrongAnswer]:
    """The exponent does not come down in front: d(x ** 2) = x."""
    for _, factor, rest in _each_factor(chain):
        if factor.bare is not None:
            exponent = number_text(factor.local / factor.bare) if factor.bare else "the exponent"
            yield WrongAnswer(
                rest * factor.bare,
                f"The factor {exponent} is missing: the exponent of {factor.node} comes down in front of "
                f"{factor.source}.",
                "power.factor-lost",
            )


def sum_along_a_way(chain: Chain) -> Iterator[WrongAnswer]:
    """R5: local derivatives added along a way."""
    for way in chain.ways:
        if len(way) > 1:
            terms = " + ".join(number_text(factor.local) for factor in way)
            yield WrongAnswer(
                sum(factor.local for factor in way),
                f"{terms} is a sum. Along one way the local derivatives are multiplied.",
                "chain.sum-not-product",
            )


def factor_missing(chain: Chain) -> Iterator[WrongAnswer]:
    """R2, R3, R15: one factor forgotten."""
    for way, factor, rest in _each_factor(chain):
        if len(way) > 1:
            told = f" = {number_text(factor.local)}" if abs(rest) != 1 else ""  # else it is the answer
            yield WrongAnswer(
                rest,
                f"One factor is missing: {factor.ratio}{told}, the local derivative of {factor.node}.",
                "chain.factor-missing",
            )


def another_pair(chain: Chain) -> Iterator[WrongAnswer]:
    """R11: the slope of another pair of tensors on the same way."""
    for way in chain.ways:
        for end in range(1, len(way)):
            part = way[:end]
            if prod(factor.local for factor in way[end:]) == 1:
                continue  # then it is this way's own number
            yield WrongAnswer(
                prod(factor.local for factor in part),
                f"That is d{chain.of}/d{part[-1].source}. Go on from {part[-1].source} to {chain.wrt}.",
                "chain.wrong-pair",
            )
        for start in range(1, len(way)):
            part = way[start:]
            if prod(factor.local for factor in way[:start]) == 1:
                continue
            yield WrongAnswer(
                prod(factor.local for factor in part),
                f"That is d{part[0].result}/d{chain.wrt}. What comes from {chain.of} to {part[0].result} is missing.",
                "chain.wrong-pair",
            )


def one_way_only(chain: Chain) -> Iterator[WrongAnswer]:
    """R8, R9: several ways lead to the input, and only one was counted, or they were multiplied."""
    if len(chain.ways) > 1:
        for product in chain.products:
            yield WrongAnswer(
                product,
                f"{number_text(product)} comes along one way only. {len(chain.ways)} ways lead from "
                f"{chain.of} to {chain.wrt}: add what comes along each.",
                "accumulate.overwritten",
            )
        yield WrongAnswer(
            prod(chain.products),
            "You multiplied what comes along the ways. Across ways it is added.",
            "accumulate.multiplied",
        )


def some_ways_only(chain: Chain) -> Iterator[WrongAnswer]:
    """R8: one of more than two ways was left out; often the second use of a tensor that goes into one op twice.

    >>> square = (Factor("MulBackward0", "*", "b", "a", 36.0, 6.0, 6.0),)
    >>> first = Factor("AddBackward0", "+", "y", "b", 43.0, 36.0, 1.0)
    >>> straight = (Factor("AddBackward0", "+", "y", "a", 43.0, 6.0, 1.0),)
    >>> chain = Chain("y", "a", 43.0, 6.0, ((first, *square), (first, *square), straight))
    >>> for wrong in some_ways_only(chain):
    ...     print(wrong.value, wrong.reason)
    7.0 a goes into b twice: both uses count. 3 ways lead from y to a: add what comes along each.
    7.0 a goes into b twice: both uses count. 3 ways lead from y to a: add what comes along each.
    12.0 The way straight to a is missing. 3 ways lead from y to a: add what comes along each.
    """
    steps = [[factor.ratio for factor in way] for way in chain.ways]
    for left, way in enumerate(chain.ways if len(chain.ways) > 2 else ()):
        twice = steps.count(steps[left]) > 1
        missing = (
            f"{way[-1].source} goes into {way[-1].result} twice: both uses count."
            if twice
            else f"The way {'over ' + way[0].source if len(way) > 1 else 'straight to ' + chain.wrt} is missing."
        )
        yield WrongAnswer(
            chain.slope - chain.products[left],
            f"{missing} {len(chain.ways)} ways lead from {chain.of} to {chain.wrt}: add what comes along each.",
            "accumulate.overwritten",
        )


def averaged(chain: Chain) -> Iterator[WrongAnswer]:
    """R9: the mean of what comes along several ways."""
    if len(chain.ways) > 1:
        yield WrongAnswer(
            chain.slope / len(chain.ways),
            "That is the mean of what comes along the ways. Nothing is averaged: it is added.",
            "accumulate.averaged",
        )


def value_of_the_input(chain: Chain) -> Iterator[WrongAnswer]:
    """The input's own value."""
    yield WrongAnswer(
        chain.wrt_value,
        f"{number_text(chain.wrt_value)} is the value of {chain.wrt} itself.",
        "returned.input-value",
    )


def only_the_start(chain: Chain) -> Iterator[WrongAnswer]:
    """The gradient that starts backward."""
    yield WrongAnswer(
        1.0,
        f"1 is only the start, d{chain.of}/d{chain.of}. What follows on the way to {chain.wrt} is missing.",
        "chain.only-the-start",
    )


def wrong_sign(chain: Chain) -> Iterator[WrongAnswer]:
    """R7: minus the right answer."""
    yield WrongAnswer(
        -chain.slope,
        f"The size is right, the sign is not. Ask whether {chain.of} grows or falls when {chain.wrt} grows.",
        "sign.flipped",
    )


SLOPE_RULES: tuple[Callable[[Chain], Iterator[WrongAnswer]], ...] = (
    value_of_the_result,
    evaluated_elsewhere,
    exponent_lost,
    some_ways_only,
    one_way_only,
    averaged,
    sum_along_a_way,
    factor_missing,
    another_pair,
    value_of_the_input,
    wrong_sign,
    only_the_start,
)


def wrong_values(of: str, last: Factor | None, before: list[tuple[str, float]]) -> Iterator[WrongAnswer]:
    """What learners type for a value: an earlier value, or a power taken as a product."""
    if last is not None and last.bare is not None and last.source_value:
        exponent = last.local / last.bare if last.bare else 0.0
        yield WrongAnswer(
            last.source_value * exponent,
            f"{last.source} ** {number_text(exponent)} is a power: {last.source} multiplied by itself, not "
            f"by {number_text(exponent)}.",
            "value.power-as-product",
        )
    for name, value in before:
        yield WrongAnswer(value, f"{number_text(value)} is the value of {name}. Go on until {of}.", "value.too-early")


def _each_factor(chain: Chain) -> Iterator[tuple[tuple[Factor, ...], Factor, float]]:
    """Each factor, its way, and the product of the others; nothing where several ways add up."""
    for way in chain.ways if len(chain.ways) == 1 else ():
        for i, factor in enumerate(way):
            yield way, factor, prod(other.local for j, other in enumerate(way) if j != i)


def named(name: str, value: float | None) -> str:
    """`z = 10`, or the name alone where nobody recorded the value."""
    return name if value is None else f"{name} = {number_text(value)}"
