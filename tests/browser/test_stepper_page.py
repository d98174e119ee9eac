"""The stepper's script and style in a plain page, without Jupyter: each control, by keyboard and by mouse."""

import re
from pathlib import Path

import pytest

import autograd_lab
from autograd_lab import step_through
from autograd_lab.view import stepper
from autograd_lab.view.tape import record

pytestmark = pytest.mark.browser

HERE = Path(stepper.__file__).parent
TOKEN = re.compile(r"⟦([^|⟧]*)\|([^⟧]*)⟧")
MOUNT = """async ({ script, style, walks, dark }) => {
  document.head.insertAdjacentHTML('beforeend', '<meta name="viewport" content="width=device-width">');
  if (dark !== null) document.body.dataset.jpThemeLight = dark ? 'false' : 'true';
  const night = '--jp-layout-color0:#111;--jp-content-font-color1:#fff;background:#111';
  if (dark) document.body.style.cssText = night;
  const sheet = document.createElement('style');
  sheet.textContent = style;
  document.head.append(sheet);
  const file = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  window.stepper = await import(file);
  window.models = walks.map((walk) => {
    const listeners = [];
    const model = {
      values: { ...walk },
      saved: 0,
      get: (name) => model.values[name],
      set: (name, value) => { model.values[name] = value; },
      save_changes: () => { model.saved += 1; },
      on: (_, listener) => listeners.push(listener),
      off: (_, listener) => listeners.splice(listeners.indexOf(listener), 1),
      told: (name, value) => { model.values[name] = value; listeners.forEach((listener) => listener()); },
      listeners,
    };
    const el = document.createElement('div');
    document.body.append(el);
    model.cleanup = window.stepper.default.render({ model, el });
    model.el = el;
    return model;
  });
}"""


def chain(predict="none"):
    x = autograd_lab.tensor(2.0, requires_grad=True)
    with record():
        y = x * 3
        z = y + 4
        loss = z**2
    return step_through(loss, predict=predict)


def fan_out(predict="none"):
    x = autograd_lab.tensor(4.0, requires_grad=True)
    with record():
        square = x**2
        loss = square + 3 * x
    return step_through(loss, predict=predict)


def matmul(predict="none"):
    X = autograd_lab.tensor([[1.0, -2.0, 0.5], [0.0, 3.0, 1.0]])
    W = autograd_lab.tensor([[1.0, 2.0], [0.0, 1.0], [-1.0, 4.0]], requires_grad=True)
    b = autograd_lab.tensor([0.5, -0.5], requires_grad=True)
    with record():
        h = X @ W + b
        loss = h.mean()
    return step_through(loss, predict=predict)


def dead_relu(predict="none"):
    x = autograd_lab.tensor(-2.0, requires_grad=True)
    with record():
        r = autograd_lab.relu(x * 3)
        loss = r * 5 + x
    return step_through(loss, predict=predict)


WALKS = [chain, fan_out, matmul, dead_relu]


def mount(page, *walks, dark=None, **values):
    traits = [
        {
            "svg": walk.drawing.svg,
            "prefix": walk.drawing.picture.prefix,
            "frames": walk.frames,
            "label": f"Step through {walk.root}",
            "step": 0,
            "answers": {},
            **values,
        }
        for walk in walks
    ]
    script, style = (HERE / "stepper.js").read_text("utf-8"), (HERE / "stepper.css").read_text("utf-8")
    page.goto("about:blank")
    page.evaluate(MOUNT, {"script": script, "style": style, "walks": traits, "dark": dark})
    return page.get_by_role("group", name="Step through").first


def at(root):
    return int(root.get_attribute("data-step"))


def field(root, key):
    """The text of one field of the drawing, such as "n3.value"."""
    box, name = key.split(".")
    return root.locator(f'svg g[id$="-{box}"] [data-field="{name}"]').text_content()


def screen(root):
    """Everything one reads: texts of the drawing, the sentence, the formulas, and what is marked."""
    return root.evaluate("""root => [
      [...root.querySelectorAll('[data-field]')].map((part) => part.textContent),
      root.querySelector('.al-say').textContent,
      root.querySelector('.al-lines').innerHTML,
      [...root.querySelectorAll('svg g[id]')].map((group) => group.getAttribute('class')),
    ]""")


