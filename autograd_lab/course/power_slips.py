"""Slips with the power rule: what learners write for the slope of `x ** n` when they half remember it.

The most frequent one, the exponent that does not come down (`x` for `x ** 2`), stands in `wrong_answers.py`.
"""

from collections.abc import Iterator
from math import prod

from autograd_lab.course.chain import Chain
from autograd_lab.course.wrong_answers import WrongAnswer
from autograd_lab.view.texts import number_text


def power_slips(chain: Chain) -> Iterator[WrongAnswer]:
    """The exponent alone, the exponent not lowered, and the base not raised; on graphs with one way.

    >>> from autograd_lab.course.chain import Factor
    >>> way = (Factor("PowBackward0", "**", "y", "x", 125.0, 5.0, 75.0, bare=25.0),)
    >>> [(slip.value, slip.rule) for slip in power_slips(Chain("y", "x", 125.0, 5.0, (way,)))]
    [(3.0, 'power.base-lost'), (375.0, 'power.exponent-kept'), (15.0, 'power.rest-not-raised')]
    """
    for way in chain.ways if len(chain.ways) == 1 else ():
        for i, factor in enumerate(way):
            if not factor.bare or factor.source_value is None:
                continue
            rest = prod(other.local for j, other in enumerate(way) if j != i)
            exponent, base = factor.local / factor.bare, factor.source_value
            power, n = f"{factor.source} ** {number_text(exponent)}", number_text(exponent)
            yield WrongAnswer(
                rest * exponent,
                f"{n} is the exponent alone. The slope of {power} still depends on {factor.source}: a power "
                "gets steeper as its base grows.",
                "power.base-lost",
            )
            yield WrongAnswer(
                rest * exponent * base**exponent,
                f"You brought the exponent of {power} down in front, but left it on top as well. On top it "
                "becomes smaller by 1.",
                "power.exponent-kept",
            )
            if exponent > 2:
                yield WrongAnswer(
                    rest * exponent * base,
                    f"{n} times {factor.source} is only the beginning: {factor.source} keeps an exponent, that of "
                    f"{power} made smaller by 1.",
                    "power.rest-not-raised",
                )
