"""Change and see: an input edited in the page, the slider and its plot, by keyboard and by mouse; what cannot change.

Every number is compared with what PyTorch, or the engine asked directly, says for the changed input.
"""

import re

import pytest
import stepper_page
from stepper_page import at, chain, field, keys_of, matmul, mount, walk_to

import autograd_lab
from autograd_lab import recorder, step_through
from autograd_lab.view.tape import record

pytestmark = pytest.mark.browser


def opened(root):
    """The panel of inputs, opened."""
    root.get_by_text("Change the inputs").click()
    return root.locator(".al-change")


def expect_field(page, root, key, text):
    """Wait until a field of the drawing reads so."""
    box, name = key.split(".")
    page.wait_for_function(
        """([box, name, text]) => document.querySelector(
          `.al-drawing g[data-key="${box}"] [data-field="${name}"]`).textContent === text""",
        arg=[box, name, text],
        timeout=5000,
    )


def numbers(torch, x):
    """PyTorch's own run of `chain` at another x."""
    x = torch.tensor(x, requires_grad=True)
    loss = (x * 3 + 4) ** 2
    loss.backward()
    return loss.item(), x.grad.item()


@pytest.mark.parametrize("value", [5.0, -1.25, 0.0])
def test_an_edited_input_is_computed_forward_and_backward_at_the_same_step(page, value):
    torch = pytest.importorskip("torch")
    walk = chain()
    keys = keys_of(walk)
    root = mount(page, walk)
    walk_to(page, root, 8)
    opened(root)
    root.get_by_label("x, value", exact=True).fill(str(value))
    page.keyboard.press("Enter")
    loss, slope = numbers(torch, value)
    expect_field(page, root, f"{keys['loss']}.value", f"{loss:g}")
    assert at(root) == 8
    assert float(field(root, f"{keys['x']}.value")) == value
    assert float(field(root, f"{keys['x']}.grad")) == pytest.approx(slope)
    assert f"x.grad is now {slope:g}." in root.locator(".al-say").inner_text()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "x, value", "the focus stays"
    root.get_by_role("button", name="Recorded numbers").press("Enter")
    expect_field(page, root, f"{keys['loss']}.value", "100")
    assert root.get_by_label("x, value", exact=True).input_value() == "2"


def test_the_learners_tensors_stay_as_they_are(page):
    x = autograd_lab.tensor(2.0, requires_grad=True)
    with record() as tape:
        loss = (x * 3) ** 2
    before, watchers = len(tape), list(recorder.watchers)
    walk = step_through(loss)
    root = mount(page, walk)
    opened(root)
    root.get_by_label("x, value", exact=True).fill("7")
    page.keyboard.press("Enter")
    expect_field(page, root, f"{keys_of(walk)['x']}.value", "7")
    assert (x.item(), x.grad, len(tape), recorder.watchers) == (2.0, None, before, watchers)
    loss.backward()
    assert x.grad.item() == 36.0


def test_questions_are_asked_anew_where_the_answer_changed(page):
    root = mount(page, chain("all"))
    walk_to(page, root, 1)
    page.keyboard.type("6")
    page.keyboard.press("Enter")
    opened(root)
    root.get_by_label("x, value", exact=True).fill("5")
    page.keyboard.press("Enter")
    page.wait_for_selector(".al-ask[data-state=open]")
    assert "?" in root.locator(".al-lines").inner_text()
    root.locator(".al-ask input").fill("15")
    page.keyboard.press("Enter")
    assert root.locator(".al-verdict").inner_text() == "✓ right: 15"


def test_what_is_no_number_changes_nothing(page):
    walk = chain()
    root = mount(page, walk)
    opened(root)
    root.get_by_label("x, value", exact=True).fill("two")
    page.keyboard.press("Enter")
    assert root.locator(".al-status").inner_text() == "“two” is no number. The last one stays."
    assert field(root, f"{keys_of(walk)['x']}.value") == "2"


