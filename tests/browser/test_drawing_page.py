"""A saved page of a drawing in Chromium: keys, the announced line, frames that open and close, zoom, width."""

from pathlib import Path

import lab_pages
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

import autograd_lab
from autograd_lab import draw_graph
from autograd_lab.view.flat import flat

pytestmark = pytest.mark.browser
nn = autograd_lab.nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.act = nn.Tanh()

    def forward(self, x):
        return self.act(self.fc(x)) + x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()
        self.head = nn.Linear(2, 1)

    def forward(self, x):
        return self.head(self.block(x)).sum()


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("drawing") / "net.html"
    draw_graph(Net(), autograd_lab.ones(1, 2)).save(path)
    return path


def opened(chromium, file, console, **options):
    page = chromium.new_page(**{"viewport": {"width": 1100, "height": 800}, **options})
    page.on("console", lambda message: message.type == "error" and console.append(message.text))
    page.on("pageerror", lambda error: console.append(str(error)))
    page.on("request", lambda request: request.url.startswith("file:") or console.append(request.url))
    page.goto(file.as_uri())
    return page


@pytest.fixture
def page(chromium, file, console):
    page = opened(chromium, file, console)
    yield page
    page.close()


def said(page):
    return page.locator(".ag-said").inner_text()


def focused(page):
    return page.evaluate("document.activeElement.getAttribute('aria-label')")


def test_keys_walk_along_the_edges_and_each_box_is_announced(page):
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('g.node') !== null")
    walked = [focused(page)]
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        walked.append(focused(page))
        assert said(page).startswith(walked[-1])
    assert len(set(walked)) == 5
    assert walked[1].startswith("x @ W + b (AddmmBackward0)")  # head.bias is first, and goes there
    assert "output: result of an operation" in walked[-1]
    page.keyboard.press("ArrowLeft")
    assert focused(page) == walked[-2]
    page.keyboard.press("Home")
    assert focused(page) == walked[0]


def test_only_one_box_is_in_the_tab_order(page):
    assert page.locator("svg g.node[tabindex='0']").count() == 1
    assert page.locator("svg g.node").count() > 10


def test_frames_close_and_open_again(page):
    before = page.locator("svg g.node").count()
    button = page.get_by_role("button", name="block : Block")
    button.click()
    assert page.locator("svg g.ag-fold").count() == 1
    assert page.locator("svg g.node").count() < before
    assert button.get_attribute("aria-pressed") == "true"
    assert said(page) == "block : Block is collapsed."
    page.get_by_role("button", name="head : Linear").click()
    assert page.locator("svg g.ag-fold").count() == 2
    page.locator("svg g.ag-fold").first.click()
    assert page.locator("svg g.ag-fold").count() == 1
    for name in ("block : Block", "head : Linear"):
        toggle = page.get_by_role("button", name=name)
        if toggle.get_attribute("aria-pressed") == "true":
            toggle.click()
    assert page.locator("svg g.node").count() == before


def test_the_title_of_a_frame_closes_it(page):
    page.locator(".ag-stage .ag-frame-title", has_text="fc : Linear").click()
    assert page.locator("svg g.ag-fold").count() == 1


def test_zoom_changes_what_is_seen_and_fit_brings_it_back(page):
    view = "document.querySelector('.ag-stage svg').getAttribute('viewBox')"
    before = page.evaluate(view)
    page.get_by_role("button", name="zoom in").click()
    assert float(page.evaluate(view).split()[2]) == pytest.approx(float(before.split()[2]) / 1.25)
    page.get_by_role("button", name="whole drawing").click()
    assert page.evaluate(view) == before


def test_a_drawing_that_is_zoomed_can_be_dragged_and_the_wheel_zooms_at_the_pointer(page):
    view = "document.querySelector('.ag-stage svg').getAttribute('viewBox').split(' ').map(Number)"
    box = page.locator(".ag-stage").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -100)
    page.mouse.wheel(0, -100)
    page.keyboard.up("Control")
    page.wait_for_function(f"{view}[2] < 0.7 * Number(document.querySelector('.ag-stage svg').dataset.width)")
    left, top, width, _ = page.evaluate(view)
    assert left > 0  # the point under the pointer stayed where it was
    page.mouse.down()
    page.mouse.move(x + 80, y + 10, steps=4)
    page.mouse.up()
    moved = page.evaluate(view)
    shown = page.locator(".ag-stage svg").bounding_box()["width"]
    assert moved[0] == pytest.approx(left - 80 * width / shown, rel=0.02)
    assert moved[1] < top
    assert moved[2] == pytest.approx(width)


