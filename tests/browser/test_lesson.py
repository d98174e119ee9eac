"""The lesson and four graphs that no lesson uses, in Chromium: every number on the page is PyTorch's."""

import lab_pages
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from regenerate import KERNEL

pytest.importorskip("torch", reason="torch is not installed: numbers on the page cannot be compared with PyTorch's")

import pytorch_run
import walk

GRAPHS = {
    "a matmul with a broadcast bias": """
X = torch.tensor([[1.0, 2.0], [3.0, -1.0], [0.5, 2.0]])
W = torch.tensor([[0.5, -1.0], [2.0, 0.25]], requires_grad=True)
b = torch.tensor([0.1, -0.2], requires_grad=True)
loss = ((X @ W + b) ** 2).sum()""",
    "a diamond": """
x = torch.tensor(1.5, requires_grad=True)
a = x * 2
b = a.exp()
c = a + 3
loss = b * c""",
    "a dead relu": """
w = torch.tensor([-1.0, 2.0], requires_grad=True)
h = torch.relu(w * torch.tensor([3.0, -1.0]))
loss = h.sum() + w[1]""",
    "a change in place": """
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x * 2
y.mul_(x)
y[0] = 5.0
loss = y.mean()""",
}
pytestmark = pytest.mark.browser
WRONG = """
@torch.exp.wrt("self")
def _(grad, result):
    return grad * result * 1.01
"""


def notebook(lab, name, *sources):
    """A notebook of these code cells in the served folder."""
    cells = [new_code_cell(source.strip()) for source in sources]
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": KERNEL}), lab.folder / name)
    return name


def steppers_of(page, lab, name):
    """Open a notebook, run all of it, and give what each of its steppers shows, step by step."""
    lab_pages.open_notebook(page, lab.address, name)
    cells = lab_pages.run_all(page)
    assert lab_pages.errors_of(cells) == []
    page.wait_for_selector(".al-stepper")
    return [walk.read(page, stepper) for stepper in page.locator(".al-stepper").all()], cells


def test_every_number_of_the_lesson_is_pytorchs(lab, page):
    shown, cells = steppers_of(page, lab, "notebooks/04_chain_rule.ipynb")
    runs = pytorch_run.run_cells([cell["source"] for cell in cells])
    assert len(shown) == len(runs) > 0
    assert [walk.differences(steps, run) for steps, run in zip(shown, runs, strict=True)] == [[]] * len(runs)


@pytest.mark.parametrize("graph", GRAPHS)
def test_every_number_of_a_graph_that_no_lesson_uses_is_pytorchs(lab, page, graph):
    name = notebook(lab, "graph.ipynb", f"import autograd_lab as torch\n{GRAPHS[graph]}", "torch.step_through(loss)")
    (steps,), _ = steppers_of(page, lab, name)
    assert walk.differences(steps, pytorch_run.run(GRAPHS[graph])) == []


def test_a_formula_that_is_wrong_on_purpose_is_seen(lab, page):
    code = GRAPHS["a diamond"]
    name = notebook(lab, "wrong.ipynb", "import autograd_lab as torch", WRONG, code, "torch.step_through(loss)")
    (steps,), _ = steppers_of(page, lab, name)
    faults = walk.differences(steps, pytorch_run.run(code))
    assert any("ExpBackward0 fires: product" in fault for fault in faults), faults
    assert any("x.grad is filled" in fault for fault in faults), faults
