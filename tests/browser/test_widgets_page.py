"""The widgets in Chromium: each one by keyboard and by mouse, in a plain page without a kernel, and in JupyterLab."""

import json

import lab_pages
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from regenerate import KERNEL

import autograd_lab
from autograd_lab.widgets import (
    answers,
    firing_order,
    inspector,
    leaf_sorter,
    ledger,
    live,
    path_check,
    scissors,
    timeline,
    version_tags,
)

pytestmark = pytest.mark.browser

MOUNT = """async ({ script, style, data, dark }) => {
  document.documentElement.lang = 'en';
  document.title = 'Widgets';
  if (dark) {
    document.body.dataset.jpThemeLight = 'false';
    document.body.style.cssText = '--jp-layout-color0:#111;--jp-content-font-color1:#fff;background:#111';
  }
  document.head.append(Object.assign(document.createElement('style'), { textContent: style }));
  const module = await import(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
  window.same = module.same;
  const listeners = {};
  const model = {
    values: { data, states: {}, wish: {}, note: {} },
    get: (name) => model.values[name],
    set: (name, value) => {
      model.values[name] = value;
      (listeners[`change:${name}`] || []).forEach((listener) => listener());
    },
    save_changes: () => {},
    on: (event, listener) => { (listeners[event] ||= []).push(listener); },
    off: (event, listener) => { listeners[event] = listeners[event].filter((l) => l !== listener); },
  };
  window.model = model;
  const el = document.createElement('div');
  document.body.append(el);
  module.default.render({ model, el });
}"""
FORWARD = """
w = torch.tensor(3.0, requires_grad=True)
a = w * 2
b = torch.exp(a)
loss = b + a ** 2
"""
STEP = """
w = torch.tensor(2.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
loss = (w * 3 - 1) ** 2
loss.backward()
opt.step()
"""
CARDS = "x = torch.tensor(2.0, requires_grad=True)\nc = torch.tensor(3.0)\ny = x * c\nloss = y * 2\n"


def pair():
    x = autograd_lab.tensor(4.0, requires_grad=True)
    return x, x**2


def an_inspector():
    x, z = pair()
    return inspector(x, z)


def fan_out():
    with autograd_lab.record():
        x = autograd_lab.tensor(4.0, requires_grad=True)
        y = 3 * x
        loss = x * x + y
    return x, loss


def a_ledger():
    x, loss = fan_out()
    return ledger(loss, wrt=x)


def a_path_check():
    w, b, u = (autograd_lab.tensor(1.0, requires_grad=True) for _ in range(3))
    with autograd_lab.record():
        h = (b * 2).detach()
        loss = w * h
    return path_check(loss, {"w": w, "b": b, "u": u})


def an_order():
    x, loss = fan_out()
    assert x.requires_grad
    return firing_order(loss)


SHEETS = {
    "inspector": an_inspector,
    "ledger": a_ledger,
    "leaf_sorter": lambda: leaf_sorter(CARDS),
    "timeline": lambda: timeline(STEP, ["w", "w.grad", "saved(loss)"]),
    "version_tags": lambda: version_tags(FORWARD, ["a.add_(1)", "b.mul_(2)"]),
    "path_check": a_path_check,
}
GAMES = {
    "firing_order": an_order,
    "scissors": lambda: scissors(lambda w, b: (w * 2 + b) * w, w=1.0, b=3.0),
}


def mount(page, thing, dark=False):
    """Put a widget into an empty page; its root."""
    page.set_default_timeout(10_000)
    page.goto("about:blank")
    data = json.loads(json.dumps(thing.plain()))
    page.evaluate(MOUNT, {"script": live.script(thing.kind), "style": live.style(), "data": data, "dark": dark})
    return page.locator(".aw-root")


def states(page):
    return page.evaluate("window.model.values.states")


def verdict(root):
    return root.locator(".aw-verdict").inner_text()


def place(root, cell):
    return root.locator(f"td[data-cell='{cell.id}']")


def by_keys(page, root, cell, answer):
    """Give this answer with keys alone, in the field that has the focus or is found by its name."""
    field = place(root, cell).locator("input, select")
    field.focus()
    if cell.options:
        for _ in range(cell.options.index(answer) + 1):
            page.keyboard.press("ArrowDown")
        assert cell.id not in states(page), "passing through the list is no answer"
    else:
        page.keyboard.press("Control+a")
        page.keyboard.type(answer)
    page.keyboard.press("Enter")


