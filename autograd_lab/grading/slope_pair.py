"""A question for two slopes of one result: what a loss does when either of two parameters grows."""

from collections.abc import Iterator
from dataclasses import dataclass

from autograd_lab.course.chain import Factor
from autograd_lab.course.wrong_answers import named
from autograd_lab.view.texts import number_text

from . import rules
from .pair import NumberPair, Two, WrongPair
from .questions import Case
from .reference import Reference
from .slope import first_difference, product_text, slope_reason, way_text
from .verdict import Reason


@dataclass(frozen=True)
class SlopePair(NumberPair):
    """The slopes of `of` with respect to two leaves. The ways to both have their first factors in common."""

    of: str = ""
    wrts: tuple[str, str] = ("", "")

    @property
    def asks(self) -> str:
        return f"d{self.of}/d{self.wrts[0]} and d{self.of}/d{self.wrts[1]}"

    def rights(self, case: Case) -> Two:
        return case.reference.slope(self.of, self.wrts[0]), case.reference.slope(self.of, self.wrts[1])

    def wrongs(self, case: Case) -> Iterator[WrongPair]:
        reference, (first, second) = case.reference, self.rights(case)
        yield from self._whole(reference, first, second)
        for factor in self._common(reference):
            yield from _common_factor(factor, first, second)
        yield from self._one(reference, first, second)

    def _whole(self, reference: Reference, first: float, second: float) -> Iterator[WrongPair]:
        """Beliefs about the two answers as they stand."""
        a, b = self.wrts
        yield WrongPair(
            (-first, -second),
            Reason(
                "sign.flipped",
                f"Both sizes are right, both signs are not. Try it: make {a} a little larger. Does {self.of} grow "
                "or fall? A minus gets lost easily where the target is subtracted.",
            ),
        )
        yield WrongPair(
            (second, first),
            Reason(
                "returned.swapped",
                f"These are the two right numbers, but swapped: what you gave for {a} belongs to {b}.",
            ),
        )
        yield WrongPair(
            (first, first),
            Reason(
                "returned.swapped", f"{a} is right. For {b} you gave d{self.of}/d{a} again; what is d{self.of}/d{b}?"
            ),
        )
        for passes in range(2, rules.MOST_PASSES + 1):
            yield WrongPair(
                (passes * first, passes * second),
                Reason(
                    "accumulate.not-zeroed",
                    f"Both are {passes} times too large: this is what {a}.grad and {b}.grad hold after {passes} "
                    "backward passes. .grad is added to, never replaced. Make the tensors again, or clear .grad, and "
                    "run backward once.",
                ),
                typical=passes <= rules.OFTEN,
            )
        value = reference.value(self.of)
        yield WrongPair(
            (value, value),
            Reason(
                "returned.value-not-gradient",
                f"{number_text(value)} is the value of {self.of}. The question asks how fast {self.of} changes.",
            ),
        )

    def _one(self, reference: Reference, first: float, second: float) -> Iterator[WrongPair]:
        """Beliefs that make one of the two wrong: the factor that only the first has, the added second."""
        a, b = self.wrts
        product = reference.chain(self.of, a).ways[0][-1]
        if product.source_value is not None:
            yield WrongPair(
                (first / product.local * product.source_value, second),
                Reason(
                    "product.own-factor",
                    f"{b} is right. For {a}: {product.result} is a product with {a} in it. When {a} grows by 1, "
                    f"{product.result} grows by the other factor of that product, not by {a}.",
                ),
            )
        yield WrongPair((first / product.local,) * 2, _missing(product, f"{b} is right. For {a}: "))
        yield WrongPair(
            (first, 0.0),
            Reason(
                "chain.added-constant",
                f"{a} is right. For {b}: {b} is added, so when {b} grows by 1, the prediction grows by 1 as well. The "
                "factor there is 1, not 0.",
            ),
        )

    def _common(self, reference: Reference) -> list[Factor]:
        """The factors that both ways pass."""
        ways = [reference.chain(self.of, wrt).ways[0] for wrt in self.wrts]
        return [one for one, other in zip(*ways, strict=False) if one.ratio == other.ratio]

    def alone(self, case: Case, position: int, value: float) -> Reason:
        wrt = self.wrts[position]
        reason = slope_reason(case, self.of, wrt, value, self.id)
        return Reason(reason.id, f"For {wrt}: {reason.text}")

    def first_difference(self, case: Case, factors: tuple[object, ...]) -> str:
        lengths = [len(case.reference.chain(self.of, wrt).ways[0]) for wrt in self.wrts]
        wrt = self.wrts[1] if len(factors) == lengths[1] else self.wrts[0]
        return first_difference(case, self.of, wrt, factors)

    def solution(self, case: Case) -> str:
        return "\n".join(product_text(case.reference, self.of, wrt) for wrt in self.wrts)

    nudge = "Both ways start at {result} and share their first factors. Where do they part?"

    def between(self, reference: Reference) -> tuple[str, str]:
        return self.of, self.wrts[0]

    def part(self, reference: Reference) -> str:
        ways = [way_text(reference, self.of, wrt) for wrt in self.wrts]
        return "\n\n".join(
            f"From {self.of} back to {wrt}, multiply:\n\n{way}" for wrt, way in zip(self.wrts, ways, strict=True)
        )

    def worked(self, sibling: Reference) -> str:
        program = "\n".join(f"    {line}" for line in sibling.program.splitlines())
        products = "\n".join(f"    {product_text(sibling, self.of, wrt)}" for wrt in self.wrts)
        return f"With other numbers:\n\n{program}\n\nThen:\n\n{products}"


def _common_factor(factor: Factor, first: float, second: float) -> Iterator[WrongPair]:
    """Beliefs about one factor that both ways pass: both answers are wrong in the same ratio."""

    def both(local: float) -> Two:
        return first / factor.local * local, second / factor.local * local

    if factor.bare is not None:
        exponent = number_text(factor.local / factor.bare)
        yield WrongPair(
            both(factor.bare),
            Reason(
                "power.factor-lost",
                f"In both, the factor {exponent} is missing: the exponent of {factor.result} comes down in front of "
                f"{factor.source}.",
            ),
        )
        yield WrongPair(
            both(factor.local / factor.bare),
            Reason(
                "power.base-lost",
                f"In both, you used the exponent {exponent} alone. The slope of {factor.result} also depends on "
                f"{named(factor.source, factor.source_value)}.",
            ),
            typical=False,
        )
    for other in factor.elsewhere:
        yield WrongPair(
            both(other.local),
            Reason(
                "chain.wrong-place",
                f"In both, you took d{factor.result}/d{factor.source} at {named(other.name, other.value)}. What goes "
                f"into that line is {named(factor.source, factor.source_value)}.",
            ),
            typical=False,
        )
    if abs(factor.local) != 1:  # a missing 1 is no mistake, a missing -1 is a lost sign
        yield WrongPair(both(1.0), _missing(factor, "In both: "))


def _missing(factor: Factor, before: str) -> Reason:
    return Reason(
        "chain.factor-missing",
        f"{before}one factor is missing, {factor.ratio}, the local derivative of {factor.node}.",
    )
