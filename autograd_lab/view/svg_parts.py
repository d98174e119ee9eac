"""The small parts of a drawing's SVG: numbers, texts, attributes, and the classes that comparison and heat give."""

from __future__ import annotations

import html
from functools import lru_cache

from autograd_lab.view.boxes import Row
from autograd_lab.view.palette import heat_level
from autograd_lab.view.parts import PictureEdge, PictureNode
from autograd_lab.view.texts import fit


def states(thing: PictureNode | PictureEdge) -> list[str]:
    """Classes for what comparison, heat and errors say of a box or an edge."""
    found = [f"is-{thing.change}"] if thing.change else []
    if thing.heat is not None:
        found.append(f"ag-heat-{heat_level(thing.heat)}")
    if isinstance(thing, PictureNode) and thing.failed:
        found.append("is-failed")
    return found


def text(row: Row) -> str:
    anchor = "" if row.anchor == "start" else f' text-anchor="{row.anchor}"'
    field = f' data-field="{row.field}" data-room="{row.room}"' if row.field else ""
    shown = fit(row.text, row.room) if row.field else row.text
    return f'<text class="{row.css}" x="{num(row.x)}" y="{num(row.y)}"{anchor}{field}>{escape(shown)}</text>'


def escape(words: str) -> str:
    """Words between two tags."""
    return html.escape(words, quote=False)


def attribute(words: str) -> str:
    """Words as the value of an attribute, with the quotes around it; its lines stay lines."""
    return '"' + html.escape(words).replace("\n", "&#10;") + '"'


def wrapped(note: str, width: int) -> list[str]:
    """A remark on lines of at most about `width` characters."""
    lines = [""]
    for word in note.split():
        if lines[-1] and len(lines[-1]) + len(word) + 1 > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


@lru_cache(4096)
def num(value: float) -> str:
    """A coordinate with at most two decimals; places inside boxes come again and again."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
