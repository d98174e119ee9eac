"""The questions' own script and style in a plain page, without Jupyter and without a kernel."""

from pathlib import Path

import lab_pages
import pytest

import autograd_lab
from autograd_lab.course import prompt
from autograd_lab.course.lesson import open_lesson

pytestmark = pytest.mark.browser

HERE = Path(prompt.__file__).parent
MOUNT = """async ({ script, style, models, dark }) => {
  document.documentElement.lang = 'en';
  document.title = 'Questions';
  if (dark) {
    document.body.dataset.jpThemeLight = 'false';
    document.body.style.cssText = '--jp-layout-color0:#111;--jp-content-font-color1:#fff;background:#111';
  }
  const sheet = document.createElement('style');
  sheet.textContent = style;
  document.head.append(sheet);
  const file = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const module = await import(file);
  window.near = module.near;
  window.numbersIn = module.numbersIn;
  window.models = models.map((values) => {
    const listeners = {};
    const model = {
      values: { ...values },
      saved: 0,
      get: (name) => model.values[name],
      set: (name, value) => {
        model.values[name] = value;
        (listeners[`change:${name}`] || []).forEach((listener) => listener());
      },
      save_changes: () => { model.saved += 1; },
      on: (event, listener) => { (listeners[event] ||= []).push(listener); },
      off: (event, listener) => { listeners[event] = listeners[event].filter((l) => l !== listener); },
    };
    const el = document.createElement('div');
    document.body.append(el);
    module.default.initialize({ model });
    module.default.render({ model, el });
    return model;
  });
}"""


@pytest.fixture
def lesson(tmp_path, monkeypatch):
    monkeypatch.setenv("AUTOGRAD_LAB_HOME", str(tmp_path))
    return open_lesson("04_chain_rule")


def asked(lesson, value=2.0):
    """The prediction of the gradient 60 at x = 2."""
    x = autograd_lab.tensor(value, requires_grad=True)
    y = x * 3
    z = y + 4
    loss = z**2
    return lesson.predict("What is dloss/dx?", of=loss, wrt=x)


def mount(page, *shown, dark=False):
    """Put what cells hold into one page; the first question's form."""
    models = [
        {name: getattr(made.widget, name) for name in ("kind", "heading", "questions", "states")} for made in shown
    ]
    script, style = prompt.script(), (HERE / "prompt.css").read_text("utf-8")
    page.goto("about:blank")
    page.evaluate(MOUNT, {"script": script, "style": style, "models": models, "dark": dark})
    return page.locator("form").first


def states(page, model=0):
    return page.evaluate(f"window.models[{model}].values.states")


def verdict(form):
    return form.get_by_role("status").inner_text().replace("\n\n", "\n")


def answer(form, typed):
    form.get_by_role("textbox").fill(typed)
    form.get_by_role("textbox").press("Enter")


def test_a_question_is_not_answered_and_hides_its_number(page, lesson):
    form = mount(page, asked(lesson))
    assert form.get_attribute("data-state") == "open"
    assert "not answered" in form.inner_text()
    assert "60" not in page.locator("body").inner_text()
    assert states(page) == {}


@pytest.mark.parametrize("typed", ["60", " 60.0 ", "60,0", "6e1", "120/2", "+60", "59.99"])
def test_the_right_number_is_right_however_it_is_written(page, lesson, typed):
    form = mount(page, asked(lesson))
    answer(form, typed)
    assert form.get_attribute("data-state") == "right"
    assert verdict(form) == "✓ right: 60\ndloss/dx = dloss/dz · dz/dy · dy/dx = 20 · 1 · 3 = 60"
    (state,) = states(page).values()
    assert (state["state"], state["tries"]) == ("right", 1)
    assert page.evaluate("window.models[0].saved") == 1


BELIEFS = {
    "100": "value of loss",
    "12": "took the local derivative of PowBackward0 at x = 2",
    "24": "is a sum",
    "20": "dy/dx = 3",
    "3": "dloss/dz = 20",
    "-60": "the sign is not",
    "17": "one factor for each node",
}


@pytest.mark.parametrize("typed", BELIEFS)
def test_a_wrong_number_gets_its_own_reason_and_another_try(page, lesson, typed):
    form = mount(page, asked(lesson))
    answer(form, typed)
    assert form.get_attribute("data-state") == "wrong"
    assert BELIEFS[typed] in verdict(form)
    assert "60" not in verdict(form).replace(f"{typed} is wrong", "")
    answer(form, "60")
    assert form.get_attribute("data-state") == "right"
    (state,) = states(page).values()
    assert state["tries"] == 2


def test_the_second_miss_opens_the_formula(page, lesson):
    form = mount(page, asked(lesson))
    answer(form, "100")
    assert "Look at" not in verdict(form)
    answer(form, "101")
    assert "Look at: dloss/dx = dloss/dz · dz/dy · dy/dx, with z = 10, y = 6, x = 2" in verdict(form)


@pytest.mark.parametrize("typed", ["2x", "2*x", "6 * z", "x^2", "z*3"])
def test_a_formula_is_told_to_be_none_of_the_numbers_that_are_asked(page, lesson, typed):
    form = mount(page, asked(lesson))
    answer(form, typed)
    assert "is a formula" in verdict(form)
    assert states(page) == {}


