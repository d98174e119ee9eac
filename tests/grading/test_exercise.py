"""What a learner sees: the task, checks, hints, solutions, progress; as text always, as HTML escaped."""

import re

import pytest

from autograd_lab.grading.catalogue import BELIEFS
from autograd_lab.grading.hints import NUDGES, ladder
from autograd_lab.grading.show import Page, Paragraph, Shown, Table


def bundle(shown):
    found = shown._repr_mimebundle_()
    assert set(found) == {"text/plain", "text/html"}
    return found["text/plain"], found["text/html"]


def test_the_task_shows_the_learners_program(ex):
    text, html = bundle(ex)
    numbers = ex.numbers
    for line in (
        f"y = x * {numbers['factor']}",
        f"z = y + {numbers['shift']}",
        f"loss = z ** {numbers['power']}",
    ):
        assert line in text
        assert line in html
    assert repr(ex) == text
    with pytest.raises(TypeError):
        numbers["x"] = 4


def test_a_check_finds_variables_of_cells_and_of_functions(ex):
    name_of_y = "MulBackward0"  # noqa: F841
    assert ex.check("q1").of.outcome == "right"


def test_a_variable_counts_before_an_answer_given_directly(ex):
    ex.answer("q1", "AddBackward0")
    assert ex.check("q1").of.outcome == "wrong"
    name_of_y = "MulBackward0"  # noqa: F841
    assert ex.check("q1").of.outcome == "right"


def test_a_wrong_check_says_why_and_what_to_do(ex):
    text, html = bundle(ex.answer("q4", -3))
    assert text.startswith("q4: not right, 0 of 2 points\n  Your answer: -3\n")
    assert 'ex.hint("q4")' in text
    assert 'data-outcome="wrong"' in html
    assert 'href="../../notebooks/04_chain_rule.ipynb"' in html


def test_a_right_check_says_only_that(ex):
    assert repr(ex.answer("q1", "MulBackward0")) == "q1: right, 2 of 2 points\n  Your answer: 'MulBackward0'"


def test_what_the_learner_wrote_is_escaped(ex):
    text, html = bundle(ex.answer("q1", "<script>alert(1)</script>"))
    assert "<script>alert" in text
    assert "<script" not in html
    page = Page("<b>", (Paragraph("<i>", "<u>", ("<a>", '"><x')), Table(("<h>",), (("<c>",),))), "", (("n", '"<'),))
    tags = set(re.findall(r"<(\w+)", Shown(page)._repr_mimebundle_()["text/html"]))
    assert tags == {"section", "b", "p", "a", "table", "thead", "tr", "th", "tbody", "td"}


def test_hints_follow_the_diagnosis_then_the_graph_then_a_sibling(ex, e2):
    right = e2.judge.case(dict(ex.numbers)).reference.slope("loss", "x")
    plain = ex.hint("q5").of
    ex.answer("q4", -right)
    first, second, third, after = (ex.hint("q4") for _ in range(4))
    assert first.of == "Does loss grow or fall when x grows?"
    assert plain.startswith("Which line sends gradients back")
    assert "dloss/dz, taken at z = " in second.of
    assert "With other numbers:" in third.of
    assert "hint 3 of 3" in repr(third)
    assert "no more hints" in repr(after)
    assert ex.progress().of["q4"].hints == 3


@pytest.mark.parametrize("question", ["q1", "q2", "q3", "q4", "q5"])
@pytest.mark.parametrize("learner", ["ada", "grace", "emmy"])
def test_no_hint_holds_the_answer(e2, question, learner, monkeypatch):
    from autograd_lab.grading import exercise

    monkeypatch.setenv("AUTOGRAD_LAB_LEARNER", learner)
    case = e2.judge.case(e2.numbers(learner))
    ex = exercise(e2.slug)
    texts = [ex.hint(question).of for _ in range(3)]
    answers = [case.reference.node(name) for name in ("y", "z", "loss")] if question in ("q1", "q2", "q3") else []
    answers += [f"{case.reference.slope('loss', 'x'):g}"] if question in ("q4", "q5") else []
    for text in texts:
        assert not [answer for answer in answers if re.search(rf"\b{answer}\b", text)]


def test_every_nudge_is_for_a_known_belief_and_every_belief_can_be_asked(e2, case):
    assert set(NUDGES) <= set(BELIEFS)
    for question in e2.judge.questions:
        for belief in ["", *BELIEFS]:
            hints = ladder(question, case, case, belief)
            assert len(hints) == 3
            assert all(hints)
            assert "{" not in "".join(hints)


def test_factors_point_at_the_first_that_differs(e2, case):
    question = next(q for q in e2.judge.questions if q.id == "q4")
    assert question.first_difference(case, (34, 1, 4)).startswith("All 3 factors are right")
    assert "dloss/dz" in question.first_difference(case, (6, 1, 4))
    assert "taken at z = 17" in question.first_difference(case, (6, 1, 4))
    assert "dz/dy" in question.first_difference(case, (34, 0, 4))
    assert "dy/dx" in question.first_difference(case, (34, 1, "four"))
    assert "3 factors" in question.first_difference(case, (34, 4))


def test_factors_are_asked_of_slopes_only(ex):
    assert "has no factors" in repr(ex.factors("q1", 1))
    assert "You gave 1" in repr(ex.factors("q5", 1))


def test_a_solution_is_shown_and_remembered(ex):
    assert '"MulBackward0"' in repr(ex.show("q1"))
    assert ex.progress().of["q1"].solution_shown
    for question in ("q2", "q3", "q4", "q5"):
        assert ex._question(question).solution(ex._case) in repr(ex.show(question)).replace("\n  ", "\n")


def test_progress_counts_the_best_check(ex):
    ex.answer("q1", "MulBackward0")
    ex.answer("q1", "MulBackward")
    record = ex.progress().of["q1"]
    assert (record.attempts, record.best, record.last, record.outcome, record.solved) == (
        2,
        2,
        1,
        "partly",
        True,
    )
    assert repr(ex.progress()).startswith("E2 Multiple operations: 2 of 10 points\n")