@pytest.mark.parametrize("make", WALKS)
def test_the_keyboard_walks_to_the_end_and_back(page, make):
    walk = make()
    root = mount(page, walk)
    root.focus()
    seen = [screen(root)]
    for number, key in enumerate(["ArrowRight", " ", "n", "N"] * len(walk.frames)):
        if number + 1 == len(walk.frames):
            break
        page.keyboard.press(key)
        assert at(root) == number + 1
        assert root.locator(".al-say").inner_text() == walk.frames[number + 1]["say"]
        seen.append(screen(root))
    page.keyboard.press("ArrowRight")
    assert at(root) == len(walk.frames) - 1, "the last step is the last"
    for number, key in zip(reversed(range(len(walk.frames) - 1)), ["ArrowLeft", "p", "P"] * 20, strict=False):
        page.keyboard.press(key)
        assert at(root) == number
        assert screen(root) == seen[number], "a step looks the same from both sides"
    page.keyboard.press("End")
    assert screen(root) == seen[-1]
    page.keyboard.press("Home")
    assert screen(root) == seen[0]
    assert page.evaluate("document.activeElement.className") == "al-stepper", "the focus stays"


def test_the_buttons_walk(page):
    walk = chain()
    root = mount(page, walk)

    def press(name):
        root.get_by_role("button", name=name).click(force=True)  # also where it says that it is disabled

    press("Next")
    press("Next")
    assert at(root) == 2
    press("Back")
    assert at(root) == 1
    press("End")
    assert at(root) == len(walk.frames) - 1
    press("Next")
    assert at(root) == len(walk.frames) - 1
    press("Start")
    press("Back")
    assert at(root) == 0
    root.locator(".al-cell").nth(3).click()
    assert at(root) == 3


def test_a_focused_button_is_pressed_by_space_once(page):
    root = mount(page, chain())
    root.get_by_role("button", name="Next").focus()
    page.keyboard.press(" ")
    assert at(root) == 1
    page.keyboard.press("Enter")
    assert at(root) == 2
    page.keyboard.press("ArrowRight")
    assert at(root) == 3


def test_the_numbers_on_the_page_are_pytorchs(page):
    torch = pytest.importorskip("torch")
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    z = y + 4
    loss = z**2
    for tensor in (y, z, loss):
        tensor.retain_grad()
    loss.backward()
    walk = chain()
    root = mount(page, walk)
    keys = {node.name: node.key for node in walk.drawing.picture.nodes if node.name}
    assert [field(root, f"{keys[name]}.value") for name in ("x", "y", "z", "loss")] == ["2", "—", "—", "—"]
    assert field(root, f"{keys['x']}.grad") == "None"
    root.focus()
    page.keyboard.press("End")
    for name, tensor in {"x": x, "y": y, "z": z, "loss": loss}.items():
        assert float(field(root, f"{keys[name]}.value")) == pytest.approx(tensor.item())
    assert float(field(root, f"{keys['x']}.grad")) == pytest.approx(x.grad.item())
    for edge in walk.drawing.picture.edges:
        name = walk.drawing.picture.by_key[edge.source].name
        if edge.backward and name in ("x", "y", "z"):
            wanted = {"x": x, "y": y, "z": z}[name].grad.item()
            if edge.labelled:
                assert float(field(root, f"{edge.backward_id}.grad")) == pytest.approx(wanted)
    page.keyboard.press("Home")
    assert field(root, f"{keys['x']}.grad") == "None"


@pytest.mark.parametrize("make", WALKS)
def test_only_the_active_parts_are_marked(page, make):
    walk = make()
    root = mount(page, walk)
    root.focus()
    for frame in walk.frames[1:]:
        page.keyboard.press("ArrowRight")
        marked = root.evaluate("""root => [...root.querySelectorAll('svg .is-active, svg .is-accumulating')]
          .map((group) => /-([ne][\\d-]+)$/.exec(group.id)[1])""")
        assert set(marked) == set(frame["active"]) | set(frame["edges"])
    assert root.locator("svg .node.is-ahead").count() == 0


# Predictions


def test_a_number_is_hidden_until_the_answer(page):
    walk = chain("all")
    root = mount(page, walk)
    key = next(node.key for node in walk.drawing.picture.nodes if node.name == "y")
    root.focus()
    page.keyboard.press("ArrowRight")
    assert field(root, f"{key}.value") == "?"
    assert "6" not in root.locator(".al-panel").inner_text()
    page.keyboard.type("6")  # a digit goes to the box by itself
    page.keyboard.press("Enter")
    assert root.locator(".al-verdict").inner_text() == "✓ right: 6"
    assert field(root, f"{key}.value") == "6"
    assert "y = x * 3 = 2 * 3 = 6" in root.locator(".al-lines").inner_text()
    assert root.locator(".al-score").inner_text().startswith("Predictions: 1 right ✓, 0 wrong ✗, 0 not answered")
    page.keyboard.press("ArrowRight")
    assert at(root) == 2, "the walk's keys work again after an answer"


