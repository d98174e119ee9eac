"""Spelling: documents, the notebooks' prose, and the text of the source, by a list of known misspellings.

`codespell` in the project's folder checks the same files, save for notebooks, whose Markdown cells are taken out here.
Words that are names of ours stand in pyproject.toml. Why this tool: docs/why/codespell.md.
"""

import subprocess
import sys

import nbformat
import pages
import pytest

pytest.importorskip("codespell_lib", reason='codespell is not installed: pip install -e ".[test]"')

ROOT = pages.ROOT
TEXTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", "exercises", "autograd_lab", "examples", "tools")
NOTEBOOKS = [*(ROOT / "notebooks").glob("*.ipynb"), *(ROOT / "exercises").glob("*/*.ipynb")]


def misspelt(*paths):
    """What codespell says about files and folders, with the settings of pyproject.toml; "" for nothing."""
    command = [sys.executable, "-m", "codespell_lib", *map(str, paths)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)
    assert not done.stderr, done.stderr
    return done.stdout


def test_documents_and_source_are_spelt_right():
    assert misspelt(*TEXTS) == ""


def test_the_prose_of_the_notebooks_is_spelt_right(tmp_path):
    for path in NOTEBOOKS:
        cells = nbformat.read(path, as_version=4).cells
        name = "_".join(path.relative_to(ROOT).with_suffix(".md").parts)
        text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert len(NOTEBOOKS) >= 20
    assert misspelt(tmp_path) == ""


WRONG = [("a.md", "The gradients are seperate."), ("a.py", '"""Recieves a tensor."""')]


@pytest.mark.parametrize(("name", "text"), WRONG)
def test_a_misspelling_is_found(name, text, tmp_path):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert "==>" in misspelt(tmp_path)
