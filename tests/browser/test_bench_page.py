"""Every bench in JupyterLab in Chromium, with its kernel: by keyboard, by mouse, on a dark page and on a narrow one."""

import json
import re

import lab_pages
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import expect
from regenerate import KERNEL

from autograd_lab.widgets import bench_widget
from autograd_lab.widgets.mode_meter import mode_meter
from autograd_lab.widgets.nudge_lens import nudge_lens

pytestmark = pytest.mark.browser

CELLS = {
    "nudge": "from autograd_lab.widgets.nudge_lens import nudge_lens\nnudge_lens(lambda x: x ** 2, 5.0)",
    "vjp": "import autograd_lab as torch\nfrom autograd_lab.widgets.vjp_bench import vjp_bench\n"
    "vjp_bench(lambda x: torch.stack([x[0] * x[1], x[1] ** 2]), [2.0, 3.0], [1.0, -1.0])",
    "loop": "from autograd_lab.widgets.loop_lab import loop_lab\n"
    'loop_lab(["forward", "loss", "backward", "zero", "step"])',
    "flow": "from autograd_lab.widgets.flow_bars import flow_bars\nflow_bars(10)",
    "mode": "from autograd_lab.widgets.mode_meter import mode_meter\nmode_meter(10, 1)",
    "digits": "from autograd_lab.widgets.digit_monitor import digit_monitor\ndigit_monitor(epochs=6)",
}
DARK = "async () => window.jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })"
SIDEBAR = "async () => window.jupyterapp.commands.execute('application:toggle-left-area')"
LIGHT = DARK.replace("Dark", "Light")


@pytest.fixture(scope="module")
def notebook(chromium, lab):
    """The page of one notebook with a cell for each bench, all run. Its console stays without errors."""
    cells = [new_code_cell(source) for source in CELLS.values()]
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": KERNEL}), lab.folder / "benches.ipynb")
    errors = []
    page = chromium.new_page(viewport={"width": 1400, "height": 1000})
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    lab_pages.open_notebook(page, lab.address, "benches.ipynb")
    assert lab_pages.errors_of(lab_pages.run_all(page)) == []
    page.wait_for_selector(".ab-root")
    page.set_default_timeout(15_000)
    yield page
    page.close()
    assert errors == [], "the page reported errors"


def bench(notebook, name):
    """The bench of one cell, in view."""
    found = notebook.locator(".ab-root").nth(list(CELLS).index(name))
    found.scroll_into_view_if_needed()
    return found


def question(found, label):
    return found.locator("form").filter(has=found.page.locator(".aq-label", has_text=re.compile(f"^{label}$")))


def choose(found, label, text):
    """Answer by mouse; the verdict."""
    form = question(found, label)
    form.get_by_role("radio", name=text, exact=True).check()
    form.get_by_role("button", name="Check").click()
    return form.get_by_role("status")


def typed(found, label, number):
    """Answer by keyboard; the verdict."""
    box = question(found, label).get_by_role("textbox")
    box.focus()
    box.press("Control+a")
    found.page.keyboard.type(number)
    found.page.keyboard.press("Enter")
    return question(found, label).get_by_role("status")


def test_nudge_lens(notebook):
    lens = bench(notebook, "nudge")
    blocks = lens.locator(".ab-blocks")
    assert "10" not in blocks.inner_text().replace("Best h", "")
    expect(choose(lens, "Sign", "It falls")).to_contain_text("Falling means")
    expect(choose(lens, "Sign", "It rises")).to_contain_text("right")
    expect(typed(lens, "Size", "25")).to_contain_text("25 is the value f(x)")
    expect(typed(lens, "Size", "10")).to_contain_text("right")
    expect(blocks).to_contain_text("slope by backward")
    slider = lens.get_by_role("slider")
    slider.focus()
    for _ in range(4):
        notebook.keyboard.press("ArrowRight")
    expect(blocks).to_contain_text("secant slope, h = 0.01, float32")
    expect(blocks).to_contain_text("10.01")
    lens.get_by_role("combobox").select_option("float64")
    expect(blocks).to_contain_text("secant slope, h = 0.01, float64")
    expect(choose(lens, "Best h", "0.1")).to_contain_text("truncation")
    expect(choose(lens, "Best h", "1e-7")).to_contain_text("right")
    expect(blocks).to_contain_text("The typical error of the secant slope")
    x = lens.get_by_role("textbox").first
    x.fill("-2")
    x.press("Enter")  # a new x: the kernel computes, and the questions are open again
    expect(question(lens, "Size")).to_contain_text("x = -2")
    expect(question(lens, "Size").locator(".aq-badge")).to_have_text("– not answered")
    expect(typed(lens, "Size", "-4")).to_contain_text("right")


