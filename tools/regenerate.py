"""Run notebooks again and write them in one canonical form, the same bytes every time.

    python tools/regenerate.py [notebooks/*.ipynb]           rewrite (default: all of notebooks/)
    python tools/regenerate.py --check [notebooks/*.ipynb]   change nothing, exit 1 when bytes would change

Canonical: cell ids from file name and position, execution counts 1..n, no widget and no widget state, no
timing, no versions, no path of this machine. `stored.py` says in which surroundings the cells run.
"""

import argparse
import difflib
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from notebook_lint import WIDGET, lint
from stored import stored_environment

ROOT = Path(__file__).resolve().parent.parent
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
KEPT_METADATA = ("jupyter", "tags")
CELL_FILE = re.compile(r"(?:[A-Za-z]:)?[^\s'\"]*ipykernel_\d+[/\\]\d+\.py")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def regenerate(path: Path, timeout: int = 120) -> str:
    """The text of the notebook after a run from top to bottom.

    Raises nbclient's CellExecutionError when a cell without the tag raises-exception raises.
    """
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    with stored_environment() as variables:
        client = NotebookClient(
            notebook,
            timeout=timeout,
            kernel_name="python3",
            record_timing=False,
            store_widget_state=False,
            resources={"metadata": {"path": str(path.parent)}},
        )
        client.execute(env={**os.environ, **variables})
    return canonical(notebook, path.stem)


def canonical(notebook: nbformat.NotebookNode, stem: str) -> str:
    """The one text of an executed notebook."""
    notebook = nbformat.from_dict(notebook)
    for position, cell in enumerate(notebook.cells):
        cell["id"] = f"{stem}-{position:03d}"[-64:]
        cell.metadata = {key: cell.metadata[key] for key in KEPT_METADATA if key in cell.metadata}
        if cell.cell_type == "code":
            cell.outputs = [_canonical_output(output) for output in _joined(cell.outputs)]
    notebook.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def _joined(outputs):
    """Neighbouring pieces of one stream as one output: where a kernel cuts a stream is chance."""
    joined = []
    for output in outputs:
        last = joined[-1] if joined else None
        if last and output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            joined.append(output)
    return joined


def _canonical_output(output):
    if "data" in output:
        output.data.pop(WIDGET, None)
        output.metadata = {}
    if output.output_type == "stream":
        output.text = CELL_FILE.sub("<cell>", output.text)
    if output.output_type == "error":
        output.traceback = [_last_words(output)]
    return output


def _last_words(output) -> str:
    """The message and its notes: the frames above hold paths and line numbers that change with every edit."""
    text = COLOUR.sub("", "\n".join(output.traceback))
    start = text.rfind(f"{output.ename}: {output.evalue}")
    return text[start:] if start >= 0 else f"{output.ename}: {output.evalue}"


def main(argv: Sequence[str] | None = None) -> int:
    """Rewrite or check each notebook and lint it; exit code 1 when something differs or is at fault."""
    parser = argparse.ArgumentParser(description="Run notebooks again and store them in canonical form.")
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all of notebooks/")
    parser.add_argument("--check", action="store_true", help="change nothing; say what would change")
    args = parser.parse_args(argv)
    bad = False
    for path in args.notebooks or sorted((ROOT / "notebooks").glob("*.ipynb")):
        new, old = regenerate(path), path.read_text(encoding="utf-8")
        if not args.check:
            path.write_text(new, encoding="utf-8", newline="\n")
        elif new != old:
            bad = True
            difference = difflib.unified_diff(old.splitlines(), new.splitlines(), "stored", "now", lineterm="", n=1)
            print("\n".join(line[:160] for line in list(difference)[:40]))
        faults = lint(path)
        bad = bad or bool(faults)
        state = ("differs" if new != old else "same") if args.check else "written"
        print(f"{path.name}: {state}", *faults, sep="\n  ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