@pytest.mark.parametrize("typed", ["60.5", "59.2"])
def test_a_number_that_a_small_step_gives_is_told_to_be_close(page, lesson, typed):
    form = mount(page, asked(lesson))
    answer(form, typed)
    assert form.get_attribute("data-state") == "wrong"
    assert "Close, but not it" in verdict(form)


@pytest.mark.parametrize("typed", ["", "   ", "sixty", "1/0", "1/2/3", "--4"])
def test_what_is_no_number_is_no_answer(page, lesson, typed):
    form = mount(page, asked(lesson))
    answer(form, typed)
    assert form.get_attribute("data-state") == "open"
    assert "number" in verdict(form)
    assert states(page) == {}


def test_show_me_shows_the_number_and_is_marked(page, lesson):
    form = mount(page, asked(lesson))
    form.get_by_role("button", name="Show me").click()
    assert form.get_attribute("data-state") == "shown"
    assert "the answer: 60" in verdict(form)
    (state,) = states(page).values()
    assert state["state"] == "shown"
    form.get_by_role("button", name="Try again").click()
    assert form.get_attribute("data-state") == "open"


def test_a_choice_is_answered_by_keyboard(page, lesson):
    shown = lesson.leave("04/two-in-a-row")
    form = mount(page, shown)
    right = next(i for i, choice in enumerate(shown.questions[0].choices) if choice.right)
    form.get_by_role("radio").nth((right + 1) % 4).focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    assert form.get_attribute("data-state") == "wrong"
    assert page.evaluate("document.activeElement.type") == "radio"
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert form.get_attribute("data-state") == "right"
    assert "5 · 4" in verdict(form)


def test_check_without_a_choice_is_no_answer(page, lesson):
    form = mount(page, lesson.leave("04/two-in-a-row"))
    form.get_by_role("button", name="Check").click()
    assert "Choose an answer first" in verdict(form)
    assert states(page) == {}


def test_the_summary_follows_the_answers(page, lesson):
    shown = [asked(lesson), lesson.leave("04/two-in-a-row")]
    form = mount(page, *shown, lesson.summary())
    summary = page.get_by_role("region", name="Summary of this lesson")
    counted = summary.get_by_role("status")
    assert counted.inner_text() == "2 questions: 0 right ✓, 0 wrong ✗, 0 shown, 2 not answered"
    answer(form, "12")
    assert counted.inner_text() == "2 questions: 0 right ✓, 1 wrong ✗, 0 shown, 1 not answered"
    answer(form, "60")
    assert counted.inner_text() == "2 questions: 1 right ✓, 0 wrong ✗, 0 shown, 1 not answered"
    assert "right at try 2" in summary.inner_text()


def test_an_earlier_answer_is_shown_again(page, lesson, tmp_path):
    first = asked(lesson)
    (question,) = first.questions
    first.widget.states = {question.id: {"state": "right", "typed": "60", "tries": 1, "rule": ""}}
    form = mount(page, asked(open_lesson("04_chain_rule")))
    assert form.get_attribute("data-state") == "right"


def test_everything_that_takes_keys_keeps_them_from_jupyterlab_and_has_a_name(page, lesson):
    mount(page, asked(lesson), lesson.leave("04/two-in-a-row"))
    focusable = page.locator("input, button")
    assert focusable.count() == 3 + 4 + 2
    for i in range(focusable.count()):
        assert focusable.nth(i).get_attribute("data-lm-suppress-shortcuts") == "true"
    assert page.get_by_role("textbox", name="What is dloss/dx?").count() == 1
    assert page.get_by_role("radiogroup").get_by_role("radio").count() == 4
    assert page.locator("[aria-live=polite]").count() == 2


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("typed", ["60", "100", None])
def test_every_text_has_enough_contrast(page, lesson, dark, typed):
    form = mount(page, asked(lesson), lesson.leave("04/two-in-a-row"), lesson.summary(), dark=dark)
    if typed:
        answer(form, typed)
    assert page.evaluate(lab_pages.POOR_CONTRAST, ".aq-root *") == []


@pytest.mark.parametrize("width", [260, 340, 700])
def test_questions_fit_a_narrow_page(page, lesson, width):
    page.set_viewport_size({"width": width, "height": 800})
    form = mount(page, asked(lesson), lesson.leave("05/x-times-x", "12/what-the-optimizer-holds"), lesson.summary())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    text, label = form.locator(".aq-text").bounding_box(), form.locator(".aq-label").bounding_box()
    assert text["width"] > 150, "the question is not squeezed into a column of single words"
    assert (text["y"] > label["y"] + 5) == (width < 400), "on a narrow page it stands below its label"


READINGS = {"12": [12], "-0.5": [-0.5], "−3": [-3], "1/4": [0.25], "0,5": [0.5], "1,000": [1, 1000]}


@pytest.mark.parametrize("typed", READINGS)
def test_numbers_are_read_in_every_usual_spelling(page, lesson, typed):
    mount(page, asked(lesson))
    assert page.evaluate("(text) => window.numbersIn(text)", typed) == READINGS[typed]
