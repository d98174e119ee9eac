"""One source for each exercise: `source.py` in percent cells becomes the learner's notebook and the solution.

    # %% [markdown]                  text
    # %%                             code, the same in both; may have an id
    # %% answer id=q1 points=2       an empty answer: in the learner's notebook only
    # %% solution id=q1              what stands there in the solution

Any cell but a solution may have `tags=...`, separated by commas: `tags=seed:B31.2.1` marks the place of an item
of the documents that the course mirrors.

A question of the judge without its answer cell, or a solution without a place, is an error with a sentence.
"""

import ast
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .judge import Loaded, load
from .notebook import KEY, NAME
from .verdict import ExerciseError

SOURCE = "source.py"
SOLUTION = "solution.ipynb"
HEADER = re.compile(r"^# %%\s*(?P<kind>\[markdown\]|answer|solution)?(?P<options>(?:[ \t]+\w+=[\w:.,-]+)*)[ \t]*$")
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


@dataclass(frozen=True)
class Cell:
    """One cell of a source: `kind` is "text", "code", "answer" or "solution"."""

    kind: str
    source: str
    id: str = ""
    points: int = 0
    line: int = 0
    tags: tuple[str, ...] = ()


def build(slug: str, solution: Path | None = None) -> Path:
    """Write the learner's notebook of an exercise beside its source, and the solution into a folder if asked.

    Returns the path of the learner's notebook. Raises ExerciseError naming what is missing or broken.
    """
    loaded = load(slug)
    cells = read_source(loaded)
    path = loaded.folder / NAME
    path.write_text(notebook_text(loaded, cells, solved=False), encoding="utf-8", newline="\n")
    if solution is not None:
        solution.mkdir(parents=True, exist_ok=True)
        target = solution / f"{slug}_{SOLUTION}"
        target.write_text(notebook_text(loaded, cells, solved=True), encoding="utf-8", newline="\n")
    return path


def read_source(loaded: Loaded) -> tuple[Cell, ...]:
    """The cells of an exercise's source, checked against its judge."""
    path = loaded.folder / SOURCE
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ExerciseError(f"{path} cannot be read: {error.strerror or error}.") from error
    cells = parse(text)
    check(cells, loaded)
    return cells


def parse(text: str) -> tuple[Cell, ...]:
    """The cells of a percent file; what stands before the first cell is for the source's reader only.

    >>> [(cell.kind, cell.source) for cell in parse("# %% [markdown]\\n# Hello\\n# %%\\nx = 1\\n")]
    [('text', 'Hello'), ('code', 'x = 1')]
    """
    found: list[tuple[int, re.Match[str], list[str]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("# %%"):
            header = HEADER.match(line)
            if header is None:
                raise ExerciseError(f"Line {number} of {SOURCE} is no cell header: {line}")
            found.append((number, header, []))
        elif found:
            found[-1][2].append(line)
    return tuple(_cell(*parts) for parts in found)


def check(cells: tuple[Cell, ...], loaded: Loaded) -> None:
    """Raise ExerciseError for the first thing that does not fit between the source and its judge."""
    for cell in cells:
        if cell.kind != "text":
            _compiles(cell)
    answers = [cell for cell in cells if cell.kind == "answer"]
    for question in loaded.judge.questions:
        own = [cell for cell in answers if cell.id == question.id]
        if len(own) != 1:
            raise ExerciseError(f"{question.id} has {len(own)} answer cells in {SOURCE}, it needs exactly one.")
        if own[0].points != question.points:
            raise ExerciseError(f"{question.id} has {question.points} points in judge.py, {own[0].points} in {SOURCE}.")
        if f'ex.check("{question.id}")' not in own[0].source:
            raise ExerciseError(f'The answer cell of {question.id} does not call ex.check("{question.id}").')
    known = {question.id for question in loaded.judge.questions}
    for cell in answers:
        if cell.id not in known:
            raise ExerciseError(f"Line {cell.line} of {SOURCE} answers {cell.id!r}, which judge.py does not ask.")
    places = [cell.id for cell in cells if cell.kind in ("answer", "code") and cell.id]
    solutions = [cell.id for cell in cells if cell.kind == "solution"]
    for cell in cells:
        if cell.kind == "solution" and (cell.id not in places or solutions.count(cell.id) > 1):
            raise ExerciseError(f"Line {cell.line} of {SOURCE}: the solution {cell.id!r} needs one place of this id.")
    missing = [cell.id for cell in answers if cell.id not in solutions]
    if missing:
        raise ExerciseError(f"{', '.join(missing)} has no solution cell in {SOURCE}.")


def notebook_text(loaded: Loaded, cells: tuple[Cell, ...], solved: bool) -> str:
    """The notebook, without outputs, the same bytes every time."""
    solutions = {cell.id: cell.source for cell in cells if cell.kind == "solution"}
    shown = [cell for cell in cells if cell.kind != "solution"]
    made = []
    for position, cell in enumerate(shown):
        source = solutions.get(cell.id, cell.source) if solved and cell.id else cell.source
        made.append(_notebook_cell(loaded.slug, cell, position, source))
    metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    notebook = {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _notebook_cell(slug: str, cell: Cell, position: int, source: str) -> dict[str, Any]:
    metadata: dict[str, Any] = {}
    if cell.kind == "answer":
        metadata = {KEY: {"exercise": slug, "points": cell.points, "question": cell.id}}
    if cell.tags:
        metadata["tags"] = list(cell.tags)
    made: dict[str, Any] = {
        "cell_type": "markdown" if cell.kind == "text" else "code",
        "id": f"{slug.partition('_')[0]}-{position:03d}",
        "metadata": metadata,
        "source": source.splitlines(keepends=True),
    }
    if cell.kind != "text":
        made |= {"execution_count": None, "outputs": []}
    return made


def _cell(number: int, header: re.Match[str], lines: list[str]) -> Cell:
    kind = header["kind"] or "code"
    options = dict(option.split("=") for option in header["options"].split())
    if unknown := set(options) - {"id", "points", "tags"}:
        raise ExerciseError(f"Line {number} of {SOURCE} has an option {sorted(unknown)[0]!r}; use id, points, tags.")
    if kind == "[markdown]":
        kind, lines = "text", [re.sub(r"^# ?", "", line) for line in lines]
    source = "\n".join(lines).strip("\n")
    tags = tuple(tag for tag in options.get("tags", "").split(",") if tag)
    return Cell(kind, source, options.get("id", ""), int(options.get("points", 0)), number, tags)


def _compiles(cell: Cell) -> None:
    try:
        ast.parse(cell.source)
    except SyntaxError as error:
        line = cell.line + (error.lineno or 0)
        raise ExerciseError(f"Line {line} of {SOURCE} is no Python: {error.msg}.") from error
    if not cell.source.strip():
        raise ExerciseError(f"The cell at line {cell.line} of {SOURCE} is empty.")