# Sheets ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_is_filled_in_by_keyboard(page, name):
    sheet = SHEETS[name]()
    root = mount(page, sheet)
    assert states(page) == {}
    for cell in sheet.cells:
        by_keys(page, root, cell, cell.right.replace("`", "") if not cell.options else cell.right)
        assert place(root, cell).get_attribute("data-state") == "right", cell
        assert "✓ right" in verdict(root) and page.evaluate("document.activeElement.className").endswith("aw-done")
    assert {state["state"] for state in states(page).values()} == {"right"}
    assert f"{len(sheet.cells)} right ✓" in root.locator(".aw-count").inner_text()
    assert sheet.closing.replace("`", "") in root.locator(".aw-count").inner_text()


@pytest.mark.parametrize("name", SHEETS)
def test_every_wrong_answer_of_a_sheet_gets_its_reason(page, name):
    sheet = SHEETS[name]()
    root = mount(page, sheet)
    for cell in sheet.cells:
        field = place(root, cell).locator("input, select")
        for wrong in cell.wrong:
            if cell.options:
                field.select_option(wrong.answer)
            else:
                field.fill(wrong.answer)
                field.press("Enter")
            field = place(root, cell).locator("input, select")
            told = wrong.reason.replace("`", "")
            assert place(root, cell).get_attribute("data-state") == "wrong" and told in verdict(root), (cell, wrong)
            assert states(page)[cell.id]["rule"] == wrong.rule
        if cell.options:
            field.select_option(cell.right)
        else:
            field.fill(cell.right)
            field.press("Enter")
        assert states(page)[cell.id]["state"] == "right"
        assert states(page)[cell.id]["tries"] == len(cell.wrong) + 1


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_shows_with_the_mouse_and_starts_again(page, name):
    sheet = SHEETS[name]()
    root = mount(page, sheet)
    root.get_by_role("button", name="Show me").click()
    assert "Choose a cell first" in verdict(root)
    first = sheet.cells[0]
    place(root, first).locator("input, select").click()
    root.get_by_role("button", name="Show me").click()
    assert states(page)[first.id]["state"] == "shown" and first.because.replace("`", "") in verdict(root)
    root.get_by_role("button", name="Show all").click()
    assert {state["state"] for state in states(page).values()} == {"shown"} and len(states(page)) == len(sheet.cells)
    root.get_by_role("button", name="Try again").click()
    assert states(page) == {}
    assert page.evaluate("document.activeElement.className") == "aw-field"


def test_enter_on_a_settled_cell_goes_to_the_next_open_one(page):
    root = mount(page, an_inspector())
    root.get_by_label("x.data is").fill("4")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "z.data is"
    page.keyboard.press("Enter")
    assert "Answer first" in verdict(root) and set(states(page)) == {"x.data"}


def test_a_choice_counts_when_it_is_left_by_tab(page):
    sheet = an_inspector()
    root = mount(page, sheet)
    field = root.get_by_label("x.is_leaf is")
    field.focus()
    page.keyboard.press("ArrowDown")
    assert states(page) == {}
    page.keyboard.press("Tab")
    assert states(page)["x.is_leaf"]["state"] == "right"


def test_the_cell_in_hand_lights_its_box_in_the_drawing(page):
    x, loss = fan_out()
    sheet = ledger(loss, wrt=x)
    root = mount(page, sheet)
    root.get_by_label("How many contributions").fill("3")
    page.keyboard.press("Enter")
    lit = root.locator(".is-lit")
    assert "x" in lit.first.text_content()
    root.get_by_label("Entry 1").focus()
    assert "MulBackward0" in lit.first.text_content() and lit.count() == 1


def test_cards_are_dragged_to_their_places(page):
    root = mount(page, leaf_sorter(CARDS))
    card = root.locator(".aw-tray .aw-card", has_text="y")
    card.drag_to(root.locator("[data-place='leaf, tracked']"))
    assert states(page)["y.place"]["rule"] == "M1" and "an op made it" in verdict(root)
    card.drag_to(root.locator("[data-place='not a leaf, tracked']"))
    assert states(page)["y.place"]["state"] == "right"
    assert "y" in root.locator("[data-place='not a leaf, tracked']").inner_text()
    root.get_by_role("button", name="Show all").click()
    assert root.locator("[data-place='not a leaf, not tracked']").inner_text() == ""
    assert not root.locator(".aw-tray").is_visible()


def test_a_settled_edit_shows_the_changed_versions_in_the_drawing(page):
    sheet = SHEETS["version_tags"]()
    root = mount(page, sheet)
    assert "now v1" not in root.locator("svg").text_content()
    root.get_by_label("After a.add_(1):").select_option("backward raises at PowBackward0")
    assert "saved v0, now v1" in root.locator("svg").text_content() and root.locator(".is-lit").count() == 1
    root.get_by_label("After b.mul_(2):").focus()
    assert "now v1" not in root.locator("svg").text_content()


