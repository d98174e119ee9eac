"""Answers that come from the engine with one backward rule made wrong are named after that rule."""

import pytest

from autograd_lab.grading import Slope, known, load
from autograd_lab.grading.catalogue import BELIEFS, rule_of
from autograd_lab.grading.mutants import MUTANTS, mutated, mutated_slope

SAME_NUMBER = {  # beliefs that give one number on a chain of three ops
    "chain.cotangent-dropped": {"chain.factor-missing"},
    "chain.factor-missing": {"chain.factor-missing", "chain.wrong-pair", "chain.only-the-start"},
}


SLOPES = [(slug, q) for slug in known() for q in load(slug).judge.questions if isinstance(q, Slope)]


@pytest.mark.parametrize("learner", [f"learner {i}" for i in range(12)])
@pytest.mark.parametrize(("slug", "question"), SLOPES, ids=lambda part: getattr(part, "id", part))
def test_every_mutant_is_named(slug, question, learner):
    loaded = load(slug)
    case = loaded.judge.case(loaded.numbers(learner))
    seen = 0
    for mutant, slope in mutated(case.reference, question.of, question.wrt):
        if mutant.belief == "power.factor-lost" and case.numbers.get("power", 2) != 2:
            continue  # d(z ** 3) = z is another mistake than losing the factor 3
        verdict = question.judge(case, (slope,), {})
        assert verdict.outcome != "right"
        names = SAME_NUMBER.get(mutant.belief, {mutant.belief})
        merged = " Or: " in verdict.reason.text  # two beliefs with one number: both are told
        assert verdict.reason.id in names or merged, (mutant.belief, slope, verdict.reason)
        seen += 1
    assert seen >= (6 if len(case.reference.computed()) > 1 else 1)


def test_a_mutant_leaves_the_graph_as_it_was(case):
    for mutant in MUTANTS:
        mutated_slope(case.reference, "loss", "x", mutant)
    assert case.reference.slope("loss", "x") == 136
    assert case.reference.tensors["x"].grad is None


def test_mutants_give_the_numbers_of_the_module(case):
    found = {(m.belief, m.nodes): slope for m, slope in mutated(case.reference, "loss", "x")}
    assert found == {
        ("power.factor-lost", "Pow"): 68,
        ("product.own-factor", "Mul"): 102,
        ("chain.factor-missing", "Mul"): 34,
        ("chain.factor-missing", "Pow"): 4,
        ("chain.cotangent-dropped", "Mul"): 4,
        ("chain.added-constant", "Add"): 0,
        ("sign.flipped", "Mul"): -136,
        ("accumulate.not-zeroed", "Mul"): 272,
    }


def test_every_mutant_stands_for_a_known_belief():
    for mutant in MUTANTS:
        assert mutant.belief in BELIEFS
        assert rule_of(mutant.belief)
