"""Predict before reveal: what is hidden, what a wrong answer is told, the second and third miss, the answers kept."""

import csv
import io
import json

import pytest
from stepper_page import WALKS, at, chain, fan_out, field, keys_of, mount, walk_to

import autograd_lab
from autograd_lab import progress
from autograd_lab.grading.catalogue import BELIEFS, rule_of
from autograd_lab.view.tape import record

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("AUTOGRAD_LAB_HOME", str(tmp_path / "progress"))
    return tmp_path / "progress"


def answer(page, *numbers):
    for number in numbers:
        page.keyboard.type(str(number))
        page.keyboard.press("Enter")


def verdict(root, number=0):
    return root.locator(".al-verdict").nth(number).inner_text()


def model(page, name):
    return page.evaluate(f"window.models[0].values.{name}")


def asks_of(walk):
    return [ask for frame in walk.frames for ask in frame["ask"]]


def test_a_number_is_hidden_until_the_answer(page):
    walk = chain("all")
    root = mount(page, walk)
    key = keys_of(walk)["y"]
    walk_to(page, root, 1)
    assert field(root, f"{key}.value") == "?"
    assert "6" not in root.locator(".al-panel").inner_text()
    assert "2 * 3" not in root.locator(".al-lines").inner_text(), "the formula with numbers waits for a second miss"
    answer(page, 6)  # a digit goes to the box by itself
    assert verdict(root) == "✓ right: 6"
    assert field(root, f"{key}.value") == "6"
    assert "y = x * 3 = 2 * 3 = 6" in root.locator(".al-lines").inner_text()
    assert root.locator(".al-score").inner_text().startswith("Predictions: 1 right ✓, 0 wrong ✗, 0 not answered")
    page.keyboard.press("ArrowRight")
    assert at(root) == 2, "the walk's keys work again after an answer"


def test_a_first_miss_gives_the_reason_and_another_try(page):
    root = mount(page, chain("all"))
    walk_to(page, root, 1)
    root.get_by_label("y = x * 3 =").fill("5")
    root.get_by_role("button", name="Check").click()
    assert verdict(root) == "✗ 5 is not it. That is 2 + 3. The op here is *. Try again."
    assert root.locator(".al-live").inner_text() == verdict(root), "a screen reader hears it"
    assert "2 * 3" not in root.locator(".al-lines").inner_text()
    assert root.locator("form").get_attribute("data-state") == "trying"
    answer(page, 6)  # the box has the focus and its text is selected
    assert verdict(root) == "✓ right at try 2: 6"
    assert model(page, "answers") == {
        "q1-0": {"state": "right", "tries": 2, "typed": ["5", "6"], "rule": "value.other-op", "answer": 6}
    }


def test_a_second_miss_opens_the_formula_with_the_learners_numbers(page):
    root = mount(page, chain("all"))
    walk_to(page, root, 1)
    answer(page, 2, 7)
    assert verdict(root).endswith("The formula with your numbers is open below.")
    assert "y = x * 3 = 2 * 3 = ?" in root.locator(".al-lines").inner_text()
    answer(page, 8)
    assert verdict(root) == "✗ wrong: you typed 2, 7, 8, it is 6"
    assert "1 wrong" in root.locator(".al-score").inner_text()
    assert root.locator(".al-cell").nth(1).inner_text() == "✗"


