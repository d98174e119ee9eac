"""The feedback rules on the graphs of other exercises: each wrong number comes from the graph itself."""

import pytest

from autograd_lab.course.chain import Chain, Factor
from autograd_lab.course.wrong_answers import wrong_slopes
from autograd_lab.grading.catalogue import BELIEFS, RULES, rule_of
from autograd_lab.grading.reference import Reference
from autograd_lab.grading.rules import TYPICAL, collide, wrong_answers

SQUARE = "x = torch.tensor(10.0, requires_grad=True)\ny = x ** 2"
LINE_SQUARED = "x = torch.tensor(3.0, requires_grad=True)\na = x * 5\nb = a + 10\nloss = b ** 2"
MODEL = """x = torch.tensor(2.0)
w = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(1.0, requires_grad=True)
p = w * x
prediction = p + b
error = prediction - 10
loss = error ** 2"""
TWO_WAYS = "x = torch.tensor(4.0, requires_grad=True)\na = x ** 2\nc = x * 3\nloss = a + c"

# program, result, leaf, the right slope, and (wrong number, rule); E4 lists other rules than the rest
MODEL_RULES = ("R2", "R3", "R6", "R7", "R9", "R12")
TABLE = {
    "E1": (SQUARE, "y", "x", 20, [(100, "R1"), (10, "R2"), (40, "R6"), (-20, "R7")]),
    "E3": (
        LINE_SQUARED,
        "loss",
        "x",
        250,
        [(625, "R1"), (50, "R3"), (125, "R2"), (30, "R4"), (150, "R4"), (56, "R5"), (500, "R6")],
    ),
    "E4 w": (MODEL, "loss", "w", -12, [(12, "R7"), (-6, "R2"), (-18, "R9"), (-24, "R6")]),
    "E4 b": (MODEL, "loss", "b", -6, [(6, "R7"), (-3, "R2"), (0, "R3"), (-12, "R6")]),
    "two ways": (TWO_WAYS, "loss", "x", 11, [(28, "R1"), (8, "R8"), (3, "R8"), (24, "R9"), (22, "R6")]),
}


@pytest.mark.parametrize("name", TABLE)
def test_the_numbers_of_the_table_come_from_the_graph(name):
    program, of, wrt, right, wrong = TABLE[name]
    reference = Reference(program)
    assert reference.slope(of, wrt) == right
    rules = MODEL_RULES if program is MODEL else TYPICAL
    found = {answer.value: rule_of(answer.rule) for answer in wrong_answers(reference, of, wrt, rules)}
    assert {value: found.get(value) for value, _ in wrong} == dict(wrong)
    assert right not in found


def test_the_gradient_of_another_leaf_is_named():
    program = "a = torch.tensor(3.0, requires_grad=True)\nb = torch.tensor(7.0, requires_grad=True)\nloss = a * b"
    found = {w.value: w.rule for w in wrong_answers(Reference(program), "loss", "a")}
    assert rule_of(found[3.0]) in ("R9", "R12", "R1")
    assert 7.0 not in found


COLLIDING = {
    "sum and product": "x = torch.tensor(7.0, requires_grad=True)\ny = x * 2\nloss = y * 2",
    "value and slope": "x = torch.tensor(2.0, requires_grad=True)\nloss = x ** 2",
    "missing and missing": "x = torch.tensor(7.0, requires_grad=True)\ny = x * 3\nloss = y * 3",
}


@pytest.mark.parametrize("name", COLLIDING)
def test_numbers_with_which_two_mistakes_look_alike_are_refused(name):
    assert collide(Reference(COLLIDING[name]), "loss", "x")


def test_numbers_with_which_every_mistake_differs_are_taken():
    assert not collide(Reference(LINE_SQUARED), "loss", "x")
    assert collide(Reference(LINE_SQUARED.replace("3.0", "2.0")), "loss", "x")  # two give 100, two give 400


def test_every_rule_has_ids_and_every_id_a_meaning():
    assert list(RULES) == [f"R{i}" for i in range(1, 17)]
    ids = [belief for rule in RULES.values() for belief in rule]
    assert len(ids) == len(set(ids))
    assert set(ids) <= set(BELIEFS)
    assert all(BELIEFS.values())


def test_every_id_that_the_shared_rules_yield_is_in_the_catalogue():
    bare = Factor("PowBackward0", "**", "y", "x", 25.0, 5.0, 10.0, bare=5.0, swapped=3.0)
    ways = ((bare, bare), (bare,))
    chains = [Chain("y", "x", 25.0, 5.0, (way,)) for way in ways] + [Chain("y", "x", 25.0, 5.0, ways)]
    yielded = {wrong.rule for chain in chains for wrong in wrong_slopes(chain)}
    for program, of, wrt, *_ in TABLE.values():
        yielded |= {wrong.rule for wrong in wrong_answers(Reference(program), of, wrt)}
    assert yielded <= set(BELIEFS), yielded - set(BELIEFS)
    assert all(map(rule_of, yielded)), [belief for belief in yielded if not rule_of(belief)]


SECTION_9 = """
accumulate.not-zeroed accumulate.from-last-step accumulate.overwritten none.non-leaf none.no-backward
none.no-requires-grad none.returned-backward returned.grad-fn returned.value-not-gradient graph.python-floats
graph.numpy-detour graph.detached graph.no-grad-left-on graph.leaf-replaced inplace.leaf inplace.saved-value
backward.non-scalar backward.twice chain.inner-derivative chain.cotangent-dropped product.own-factor
power.factor-lost sign.flipped sub.sign matmul.transposed loss.sum-for-mean loss.mean-for-sum
broadcast.not-reduced broadcast.mean-not-sum softmax.target-missing update.wrong-way update.zeroed-too-early
update.tracked numeric.finite-difference constant.answer
"""


def test_the_catalogue_holds_every_belief_that_marks_or_feedback_may_name():
    assert set(SECTION_9.split()) <= set(BELIEFS)