def test_vjp_bench(notebook):
    vjp = bench(notebook, "vjp")
    expect(typed(vjp, "Entry 0", "1")).to_contain_text("J v")
    expect(typed(vjp, "Entry 0", "3")).to_contain_text("1 · 3 + (-1) · 0 = 3")
    expect(typed(vjp, "Entry 1", "-4")).to_contain_text("right")
    expect(typed(vjp, "Passes", "4")).to_contain_text("a whole row, not one entry")
    expect(typed(vjp, "Passes", "2")).to_contain_text("right")
    expect(vjp.locator(".ab-blocks")).to_contain_text("x.grad = [3, -4]")
    box = vjp.get_by_role("textbox", name="v, entry 1")
    box.focus()
    box.press("Control+a")
    notebook.keyboard.type("0,5")
    notebook.keyboard.press("Tab")
    expect(typed(vjp, "Entry 1", "5")).to_contain_text("1 · 2 + 0.5 · 6 = 5")
    box.fill("many")
    box.press("Enter")
    expect(box).to_have_attribute("aria-invalid", "true")


def order_of(loop):
    return loop.locator('[data-used="true"] [data-line]').evaluate_all("(lines) => lines.map((l) => l.dataset.line)")


def run_lines(loop):
    loop.get_by_role("button", name="Run 20 rounds").click()


def test_loop_lab(notebook):
    loop = bench(notebook, "loop")
    blocks = loop.locator(".ab-blocks")
    expect(choose(loop, "Effect", "The loss falls, as it should")).to_contain_text("`.grad`".strip("`"))
    expect(choose(loop, "Effect", "The weights never move")).to_contain_text("right")
    expect(blocks).to_contain_text("The weights did not move because .grad was empty")
    expect(typed(loop, "One step", "20.25")).to_contain_text("along the gradient")
    expect(typed(loop, "One step", "2.25")).to_contain_text("right")
    # by keyboard: zero_grad up by two, in front of everything but forward
    loop.locator('[data-line="zero"]').focus()
    notebook.keyboard.press("ArrowUp")
    notebook.keyboard.press("ArrowUp")
    assert order_of(loop) == ["forward", "zero", "loss", "backward", "step"]
    run_lines(loop)
    expect(choose(loop, "Effect", "The loss falls, as it should")).to_contain_text("right")
    # by keyboard: a distractor in
    loop.locator('[data-line="total"]').focus()
    notebook.keyboard.press("Space")
    assert order_of(loop)[-1] == "total"
    run_lines(loop)
    question(loop, "Effect").get_by_role("button", name="Show me").click()
    expect(blocks).to_contain_text("7 nodes are alive after round 1, 102 after round 20")
    # by mouse: drag the distractor out, then a line to the top
    drag(notebook, loop.locator('[data-line="total"] .ab-grip'), loop.locator('[data-used="false"]'))
    assert "total" not in order_of(loop)
    drag(notebook, loop.locator('[data-line="step"] .ab-grip'), loop.locator('[data-line="forward"]'))
    assert order_of(loop)[0] == "step"
    loop.get_by_role("button", name="Take out: optimizer.zero_grad()").click()
    run_lines(loop)
    expect(choose(loop, "Effect", "Gradients of several rounds add up in .grad")).to_contain_text("right")


def drag(page, grip, target):
    """Take a line by its grip and let it go in the upper part of the target."""
    grip.scroll_into_view_if_needed()
    start, end = grip.bounding_box(), target.bounding_box()
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + 30, end["y"] + 20, steps=4)
    page.mouse.move(end["x"] + 30, end["y"] + 5, steps=4)
    page.mouse.up()


def test_flow_bars(notebook):
    flow = bench(notebook, "flow")
    blocks = flow.locator(".ab-blocks")
    expect(choose(flow, "Starves", "Layer 10, next to the loss")).to_contain_text("layer 1")
    expect(choose(flow, "Starves", "Layer 1, next to the input")).to_contain_text("right")
    expect(choose(flow, "Size", "Neither: all lie between")).to_contain_text("right")
    expect(blocks).to_contain_text("at most 0.25")
    flow.get_by_role("slider").focus()
    notebook.keyboard.press("End")
    expect(question(flow, "Starves")).to_contain_text("30 layers")
    flow.get_by_label("Ask before showing").focus()
    notebook.keyboard.press("Space")  # now everything is shown at once
    expect(blocks).to_contain_text("layer 30")
    expect(blocks).to_contain_text("vanishing < 1e-7")
    flow.get_by_label("activation", exact=True).select_option("relu")
    flow.get_by_label("weights from", exact=True).select_option("normal_ std 1")
    expect(blocks).to_contain_text("exploding > 1e3")
    flow.get_by_text("As a table").click()
    expect(flow.get_by_role("row", name="layer 30")).to_be_visible()


def test_mode_meter(notebook):
    meter = bench(notebook, "mode")
    expect(choose(meter, "Cheaper", "Forward mode")).to_contain_text("forward mode needs 10 passes")
    expect(choose(meter, "Cheaper", "Reverse mode")).to_contain_text("right")
    expect(typed(meter, "Passes", "1")).to_contain_text("number of outputs")
    expect(typed(meter, "Passes", "10")).to_contain_text("right")
    expect(meter.get_by_role("row", name="reverse mode 1 152 152")).to_be_visible()
    meter.get_by_label("outputs m").focus()
    notebook.keyboard.press("End")
    expect(question(meter, "Cheaper")).to_contain_text("m = 40 outputs")
    expect(choose(meter, "Cheaper", "Forward mode")).to_contain_text("right")