@pytest.mark.parametrize(
    ("step", "question", "typed", "told", "belief"),
    [
        (3, "loss = z ** 2 =", 20, "** is a power", "value.power-as-product"),
        (
            5,
            "dloss/dz =",
            100,
            "100 is the value of loss. The question asks for a slope",
            "returned.value-not-gradient",
        ),
        (5, "dloss/dz =", 12, "That takes the local derivative at y = 6", "chain.wrong-place"),
        (5, "dloss/dz =", -20, "The size is right, the sign is not", "sign.flipped"),
        (6, "dloss/dy =", 21, "20 + 1 is a sum", "chain.sum-not-product"),
        (6, "dloss/dy =", 0, "An added term moves z up or down", "chain.added-constant"),
        (7, "dloss/dx =", 3, "That is the local derivative dy/dx alone", "chain.cotangent-dropped"),
        (7, "dloss/dx =", 20, "That is dloss/dy, what arrives", "chain.inner-derivative"),
        (7, "dloss/dx =", 40, "That takes x itself as the slope", "product.own-factor"),
        (7, "dloss/dx =", 77, "No usual mistake gives this number", "unknown"),
        (7, "dloss/dx =", "None", "None means that no gradient arrived", "none.no-backward"),
    ],
)
def test_a_wrong_answer_is_told_what_it_would_have_been_the_answer_to(page, step, question, typed, told, belief):
    root = mount(page, chain("all"))
    walk_to(page, root, step)
    form = root.locator("form").filter(has=page.get_by_label(question, exact=True))
    form.locator("input").fill(str(typed))
    form.locator("input").press("Enter")
    assert told in form.locator(".al-verdict").inner_text()
    (kept,) = [state for state in model(page, "answers").values() if state["typed"]]
    assert kept["rule"] == belief
    assert rule_of(belief) or belief.startswith("value.")


def test_at_a_fan_out_one_way_the_product_and_the_sum_are_told_apart(page):
    walk = fan_out("gradients")
    root = mount(page, walk)
    step = next(i for i, frame in enumerate(walk.frames) if frame["kind"] == "accumulate")
    for typed, told in ((8, "comes along one way only"), (24, "You multiplied the parts")):
        walk_to(page, root, step)
        answer(page, typed)
        assert told in verdict(root)
        root.get_by_role("button", name="Ask again").click()
    walk_to(page, root, step)
    answer(page, 11)
    assert verdict(root) == "✓ right: 11"


def test_a_gradient_that_is_there_is_added_to(page):
    x = autograd_lab.tensor(2.0, requires_grad=True)
    (x * 5).backward()
    walk = autograd_lab.step_through(x * 3, predict="gradients")
    root = mount(page, walk)
    walk_to(page, root, len(walk.frames) - 1)
    answer(page, 3)
    assert "x.grad held 5 already, and backward adds to it" in verdict(root)


def test_matrices_have_their_own_mistakes(page):
    X = autograd_lab.tensor([[1.0, -2.0], [3.0, 5.0]])
    W = autograd_lab.tensor([[1.5, 2.0], [-1.0, 4.0]], requires_grad=True)
    b = autograd_lab.tensor([0.5, -0.5], requires_grad=True)
    with record():
        loss = ((X @ W + b) * autograd_lab.tensor([[3.0, 7.0], [11.0, 13.0]])).mean()
    walk = autograd_lab.step_through(loss, predict="gradients")
    rules = {wrong["rule"] for ask in asks_of(walk) for wrong in ask["wrong"]}
    assert {"broadcast.not-reduced", "broadcast.mean-not-sum", "matmul.transposed"} <= rules
    root = mount(page, walk)
    step = next(i for i, frame in enumerate(walk.frames) if frame["node"] == "MeanBackward0" and frame["ask"])
    walk_to(page, root, step)
    answer(page, 1)
    assert "A mean divides by N = 4" in verdict(root)
    walk_to(page, root, next(i for i, frame in enumerate(walk.frames) if frame["node"] == "MmBackward0" and i > step))
    answer(page, 3 / 4 * 1 + 7 / 4 * 3)
    assert "A transpose is missing" in verdict(root)


@pytest.mark.parametrize("make", WALKS)
def test_every_reason_has_an_id_of_the_catalogue_and_no_wrong_answer_is_right(make):
    for ask in asks_of(make("all")):
        for wrong in ask["wrong"]:
            assert wrong["rule"] in BELIEFS
            assert wrong["reason"]
            assert abs(wrong["value"] - ask["answer"]) > 1e-3 * abs(ask["answer"])