PAIRS = [
    ("8", "8"), ("8.0", "8"), ("tensor(8.)", "8"), ("0.33333", "0.3333"), ("none", "None"), ("'None'", "None"),
    ("[1, 2]", "[1, 2]"), ("tensor([1., 2.])", "[1, 2]"), ("1", "[1, 2]"), ("9", "8"), ("0", "None"), ("", "None"),
    ("nan", "nan"), ("[[1, 2], [3, 4]]", "[1, 2, 3, 4]"), ("-0.5", "0.5"),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "answer"), PAIRS)
def test_page_and_kernel_judge_alike(page, typed, answer):
    mount(page, an_inspector())
    assert page.evaluate("([a, b]) => window.same(a, b)", [typed, answer]) == answers.same(typed, answer)


@pytest.mark.parametrize(("typed", "answer"), [("1/3", "0.3333"), ("0,5", "0.5"), ("−3", "-3"), ("1 2 3", "[1, 2, 3]")])
def test_the_page_takes_more_spellings(page, typed, answer):
    mount(page, an_inspector())
    assert page.evaluate("([a, b]) => window.same(a, b)", [typed, answer])


# Games -----------------------------------------------------------------------------------------------


def test_nodes_are_fired_by_keyboard_and_an_early_one_shows_its_gradient(page):
    game = an_order()
    root = mount(page, game)
    root.get_by_role("button", name="AccumulateGrad of x").focus()
    page.keyboard.press("Enter")
    assert "Nothing has arrived there yet" in verdict(root)
    last = game.nodes[game.order[-1]]["name"]
    for i in game.order[:-2]:
        root.get_by_role("button", name=game.nodes[i]["name"]).focus()
        page.keyboard.press("Enter")
        assert "✓" in verdict(root)
    root.get_by_role("button", name=last).focus()
    page.keyboard.press("Space")
    assert "Too early" in verdict(root) and "in place of 11" in verdict(root)
    assert states(page)["order"]["state"] == "wrong" and states(page)["order"]["rule"] == "M8"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert "Every node has fired. x.grad gets 11. Early choices: 2." in verdict(root)
    assert states(page)["order"]["state"] == "right"
    assert page.evaluate("document.activeElement.textContent") == "Start again"
    page.keyboard.press("Enter")
    assert root.locator(".aw-move").count() == len(game.nodes)


def test_nodes_are_fired_in_the_drawing_by_mouse(page):
    game = an_order()
    root = mount(page, game)
    for i in game.order:
        root.locator(f"g[id$='-{game.nodes[i]['key']}']").click()
    assert "Early choices: 0. This is PyTorch's own order." in verdict(root)
    assert root.locator(".aw-badge").all_text_contents() == ["✓"] * len(game.nodes)


def test_a_cut_is_placed_by_keyboard_and_every_prediction_judged(page):
    game = GAMES["scissors"]()
    root = mount(page, game)
    for cut in game.cuts:
        root.get_by_role("radio", name=cut.kind).check()
        root.get_by_label("Place of the cut").select_option(cut.id)
        for cell in game.cells(cut):
            by_keys(page, root, cell, cell.right)
            assert states(page)[cell.id]["state"] == "right", (cut.label, cell)
    assert len(states(page)) == sum(len(game.cells(cut)) for cut in game.cuts)


def test_the_kind_of_cut_is_chosen_with_arrow_keys(page):
    root = mount(page, GAMES["scissors"]())
    root.get_by_role("radio", name="detach").focus()
    page.keyboard.press("ArrowRight")
    assert root.get_by_role("radio", name="no_grad").is_checked()
    assert "records no node" in root.inner_text()


def test_a_cut_is_placed_in_the_drawing_by_mouse(page):
    game = GAMES["scissors"]()
    root = mount(page, game)
    cut = next(cut for cut in game.cuts if "b on its way" in cut.label)
    key = cut.keys[0]
    middle = page.evaluate(
        """(key) => {
          const path = document.querySelector(`g[id$='-${key}'] .aw-wide`);
          const at = path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(path.getScreenCTM());
          return [at.x, at.y];
        }""",
        key,
    )
    page.mouse.click(*middle)
    assert root.get_by_label("Place of the cut").input_value() == cut.id
    assert root.locator(".aw-cut-mark").count() == 2
    op = next(cut for cut in game.cuts if cut.kind == "no_grad")
    root.locator(f"g[id$='-{op.keys[0]}']").click()
    assert root.get_by_role("radio", name="no_grad").is_checked()
    assert root.get_by_label("Place of the cut").input_value() == op.id


# All of them -----------------------------------------------------------------------------------------

