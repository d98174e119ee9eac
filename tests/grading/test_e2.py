"""Exercise 2: what is right is right in any spelling, and each typical wrong answer gets its own reason."""

import math
from itertools import pairwise

import pytest

import autograd_lab as torch
from autograd_lab.grading import exercise
from autograd_lab.grading.catalogue import rule_of
from autograd_lab.grading.rules import TYPICAL, typical, wrong_answers

MODULE_PROGRAM = "x = torch.tensor(3.0, requires_grad=True)\ny = x * 4\nz = y + 5\nloss = z ** 2\n"


def asked(loaded, name):
    return next(question for question in loaded.judge.questions if question.id == name)


def judge(loaded, case, name, *given, **space):
    return asked(loaded, name).judge(case, given, space)


def test_the_program_of_the_module_has_the_slope_that_finite_differences_give(case):
    def loss(x):
        return (x * 4 + 5) ** 2

    slope = (loss(3 + 1e-6) - loss(3 - 1e-6)) / 2e-6
    assert math.isclose(slope, 136, rel_tol=1e-8)
    assert case.reference.program + "\n" == MODULE_PROGRAM
    assert case.reference.slope("loss", "x") == 136
    assert [case.reference.node(name) for name in ("y", "z", "loss")] == [
        "MulBackward0",
        "AddBackward0",
        "PowBackward0",
    ]


def test_real_pytorch_agrees_with_the_judge(case):
    real = pytest.importorskip("torch", reason="PyTorch is not installed: parity is not tested")
    space = {"torch": real}
    exec(MODULE_PROGRAM + "loss.backward()", space)
    assert space["x"].grad.item() == case.reference.slope("loss", "x")
    for name in ("y", "z", "loss"):
        assert type(space[name].grad_fn).__name__ == case.reference.node(name)


SLOPES = [
    (289, "R1", "value of loss"),
    (34, "R3", "dy/dx"),
    (68, "R2", "factor 2 is missing"),
    (24, "R4", "x = 3"),
    (96, "R4", "y = 12"),
    (39, "R5", "multipl"),
    (272, "R6", "2 backward passes"),
    (408, "R6", "3 backward passes"),
    (-136, "R7", "sign"),
    (4, "R3", "dloss/dz"),
    (3, "R1", "value of x"),
    (102, "R9", "other operand"),
    (0, "R3", "factor of 1, not 0"),
    (1, "R15", "start"),
    (77, "R16", 'ex.factors("q4"'),
]


@pytest.mark.parametrize(("answer", "rule", "told"), SLOPES)
def test_a_wrong_slope_is_named(e2, case, answer, rule, told):
    verdict = judge(e2, case, "q4", answer)
    assert (verdict.outcome, verdict.points) == ("wrong", 0)
    assert rule_of(verdict.reason.id) == rule
    assert told in verdict.reason.text
    assert "136" not in verdict.reason.text


def test_no_two_typical_slopes_share_a_reason(e2, case):
    texts = [judge(e2, case, "q4", answer).reason.text for answer, *_ in SLOPES]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("answer", [136.001, 136.1, 135.9])
def test_a_slope_that_is_near_earns_half_the_points(e2, case, answer):
    verdict = judge(e2, case, "q4", answer)
    assert (verdict.outcome, verdict.points, rule_of(verdict.reason.id)) == ("partly", 1, "R13")


NAMES = [
    ("PowBackward0", "name.other-node", "loss = z ** 2"),
    ("AddBackward0", "name.other-node", "z = y + 5"),
    ("AccumulateGrad", "name.accumulate-grad", "leaf"),
    ("torch::autograd::AccumulateGrad", "name.accumulate-grad", "leaf"),
    (None, "name.leaf", "Only a leaf"),
    ("None", "name.leaf", "Only a leaf"),
    ("*", "name.operation", "named after the op"),
    ("multiply", "name.operation", "named after the op"),
    (12, "returned.value-not-gradient", "12 is a value"),
    (136, "none.wrong-type", "136 is a number"),
    ([1], "none.wrong-type", "list"),
]


@pytest.mark.parametrize(("answer", "belief", "told"), NAMES)
def test_a_wrong_name_is_named(e2, case, answer, belief, told):
    verdict = judge(e2, case, "q1", answer)
    assert (verdict.outcome, verdict.reason.id) == ("wrong", belief)
    assert told in verdict.reason.text
    assert "MulBackward0" not in verdict.reason.text


