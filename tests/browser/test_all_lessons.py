"""Every lesson and exercise of a learner's work folder in Chromium: Run All, and everything shows what it should.

One page and one JupyterLab for all notebooks; each is opened in it, run, read, and closed with its kernel.
"""

import ast
import re

import lab_pages
import nbformat
import pytest
from lesson_files import ROOT

from autograd_lab.lab import course_files
from autograd_lab.widgets import HOMES

pytestmark = pytest.mark.browser

NOTEBOOKS = [file.path for file in course_files.course_files() if file.path.endswith(".ipynb")]
QUESTIONS = ".aq-root[data-kind=questions] form.aq-question"
SHOWN_BY = (
    {
        "predict": QUESTIONS,
        "recall": QUESTIONS,
        "leave": QUESTIONS,
        "summary": ".aq-root[data-kind=summary] .aq-table",
        "step_through": ".al-stepper svg",
        "draw_graph": ".ag-stage svg",
    }
    | dict.fromkeys(HOMES, ".aw-root, .ab-root")
    | {"second_graph": ".al-stepper svg"}
)
LEAST_WIDTH, LEAST_HEIGHT = 100, 20  # of what a cell shows, in pixels

# Each code cell as it is on the page. A widget paints after its cell has finished, so each is waited for.
READ = """async (selectors) => {
  const cells = window.jupyterapp.shell.currentWidget.content.widgets.filter((c) => c.model.type === 'code');
  const sizes = (node, selector) => [...node.querySelectorAll(selector)].map((element) => {
    const box = element.getBoundingClientRect();
    return [Math.round(box.width), Math.round(box.height)];
  });
  const read = (cell, i) => {
    const area = cell.node.querySelector('.jp-Cell-outputArea');
    const kinds = cell.model.outputs.toJSON().flatMap((output) => Object.keys(output.data || {}));
    return {
      text: area.innerText,
      sizes: selectors[i] ? sizes(area, selectors[i]) : [],
      widgets: kinds.filter((kind) => kind.includes('widget-view')).length,
      painted: sizes(area, '.aq-root, .al-stepper, .aw-root, .ab-root').filter(([width]) => width > 0).length,
    };
  };
  const late = (cell, i) => cell.painted < cell.widgets || (selectors[i] && !cell.sizes.length);
  let found = cells.map(read);
  for (let i = 0; i < 100 && found.some(late); i++) {
    await new Promise((done) => setTimeout(done, 50));
    found = cells.map(read);
  }
  return found;
}"""


def name_of(path):
    """`04_chain_rule` of a lesson, `e2_multiple_operations` of an exercise."""
    parts = path.removesuffix(".ipynb").removesuffix("/exercise").split("/")
    return parts[-1]


@pytest.fixture(scope="module")
def errors():
    """What the page has reported to its console so far."""
    return []


@pytest.fixture(scope="module")
def app(chromium, lab, errors):
    """JupyterLab on the work folder, with nothing open."""
    page = chromium.new_page(viewport={"width": 1400, "height": 1000})
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    lab_pages.open_lab(page, lab.address)
    yield page
    page.close()


@pytest.fixture
def opened(app, errors):
    """Open one notebook after the other; at the end each is closed, and the page has reported nothing."""
    errors.clear()

    def show(path):
        lab_pages.show(app, path)
        return app

    yield show
    lab_pages.close_all(app)
    assert errors == [], "the page reported errors"


def shown_last(source):
    """The name of what the last expression of a cell calls; None where it calls nothing."""
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a line for IPython
        return None
    last = body[-1] if body else None
    if not isinstance(last, ast.Expr) or not isinstance(last.value, ast.Call):
        return None
    return ast.unparse(last.value.func).rpartition(".")[2]


def test_a_learner_gets_every_lesson_and_every_exercise(lab):
    there = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("notebooks/[0-9][0-9]_*.ipynb")}
    there |= {path.relative_to(ROOT).as_posix() for path in ROOT.glob("exercises/*/exercise.ipynb")}
    assert there
    assert there <= set(NOTEBOOKS)
    assert [path for path in NOTEBOOKS if not (lab.folder / path).is_file()] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_run_all_shows_everything(opened, path):
    page = opened(path)
    cells = lab_pages.run_all(page)
    names = [shown_last(cell["source"]) for cell in cells]
    seen = page.evaluate(READ, [SHOWN_BY.get(name) for name in names])
    faults = []
    for cell, name, on_page in zip(cells, names, seen, strict=True):
        faults += [f"{fault}: {cell['source']}" for fault in faults_of(cell, name, on_page)]
    assert faults == []
    assert [cell["count"] for cell in cells] == list(range(1, len(cells) + 1))


def faults_of(cell, name, on_page):
    """What is wrong with one cell, in words."""
    errors = lab_pages.errors_of([cell])
    expected = "raises-exception" in cell["tags"]
    if errors and not expected:
        yield f"raised {errors}"
    if expected and not errors:
        yield "raised nothing"
    if on_page["painted"] < on_page["widgets"]:
        yield f"{on_page['widgets']} widgets, {on_page['painted']} rendered"
    if re.search(r"Loading widget|Error displaying widget", on_page["text"]):
        yield "a widget is missing"
    if name not in SHOWN_BY:
        return
    small = [size for size in on_page["sizes"] if size[0] < LEAST_WIDTH or size[1] < LEAST_HEIGHT]
    if small or not on_page["sizes"]:
        yield f"{name} shows {on_page['sizes']}"
    asked = len(ast.parse(cell["source"]).body[-1].value.args) if name in ("recall", "leave") else 1
    if SHOWN_BY[name] == QUESTIONS and len(on_page["sizes"]) != asked:
        yield f"{asked} questions asked, {len(on_page['sizes'])} shown"


# Links -----------------------------------------------------------------------------------------------


CLICKS = [
    ("notebooks/04_chain_rule.ipynb", "E2, multiple operations", "exercises/e2_multiple_operations/exercise.ipynb"),
    ("exercises/e2_multiple_operations/exercise.ipynb", "The chain rule", "notebooks/04_chain_rule.ipynb"),
    ("notebooks/04_chain_rule.ipynb", "engine.py", "source/engine.py"),
    ("notebooks/00_start_here.ipynb", "01, tensors and their attributes", "notebooks/01_tensors.ipynb"),
]
ARRIVED = """(path) => {
  const shown = window.jupyterapp.shell.currentWidget;
  return shown?.context?.path === path && shown.context.isReady;
}"""


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_every_link_leads_to_a_file_that_the_learner_has(lab, path):
    cells = nbformat.read(lab.folder / path, as_version=4).cells
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", prose)
    assert targets
    assert [target for target in targets if not ((lab.folder / path).parent / target).is_file()] == []


@pytest.mark.parametrize(("path", "words", "target"), CLICKS)
def test_a_link_opens_by_click(opened, path, words, target):
    page = opened(path)
    link = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-MarkdownCell a", has_text=words).first
    link.scroll_into_view_if_needed()
    link.click()
    page.wait_for_function(ARRIVED, arg=target)


def test_the_link_that_an_exercise_shows_opens_its_lesson(opened):
    page = opened("exercises/e5_gradient_debugging/exercise.ipynb")
    lab_pages.run_all(page)
    page.locator(".jp-OutputArea a", has_text="07").first.click()
    page.wait_for_function(ARRIVED, arg="notebooks/07_leaf_nonleaf_grad_fn.ipynb")
