"""A question for a number: the slope of one tensor with respect to another, worked out by hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograd_lab.course.chain import Factor
from autograd_lab.view.texts import number_text

from . import rules
from .answers import Raised, Unusable, number, short
from .questions import Case, Question
from .reference import Reference
from .verdict import Criterion, Reason, Verdict, judged


@dataclass(frozen=True)
class Slope(Question):
    """A number: the slope of `of` with respect to `wrt`, worked out by hand."""

    of: str = ""
    wrt: str = ""
    typical: tuple[str, ...] = rules.TYPICAL  # the rules whose numbers must never collide

    @property
    def asks(self) -> str:
        return f"the slope d{self.of}/d{self.wrt}"

    def find(self, case: Case, given: tuple[Any, ...], space: Mapping[str, Any]) -> Verdict:
        value, right = number(given[0]), case.reference.slope(self.of, self.wrt)
        exact = rules.equals(value, right)
        close = exact or rules.equals(value, right, rules.CLOSE)
        criteria = (
            Criterion(f"near {self.asks}", close, self.points // 2),
            Criterion("exact to six digits", exact, self.points - self.points // 2),
        )
        reason = slope_reason(case, self.of, self.wrt, value, self.id, self.typical)
        return judged(self.id, criteria, short(given[0]), reason)

    def first_difference(self, case: Case, factors: tuple[Any, ...]) -> str:
        return first_difference(case, self.of, self.wrt, factors)

    def solution(self, case: Case) -> str:
        return product_text(case.reference, self.of, self.wrt)

    def collides(self, case: Case) -> bool:
        return rules.collide(case.reference, self.of, self.wrt, self.typical)

    nudge = "What would change if {leaf} were a little larger? Follow it line by line to {result}."

    def between(self, reference: Reference) -> tuple[str, str]:
        return self.of, self.wrt

    def part(self, reference: Reference) -> str:
        return part_text(reference, self.of, self.wrt)

    def worked(self, sibling: Reference) -> str:
        return worked_text(sibling, self.of, self.wrt)


def first_difference(case: Case, of: str, wrt: str, factors: tuple[Any, ...]) -> str:
    """Which of the learner's factors is the first that differs."""
    way = case.reference.chain(of, wrt).ways[0]
    asked = ", ".join(factor.ratio for factor in way)
    if len(factors) != len(way):
        return f"{len(way)} factors lead from {of} to {wrt}: {asked}. You gave {len(factors)}."
    for given, factor in zip(factors, way, strict=True):
        try:
            value = number(given)
        except (Unusable, Raised) as error:
            return f"{factor.ratio}: {error}"
        if not rules.equals(value, factor.local):
            line = case.reference.line(factor.result)
            return (
                f"The first that differs is {factor.ratio}{_taken(factor)}. It belongs to the line {line}. You gave "
                f"{number_text(value)}."
            )
    return f"All {len(way)} factors are right: {asked}. Multiply them."


def product_text(reference: Reference, of: str, wrt: str) -> str:
    """The chain rule with numbers: `dloss/dz · dz/dx = 34 · 4 = 136`."""
    chain = reference.chain(of, wrt)
    symbols = " + ".join(" · ".join(factor.ratio for factor in way) for way in chain.ways)
    numbers = " + ".join(" · ".join(number_text(factor.local) for factor in way) for way in chain.ways)
    power = _power(chain.ways[0][0]) if len(chain.ways) == len(chain.ways[0]) == 1 else ""
    parts = [f"d{of}/d{wrt}", symbols, power or numbers, number_text(chain.slope)]
    return " = ".join(dict.fromkeys(parts))


def part_text(reference: Reference, of: str, wrt: str) -> str:
    """The second hint for a slope: the lines to pass; for a single power, what happens to its exponent."""
    ways = reference.chain(of, wrt).ways
    if len(ways) == len(ways[0]) == 1 and _power(ways[0][0]):
        return (
            f"One line lies between {wrt} and {of}, a power:\n\n    {reference.line(of)}\n\nIn the slope of a power "
            "the exponent comes down as a factor in front, and what stays on top is smaller by 1. Take it at "
            f"{_place(ways[0][0])}."
        )
    return f"From {of} back to {wrt}, multiply:\n\n{way_text(reference, of, wrt)}"


def way_text(reference: Reference, of: str, wrt: str) -> str:
    """The lines between two tensors, last first, each with the local derivative to take there; no results."""
    rows = []
    for way in reference.chain(of, wrt).ways:
        rows += [(reference.line(factor.result), f"{factor.ratio}{_taken(factor)}") for factor in way]
    width = max(len(line) for line, _ in rows)
    return "\n".join(f"    {line:{width}}   {what}" for line, what in dict.fromkeys(rows))


def worked_text(sibling: Reference, of: str, wrt: str) -> str:
    """The same program with other numbers, worked to the end."""
    lines = sibling.program.splitlines()
    values = {sibling.line(name): number_text(sibling.value(name)) for name in sibling.computed()}
    width = max(map(len, values))
    rows = [f"    {line:{width}}   # {values[line]}" if line in values else f"    {line}" for line in lines]
    return "\n".join(["With other numbers:", "", *rows, "", f"    {product_text(sibling, of, wrt)}"])


def slope_reason(
    case: Case, of: str, wrt: str, value: float, question: str, typical: tuple[str, ...] = rules.TYPICAL
) -> Reason:
    """The belief behind a number that is not the slope, or only near it; typical ones have precedence."""
    if rules.equals(value, case.reference.slope(of, wrt), rules.CLOSE):
        return Reason(
            "numeric.finite-difference",
            f"{number_text(value)} is near, as an estimate from two close points is, or a rounded number. "
            "The chain rule gives the slope exactly.",
        )
    wrong = rules.wrong_answers(case.reference, of, wrt, typical)
    return rules.reason_for(value, wrong) or rules.unknown(case.reference, of, wrt, value, question)


def _taken(factor: Factor) -> str:
    """Where a local derivative is taken, if that matters: that of a sum or of a product does not change with it."""
    return f", taken at {_place(factor)}" if factor.elsewhere or factor.swapped is not None else ""


def _power(factor: Factor) -> str:
    """The slope of a power with its numbers, `3 · 5 ** 2`; "" for another op."""
    if not factor.bare or factor.source_value is None:
        return ""
    exponent = factor.local / factor.bare
    return f"{number_text(exponent)} · {number_text(factor.source_value)} ** {number_text(exponent - 1)}"


def _place(factor: Factor) -> str:
    known = factor.source_value is not None
    return f"{factor.source} = {number_text(factor.source_value)}" if known else factor.source