@pytest.mark.parametrize("answer", ["MulBackward", "mulbackward0", "MulBackward1"])
def test_the_right_op_without_its_whole_name_earns_half_the_points(e2, case, answer):
    verdict = judge(e2, case, "q1", answer)
    assert (verdict.outcome, verdict.points, verdict.reason.id) == ("partly", 1, "name.incomplete")


@pytest.mark.parametrize("answer", ["MulBackward0", " MulBackward0 ", "<MulBackward0 object at 0x7f00aa>"])
def test_a_name_may_be_copied_from_the_screen(e2, case, answer):
    assert judge(e2, case, "q1", answer).outcome == "right"


def run(text):
    """The learner's variables after this code."""
    space = {"torch": torch}
    exec(text, space)
    return space


LEAF = "x = torch.tensor(3.0, requires_grad=True)\n"
REST = "y = x * 4\nz = y + 5\nloss = z ** 2\n"
TENSORS = [
    (LEAF + REST, "none.no-backward", "R10", 1),
    (LEAF + REST + "loss.backward(retain_graph=True)\nloss.backward()", "accumulate.not-zeroed", "R6", 1),
    ("x = torch.tensor(3.0)\n" + REST, "none.no-requires-grad", "R10", 1),
    (
        "w = torch.tensor(3.0, requires_grad=True)\nx = w * 1\n" + REST + "loss.backward()",
        "none.non-leaf",
        "R10",
        1,
    ),
    (LEAF + REST + "loss.backward()\n" + LEAF, "graph.leaf-replaced", "R10", 1),
    (LEAF + REST + "loss = loss.backward()", "none.returned-backward", "R10", 1),
    (LEAF + REST.replace("y = x * 4", "y = x.item() * 4"), "graph.python-floats", "R10", 0),
    ("x = 3.0\n" + REST, "graph.python-floats", "R10", 0),
    (LEAF + REST.replace("z = y + 5", "z = y.detach() + 5"), "graph.detached", "R10", 1),
    (LEAF + REST + "loss.backward()\nx.grad.zero_()", "update.zeroed-too-early", "R10", 1),
    (LEAF + REST.replace("x * 4", "x * 5") + "loss.backward()", "graph.other-numbers", "R16", 0),
    (LEAF + REST + "loss.backward()\nloss = loss.grad_fn", "returned.grad-fn", "R1", 1),
    (LEAF + REST + "loss.backward()\nx.grad = -x.grad", "sign.flipped", "R7", 1),
    (LEAF + REST + "x.grad = torch.tensor(34.0)", "chain.factor-missing", "R3", 1),
]


@pytest.mark.parametrize(("code", "belief", "rule", "points"), TENSORS)
def test_the_state_of_the_learners_tensors_is_explained(e2, case, code, belief, rule, points):
    space = run(code)
    verdict = judge(e2, case, "q5", space["x"], space["loss"], **space)
    assert (verdict.reason.id, rule_of(verdict.reason.id)) == (belief, rule)
    assert verdict.outcome != "right"
    assert verdict.points == points or belief in ("none.returned-backward", "returned.grad-fn")


def test_other_numbers_are_found_at_the_first_line_that_differs(e2, case):
    space = run(LEAF + "y = x * 4\nz = y + 6\nloss = z ** 2\nloss.backward()")
    reason = judge(e2, case, "q5", space["x"], space["loss"], **space).reason
    assert reason.text.startswith("z is 18, but with your numbers it is 17.")


