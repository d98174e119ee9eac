"""A chain that the learner worked out by hand, compared with the graph, factor by factor.

The report says which factor is wrong, and when it was evaluated at another node's number, at which one. Plain
text, since it is the answer to a cell that the learner wrote. Read next: `chain.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from autograd_lab.course.chain import Chain, Factor
from autograd_lab.course.wrong_answers import named, near
from autograd_lab.view.texts import number_text


@dataclass(frozen=True)
class Report:
    """`outcome` is "right", "wrong" or "not answered"; `lines` say why."""

    outcome: str
    lines: tuple[str, ...]

    def __repr__(self) -> str:
        return "\n".join([f"{self.outcome}: {self.lines[0]}", *(f"  {line}" for line in self.lines[1:])])


def report_on(factors: Sequence[float], chain: Chain | None) -> Report:
    """Compare the learner's factors, from the end back to the input, with the chain's.

    >>> square = Factor("PowBackward0", "**", "loss", "z", 100.0, 10.0, 20.0)
    >>> times = Factor("MulBackward0", "×", "z", "x", 10.0, 2.0, 5.0)
    >>> report_on([20, 5], Chain("loss", "x", 100.0, 2.0, ((square, times),)))
    right: dloss/dx = 20 · 5 = 100
      PowBackward0: dloss/dz = 20, right
      MulBackward0: dz/dx = 5, right
    """
    if chain is None:
        text = "an op of your formula has no single local derivative; use + - * / ** exp log sin tanh."
        return Report("not answered", (text,))
    if len(chain.ways) > 1:
        text = (
            f"{chain.wrt} is used more than once, so {len(chain.ways)} ways lead back to it. This check "
            f"follows one way: write a formula with {chain.wrt} in it once. How ways add up comes later."
        )
        return Report("not answered", (text,))
    way = chain.ways[0]
    if not isinstance(factors, Sequence) or not all(isinstance(f, int | float) for f in factors):
        text = f"factors must be a list of numbers, for example [2.0, 3.0], not {type(factors).__name__}."
        return Report("not answered", (text,))
    nodes = ", ".join(factor.node for factor in way)
    if len(factors) != len(way):
        given = "none is given yet" if not factors else f"you gave {len(factors)}"
        text = f"{len(way)} factors are wanted, one for each node from {chain.of} back to {chain.wrt}; {given}."
        return Report("wrong" if factors else "not answered", (text, f"The nodes, in this order: {nodes}"))
    lines = [_line(given, factor, chain) for given, factor in zip(factors, way, strict=True)]
    if all(near(given, factor.local) for given, factor in zip(factors, way, strict=True)):
        product = " · ".join(number_text(factor) for factor in factors)
        return Report("right", (f"{chain.ratio} = {product} = {number_text(prod(factors))}", *lines))
    return Report("wrong", (f"not every factor fits the graph of {chain.of}.", *lines))


def _line(given: float, factor: Factor, chain: Chain) -> str:
    head = f"{factor.node}: {factor.ratio} = {number_text(given)}"
    if near(given, factor.local):
        return f"{head}, right"
    for other in factor.elsewhere:
        if near(given, other.local):
            return (
                f"{head}, wrong: this is its local derivative at {other.name} = {number_text(other.value)}. "
                f"What went into this node is {named(factor.source, factor.source_value)}."
            )
    if factor.bare is not None and near(given, factor.bare):
        return f"{head}, wrong: the exponent comes down in front of {factor.source}."
    if factor.swapped is not None and near(given, factor.swapped):
        output = named(factor.result, factor.result_value)
        return f"{head}, wrong: it is built from the output, {output}."
    if factor.result_value is not None and near(given, factor.result_value):
        return f"{head}, wrong: this is the value of {factor.result}, not its slope."
    if near(given, chain.slope):
        return f"{head}, wrong: this is the whole product, {chain.ratio}. One factor is wanted here."
    return f"{head}, wrong: what went into this node is {named(factor.source, factor.source_value)}."