def test_digit_monitor(notebook):
    monitor = bench(notebook, "digits")
    blocks, said = monitor.locator(".ab-blocks"), monitor.locator(".ab-say")
    expect(choose(monitor, "Accuracy", "about 10 %, at most 20 %")).to_contain_text("That is guessing")
    question(monitor, "Accuracy").get_by_role("button", name="Show me").click()
    train, stop = (monitor.get_by_role("button", name=name) for name in ("Train", "Stop"))
    train.focus()
    notebook.keyboard.press("Enter")
    expect(said).to_contain_text("of 1080 steps done")
    stop.click()
    expect(train).to_have_attribute("aria-disabled", "false")
    notebook.wait_for_timeout(600)
    steps = int(said.inner_text().split()[0])
    notebook.wait_for_timeout(600)
    assert int(said.inner_text().split()[0]) == steps < 1080  # it rests
    train.click()
    expect(said).to_contain_text("1080 of 1080 steps done", timeout=90_000)
    expect(blocks).to_contain_text("test accuracy")
    expect(blocks.locator("image")).to_have_count(6 + 4)  # the last batch has 6 images; 4 filters
    monitor.get_by_label("line to leave out").select_option("step() left out")
    expect(choose(monitor, "Accuracy", "about 90 %, between 80 and 100 %")).to_contain_text("no weight moves")
    expect(choose(monitor, "Accuracy", "about 10 %, at most 20 %")).to_contain_text("right")
    train.click()
    expect(said).to_contain_text("1080 of 1080 steps done", timeout=90_000)
    expect(blocks).to_contain_text("No weight has moved")
    expect(blocks).to_contain_text("before: no line is wrong")


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_words_stand_out_from_the_page(notebook, theme):
    notebook.evaluate(theme)
    notebook.wait_for_function(f"document.body.dataset.jpThemeLight === '{str(theme is LIGHT).lower()}'")
    notebook.wait_for_timeout(300)
    for name in CELLS:
        root = bench(notebook, name)
        assert root.evaluate(CONTRASTS) == []
    notebook.evaluate(LIGHT)


def test_a_narrow_page_does_not_scroll_sideways(notebook):
    notebook.set_viewport_size({"width": 390, "height": 844})
    notebook.evaluate(SIDEBAR)
    try:
        for name in CELLS:
            wide = bench(notebook, name).evaluate("(root) => root.scrollWidth - root.clientWidth")
            assert wide <= 1, name
    finally:
        notebook.set_viewport_size({"width": 1400, "height": 1000})
        notebook.evaluate(SIDEBAR)


MOUNT = """async ({ script, style, values }) => {
  document.head.insertAdjacentHTML('beforeend', `<style>${style}</style>`);
  const module = await import(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
  const listeners = {};
  const model = {
    get: (name) => values[name],
    set: (name, value) => {
      values[name] = value;
      (listeners[`change:${name}`] || []).forEach((listener) => listener());
    },
    save_changes: () => {},
    on: (name, listener) => (listeners[name] ||= []).push(listener),
    off: () => {},
  };
  module.default.render({ model, el: document.body });
}"""


def mount(page, widget):
    """A bench in a plain page that has no kernel."""
    names = ("heading", "intro", "fields", "buttons", "values", "output", "parts", "ready", "states", "request", "ask")
    values = json.loads(json.dumps({name: getattr(widget, name) for name in names}))
    page.goto("about:blank")
    page.evaluate(MOUNT, {"script": bench_widget.script(), "style": bench_widget.style(), "values": values})


def test_what_came_along_works_without_a_kernel(page):
    widget = mode_meter(10, 1).widget
    mount(page, widget)
    page.get_by_label("inputs n").press("Home")
    page.get_by_label("outputs m").press("End")
    page.locator("form").first.get_by_role("button", name="Show me").click()
    page.locator("form").last.get_by_role("button", name="Show me").click()
    page.wait_for_selector("text=Forward mode: one pass for each input, 1;")
    assert page.get_by_role("row", name="reverse mode 40 392 15680").is_visible()


def test_without_a_kernel_other_inputs_say_so(page):
    widget = nudge_lens(lambda x: x**2, 5.0).widget
    mount(page, widget)
    page.get_by_label("x", exact=True).fill("3")
    page.get_by_label("x", exact=True).press("Enter")
    page.wait_for_selector("text=No answer from the kernel yet", timeout=10_000)


# Texts whose contrast with what lies behind them is below 4.5 to 1.
CONTRASTS = """(root) => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((v) => v / 255)
      .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (colour !== 'rgba(0, 0, 0, 0)' && colour !== 'transparent') return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const found = [];
  for (const element of root.querySelectorAll('p, span, code, td, th, label, button, figcaption, summary, li')) {
    const words = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!words || !element.checkVisibility()) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(behind(element))].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) found.push(`${element.className} ${element.textContent.slice(0, 30)} ${contrast.toFixed(2)}`);
  }
  return found;
}"""