SOLUTIONS = {
    "operators": """
x = torch.tensor(float(ex.numbers["x"]), requires_grad=True)
y = x * ex.numbers["factor"]
z = y + ex.numbers["shift"]
loss = z ** ex.numbers["power"]
name_of_y, name_of_z, name_of_loss = "MulBackward0", "AddBackward0", "PowBackward0"
slope = ex.numbers["power"] * z.item() ** (ex.numbers["power"] - 1) * ex.numbers["factor"]
loss.backward()
""",
    "functions and nodes": """
x = torch.tensor(ex.numbers["x"], dtype=torch.float64)
x.requires_grad_()
y = torch.mul(x, ex.numbers["factor"])
z = torch.add(y, ex.numbers["shift"])
loss = torch.pow(z, ex.numbers["power"])
name_of_y, name_of_z, name_of_loss = y.grad_fn, z.grad_fn.name(), str(loss.grad_fn)
torch.autograd.backward(loss)
slope = x.grad
""",
    "numbers first": """
a, f, s, p = ex.numbers.values()
def slope():
    h = 1e-5
    def loss(x):
        return (f * x + s) ** p
    return round((loss(a + h) - loss(a - h)) / (2 * h))
x = torch.tensor([float(a)], requires_grad=True)
y = f * x
z = s + y
loss = (z * z if p == 2 else z * z * z).sum()
name_of_y, name_of_z, name_of_loss = type(y.grad_fn).__name__, "AddBackward0", "PowBackward0"
loss.backward()
""",
}


@pytest.mark.parametrize("learner", ["ada", "grace", "emmy"])
@pytest.mark.parametrize("solution", SOLUTIONS)
def test_differently_written_right_solutions_are_right(monkeypatch, learner, solution):
    monkeypatch.setenv("AUTOGRAD_LAB_LEARNER", learner)
    ex = exercise("e2_multiple_operations")
    space = {"torch": torch, "ex": ex}
    checks = "".join(f"q{i} = ex.check('q{i}')\n" for i in range(1, 6))
    exec(SOLUTIONS[solution] + checks, space)
    assert [space[f"q{i}"].of.outcome for i in range(1, 6)] == ["right"] * 5


def test_a_program_in_real_pytorch_is_right_too(ex):
    real = pytest.importorskip("torch", reason="PyTorch is not installed: parity is not tested")
    space = {"torch": real, "ex": ex}
    exec(SOLUTIONS["operators"] + "done = [ex.check(q).of.outcome for q in ('q4', 'q5')]", space)
    assert space["done"] == ["right", "right"]


EMPTY = "name_of_y = name_of_z = name_of_loss = slope = x = y = z = loss = ..."


@pytest.mark.parametrize("question", ["q1", "q2", "q3", "q4", "q5"])
@pytest.mark.parametrize("code", ["", EMPTY])
def test_no_answer_is_not_attempted(ex, question, code):
    space = {"torch": torch, "ex": ex}
    exec(f"{code}\nfound = ex.check('{question}')", space)
    assert (space["found"].of.outcome, space["found"].of.points) == ("not attempted", 0)
    assert ex.progress().of[question].attempts == 0


@pytest.mark.parametrize("learner", [f"learner {i}" for i in range(10)])
def test_the_negated_and_every_typical_wrong_slope_fail_for_every_learner(e2, learner):
    case = e2.judge.case(e2.numbers(learner))
    right = case.reference.slope("loss", "x")
    assert judge(e2, case, "q4", right).outcome == "right"
    assert rule_of(judge(e2, case, "q4", -right).reason.id) == "R7"
    for wrong in wrong_answers(case.reference, "loss", "x"):
        verdict = judge(e2, case, "q4", wrong.value)
        assert (verdict.outcome, verdict.reason.id, verdict.reason.text) == (
            "wrong",
            wrong.rule,
            wrong.reason,
        )


def test_over_200_learners_no_right_and_wrong_answers_collide(e2):
    for i in range(200):
        case = e2.judge.case(e2.numbers(f"seed {i}"))
        right = case.reference.slope("loss", "x")
        wrong = [w for w in wrong_answers(case.reference, "loss", "x") if typical(w)]
        values = sorted([right, *(w.value for w in wrong)])
        gaps = [abs(b - a) / max(abs(a), abs(b)) for a, b in pairwise(values)]
        assert min(gaps) > 1e-3, (case.numbers, values)
        assert {rule_of(w.rule) for w in wrong} == set(TYPICAL) - {"R8"}  # one way only
        assert sum(rule_of(w.rule) == "R4" for w in wrong) >= 2
        assert case.reference.value("loss") <= 1000
        assert right <= 1000


def test_numbers_belong_to_a_learner_and_stay(e2):
    drawn = [tuple(e2.numbers(f"seed {i}").values()) for i in range(40)]
    assert len(set(drawn)) > 25
    assert drawn == [tuple(e2.numbers(f"seed {i}").values()) for i in range(40)]