def test_the_slider_moves_the_input_by_keyboard_and_by_mouse(page):
    walk = chain()
    key = keys_of(walk)["x"]
    root = mount(page, walk)
    opened(root)
    slider = root.get_by_role("slider", name="x, slider")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect_field(page, root, f"{key}.value", "2.04")
    assert at(root) == 0, "the slider's keys do not walk"
    box = slider.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.75, box["y"] + box["height"] / 2)
    page.wait_for_function("document.querySelector('.al-row input').value > 3.5")
    assert root.locator(".al-status").inner_text() == ""


def test_a_dragged_slider_ends_where_the_pointer_ends(page):
    walk = chain()
    root = mount(page, walk)
    opened(root)
    slider = root.get_by_role("slider", name="x, slider")
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    for part in range(50, 96):
        page.mouse.move(box["x"] + box["width"] * part / 100, middle)
    page.mouse.up()
    last = float(slider.input_value())
    expect_field(page, root, f"{keys_of(walk)['x']}.value", f"{last:g}")
    sent = page.evaluate("window.models[0].sent.length")
    assert sent <= 46, "while one change is computed, the others wait"


def test_the_plot_shows_the_result_and_its_tangent(page):
    torch = pytest.importorskip("torch")
    root = mount(page, chain())
    opened(root)
    plot = root.get_by_role("button", name="Plot")
    plot.press("Enter")
    drawn = root.locator("svg.al-plot")
    drawn.wait_for()
    loss, slope = numbers(torch, 2.0)
    assert drawn.get_attribute("aria-label") == f"At x = 2, loss is {loss:g}. The slope of the tangent is {slope:g}."
    assert plot.get_attribute("aria-pressed") == "true"
    root.get_by_label("x, value", exact=True).fill("3")
    page.keyboard.press("Enter")
    loss, slope = numbers(torch, 3.0)
    page.wait_for_function("document.querySelector('.al-caption').textContent.startsWith('At x = 3,')")
    assert (
        root.locator(".al-caption").inner_text()
        == f"At x = 3, loss is {loss:g}. The slope of the tangent is {slope:g}."
    )
    curve = [float(n) for n in re.findall(r"[-\d.]+", drawn.locator(".al-curve").get_attribute("d"))]
    xs, ys = curve[::2], curve[1::2]
    at_x, at_y = (float(drawn.locator(".al-point").get_attribute(name)) for name in ("cx", "cy"))
    nearest = min(range(len(xs)), key=lambda i: abs(xs[i] - at_x))
    assert abs(ys[nearest] - at_y) < 6, "the point lies on the curve"
    plot.click()
    assert not drawn.is_visible()


def test_another_input_bends_the_curve(page):
    w, b = (autograd_lab.tensor(value, requires_grad=True) for value in (1.5, 0.5))
    with record():
        loss = (w * 2 + b) ** 2
    root = mount(page, step_through(loss))
    opened(root)
    root.get_by_role("button", name="Plot").first.click()
    before = root.locator(".al-curve").get_attribute("d")
    root.get_by_label("b, value", exact=True).fill("3")
    page.keyboard.press("Enter")
    page.wait_for_function("before => document.querySelector('.al-curve').getAttribute('d') !== before", arg=before)
    assert root.locator(".al-caption").inner_text() == "At w = 1.5, loss is 36. The slope of the tangent is 24."


def test_a_curve_that_is_not_finite_everywhere(page):
    x = autograd_lab.tensor(0.5, requires_grad=True)
    with record():
        loss = autograd_lab.log(x)
    walk = step_through(loss)
    root = mount(page, walk)
    opened(root)
    root.get_by_role("button", name="Plot").click()
    assert root.locator(".al-curve").get_attribute("d").startswith("M")
    root.get_by_label("x, value", exact=True).fill("-1")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('.al-caption').textContent.includes('not finite')")
    expect_field(page, root, f"{keys_of(walk)['loss']}.value", "—")  # at the start nothing is computed yet


