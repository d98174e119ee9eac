"""What `pytest --nbval` lets through in a stored notebook, and the limits a lesson keeps.

nbval compares a cell only if it was run, never compares pixels, tracebacks or widgets, and skips what a tag
tells it to skip. `lint` closes these holes: one sentence per fault, an empty list for a good notebook.

    python tools/notebook_lint.py notebooks/*.ipynb
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat

CELL_LINES = 15
FILE_BYTES = 200_000
RASTER = {"image/png", "image/jpeg", "image/gif"}
WIDGET = "application/vnd.jupyter.widget-view+json"
HIDING = {"nbval-skip", "nbval-ignore-output"}
HIDING_COMMENT = re.compile(r"^\s*#\s*(NBVAL_SKIP|NBVAL_IGNORE_OUTPUT|PYTEST_VALIDATE_IGNORE_OUTPUT)", re.MULTILINE)
ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]+")
MACHINE_PATH = re.compile(r"/(?:home|Users|root|tmp|private)/|[A-Za-z]:\\Users\\")


def lint(path: Path) -> list[str]:
    """Every fault of one stored notebook, in reading order."""
    faults = []
    size = path.stat().st_size
    if size > FILE_BYTES:
        faults.append(f"{size} bytes, more than {FILE_BYTES}: draw something smaller or split the lesson")
    notebook = nbformat.read(path, as_version=4)
    if "widgets" in notebook.metadata:
        faults.append("widget state is stored: regenerate the notebook")
    count = 0
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "code":
            count += 1
            faults += [f"cell {number}: {fault}" for fault in _code_faults(cell, count)]
    return faults


def _code_faults(cell, count: int) -> Iterator[str]:
    tags = set(cell.metadata.get("tags", ()))
    lines = len(cell.source.splitlines())
    if not cell.source.strip():
        yield "empty code cell"
    if lines > CELL_LINES:
        yield f"{lines} lines, more than {CELL_LINES}"
    if tags & HIDING or HIDING_COMMENT.search(cell.source):
        yield "hidden from nbval by a tag or a comment: print what is the same on every machine instead"
    if cell.execution_count is None:
        yield "never run, so nbval would not compare it: regenerate the notebook"
    elif cell.execution_count != count:
        yield f"execution count {cell.execution_count}, expected {count}: regenerate the notebook"
    errors = [output for output in cell.outputs if output.output_type == "error"]
    if errors and "raises-exception" not in tags:
        yield f"raises {errors[0].ename} without the tag raises-exception"
    if "raises-exception" in tags and not errors:
        yield "tagged raises-exception, but nothing is raised"
    for output in cell.outputs:
        yield from _output_faults(output)


def _output_faults(output) -> Iterator[str]:
    data = output.get("data", {})
    if WIDGET in data:
        yield "a widget is stored: regenerate the notebook"
    rich = set(data) - {"text/plain", WIDGET}
    if rich and rich <= RASTER:
        yield "the output is pixels only, which nbval does not compare: draw SVG"
    texts = [output.get("text", ""), output.get("evalue", ""), *output.get("traceback", ())]
    text = "\n".join([*texts, *(value for kind, value in data.items() if kind.startswith("text/"))])
    if ADDRESS.search(text):
        yield "a memory address is printed, different in every run"
    if MACHINE_PATH.search(text):
        yield "a path of this machine is printed"


def main(names: list[str]) -> int:
    """Print every fault; exit code 1 when there is one."""
    faults = [f"{name}: {fault}" for name in names for fault in lint(Path(name))]
    print("\n".join(faults) or f"{len(names)} notebooks, no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
