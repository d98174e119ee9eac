"""Which questions a lesson asks, read from its notebook without running it.

A lesson's questions are calls in its cells: `lesson.predict("…")`, `lesson.recall("02/…")`, `lesson.leave(…)`,
`lesson.check_…`. Their ids are those under which answers are kept, so that progress can be told before a lesson was
ever opened. Read next: `grading/standing.py`.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograd_lab.course import questions
from autograd_lab.course.lesson import FACTORS, question_id

PACKAGE = Path(__file__).resolve().parent.parent
ROOTS = (PACKAGE / "_course", PACKAGE.parent)  # a wheel's copy, or a clone
IN_WORDS = {"recall": "Recall", "leave": "Exit"}


@dataclass(frozen=True)
class Planned:
    """One question of a lesson, before it was asked."""

    id: str
    label: str
    text: str


@dataclass(frozen=True)
class Outline:
    """A lesson: its slug (the notebook's name), its title and its questions in reading order."""

    slug: str
    title: str
    questions: tuple[Planned, ...]

    @property
    def number(self) -> str:
        return self.slug[:2]


def course_root() -> Path:
    """The folder that holds `notebooks/` and `exercises/`; FileNotFoundError if there is none."""
    for root in ROOTS:
        if (root / "notebooks").is_dir():
            return root
    raise FileNotFoundError(
        f"The lessons were not found: neither {ROOTS[0]} nor {ROOTS[1] / 'notebooks'} exists. "
        "Install the package again: pip install --force-reinstall autograd-lab"
    )


def outlines(root: Path | None = None) -> tuple[Outline, ...]:
    """Every lesson in reading order.

    >>> [outline.title for outline in outlines() if outline.number == "04"]
    ['The chain rule, node by node']
    """
    paths = sorted((root or course_root()).glob("notebooks/[0-9][0-9]_*.ipynb"))
    return tuple(outline_of(path.stem, json.loads(path.read_text(encoding="utf-8"))) for path in paths)


def outline_of(slug: str, notebook: dict) -> Outline:
    """The outline of one notebook."""
    cells = [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]
    heading = re.search(r"^#\s+(.+)$", "\n".join(text for kind, text in cells if kind == "markdown"), re.MULTILINE)
    found = [question for kind, text in cells if kind == "code" for question in _asked_in(slug, text)]
    return Outline(slug, heading[1].strip() if heading else slug, tuple(found))


def _asked_in(slug: str, source: str) -> Iterator[Planned]:
    """The questions of one cell."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # a cell that the learner left half-written
        return
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        method, words = node.func.attr, [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
        if method == "predict" and words:
            yield Planned(question_id(slug, "predict", words[0]), "Predict", words[0])
        elif method == "check_answer" and words:
            yield Planned(question_id(slug, "check", words[0]), "Make", words[0])
        elif method == "check_factors":
            result = next((ast.unparse(word.value) for word in node.keywords if word.arg == "of"), "result")
            yield Planned(f"{slug}/make/{result}", "Make", FACTORS)
        elif method in IN_WORDS:
            for key in words:
                label = IN_WORDS[method]
                yield Planned(f"{slug}/{label.lower()}/{key}", label, questions.find(key).text)