ALL = SHEETS | GAMES


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", ALL)
def test_texts_have_contrast_and_controls_have_names_and_keep_their_keys(page, name, dark):
    root = mount(page, ALL[name](), dark=dark)
    if root.locator(".aw-field").count() and name in SHEETS:
        root.locator("input.aw-field, select.aw-field").last.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.type("77")
        page.keyboard.press("Enter")
    assert page.evaluate(lab_pages.POOR_CONTRAST, ".aw-root *") == []
    controls = root.locator("input, select, button")
    for control in controls.all():
        assert control.get_attribute("data-lm-suppress-shortcuts") == "true"
        named = "(e) => e.getAttribute('aria-label') || e.labels?.[0]?.textContent || e.textContent"
        assert control.evaluate(named)


@pytest.mark.parametrize("name", ALL)
def test_a_narrow_page_has_no_sideways_scrolling(page, name):
    page.set_viewport_size({"width": 340, "height": 800})
    root = mount(page, ALL[name]())
    if name == "scissors":
        root.get_by_label("Place of the cut").select_option(index=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 340


# In JupyterLab ---------------------------------------------------------------------------------------

IMPORTS = """
import autograd_lab as torch
from autograd_lab.widgets import firing_order, inspector, leaf_sorter, ledger
from autograd_lab.widgets import path_check, scissors, timeline, version_tags
"""
NOTEBOOK = [
    IMPORTS,
    "x = torch.tensor(4.0, requires_grad=True)\ny = 3 * x\nloss = x * x + y",
    "sheet = inspector(x, loss)\nsheet",
    "ledger(lambda x: x * x + 3 * x, wrt='x', x=4.0)",
    f"leaf_sorter('''{CARDS}''')",
    f"timeline('''{STEP}''', ['w', 'w.grad', 'saved(loss)'])",
    f"version_tags('''{FORWARD}''', ['a.add_(1)'])",
    "path_check(loss, {'x': x})",
    "firing_order(loss)",
    "scissors(loss)",
]


def test_all_widgets_live_in_jupyterlab(lab, page):
    nbformat.write(
        new_notebook(cells=[new_code_cell(source) for source in NOTEBOOK], metadata={"kernelspec": KERNEL}),
        lab.folder / "widgets.ipynb",
    )
    lab_pages.open_notebook(page, lab.address, "widgets.ipynb")
    cells = lab_pages.run_all(page)
    assert lab_pages.errors_of(cells) == []
    page.wait_for_function("document.querySelectorAll('.aw-root').length === 8")

    def widget(name):
        return page.get_by_role("region", name=name, exact=True)

    seen = widget("Inspector")
    seen.get_by_label("x.data is").fill("8")
    page.keyboard.press("Enter")
    assert seen.locator("td[data-state=wrong]").count() == 1
    for key in ("d", "d", "a", "x", "0", "0", "m"):  # each one is a command of the notebook
        page.keyboard.press(key)
    assert page.evaluate("window.jupyterapp.shell.currentWidget.content.widgets.length") == len(NOTEBOOK)
    seen.get_by_label("x.data is").fill("4")
    page.keyboard.press("Enter")
    page.keyboard.press("d")
    page.keyboard.press("d")
    assert page.evaluate("window.jupyterapp.shell.currentWidget.content.widgets.length") == len(NOTEBOOK)

    book = widget("Ledger of x")
    book.get_by_label("x =").fill("5")
    page.keyboard.press("Enter")
    page.wait_for_function("[...document.querySelectorAll('.aw-told')].every((told) => told.textContent === '')")
    assert page.evaluate("document.activeElement.value") == "5"
    book.get_by_label("How many contributions").fill("3")
    page.keyboard.press("Enter")
    book.get_by_label("The sum of all entries is").fill("13")
    page.keyboard.press("Enter")
    assert "✓ right: 13" in verdict(book)
    book.get_by_label("x =").fill("five")
    page.keyboard.press("Enter")
    book.get_by_text("x = 'five' is no number").wait_for()

    tags = widget("Version tags")
    tags.get_by_label("After a.add_(1) the version of a is").fill("1")
    page.keyboard.press("Enter")
    tags.get_by_label("edit =").fill("b.mul_(2)")
    tags.get_by_role("button", name="Add this edit").click()
    tags.get_by_label("After b.mul_(2) the version of b is").wait_for()
    assert tags.locator("td[data-state=right]").count() == 1

    order = widget("Firing order")
    while order.locator(".aw-move").count():
        for move in order.locator(".aw-move").all():
            counted = move.inner_text().rpartition(": ")[2].split()
            if counted[0] == counted[2]:
                move.click()
                break
    assert "Early choices: 0" in verdict(order)
    cut = widget("Scissors")
    cut.get_by_label("Place of the cut").select_option(index=1)
    cut.get_by_role("button", name="Show all").click()
    assert cut.locator("td[data-state=shown]").count() == 2