def test_a_click_tells_of_a_box_and_why_it_has_no_gradient(page):
    page.locator("svg g.node", has_text="block.fc.weight").first.click()
    assert said(page).startswith("block.fc.weight: parameter, shape (2, 2)")
    assert said(page).endswith("block.fc.weight.grad is None: backward() has not run.")


def test_the_pointer_on_a_far_use_lights_the_leaf_and_all_its_uses(chromium, tmp_path, console):
    w = x = autograd_lab.tensor(0.5, requires_grad=True)
    for _ in range(60):
        x = autograd_lab.tanh(x * w)
    path = tmp_path / "recurrent.html"
    draw_graph(x, roll=False).save(path)
    page = opened(chromium, path, console)
    stroke = "marks => marks.map(mark => getComputedStyle(mark.querySelector('.ag-shape')).strokeWidth)"
    uses = page.locator("svg g.node[data-same]")
    assert uses.count() > 50
    assert "3px" not in uses.evaluate_all(stroke)
    page.locator("svg g.ag-ref").nth(3).hover()
    assert set(uses.evaluate_all(stroke)) == {"3px"}
    page.close()


def test_the_legend_opens(page):
    page.get_by_text("What the marks mean").click()
    assert page.locator("dt", has_text="dashed frame").is_visible()


def test_a_narrow_page_scrolls_the_drawing_and_nothing_else(chromium, file, console):
    page = opened(chromium, file, console, viewport={"width": 390, "height": 800})
    try:
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert page.evaluate("document.querySelector('.ag-stage').scrollWidth") > 390
    finally:
        page.close()


def test_dark_pages_are_drawn_dark(chromium, file, console):
    page = opened(chromium, file, console, color_scheme="dark")
    try:
        paper = "getComputedStyle(document.querySelector('.ag-stage .ag-paper')).fill"
        assert page.evaluate(paper) == "rgb(17, 17, 17)"
    finally:
        page.close()


CELLS = (
    "import autograd_lab as torch",
    "model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Tanh())\ntorch.draw_graph(model, torch.ones(1, 2))",
)


def test_a_cell_of_jupyterlab_walks_and_collapses_too(chromium, lab, console):
    book = new_notebook(
        cells=[new_code_cell(source) for source in CELLS],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    )
    nbformat.write(book, lab.folder / "drawn.ipynb")
    page = chromium.new_page()
    page.on("pageerror", lambda error: console.append(str(error)))
    try:
        lab_pages.open_notebook(page, lab.address, "drawn.ipynb")
        assert lab_pages.errors_of(lab_pages.run_all(page)) == []
        page.wait_for_selector(".ag-drawing[data-ready]")
        cells = page.locator(".jp-CodeCell").count()
        box = page.locator(".ag-drawing svg g.node").first
        box.focus()
        for key in ("ArrowRight", "ArrowDown", "b", "x"):  # b and x make and cut cells where JupyterLab hears them
            page.keyboard.press(key)
        assert said(page)
        assert page.locator(".jp-CodeCell").count() == cells
        page.get_by_role("button", name="0 : Linear").click()
        assert page.locator(".ag-drawing svg g.ag-fold").count() == 1
    finally:
        page.close()


MARKS = """svg => [...svg.querySelectorAll('path, rect, ellipse, text')].map(mark => {
    const s = getComputedStyle(mark)
    const line = s.stroke === 'none' ? [] : [s.stroke, s.strokeWidth, s.strokeDasharray]
    const font = mark.tagName === 'text' ? [s.fontSize, s.fontWeight, s.fontStyle, s.textDecorationLine] : []
    return [mark.tagName, s.fill, s.opacity, ...line, ...font].join(' ')
})"""


def test_files_have_the_colours_lines_and_fonts_of_the_page(chromium):
    """PNG and PDF are made from a drawing without rules: every mark of every picture looks as a browser shows it."""
    page = chromium.new_page()
    pictures = sorted((Path(__file__).parents[2] / "docs" / "img").glob("draw_*.svg"))
    assert len(pictures) > 15
    for path in pictures:
        svg = path.read_text("utf-8")
        theme = "dark" if "ag-dark" in svg else "light"
        page.set_content(f"<main>{svg}</main><aside>{flat(svg, theme)}</aside>")
        shown, written = (page.locator(f"{part} > svg").evaluate(MARKS) for part in ("main", "aside"))
        assert shown == written, path.name
    page.close()