def test_a_cell_of_a_matrix_is_edited_in_its_table(page):
    torch = pytest.importorskip("torch")
    walk = matmul()
    keys = keys_of(walk)
    root = mount(page, walk)
    page.set_default_timeout(5000)
    root.focus()
    page.keyboard.press("End")
    opened(root)
    root.get_by_role("button", name="Edit its cells").first.click()
    cell = root.get_by_label("W[2, 1]")
    assert cell.input_value() == "4"
    cell.fill("-2")
    page.keyboard.press("Enter")
    W = torch.tensor([[1.0, 2.0], [0.0, 1.0], [-1.0, -2.0]])
    X = torch.tensor([[1.0, -2.0, 0.5], [0.0, 3.0, 1.0]])
    loss = (X @ W + torch.tensor([0.5, -0.5])).mean().item()
    expect_field(page, root, f"{keys['loss']}.value", f"{loss:g}")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "W[2, 1]", "the focus stays"


def test_a_scalar_leaf_is_edited_at_its_box(page):
    walk = chain()
    keys = keys_of(walk)
    root = mount(page, walk)
    root.focus()
    page.keyboard.press("End")
    root.locator(f'g[data-key="{keys["x"]}"]').click()
    box = root.get_by_label("x, value of the box")
    box.fill("1")
    box.press("Enter")
    expect_field(page, root, f"{keys['loss']}.value", "49")
    assert root.locator(".al-facts dd").last.inner_text() == "42", "its .grad follows"


def test_a_graph_without_a_recording_says_so(page):
    watchers = list(recorder.watchers)
    recorder.watchers.clear()
    x = autograd_lab.tensor(2.0, requires_grad=True)
    walk = step_through(x * 3 + 1)
    recorder.watchers[:] = watchers
    root = mount(page, walk)
    panel = opened(root)
    assert panel.locator("input").count() == 0
    assert "was not recorded. Compute inside with record():" in panel.inner_text()


def test_a_leaf_that_left_the_graph_on_the_way_cannot_change_and_says_why(page):
    x = autograd_lab.tensor(2.0, requires_grad=True)
    w = autograd_lab.tensor(3.0, requires_grad=True)
    with record():
        loss = x * w * x.detach()
    root = mount(page, step_through(loss))
    panel = opened(root)
    assert "A constant was computed from it outside the graph (detach" in panel.inner_text()
    assert [box.get_attribute("aria-label") for box in panel.locator("input[type=text]").all()] == ["w, value"]


def test_a_kernel_that_is_silent_is_said_and_the_numbers_stay(page):
    walk = chain()
    root = mount(page, walk, kernel=False)
    page.clock.install()
    opened(root)
    root.get_by_label("x, value", exact=True).fill("5")
    page.keyboard.press("Enter")
    page.clock.fast_forward(1000)
    assert root.locator(".al-status").inner_text() == "The kernel computes …"
    page.clock.fast_forward(20000)
    page.wait_for_function("document.querySelector('.al-status').textContent.startsWith('The kernel does not answer')")
    assert root.get_by_label("x, value", exact=True).input_value() in ("2", "5")
    assert field(root, f"{keys_of(walk)['x']}.value") == "2"


def test_two_walks_change_apart(page):
    first, second = chain(), chain()
    mount(page, first, second)
    roots = [page.get_by_role("group", name="Step through loss").nth(i) for i in (0, 1)]
    opened(roots[1])
    roots[1].get_by_label("x, value", exact=True).fill("9")
    page.keyboard.press("Enter")
    page.wait_for_function("window.models[1].values.inputs[0].texts[0] === '9'")
    key = keys_of(first)["x"]
    assert [field(root, f"{key}.value") for root in roots] == ["2", "9"]
    assert stepper_page.at(roots[0]) == 0
