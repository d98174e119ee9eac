"""Which belief gives which wrong number: computed from the exercise's own graph, so it follows every
variant.

The rules that lessons and exercises share are in `course/wrong_answers.py`; here are those that only an
answer to a whole exercise can break, the order in which they are asked, and the promise that numbers are
drawn such that no two of the typical answers are equal. Read next: `answers.py`.
"""

from collections.abc import Iterator
from math import prod

from autograd_lab.course.chain import Chain
from autograd_lab.course.power_slips import power_slips
from autograd_lab.course.wrong_answers import WrongAnswer, kept, near, wrong_slopes
from autograd_lab.view.texts import number_text

from .catalogue import rule_of
from .reference import Reference
from .verdict import Reason

TYPICAL = ("R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8")
CLOSE = 1e-3  # relative: an estimate or a rounded number
EXACT = 1e-6  # relative: the answer itself
MOST_PASSES = 5
OFTEN = 3  # backward passes: more are rare


def wrong_answers(reference: Reference, of: str, wrt: str, rules: tuple[str, ...] = TYPICAL) -> tuple[WrongAnswer, ...]:
    """Every wrong answer that has a reason, no two alike; those of the given rules have precedence.

    >>> program = "x = torch.tensor(5.0, requires_grad=True)\\ny = x ** 2"
    >>> [(wrong.value, rule_of(wrong.rule)) for wrong in wrong_answers(Reference(program), "y", "x")][:3]
    [(25.0, 'R1'), (50.0, 'R4'), (5.0, 'R2')]
    """
    raw = list(_raw(reference, of, wrt))
    ordered = [a for a in raw if typical(a, rules)] + [a for a in raw if not typical(a, rules)]
    often = [a for a in ordered if not a.rare]
    rare = [a for a in ordered if a.rare and not any(near(a.value, other.value) for other in often)]
    return kept(reference.slope(of, wrt), often + rare)


def collide(reference: Reference, of: str, wrt: str, rules: tuple[str, ...] = TYPICAL) -> bool:
    """Whether a typical wrong answer equals the right one, or two with different reasons are equal."""
    right = reference.slope(of, wrt)
    if near(reference.value(of), right):  # value and slope look alike: no rule can yield R1 then
        return True
    answers = [a for a in _raw(reference, of, wrt) if typical(a, rules) and not _changes_nothing(a, right)]
    for i, answer in enumerate(answers):
        if near(answer.value, right):
            return True
        if any(near(answer.value, other.value) and answer != other for other in answers[:i]):
            return True
    return False


def typical(answer: WrongAnswer, rules: tuple[str, ...] = TYPICAL) -> bool:
    """Whether an exercise lists this answer, by its rule or its id: nothing else may have the same number."""
    by_rule = rule_of(answer.rule) in rules and answer.rule not in RARE
    return (by_rule or answer.rule in rules) and not answer.rare


RARE = (
    "returned.input-value",
    "chain.added-constant",
    "product.own-factor",
    "chain.input-for-output",
    "power.base-lost",
    "power.exponent-kept",
    "power.rest-not-raised",
)


def beliefs_at(answer: float, reference: Reference, of: str, wrt: str) -> dict[str, str]:
    """{id: what to tell} of every belief that gives this number, whatever other beliefs give it too."""
    found: dict[str, str] = {}
    for candidate in _raw(reference, of, wrt):
        if abs(answer - candidate.value) <= CLOSE * abs(candidate.value):
            found.setdefault(candidate.rule, candidate.reason)
    return found


def reason_for(answer: float, wrong: tuple[WrongAnswer, ...]) -> Reason | None:
    """The reason whose number is nearest to the answer, if one is near at all."""
    close = [candidate for candidate in wrong if abs(answer - candidate.value) <= CLOSE * abs(candidate.value)]
    if not close:
        return None
    best = min(close, key=lambda candidate: abs(answer - candidate.value))
    return Reason(best.rule, best.reason)


def equals(answer: float, right: float, tolerance: float = EXACT) -> bool:
    """Whether an answer is the right number, up to rounding.

    >>> equals(136.00001, 136.0), equals(-136.0, 136.0), equals(0.0, 0.0)
    (True, False, True)
    """
    return abs(answer - right) <= tolerance * max(abs(right), tolerance)


def repeated(chain: Chain) -> Iterator[WrongAnswer]:
    """R6: `.grad` after several backward passes."""
    for passes in range(2, MOST_PASSES + 1):
        yield WrongAnswer(
            passes * chain.slope,
            f"This is what {chain.wrt}.grad holds after {passes} backward passes. .grad is added to, never "
            "replaced: start again from a new leaf, or clear it, and run backward once.",
            "accumulate.not-zeroed",
            rare=passes > OFTEN,
        )


def own_factor(chain: Chain) -> Iterator[WrongAnswer]:
    """R9: the operand itself as the local derivative of a product."""
    for way in chain.ways if len(chain.ways) == 1 else ():
        for i, factor in enumerate(way):
            if factor.node.startswith("Mul") and factor.source_value is not None:
                rest = prod(other.local for j, other in enumerate(way) if j != i)
                yield WrongAnswer(
                    rest * factor.source_value,
                    f"{factor.result} is a product with {factor.source} in it. Its slope with respect to "
                    f"{factor.source} is the other operand of that product, not {factor.source} itself.",
                    "product.own-factor",
                )


def added_constant(chain: Chain) -> Iterator[WrongAnswer]:
    """R3: an added number is a constant, so its slope is 0, so everything is 0."""
    adding = [f for way in chain.ways for f in way if f.node.startswith(("Add", "Sub"))]
    if adding:
        yield WrongAnswer(
            0.0,
            f"Adding a number moves {adding[0].result} up or down and leaves its slope alone: the gradient "
            "passes "
            f"{adding[0].node} unchanged, as a factor of 1, not 0.",
            "chain.added-constant",
        )


def another_input(reference: Reference, of: str, wrt: str) -> Iterator[WrongAnswer]:
    """R12: the gradient of another leaf."""
    for leaf in reference.leaves():
        if leaf != wrt:
            yield WrongAnswer(
                reference.slope(of, leaf),
                f"That is d{of}/d{leaf}. The question asks for d{of}/d{wrt}.",
                "returned.swapped",
            )


def _raw(reference: Reference, of: str, wrt: str) -> Iterator[WrongAnswer]:
    chain = reference.chain(of, wrt)
    yield from power_slips(chain)
    yield from wrong_slopes(chain)
    yield from repeated(chain)
    yield from own_factor(chain)
    yield from added_constant(chain)
    yield from another_input(reference, of, wrt)


def _changes_nothing(answer: WrongAnswer, right: float) -> bool:
    """A missing factor of 1 is no mistake."""
    return answer.rule == "chain.factor-missing" and equals(answer.value, right)


def unknown(reference: Reference, of: str, wrt: str, answer: float, question: str) -> Reason:
    """R16: no known belief gives this number; say how to find the first factor that differs."""
    way = reference.chain(of, wrt).ways[0]
    if len(way) == 1:
        text = (
            f"No usual mistake gives {number_text(answer)}. There is only one line to pass, {reference.line(of)}: "
            f"take its slope at {wrt} = {number_text(reference.value(wrt))}."
        )
        return Reason("unknown", text)
    factors = ", ".join(factor.ratio for factor in way)
    return Reason(
        "unknown",
        f"No usual mistake gives {number_text(answer)}. Write down the factors one by one: {factors}. "
        f'Then give them, in this order, to ex.factors("{question}", ...): it says which one differs first.',
    )
