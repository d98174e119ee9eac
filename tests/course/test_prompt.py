"""Predictions: right ones equal PyTorch or arithmetic, wrong ones name their belief, none is skipped."""

import json
import math
import sys

import pytest

import autograd_lab
from autograd_lab import progress
from autograd_lab.course import questions
from autograd_lab.course.chain import chain_between
from autograd_lab.course.lesson import open_lesson
from autograd_lab.course.prompt import NEEDS_LAB
from autograd_lab.course.wrong_answers import kept, near, wrong_slopes
from autograd_lab.view.names import Names


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """Every test has its own empty progress folder."""
    monkeypatch.setenv("AUTOGRAD_LAB_HOME", str(tmp_path))
    monkeypatch.delenv("AUTOGRAD_LAB_OUTPUT", raising=False)
    return tmp_path


@pytest.fixture
def lesson():
    return open_lesson("04_chain_rule")


@pytest.fixture(params=["autograd_lab", "torch"])
def library(request):
    """Ours, and PyTorch where it is installed."""
    return autograd_lab if request.param == "autograd_lab" else pytest.importorskip("torch")


def square_chain(library, value=2.0):
    """loss = (3x + 4) ** 2, its parts by name."""
    x = library.tensor(value, requires_grad=True)
    y = x * 3
    z = y + 4
    return {"x": x, "y": y, "z": z, "loss": z**2}


def cell(code, lesson, parts):
    """What a notebook cell shows: names are those of the notebook's variables."""
    return eval(code, {**parts, "lesson": lesson})


def ask(lesson, of, wrt, parts):
    """One prediction about named tensors: its Question."""
    return cell(f"lesson.predict('What number?', of={of}, wrt={wrt})", lesson, parts).questions[0]


def reasons(question):
    """{number: (belief, reason)} of a question's wrong answers."""
    return {round(wrong.value, 4): (wrong.rule, wrong.reason) for wrong in question.wrong}


# Right answers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("of", "wrt"), [("loss", "x"), ("loss", "y"), ("loss", "z"), ("z", "x"), ("y", "x")])
@pytest.mark.parametrize("value", [2.0, -1.5, 0.25])
def test_a_slope_is_what_moving_the_input_a_little_gives(lesson, library, of, wrt, value):
    parts = square_chain(library, value)
    functions = {"y": lambda x: x * 3, "z": lambda y: y + 4, "loss": lambda z: z**2}
    order = ["x", "y", "z", "loss"]

    def forward(start):
        for name in order[order.index(wrt) + 1 : order.index(of) + 1]:
            start = functions[name](start)
        return start

    at = float(parts[wrt].detach())
    nudged = (forward(at + 1e-6) - forward(at - 1e-6)) / 2e-6
    assert ask(lesson, of, wrt, parts).answer == pytest.approx(nudged, rel=1e-6)


@pytest.mark.parametrize("of", ["y", "z", "loss"])
def test_a_value_is_the_value(lesson, library, of):
    assert ask(lesson, of, None, square_chain(library)).answer == {"y": 6, "z": 10, "loss": 100}[of]


