"""Walking with the stepper in a plain page: each control by keyboard and by mouse, and what each step shows."""

import pytest
import stepper_page
from stepper_page import WALKS, at, chain, field, keys_of, mount, screen

import autograd_lab
from autograd_lab import step_through
from autograd_lab.view.tape import record

pytestmark = pytest.mark.browser


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


def test_a_long_walk_has_a_slider_for_its_steps(page):
    x = autograd_lab.tensor(1.5, requires_grad=True)
    with record():
        y = x
        for _ in range(40):
            y = y * x
    walk = step_through(y)
    root = mount(page, walk)
    slider = root.get_by_role("slider", name="Step", exact=True)
    slider.fill("50")
    assert at(root) == 50
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert at(root) == 51
    page.keyboard.press("End")
    assert at(root) == len(walk.frames) - 1
    assert slider.input_value() == str(len(walk.frames) - 1)
    assert slider.get_attribute("aria-valuetext").endswith("x.grad is filled")


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
    keys = keys_of(walk)
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


def test_a_jump_shows_what_single_steps_show(page):
    walk = stepper_page.matmul()
    root = mount(page, walk)
    seen = []
    root.focus()
    for _ in walk.frames:
        seen.append(screen(root))
        page.keyboard.press("ArrowRight")
    for number in (3, 8, 1, 6, 0, 5):
        root.locator(".al-cell").nth(number).click()
        assert screen(root) == seen[number]


def test_a_step_that_raises_is_marked_and_told(page):
    x = autograd_lab.tensor(2.0, requires_grad=True)
    with record():
        y = x * 2
        z = y**2
        y.add_(1)
    walk = step_through(z)
    root = mount(page, walk)
    root.focus()
    page.keyboard.press("End")
    marked = root.locator("svg .is-error").evaluate_all("parts => parts.map((part) => part.dataset.key)")
    assert set(marked) == set(walk.frames[-1]["active"]) | set(walk.frames[-1]["edges"])
    assert "modified by an inplace operation" in root.locator(".al-lines").inner_text()
    page.keyboard.press("ArrowLeft")
    assert root.locator("svg .is-error").count() == 0


def test_ways_that_nobody_asked_for_are_marked(page):
    x, w = (autograd_lab.tensor(2.0, requires_grad=True) for _ in range(2))
    with record():
        loss = x * w * x
    walk = step_through(loss, inputs=[w])
    root = mount(page, walk)
    root.focus()
    page.keyboard.press("End")
    skipped = {key for frame in walk.frames for key, state in frame["mark"].items() if state == "is-skipped"}
    marked = root.locator("svg .is-skipped").evaluate_all("parts => parts.map((part) => part.dataset.key)")
    assert skipped
    assert set(marked) == skipped
    assert "autograd.grad returns 4 for w" in root.locator(".al-lines").inner_text()
