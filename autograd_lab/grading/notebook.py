"""A learner's exercise notebook as a file: which answer cells are there, and which do not compile.

Learners delete, copy and break cells. Whatever the file holds, this ends in sentences, not in a traceback.
Cells are found by the metadata that `build.py` gave them, so their order does not matter. Read next:
`build.py`.
"""

import ast
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .judge import Loaded
from .verdict import ExerciseError

NAME = "exercise.ipynb"
KEY = "autograd_lab"


@dataclass(frozen=True)
class AnswerCell:
    """One cell in which a question is answered."""

    question: str
    source: str

    def fault(self) -> str:
        """What keeps this cell from running; "" if Python can read it."""
        lines = [_without_magic(line) for line in self.source.splitlines()]
        try:
            ast.parse("\n".join(lines))
        except (SyntaxError, ValueError) as error:
            where = f" in line {error.lineno}" if isinstance(error, SyntaxError) else ""
            return f"Python cannot read the answer cell of {self.question}{where}: {error.args[0]}."
        return ""


def answer_cells(path: Path, slug: str) -> tuple[AnswerCell, ...]:
    """The answer cells of this exercise, in file order. Raises ExerciseError if it is no notebook."""
    notebook = _read(path)
    found = []
    for cell in notebook["cells"]:
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        metadata = cell.get("metadata")
        mark = metadata.get(KEY) if isinstance(metadata, dict) else None
        if isinstance(mark, dict) and mark.get("exercise") == slug and "question" in mark:
            source = cell.get("source", "")
            text = source if isinstance(source, str) else "".join(map(str, source))
            found.append(AnswerCell(str(mark["question"]), text))
    return tuple(found)


def faults(path: Path, loaded: Loaded) -> list[str]:
    """One sentence for each answer cell that is missing, there twice or broken, or for a broken file."""
    try:
        cells = answer_cells(path, loaded.slug)
    except ExerciseError as error:
        return [str(error)]
    found = []
    for question in loaded.judge.questions:
        own = [cell for cell in cells if cell.question == question.id]
        if not own:
            found.append(
                f"The answer cell of {question.id} is missing from {path.name}. Put a cell with "
                f'{question.entries[0]} = ... and ex.check("{question.id}") back, or take a fresh copy.'
            )
        if len(own) > 1:
            found.append(f"{question.id} has {len(own)} answer cells in {path.name}; the last one counts.")
        found += [fault for cell in own if (fault := cell.fault())]
    return found


def _without_magic(line: str) -> str:
    """The line, or `pass` for what only IPython understands."""
    return "pass" if line.lstrip().startswith(("%", "!")) else line


def _read(path: Path) -> dict[str, Any]:
    try:
        notebook = json.loads(path.read_text(encoding="utf-8-sig"))
        if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
            raise ValueError("it has no list of cells")
    except (OSError, ValueError, RecursionError) as error:
        raise ExerciseError(
            f"{path.name} cannot be read as a notebook ({error}). Save it again in JupyterLab, or take a "
            "fresh copy: "
            "delete the file and run autograd-lab lab."
        ) from error
    return notebook
