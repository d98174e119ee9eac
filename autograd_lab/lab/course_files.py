"""Where the course lies, and each of its notebooks as the bytes a learner starts from.

A clone keeps `notebooks/` and `exercises/` beside the package; a wheel carries the same two folders
in `autograd_lab/_course/`. Only the notebooks leave here, with a copy of each source file that a lesson links to:
judges and solutions stay where they are.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from autograd_lab.course import outline

from . import Trouble

PATTERNS = ("notebooks/*.ipynb", "exercises/*/exercise.ipynb")
IN_THE_COURSE, IN_THE_COPY = "](../autograd_lab/", "](../source/"  # a folder named like the package would be imported
SOURCE_LINK = re.compile(re.escape(IN_THE_COPY) + r"([\w/]+\.py)\)")


@dataclass(frozen=True)
class CourseFile:
    """One notebook of the course: its path inside the course, its title and its bytes without outputs."""

    path: str
    title: str
    data: bytes


def course_root() -> Path:
    """The folder that holds `notebooks/` and `exercises/`.

    Raises Trouble when neither the wheel's copy nor a clone's folders are there.
    """
    try:
        return outline.course_root()
    except FileNotFoundError as error:
        raise Trouble(str(error)) from error


def course_files(root: Path | None = None) -> tuple[CourseFile, ...]:
    """Every lesson and exercise notebook, in reading order, outputs cleared."""
    root = root or course_root()
    paths = [path for pattern in PATTERNS for path in sorted(root.glob(pattern))]
    return tuple(_read(root, path) for path in paths)


def source_files(notebooks: Iterable[CourseFile]) -> tuple[CourseFile, ...]:
    """The source files that these notebooks link to, to be read beside them."""
    names = sorted({name for file in notebooks for name in SOURCE_LINK.findall(file.data.decode())})
    return tuple(CourseFile(f"source/{name}", name, (outline.PACKAGE / name).read_bytes()) for name in names)


def cleared(notebook: dict) -> dict:
    """The notebook as nobody has run it: no outputs, no execution counts, no widget state.

    >>> cell = {"cell_type": "code", "execution_count": 3, "outputs": [{}]}
    >>> cleared({"cells": [cell], "metadata": {"widgets": {}}})
    {'cells': [{'cell_type': 'code', 'execution_count': None, 'outputs': []}], 'metadata': {}}
    """
    cells = [
        {**cell, "execution_count": None, "outputs": []} if cell["cell_type"] == "code" else cell
        for cell in notebook["cells"]
    ]
    metadata = {key: value for key, value in notebook["metadata"].items() if key != "widgets"}
    return {**notebook, "cells": cells, "metadata": metadata}


def _read(root: Path, path: Path) -> CourseFile:
    name = path.relative_to(root).as_posix()
    try:
        notebook = cleared(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError) as error:
        raise Trouble(f"{path} is no notebook ({error}). Restore it from the project, or install again.") from error
    text = json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False).replace(IN_THE_COURSE, IN_THE_COPY)
    return CourseFile(name, _title(notebook, name), f"{text}\n".encode())


def _title(notebook: dict, name: str) -> str:
    """The first heading of the notebook, or its path where it has none."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            heading = re.search(r"^#\s+(.+)$", "".join(cell["source"]), re.MULTILINE)
            if heading:
                return heading[1].strip()
    return name