FORMULAS = {
    "exp": lambda t, x: t.exp(x * 2 - 3) + 1,
    "log of a square": lambda t, x: t.log(x**2 + 1),
    "sine": lambda t, x: t.sin(x * 3) * 2,
    "tanh": lambda t, x: t.tanh(x / 4) - 1,
    "power three": lambda t, x: (5 - x) ** 3,
    "used twice": lambda t, x: x**2 + 3 * x,
    "used three times": lambda t, x: x * t.exp(x) / (x + 3),
    "square root": lambda t, x: t.sqrt(x * x + 2),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_the_chain_multiplies_and_adds_to_the_gradient_of_pytorch(name):
    torch = pytest.importorskip("torch")
    theirs = torch.tensor(1.25, dtype=torch.float64, requires_grad=True)
    FORMULAS[name](torch, theirs).backward()
    for library in (autograd_lab, torch):
        x = library.tensor(1.25, dtype=library.float64, requires_grad=True)
        result = FORMULAS[name](library, x)
        chain = chain_between(result, x, Names([("x", x), ("result", result)]))
        assert chain.slope == pytest.approx(theirs.grad.item(), rel=1e-12)
        wrong = kept(chain.slope, wrong_slopes(chain))
        assert len({answer.rule for answer in wrong}) >= 3
        assert not any(near(answer.value, theirs.grad.item()) for answer in wrong)


# Wrong answers ---------------------------------------------------------------------------------------

BELIEFS_OF_60 = {
    (3 * 2 + 4) ** 2: "returned.value-not-gradient",
    2 * 2 * 1 * 3: "chain.wrong-place",  # the square's slope at x
    2 * 6 * 1 * 3: "chain.wrong-place",  # at y
    10 * 1 * 3: "power.factor-lost",
    20 + 1 + 3: "chain.sum-not-product",
    20 * 1: "chain.factor-missing",
    1 * 3: "chain.factor-missing",
    2: "returned.input-value",
    -60: "sign.flipped",
    1: "chain.only-the-start",
}


def test_each_wrong_belief_about_the_60_is_named(lesson, library):
    found = reasons(ask(lesson, "loss", "x", square_chain(library)))
    assert {number: found[number][0] for number in BELIEFS_OF_60} == BELIEFS_OF_60
    assert "at x = 2" in found[12][1]
    assert "z = 10" in found[12][1]
    assert "dy/dx = 3" in found[20][1]


def test_wrong_answers_follow_the_input(lesson):
    found = reasons(ask(lesson, "loss", "x", square_chain(autograd_lab, 5.0)))
    assert found[19.0**2][0] == "returned.value-not-gradient"
    assert found[2 * 5 * 1 * 3][0] == "chain.wrong-place"
    assert 12 not in found


def test_the_output_in_place_of_the_input_is_named(lesson, library):
    """exp's local derivative is its output; whoever takes its input gets 0.5 in place of 1.6487."""
    x = library.tensor(0.5, requires_grad=True)
    e = library.exp(x)
    question = lesson.predict("What is de/dx?", of=e, wrt=x).questions[0]
    assert question.answer == pytest.approx(math.exp(0.5), rel=1e-6)
    assert reasons(question)[0.5][0] == "chain.input-for-output"


def test_one_way_of_two_and_their_product_are_named(lesson):
    x = autograd_lab.tensor(4.0, requires_grad=True)
    y = x**2 + 3 * x
    found = reasons(lesson.predict("What is dy/dx?", of=y, wrt=x).questions[0])
    assert found[8][0] == found[3][0] == "accumulate.overwritten"
    assert found[24][0] == "accumulate.multiplied"
    assert found[28][0] == "returned.value-not-gradient"


def test_two_beliefs_with_one_number_are_both_told(lesson):
    """14 is 7 · 2 without the exponent's 2, and 14 · 1 without the 2 of the multiplication."""
    x = autograd_lab.tensor(2.0, requires_grad=True)
    a = x * 2
    b = a + 3
    c = b**2
    _, reason = reasons(lesson.predict("What is dc/dx?", of=c, wrt=x).questions[0])[14]
    assert "exponent" in reason
    assert "Or: One factor is missing: da/dx = 2" in reason


def test_values_before_the_last_op_are_named(lesson, library):
    found = reasons(ask(lesson, "loss", None, square_chain(library)))
    assert {number: rule for number, (rule, _) in found.items()} == {
        20: "value.power-as-product",
        10: "value.too-early",
        6: "value.too-early",
        2: "value.too-early",
    }


def test_a_number_of_the_cell_can_be_asked_with_its_own_wrong_answers(lesson):
    shown = lesson.predict("How many nodes?", of=3, wrong={4: "x is a leaf.", 2: "Count the +.", 3: "!"})
    assert reasons(shown.questions[0]) == {4: ("given", "x is a leaf."), 2: ("given", "Count the +.")}


# States ----------------------------------------------------------------------------------------------


def test_looking_leaves_no_trace(lesson, library):
    parts = square_chain(library)
    ask(lesson, "loss", "x", parts)
    assert parts["x"].grad is None
    parts["loss"].backward()
    assert parts["x"].grad.item() == 60


def test_what_nobody_answered_reads_not_answered(lesson, monkeypatch):
    monkeypatch.setenv("AUTOGRAD_LAB_OUTPUT", "stored")
    code = "lesson.predict('What is `dloss/dx`?', of=loss, wrt=x)"
    shown = cell(code, lesson, square_chain(autograd_lab))
    data = shown._repr_mimebundle_()
    assert data["text/plain"] == "Predict: What is `dloss/dx`? (not answered)"
    assert set(data) == {"text/plain", "text/html"}
    assert "<code>dloss/dx</code>" in data["text/html"]
    assert "60" not in str(data)
    assert "1 not answered" in lesson.summary()._repr_mimebundle_()["text/plain"]


def test_a_live_cell_holds_the_widget_and_the_text(lesson):
    data, _ = asked(lesson)._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/plain"] == "Predict: What is dloss/dx? (not answered)"


def test_what_the_browser_gets_is_json(lesson):
    assert json.loads(json.dumps(asked(lesson).widget.questions))[0]["answer"] == 60.0


def answered(shown, state, **more):
    """What the browser sends when a question is answered."""
    (question,) = shown.questions
    shown.widget.states = {question.id: {"state": state, "typed": "7", "tries": 1, **more}}


def asked(lesson, value=2.0):
    return cell("lesson.predict('What is dloss/dx?', of=loss, wrt=x)", lesson, square_chain(autograd_lab, value))


def test_an_answer_is_counted_kept_and_shown_again(lesson):
    shown = asked(lesson)
    answered(shown, "wrong", rule="chain.wrong-place", reason="because")
    assert repr(lesson.summary()).splitlines()[0] == "1 questions: 0 right, 1 wrong, 0 shown, 0 not answered"
    answered(shown, "right", tries=2)
    assert "(right at try 2)" in repr(lesson.summary())
    (record,) = progress.recall("question").values()
    assert (record["state"], record["tries"], record["answer"]) == ("right", 2, "60")
    again = open_lesson("04_chain_rule")
    assert repr(asked(again)) == "Predict: What is dloss/dx? (right at try 2)"
    assert repr(asked(again, 5.0)) == "Predict: What is dloss/dx? (not answered)", "other numbers, asked anew"


def test_trying_again_makes_it_not_answered(lesson):
    shown = asked(lesson)
    answered(shown, "shown")
    assert "1 shown" in repr(lesson.summary())
    answered(shown, "open", typed="", tries=0)
    assert "1 not answered" in repr(lesson.summary())
    assert "(not answered)" in repr(asked(open_lesson("04_chain_rule")))


def test_answers_of_another_lesson_stay_there(lesson):
    answered(asked(lesson), "right")
    assert "(not answered)" in repr(asked(open_lesson("05_fan_out_and_order")))


def test_without_anywidget_the_text_says_what_to_install(lesson, monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "autograd_lab.course.prompt_widget", raising=False)
    data = asked(lesson)._repr_mimebundle_()
    assert 'pip install "autograd-lab[lab]"' in NEEDS_LAB
    assert "autograd-lab[lab]" in data["text/html"]


# Questions in words ----------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", questions.every(), ids=lambda entry: entry.key)
def test_a_question_in_words_has_one_right_answer_and_a_reason_for_each_wrong_one(entry):
    choices = entry.choices()
    assert [choice.right for choice in choices].count(True) == 1
    wrong = [choice for choice in choices if not choice.right]
    assert len(wrong) >= 2
    assert len({choice.reason for choice in wrong}) == len(wrong)
    assert len({choice.text for choice in choices}) == len(choices)
    assert entry.because


def test_question_keys_are_unique_and_the_right_answer_has_no_usual_place():
    keys = [entry.key for entry in questions.every()]
    assert len(set(keys)) == len(keys)
    places = {[choice.right for choice in entry.choices()].index(True) for entry in questions.every()}
    assert len(places) >= 3


# Factors that the learner worked out ------------------------------------------------------------------


def outcome(lesson, factors, library=autograd_lab):
    return cell(f"lesson.check_factors({factors!r}, of=loss, wrt=x)", lesson, square_chain(library))


def test_right_factors_are_right(lesson, library):
    report = outcome(lesson, [20, 1, 3], library)
    assert report.outcome == "right"
    assert report.lines[0] == "dloss/dx = 20 · 1 · 3 = 60"
    assert "1 right" in repr(lesson.summary())


WRONG_FACTORS = {
    (4, 1, 3): "PowBackward0: dloss/dz = 4, wrong: this is its local derivative at x = 2",
    (10, 1, 3): "PowBackward0: dloss/dz = 10, wrong: the exponent",
    (100, 1, 3): "wrong: this is the value of loss",
    (20, 5, 3): "AddBackward0: dz/dy = 5, wrong: what went into this node is y = 6",
    (20, 1, 60): "wrong: this is the whole product",
    (3, 1, 20): "MulBackward0: dy/dx = 20, wrong",
}


@pytest.mark.parametrize("factors", WRONG_FACTORS)
def test_a_wrong_factor_is_pointed_out(lesson, factors):
    report = outcome(lesson, list(factors))
    assert report.outcome == "wrong"
    assert WRONG_FACTORS[factors] in repr(report)


def test_no_factors_are_not_answered_and_too_few_say_how_many(lesson):
    assert outcome(lesson, []).outcome == "not answered"
    assert "1 not answered" in repr(lesson.summary())
    report = outcome(lesson, [20, 3])
    assert report.outcome == "wrong"
    assert "3 factors are wanted" in repr(report)
    assert "PowBackward0, AddBackward0, MulBackward0" in repr(report)


def test_a_formula_with_two_ways_is_not_judged(lesson):
    x = autograd_lab.tensor(4.0, requires_grad=True)
    y = x * x
    report = lesson.check_factors([4, 4], of=y, wrt=x)
    assert report.outcome == "not answered"
    assert "used more than once" in repr(report)


def test_factors_that_are_no_list_of_numbers_are_refused(lesson):
    for bad in (60.0, ["20"], "20 1 3", None):
        report = outcome(lesson, bad)
        assert report.outcome == "not answered"
        assert "list of numbers" in repr(report)


# Bad input -------------------------------------------------------------------------------------------


def test_a_freed_graph_says_to_ask_before_backward(lesson, library):
    parts = square_chain(library)
    parts["loss"].backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time") as caught:
        ask(lesson, "loss", "x", parts)
    assert "before backward()" in caught.value.__notes__[0]


def test_tensors_that_are_not_connected_are_refused(lesson):
    parts = {**square_chain(autograd_lab), "other": autograd_lab.tensor(1.0, requires_grad=True)}
    with pytest.raises(ValueError, match="No way leads from loss back to other"):
        ask(lesson, "loss", "other", parts)


def test_more_than_one_number_is_refused(lesson):
    v = autograd_lab.tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(ValueError, match=r"wrt has shape \(2,\)"):
        lesson.predict("What?", of=(v * 2).sum(), wrt=v)
    with pytest.raises(ValueError, match=r"of has shape \(2,\)"):
        lesson.predict("What?", of=v * 2)


@pytest.mark.parametrize("bad", ["60", None, True, [60.0]])
def test_what_is_no_number_is_refused(lesson, bad):
    with pytest.raises(TypeError, match="of must be a tensor or a number"):
        lesson.predict("What?", of=bad)


def test_an_untracked_tensor_has_no_slope(lesson):
    x = autograd_lab.tensor(2.0)
    with pytest.raises(ValueError, match="requires_grad=True"):
        lesson.predict("What?", of=x * 3, wrt=x)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_nobody_predicts_nan(lesson, bad):
    with pytest.raises(ValueError, match="nobody can predict"):
        lesson.predict("What?", of=bad)


@pytest.mark.parametrize("bad", ["", "  ", 3])
def test_a_prediction_needs_its_question(lesson, bad):
    with pytest.raises(ValueError, match="needs its question"):
        lesson.predict(bad, of=3.0)


@pytest.mark.parametrize("bad", ["4", "chain", "04", None, "../04_chain_rule"])
def test_a_lesson_has_the_name_of_its_notebook(bad):
    with pytest.raises(ValueError, match="name of its notebook"):
        open_lesson(bad)


def test_an_unknown_question_lists_those_of_its_lesson(lesson):
    with pytest.raises(KeyError, match="04/two-in-a-row"):
        lesson.leave("04/two-in-a-rov")


# No trace -------------------------------------------------------------------------------------------


def test_asking_fills_no_retained_gradient(lesson, library):
    code = (
        "x = torch.tensor(4.0, requires_grad=True)\n"
        "y = x ** 2\n"
        "y.retain_grad()\n"
        "loss = y * 3\n"
        'asked = lesson.predict("What is dloss/dx?", of=loss, wrt=x)\n'
    )
    space = {"torch": library, "lesson": lesson}
    exec(code, space)
    assert space["asked"].questions[0].answer == 24
    assert space["y"].grad is None
