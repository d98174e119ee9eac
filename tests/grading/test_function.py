"""Answers that are functions: the judge calls them, and whatever they do becomes a verdict."""

import pytest

from autograd_lab.grading import Function, Slope
from autograd_lab.grading.catalogue import rule_of

PROGRAM = "x = torch.tensor(float({x}), requires_grad=True)\ny = x ** 3"
FUNCTION = Function("q1", ("formula",), of="y", wrt="x")


@pytest.fixture
def verdict_on(judge_of):
    """Judges a function as an answer to the slope of x ** 3."""
    case = judge_of(PROGRAM, FUNCTION).case({"x": 2})
    return lambda answer: FUNCTION.judge(case, (answer,), {})


@pytest.mark.parametrize(
    "answer",
    [lambda x: 3 * x**2, lambda x: 3 * x * x + 0.0, lambda x: ((x + 1) ** 3 - (x - 1) ** 3) / 2 - 1],
)
def test_a_right_function_in_three_spellings(verdict_on, answer):
    assert verdict_on(answer).outcome == "right"


@pytest.mark.parametrize(
    ("answer", "belief", "told"),
    [
        (lambda x: x**3, "returned.value-not-gradient", "value of y"),
        (lambda x: x**2, "power.factor-lost", "factor 3"),
        (lambda x: -3 * x**2, "sign.flipped", "sign"),
        (lambda x: 12, "constant.answer", "12 for every input"),
        (lambda x: 3 * x**2 + 0.5, "unknown", "your function returns"),
        (12, "none.wrong-type", "A function is asked for"),
        (lambda x: "12", "none.wrong-type", "leave out the quotes"),
    ],
)
def test_a_wrong_function_is_explained_at_its_smallest_failing_input(verdict_on, answer, belief, told):
    verdict = verdict_on(answer)
    assert (verdict.outcome, verdict.reason.id) == ("wrong", belief)
    assert told in verdict.reason.text


def broken(x):
    return 3 * x**2 + undefined  # noqa: F821


def endless(x):
    return endless(x)


class Hostile:
    """Raises whatever is done to it."""

    def __float__(self):
        raise KeyError("no")

    def __repr__(self):
        raise ValueError("no")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (broken, 'NameError at the line "return 3 * x**2 + undefined'),
        (endless, "RecursionError"),
        (lambda: 3, "TypeError"),
    ],
)
def test_code_that_raises_is_reported_with_its_line(verdict_on, answer, told):
    verdict = verdict_on(answer)
    assert (verdict.outcome, verdict.points) == ("raised", 0)
    assert told in verdict.reason.text


SLOPE = Slope("q1", ("slope",), of="y", wrt="x")


@pytest.mark.parametrize(
    ("answer", "outcome", "told"),
    [
        ("12", "wrong", "leave out the quotes"),
        ("x", "wrong", "is text"),
        (True, "wrong", "is a bool"),
        (1j, "wrong", "is a complex"),
        ([12], "wrong", "is a list"),
        (None, "wrong", "None is no number"),
        (float("nan"), "wrong", "finite"),
        (10**400, "raised", "OverflowError"),
        (Hostile(), "wrong", "a Hostile is a Hostile"),
        (int, "wrong", "is a type"),
        (broken, "raised", "TypeError"),
    ],
)
def test_an_answer_of_the_wrong_kind_is_a_sentence(judge_of, answer, outcome, told):
    case = judge_of("x = torch.tensor(2.0, requires_grad=True)\ny = x ** 3", SLOPE).case({})
    verdict = SLOPE.judge(case, (answer,), {})
    assert (verdict.outcome, verdict.points) == (outcome, 0)
    assert told in verdict.reason.text


def test_a_number_that_raises_when_it_is_read_is_reported(judge_of):
    class Shy(float):
        def __float__(self):
            raise KeyError("not today")

    case = judge_of("x = torch.tensor(2.0, requires_grad=True)\ny = x ** 3", SLOPE).case({})
    verdict = SLOPE.judge(case, (Shy(12),), {})
    assert verdict.outcome == "raised"
    assert "KeyError" in verdict.reason.text
    assert rule_of(verdict.reason.id) == ""