def test_near_is_no_miss(page):
    root = mount(page, chain("gradients"))
    walk_to(page, root, 7)
    answer(page, 60.4)
    assert "near, but not the number" in verdict(root)
    assert root.locator("form").get_attribute("data-state") == "open"


def test_show_me_counts_as_not_answered(page):
    root = mount(page, chain("gradients"))
    walk_to(page, root, 5)
    root.get_by_role("button", name="Show").click()
    assert verdict(root) == "– not answered: it is 20"
    assert "1 not answered" in root.locator(".al-score").inner_text()


def test_walking_past_a_question_marks_it(page):
    walk = chain("all")
    root = mount(page, walk)
    walk_to(page, root, 1)
    answer(page, 5)
    page.keyboard.press("Delete")
    root.get_by_role("button", name="End").click()
    asked = len(asks_of(walk))
    assert asked == 9
    score = root.locator(".al-score").inner_text()
    assert score == f"Predictions: 0 right ✓, 1 wrong ✗, {asked - 1} not answered –, 0 to come, of {asked}."
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert verdict(root) == "✗ wrong: you typed 5, it is 6"
    page.keyboard.press("ArrowRight")
    assert verdict(root) == "– not answered: it is 10"
    assert root.locator(".al-ask input").count() == 0


def test_what_is_no_number_is_said_and_stays_open(page):
    root = mount(page, chain("all"))
    walk_to(page, root, 1)
    box = root.get_by_label("y = x * 3 =")
    box.fill("six")
    box.press("Enter")
    assert "“six” is no number I can read" in verdict(root)
    box.fill("")
    box.press("Enter")
    assert "Type a number first" in verdict(root)
    assert root.locator("form").get_attribute("data-state") == "open"


def test_keys_belong_to_the_box_while_it_holds_text(page):
    root = mount(page, chain("all"))
    walk_to(page, root, 1)
    page.keyboard.type("12")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Backspace")
    page.keyboard.press("Home")
    assert at(root) == 1
    assert root.locator(".al-ask input").input_value() == "2"
    page.keyboard.press("Delete")
    page.keyboard.press("ArrowRight")  # an empty box lets the walk go on
    assert at(root) == 2


def test_two_questions_of_one_step_are_answered_one_by_one(page):
    walk = fan_out("gradients")
    root = mount(page, walk)
    step = next(number for number, frame in enumerate(walk.frames) if len(frame["ask"]) == 2)
    walk_to(page, root, step)
    answer(page, 1)
    assert [form.get_attribute("data-state") for form in root.locator("form").all()] == ["right", "open"]
    answer(page, 1)
    assert [form.get_attribute("data-state") for form in root.locator("form").all()] == ["right", "right"]
    assert "?" not in root.locator(".al-lines").inner_text()


@pytest.mark.parametrize("make", WALKS)
@pytest.mark.parametrize("predict", ["gradients", "all"])
def test_every_answer_of_the_tape_is_taken_as_right(page, make, predict):
    walk = make(predict)
    root = mount(page, walk)
    root.focus()
    for frame in walk.frames:
        for ask in frame["ask"]:
            root.locator(".al-ask input").first.fill(f"{ask['answer']:.4g}")
            page.keyboard.press("Enter")
        assert "⟦" not in root.inner_text()
        page.keyboard.press("ArrowRight")
    assert root.locator(".al-score").inner_text().startswith(f"Predictions: {len(asks_of(walk))} right")


# Answers kept and exported