def test_a_wrong_answer_is_shown_with_the_right_one(page):
    root = mount(page, chain("all"))
    root.focus()
    page.keyboard.press("ArrowRight")
    root.get_by_label("y = x * 3 =").fill("5")
    root.get_by_role("button", name="Check").click()
    assert root.locator(".al-verdict").inner_text() == "✗ wrong: you typed 5, it is 6"
    assert "1 wrong" in root.locator(".al-score").inner_text()
    assert root.locator(".al-cell").nth(1).inner_text() == "✗"


def test_show_me_counts_as_not_answered(page):
    root = mount(page, chain("gradients"))
    root.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    root.get_by_role("button", name="Show").click()
    assert root.locator(".al-verdict").inner_text() == "– not answered: it is 20"
    assert "1 not answered" in root.locator(".al-score").inner_text()


def test_walking_past_a_question_marks_it_not_answered(page):
    walk = chain("all")
    root = mount(page, walk)
    root.focus()
    page.keyboard.press("End")
    asked = sum(len(frame["ask"]) for frame in walk.frames)
    assert asked == 6
    assert (
        root.locator(".al-score")
        .inner_text()
        .startswith(f"Predictions: 0 right ✓, 0 wrong ✗, {asked} not answered –, 0 to come, of {asked}.")
    )
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert root.locator(".al-verdict").inner_text() == "– not answered: it is 6"
    assert root.locator("input").count() == 0


def test_what_is_no_number_is_said_and_stays_open(page):
    root = mount(page, chain("all"))
    root.focus()
    page.keyboard.press("ArrowRight")
    box = root.get_by_label("y = x * 3 =")
    box.fill("six")
    box.press("Enter")
    assert "“six” is no number I can read" in root.locator(".al-verdict").inner_text()
    box.fill("")
    box.press("Enter")
    assert "Type a number first" in root.locator(".al-verdict").inner_text()
    assert root.locator("form").get_attribute("data-state") == "open"


def test_keys_belong_to_the_box_while_it_holds_text(page):
    root = mount(page, chain("all"))
    root.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.type("12")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Backspace")
    page.keyboard.press("Home")
    assert at(root) == 1
    assert root.locator("input").input_value() == "2"
    page.keyboard.press("Delete")
    page.keyboard.press("ArrowRight")  # an empty box lets the walk go on
    assert at(root) == 2


def test_two_questions_of_one_step_are_answered_one_by_one(page):
    walk = fan_out("gradients")
    root = mount(page, walk)
    root.focus()
    step = next(number for number, frame in enumerate(walk.frames) if len(frame["ask"]) == 2)
    for _ in range(step):
        page.keyboard.press("ArrowRight")
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    assert root.locator("form").nth(0).get_attribute("data-state") == "right"
    assert root.locator("form").nth(1).get_attribute("data-state") == "open"
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    assert root.locator("form").nth(1).get_attribute("data-state") == "right"
    assert "?" not in root.locator(".al-lines").inner_text()


@pytest.mark.parametrize("make", WALKS)
@pytest.mark.parametrize("predict", ["gradients", "all"])
def test_every_answer_of_the_tape_is_taken_as_right(page, make, predict):
    walk = make(predict)
    root = mount(page, walk)
    root.focus()
    for frame in walk.frames:
        for ask in frame["ask"]:
            root.locator("input").first.fill(f"{ask['answer']:.4g}")
            page.keyboard.press("Enter")
        assert "⟦" not in root.inner_text()
        page.keyboard.press("ArrowRight")
    asked = sum(len(frame["ask"]) for frame in walk.frames)
    assert root.locator(".al-score").inner_text().startswith(f"Predictions: {asked} right")


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
    mount(page, chain())
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
    mount(page, chain())
    assert page.evaluate("([typed, answer]) => window.stepper.close(typed, answer)", [typed, answer]) is right


# Living on a page


def test_two_walks_on_one_page_do_not_meet(page):
    walk = chain()
    mount(page, walk, walk)
    first, second = (page.get_by_role("group", name="Step through loss").nth(i) for i in (0, 1))
    first.focus()
    page.keyboard.press("End")
    assert (at(first), at(second)) == (len(walk.frames) - 1, 0)
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((part) => part.id)")
    assert len(ids) == len(set(ids))
    for svg in page.locator("svg").all():
        for name in svg.get_attribute("aria-labelledby").split():
            assert svg.locator(f"[id='{name}']").count() == 1


def test_a_walk_continues_where_the_model_is(page):
    root = mount(page, chain("all"), step=2, answers={"q1-0": {"state": "right", "typed": "6"}})
    assert at(root) == 2
    assert "1 right" in root.locator(".al-score").inner_text()
    page.evaluate("window.models[0].told('step', 4)")
    assert at(root) == 4
    page.evaluate("window.models[0].cleanup()")
    assert page.evaluate("window.models[0].listeners.length") == 0


