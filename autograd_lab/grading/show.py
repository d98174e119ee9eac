"""How a check, a hint or a list of results is shown: one page of plain blocks, as text and as HTML.

Text is always there, for terminals and for readers of the stored file; HTML is what JupyterLab shows.
Everything that came from the learner is escaped. Read next: `pages.py`.
"""

from dataclasses import dataclass
from html import escape
from typing import Any

LABELS = {
    "right": "Right",
    "partly": "Partly right",
    "wrong": "Not right",
    "raised": "Your code raised an error",
    "not attempted": "Not answered yet",
}
COLOURS = {
    "right": "var(--jp-success-color1, #388e3c)",
    "partly": "var(--jp-warn-color1, #f57c00)",
    "wrong": "var(--jp-error-color1, #d32f2f)",
    "raised": "var(--jp-error-color1, #d32f2f)",
}
QUIET = "var(--jp-border-color1, #bdbdbd)"
CARD = "border-left:4px solid {colour};padding:0.2em 0.9em;margin:0.3em 0;max-width:46em;line-height:1.45"
CELL = "text-align:left;padding:0.15em 1.2em 0.15em 0"


@dataclass(frozen=True)
class Paragraph:
    """One paragraph; `lead` is printed bold in front of it, `link` is (text, address) at its end."""

    text: str
    lead: str = ""
    link: tuple[str, str] | None = None


@dataclass(frozen=True)
class Code:
    """Lines that keep their spaces."""

    text: str


@dataclass(frozen=True)
class Table:
    """Rows of text under headings."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Page:
    """What is shown: a heading, blocks, and facts that a test or a style sheet may read (`data-...`)."""

    heading: str
    blocks: tuple[Paragraph | Code | Table, ...]
    outcome: str = ""
    facts: tuple[tuple[str, str], ...] = ()


class Shown:
    """A page that shows itself in a cell and in a terminal; `of` is the plain data it was made from."""

    def __init__(self, page: Page, of: Any = None) -> None:
        self.page, self.of = page, of

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": to_html(self.page), "text/plain": to_text(self.page)}

    def __repr__(self) -> str:
        return to_text(self.page)


def to_text(page: Page) -> str:
    """The page for a terminal.

    >>> print(to_text(Page("q1: right, 2 of 2 points", (Paragraph("Well done."),))))
    q1: right, 2 of 2 points
      Well done.
    """
    lines = [page.heading]
    for block in page.blocks:
        lines += [f"  {line}".rstrip() for line in _block_text(block).splitlines()]
    return "\n".join(lines)


def to_html(page: Page) -> str:
    """The page for a cell, everything escaped."""
    style = CARD.format(colour=COLOURS.get(page.outcome, QUIET))
    facts = "".join(f' data-{name}="{escape(value)}"' for name, value in page.facts)
    blocks = "".join(_block_html(block) for block in page.blocks)
    label = escape(page.heading)
    opening = f'<section class="al-page" aria-label="{label}" style="{style}"{facts}>'
    return f"{opening}<b>{label}</b>{blocks}</section>"


def _block_text(block: Paragraph | Code | Table) -> str:
    if isinstance(block, Paragraph):
        link = f" {block.link[0]}" if block.link else ""
        return f"{block.lead}{' ' if block.lead else ''}{block.text}{link}"
    if isinstance(block, Code):
        return block.text
    rows = [block.headings, *block.rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(block.headings))]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows)


def _block_html(block: Paragraph | Code | Table) -> str:
    if isinstance(block, Paragraph):
        lead = f"<b>{escape(block.lead)}</b> " if block.lead else ""
        link = f' <a href="{escape(block.link[1])}">{escape(block.link[0])}</a>' if block.link else ""
        return f'<p style="margin:0.25em 0">{lead}{escape(block.text)}{link}</p>'
    if isinstance(block, Code):
        return f'<pre style="margin:0.4em 0">{escape(block.text)}</pre>'
    head = "".join(f'<th scope="col" style="{CELL}">{escape(cell)}</th>' for cell in block.headings)
    rows = "".join(
        "<tr>" + "".join(f'<td style="{CELL}">{escape(cell)}</td>' for cell in row) + "</tr>" for row in block.rows
    )
    return f'<table style="margin:0.4em 0"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
