"""What a bench is made of, as plain data: the inputs one edits, and what is shown for them.

An input is a `Field`. What a bench shows is an `Output`: questions to answer first, then blocks of text, tables
and figures. A block names the questions whose answers it would give away, and waits for them. Each block reads the
same in the browser, in a terminal and in a stored page. Read next: `bench.py`.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

from autograd_lab.course.prompt import Question, in_html
from autograd_lab.view.palette import variables


@dataclass(frozen=True)
class Field:
    """One input. Its value is a number ("number"), several ("numbers"), the place of a stop on a slider ("slider"),
    one of `options` ("choice"), or the keys of `options` that are used, in order ("order").
    """

    name: str
    label: str
    kind: str
    options: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    waits: bool = False  # a change counts only when a button is pressed

    def plain(self) -> dict[str, Any]:
        return asdict(self)

    def text(self, value: Any) -> str:
        """How a value reads.

        >>> Field("h", "step h", "slider", ("1", "0.1")).text(1)
        '0.1'
        """
        if self.kind == "slider":
            return str(self.options[value])
        if self.kind == "numbers":
            return "[" + ", ".join(short(v) for v in value) + "]"
        if self.kind == "order":
            return "; ".join(self.options[self.keys.index(key)] for key in value)
        return short(value)

    def check(self, value: Any) -> Any:
        """The value as the bench uses it; ValueError with a sentence if it cannot."""
        if self.kind in ("number", "numbers"):
            for number in value if self.kind == "numbers" else [value]:
                if isinstance(number, bool) or not isinstance(number, int | float) or abs(number) > 1e12:
                    raise ValueError(f"{self.label} must be a number of at most 1e12.")
        return value


@dataclass(frozen=True)
class Text:
    """One paragraph, with `code` in it. `tone` is "", "good", "warn" or "error", which a sign tells too."""

    text: str
    hides: tuple[str, ...] = ()
    tone: str = ""

    SIGNS = {"": "", "good": "✓ ", "warn": "! ", "error": "✗ "}

    def plain(self) -> dict[str, Any]:
        said = self.SIGNS[self.tone] + self.text
        return {"kind": "text", "text": said, "tone": self.tone, "hides": self.hides}

    def as_text(self) -> str:
        return self.SIGNS[self.tone] + self.text

    def as_html(self) -> str:
        return f"<p>{in_html(self.as_text())}</p>"


@dataclass(frozen=True)
class Table:
    """Rows of texts under a head. The first cell of a row names it."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    hides: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        return {"kind": "table", "head": self.head, "rows": self.rows, "caption": self.caption, "hides": self.hides}

    def as_text(self) -> str:
        """
        >>> print(Table(("n", "square"), (("2", "4"), ("10", "100"))).as_text())
        n   square
        2   4
        10  100
        """
        lines = [self.head, *self.rows] if any(self.head) else list(self.rows)
        widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
        cells = ("  ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)).rstrip() for line in lines)
        return "\n".join([*([self.caption] if self.caption else []), *cells])

    def as_html(self) -> str:
        head = "".join(f"<th>{in_html(cell)}</th>" for cell in self.head) if any(self.head) else ""
        rows = "".join("<tr>" + "".join(f"<td>{in_html(cell)}</td>" for cell in row) + "</tr>" for row in self.rows)
        caption = f"<caption>{in_html(self.caption)}</caption>" if self.caption else ""
        return f"<table>{caption}{f'<tr>{head}</tr>' if head else ''}{rows}</table>"


@dataclass(frozen=True)
class Figure:
    """An SVG drawing, what it shows in one sentence, and the same numbers as a table.

    `until` names questions while whose answers are open this figure stands in for a fuller one.
    """

    svg: str
    alt: str
    table: Table
    hides: tuple[str, ...] = ()
    until: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        return {
            "kind": "figure",
            "svg": self.svg,
            "alt": self.alt,
            "table": self.table.plain(),
            "hides": self.hides,
            "until": self.until,
        }

    def as_text(self) -> str:
        return f"{self.alt}\n{self.table.as_text()}"

    def as_html(self) -> str:
        """An image, which a page that nobody trusts shows too, and the table to open."""
        styled = self.svg.replace(">", f"><style>{variables('auto')}</style>", 1)
        data = b64encode(styled.encode()).decode()
        image = f'<img src="data:image/svg+xml;base64,{data}" alt="{escape(self.alt)}">'
        return f"<p>{image}</p><details><summary>As a table</summary>{self.table.as_html()}</details>"


Block = Text | Table | Figure


@dataclass(frozen=True)
class Output:
    """What one set of inputs gives. `said` is read aloud when it changes; `progress` runs from 0 to 1 while a
    longer work is under way, and None means that nothing runs.
    """

    blocks: tuple[Block, ...]
    questions: tuple[Question, ...] = ()
    said: str = ""
    progress: float | None = None

    def lasting(self) -> list[Block]:
        """The blocks without those that only stand in for others."""
        return [block for block in self.blocks if not (isinstance(block, Figure) and block.until)]

    def plain(self) -> dict[str, Any]:
        return {
            "blocks": [block.plain() for block in self.blocks],
            "questions": [question.plain() for question in self.questions],
            "said": self.said,
            "progress": self.progress,
        }


def short(value: Any) -> str:
    """A value as one would type it.

    >>> short(3.0), short(0.5), short("tanh")
    ('3', '0.5', 'tanh')
    """
    return f"{value:g}" if isinstance(value, float) else str(value)


def spoken(words: Sequence[str]) -> str:
    """
    >>> spoken(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