def test_steps_and_answers_reach_the_model(page):
    root = mount(page, chain("all"))
    root.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    assert page.evaluate("window.models[0].values.step") == 1
    assert page.evaluate("window.models[0].values.answers") == {"q1-0": {"state": "wrong", "typed": "7"}}
    assert page.evaluate("window.models[0].saved") > 0


def test_every_focusable_part_keeps_its_keys_from_jupyterlab(page):
    root = mount(page, chain("all"))
    root.focus()
    page.keyboard.press("ArrowRight")
    reached = []
    for _ in range(12):
        reached.append(
            page.evaluate("""() => [document.activeElement.tagName,
              document.activeElement.getAttribute('data-lm-suppress-shortcuts')]""")
        )
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
    assert [name for name, _ in reached] == [
        "DIV",
        "BUTTON",
        "BUTTON",
        "BUTTON",
        "BUTTON",
        "INPUT",
        "BUTTON",
        "BUTTON",
    ]
    assert all(kept == "true" for _, kept in reached)


def test_other_keys_are_left_alone(page):
    root = mount(page, chain())
    page.evaluate("""window.heard = []; document.addEventListener('keydown',
      (event) => window.heard.push([event.key, event.defaultPrevented]))""")
    root.focus()
    for key in ("b", "Escape", "Control+ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    assert at(root) == 1
    heard = [key for key, prevented in page.evaluate("window.heard") if not prevented]
    assert heard == ["b", "Escape", "Control", "ArrowRight"]


def test_a_screen_reader_finds_names_roles_and_the_sentence(page):
    root = mount(page, chain())
    root.focus()
    page.keyboard.press("ArrowRight")
    tree = root.aria_snapshot()
    assert 'group "Step through loss"' in tree or root.get_attribute("aria-label") == "Step through loss"
    assert 'toolbar "Walk through the steps"' in tree
    for name in ("« Start", "‹ Back", "Next ›", "End »"):
        assert f'button "{name}"' in tree
    assert "y becomes 6, and MulBackward0 joins the graph." in tree
    assert root.locator(".al-say").get_attribute("aria-live") == "polite"
    assert root.get_by_role("button", name="Back").get_attribute("aria-disabled") == "false"


CONTRAST = """([selector, all]) => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const linear = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const [x, y, z] = [r, g, b].map((v) => linear(v / 255));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  return [...document.querySelectorAll(selector)].filter((part) => part.textContent.trim()).map((part) => {
    let behind = part;
    while (behind && ['rgba(0, 0, 0, 0)', 'transparent'].includes(getComputedStyle(behind).backgroundColor)) {
      behind = behind.parentElement;
    }
    const back = behind ? parse(getComputedStyle(behind).backgroundColor) : [255, 255, 255];
    const [a, b] = [light(parse(getComputedStyle(part).color)), light(back)].sort((p, q) => q - p);
    return (a + 0.05) / (b + 0.05);
  });
}"""


@pytest.mark.parametrize("dark", [False, True])
def test_every_text_has_enough_contrast(page, dark):
    walk = fan_out("all")
    root = mount(page, walk, dark=dark)
    root.focus()
    selector = ".al-button, .al-count, .al-phase, .al-cell, .al-title, .al-say, .al-label, .al-math, .al-prompt"
    for typed in ("16", "5", None, None, "1", "1"):
        page.keyboard.press("ArrowRight")
        if typed and root.locator("input").count():
            page.keyboard.type(typed)
            page.keyboard.press("Enter")
        ratios = page.evaluate(CONTRAST, [f"{selector}, .al-verdict, .al-score, .al-keys", True])
        assert len(ratios) > 10
        assert min(ratios) >= 4.5


def test_it_fits_a_phone(page):
    page.set_viewport_size({"width": 390, "height": 800})
    root = mount(page, matmul("all"))
    root.focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        active = root.locator("svg .node.is-active").first.bounding_box()
        assert 0 <= active["x"] + active["width"] / 2 <= 390, "the active box is in view"


def test_reduced_motion_stops_transitions(page):
    page.emulate_media(reduced_motion="reduce")
    root = mount(page, chain())
    durations = root.evaluate(
        """root => [...root.querySelectorAll('.node, .edge')]
          .map((part) => getComputedStyle(part).transitionDuration)"""
    )
    assert set(durations) == {"0s"}


def test_a_step_takes_less_than_five_milliseconds(page):
    x = autograd_lab.tensor(1.0, requires_grad=True)
    with record():
        y = x
        for _ in range(100):
            y = y * x
    walk = step_through(y)
    root = mount(page, walk)
    times = root.evaluate("""root => {
      const next = root.querySelector('.al-main');
      return Array.from({ length: 190 }, () => {
        const from = performance.now();
        next.click();
        return performance.now() - from;
      }).sort((a, b) => a - b);
    }""")
    assert at(root) == 190
    assert times[len(times) // 2] < 5
