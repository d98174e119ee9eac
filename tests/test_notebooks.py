"""The stored notebooks: no fault that nbval would let through, and the same bytes when they are run again."""

import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import notebook_lint
import pytest
import regenerate
from nbformat.v4 import new_code_cell, new_notebook, new_output

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_stored_notebook_has_no_fault(path):
    assert notebook_lint.lint(path) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_running_a_notebook_again_gives_the_same_bytes(path):
    assert regenerate.regenerate(path) == path.read_text(encoding="utf-8")


def stored(tmp_path, *cells, **metadata):
    """A notebook file with these cells."""
    path = tmp_path / "a.ipynb"
    nbformat.write(new_notebook(cells=list(cells), metadata=metadata), path)
    return path


def run(source="1 + 1", *outputs, count=1, tags=()):
    """A code cell as if it had been run."""
    return new_code_cell(source, outputs=list(outputs), execution_count=count, metadata={"tags": list(tags)})


def shown(**data):
    """A display output; `text_plain` stands for the mime type text/plain."""
    return new_output("display_data", {kind.replace("_", "/"): value for kind, value in data.items()})


def raised(name="ValueError"):
    return new_output("error", ename=name, evalue="no", traceback=[])


def test_a_good_notebook_has_no_fault(tmp_path):
    path = stored(tmp_path, run("1 + 1", shown(text_plain="2")), run("2 + 2", count=2))
    assert notebook_lint.lint(path) == []


BAD_CELLS = {
    "never run": run(count=None),
    "execution count 7, expected 1": run(count=7),
    "empty code cell": run(""),
    "16 lines, more than 15": run("\n".join(["x = 1"] * 16)),
    "hidden from nbval": run(tags=["nbval-skip"]),
    "hidden from nbval by a tag or a comment": run("# NBVAL_IGNORE_OUTPUT\n1"),
    "raises ValueError without the tag": run("f()", raised()),
    "nothing is raised": run("f()", tags=["raises-exception"]),
    "pixels only": run("f()", shown(image_png="AAAA", text_plain="<Figure>")),
    "a memory address": run("f()", shown(text_plain="<object at 0x7f00aa>")),
    "a path of this machine": run("f()", new_output("stream", name="stderr", text="/home/ada/x.py:3: Warning")),
    "a widget is stored": run(
        "f()", new_output("display_data", {notebook_lint.WIDGET: {"model_id": "1"}, "text/plain": "a"})
    ),
}


@pytest.mark.parametrize("fault", BAD_CELLS)
def test_a_bad_cell_is_found(tmp_path, fault):
    assert [found for found in notebook_lint.lint(stored(tmp_path, BAD_CELLS[fault])) if fault in found]


def test_widget_state_is_found(tmp_path):
    assert "widget state" in notebook_lint.lint(stored(tmp_path, widgets={"state": {}}))[0]


def test_a_notebook_that_is_too_large_is_found(tmp_path):
    assert "more than 200000" in notebook_lint.lint(stored(tmp_path, run("f()", shown(text_plain="a" * 200_001))))[0]


def test_the_lint_command_says_each_fault_and_fails(tmp_path, capsys):
    assert notebook_lint.main([str(stored(tmp_path, run(count=None)))]) == 1
    assert "never run" in capsys.readouterr().out


LESSON = (
    new_code_cell("import os\nprint(os.environ['AUTOGRAD_LAB_OUTPUT'], os.environ['AUTOGRAD_LAB_LEARNER'])"),
    new_code_cell("import warnings\nwarnings.warn('careful')"),
    new_code_cell("raise ValueError('no')", metadata={"tags": ["raises-exception"], "collapsed": True}),
    new_code_cell("import ipywidgets\nipywidgets.IntSlider(3)"),
)


def test_a_regenerated_notebook_is_canonical_and_check_agrees(tmp_path, capsys):
    path = stored(tmp_path, *LESSON, widgets={"state": {}})
    assert regenerate.main(["--check", str(path)]) == 1, "a notebook that was never run must differ"
    assert regenerate.main([str(path)]) == 0
    assert regenerate.main(["--check", str(path)]) == 0
    cells = nbformat.read(path, as_version=4).cells
    assert [cell.id for cell in cells] == ["a-000", "a-001", "a-002", "a-003"]
    assert [cell.execution_count for cell in cells] == [1, 2, 3, 4]
    assert cells[0].outputs[0].text == "stored stored\n"
    assert cells[1].outputs[0].text.startswith("<cell>:2: UserWarning: careful")
    assert cells[2].outputs[0].traceback == ["ValueError: no"]
    assert cells[2].metadata == {"tags": ["raises-exception"]}
    assert set(cells[3].outputs[0].data) == {"text/plain"}


def test_check_says_what_would_change(tmp_path, capsys):
    path = stored(tmp_path, new_code_cell("print(1)"))
    regenerate.main([str(path)])
    path.write_text(path.read_text().replace('"1\\n"', '"2\\n"'))
    assert regenerate.main(["--check", str(path)]) == 1
    assert '-      "2\\n"' in capsys.readouterr().out


def test_a_cell_that_raises_stops_regenerating(tmp_path):
    with pytest.raises(Exception, match="ZeroDivisionError"):
        regenerate.regenerate(stored(tmp_path, new_code_cell("1 / 0")))


def nbval(project, output):
    """Run this project's pytest configuration over one notebook that says which output it expects."""
    for name in ("pyproject.toml", "conftest.py", "tools/stored.py", "tests/nbval.cfg"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, project / name)
    (project / "notebooks").mkdir()
    expected = new_output("stream", name="stdout", text=f"{output}\n")
    stored(project / "notebooks", run("import os\nprint(os.environ['AUTOGRAD_LAB_OUTPUT'])", expected))
    return subprocess.run([sys.executable, "-m", "pytest", "notebooks"], cwd=project, capture_output=True, text=True)


@pytest.mark.parametrize(("output", "code", "summary"), [("stored", 0, "1 passed"), ("live", 1, "1 failed")])
def test_nbval_compares_in_the_stored_surroundings(tmp_path, output, code, summary):
    done = nbval(tmp_path, output)
    assert done.returncode == code, done.stdout
    assert summary in done.stdout
