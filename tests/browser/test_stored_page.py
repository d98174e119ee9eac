"""A stored lesson opened as after a fresh clone: nobody has trusted it, no kernel runs, nothing was run."""

import json
import shutil
import urllib.request
from pathlib import Path

import lab_pages
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from regenerate import KERNEL

LESSON = Path(__file__).parent.parent.parent / "notebooks" / "04_chain_rule.ipynb"
pytestmark = pytest.mark.browser
SEEN = """(cell) => ({
  text: cell.querySelector('.jp-OutputArea')?.innerText || '',
  images: [...cell.querySelectorAll('.jp-OutputArea img')].map((image) => [image.naturalWidth, image.alt]),
})"""


def seen(page, word):
    """What the first cell that calls `word(` shows below its code."""
    cell = page.locator(".jp-CodeCell", has_text=f"{word}(").filter(has_not_text="import").first
    cell.scroll_into_view_if_needed()
    return cell.evaluate(SEEN)


def kernels(lab):
    with urllib.request.urlopen(f"{lab.address}/api/kernels?token={lab_pages.TOKEN}") as answer:
        return json.load(answer)


@pytest.fixture
def page_without_kernel(lab, page):
    """The lesson as it is stored, but in a language that no kernel speaks: JupyterLab asks; "No Kernel"."""
    notebook = nbformat.read(LESSON, as_version=4)
    notebook.metadata.kernelspec = {"name": "nowhere", "display_name": "nowhere", "language": "nowhere"}
    notebook.metadata.language_info = {"name": "nowhere"}
    nbformat.write(notebook, lab.folder / "stored.ipynb")
    running = len(kernels(lab))
    lab_pages.open_notebook(page, lab.address, "stored.ipynb")
    page.locator(".jp-Dialog").get_by_role("button", name="No Kernel").click()
    yield page
    assert len(kernels(lab)) == running, "a kernel was started"


@pytest.mark.parametrize(("word", "first_line"), [("draw_graph", "graph of loss"), ("step_through", "steps of loss")])
def test_an_untrusted_page_without_a_kernel_shows_drawing_and_table(page_without_kernel, word, first_line):
    shown = seen(page_without_kernel, word)
    assert [width > 200 for width, _ in shown["images"]] == [True], "one drawing, and the browser could show it"
    assert "operations" in shown["images"][0][1], "the drawing says in words what it shows"
    assert first_line in shown["text"]


def test_a_lesson_that_was_run_and_saved_shows_drawing_and_table_when_reopened(lab, page):
    cells = [
        new_code_cell("import autograd_lab as torch\nx = torch.tensor(2.0, requires_grad=True)\nloss = x**3"),
        new_code_cell("torch.step_through(loss)"),
    ]
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": KERNEL}), lab.folder / "saved.ipynb")
    lab_pages.open_notebook(page, lab.address, "saved.ipynb")
    lab_pages.run_all(page)
    lab_pages.save(page)
    shutil.copy(lab.folder / "saved.ipynb", lab.folder / "reopened.ipynb")
    stored = nbformat.read(lab.folder / "reopened.ipynb", as_version=4)
    assert "widgets" not in stored.metadata
    assert [kind for kind in stored.cells[1].outputs[0].data if "widget" in kind] == []
    lab_pages.open_notebook(page, lab.address, "reopened.ipynb")
    shown = seen(page, "step_through")
    assert [width > 200 for width, _ in shown["images"]] == [True]
    assert "steps of loss" in shown["text"]