def test_answers_reach_the_model_the_list_and_the_progress_folder(page, home):
    walk = chain("all")
    root = mount(page, walk)
    walk_to(page, root, 1)
    answer(page, 5, 6)
    walk.widget.answers = model(page, "answers")  # what Jupyter carries to the kernel
    first = walk.answers()[0]
    assert first == {
        "step": 1,
        "question": "y = x * 3 =",
        "answer": 6.0,
        "typed": ["5", "6"],
        "state": "right",
        "tries": 2,
        "belief": "value.other-op",
    }
    assert {row["state"] for row in walk.answers()[1:]} == {"not answered"}
    (record,) = progress.recall("step").values()
    assert record["answers"]["q1-0"]["typed"] == ["5", "6"]
    assert list(home.rglob("*.json"))
    again = chain("all")
    assert again.widget.answers == record["answers"], "the same walk made again knows its answers"
    assert chain("gradients").widget.answers == {}


def test_answers_are_saved_as_files_by_the_walk(tmp_path):
    walk = chain("all")
    walk.save(tmp_path / "answers.csv")
    walk.save(tmp_path / "answers.json")
    with (tmp_path / "answers.csv").open(encoding="utf-8") as file:
        assert [row["question"] for row in csv.DictReader(file)] == [ask["prompt"] for ask in asks_of(walk)]
    assert json.loads((tmp_path / "answers.json").read_text("utf-8")) == walk.answers()


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_answers_are_exported_by_the_page_without_a_kernel(page, by):
    walk = chain("all")
    root = mount(page, walk, kernel=False)
    walk_to(page, root, 1)
    answer(page, 5, 6)
    texts = {}
    for form in ("CSV", "JSON"):
        button = root.get_by_role("button", name=f"Answers as {form}")
        with page.expect_download() as caught:
            button.click() if by == "mouse" else button.press("Enter")
        texts[form] = caught.value.path().read_text("utf-8")
    rows = json.loads(texts["JSON"])
    assert len(rows) == len(asks_of(walk))
    assert rows[0]["typed"] == ["5", "6"]
    assert [row["question"] for row in csv.DictReader(io.StringIO(texts["CSV"]))] == [row["question"] for row in rows]


def test_every_question_can_be_asked_again(page):
    root = mount(page, chain("all"))
    walk_to(page, root, 1)
    answer(page, 6)
    root.get_by_role("button", name="Ask again").press("Enter")
    assert root.locator("form").get_attribute("data-state") == "open"
    assert root.locator(".al-score").inner_text().startswith("Predictions: 0 right")
    assert model(page, "answers") == {}


def test_an_answer_belongs_to_the_number_that_was_right_then(page):
    old = {"state": "right", "tries": 1, "typed": ["5"], "rule": "", "answer": 5}
    root = mount(page, chain("all"), step=1, answers={"q1-0": old})
    assert root.locator("form").get_attribute("data-state") == "open"


# What a typed text means


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("12", [12]),
        (" -0.5 ", [-0.5]),
        ("\u22123", [-3]),
        ("+4.", [4]),
        (".5", [0.5]),
        ("1/4", [0.25]),
        ("-1 / 3", [-1 / 3]),
        ("= 3", [3]),
        ("1/0", []),
        ("0,5", [0.5]),
        ("1,000", [1, 1000]),
        ("1,234.5", [1234.5]),
        ("1.234,5", [1234.5]),
        ("2e-3", [0.002]),
        ("six", []),
        ("1/2/3", []),
        ("1.2.3", []),
        ("", []),
    ],
)
def test_typed_numbers_are_read_sensibly(page, text, numbers):
    mount(page, chain(), kernel=False)
    assert page.evaluate("text => window.stepper.numbersIn(text)", text) == pytest.approx(numbers)


@pytest.mark.parametrize(
    ("typed", "answer", "right"),
    [
        (0.333, 1 / 3, True),
        (0.33, 1 / 3, False),
        (0, 0, True),
        (1e-3, 0, False),
        (-60, 60, False),
        (1001, 1000, True),
    ],
)
def test_an_answer_may_be_a_thousandth_off(page, typed, answer, right):
    mount(page, chain(), kernel=False)
    assert page.evaluate("([typed, answer]) => window.stepper.near(typed, answer)", [typed, answer]) is right
