"""A table whose cells the learner fills in before they are shown: plain data, and how it reads as text.

Each open cell has its right answer, the reason, and wrong answers with theirs; the browser judges at once, without
the kernel. Run All leaves every cell "not answered". Read next: `live.py` (what a notebook cell holds), `sheet.js`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

from autograd_lab.view.drawing import GraphDrawing, drawing_of
from autograd_lab.view.names import Names
from autograd_lab.view.picture import read_graph
from autograd_lab.view.wanted import wanted
from autograd_lab.widgets.answers import Wrong, kept
from autograd_lab.widgets.live import Live, as_image, in_html, state_word

__all__ = ["Cell", "Edit", "Row", "Sheet", "Wrong", "cell", "drawn"]


@dataclass(frozen=True)
class Cell:
    """One cell to fill in: by choosing one of `options`, else by typing.

    `ask` says what is asked, also to who does not see the table. `otherwise` answers what no reason knows. `node` is
    the key of the box in the drawing that this cell is about; `scene` names the drawing to show once it is settled.
    """

    id: str
    ask: str
    right: str
    because: str = ""
    wrong: tuple[Wrong, ...] = ()
    options: tuple[str, ...] = ()
    otherwise: str = ""
    node: str = ""
    scene: str = ""


def cell(id: str, ask: str, right: str, because: str = "", wrong: Iterable[Wrong] = (), **more: Any) -> Cell:
    """A cell without collisions: a wrong answer that equals the right one is dropped, equal ones are joined."""
    return Cell(id, ask, right, because, kept(right, wrong), **more)


@dataclass(frozen=True)
class Row:
    """A line of the table: its heading, then texts to read and cells to fill in.

    `after` is the id of a cell: the row stays hidden until that one is settled, because it would tell its answer.
    """

    head: str
    cells: tuple[Cell | str, ...]
    after: str = ""


@dataclass(frozen=True)
class Scene:
    """A drawing that tells an answer, shown once it is given; `node` is the box to light."""

    drawing: GraphDrawing
    node: str


@dataclass(frozen=True)
class Edit:
    """Boxes that change the inputs: the kernel makes the sheet anew with `remake(texts)`."""

    label: str
    fields: tuple[tuple[str, str], ...]  # name and present text
    remake: Callable[[dict[str, str]], Sheet]
    button: str = "Compute again"


class Sheet(Live):
    """A table to fill in, with a drawing beside it if there is one.

    `states` is what was answered, by cell id; every function in `listeners` is called with `(id, state)` for each new
    answer. `closing` is said once every cell is settled.
    """

    kind = "sheet"

    def __init__(
        self,
        heading: str,
        intro: str,
        columns: Sequence[str],
        rows: Sequence[Row],
        drawing: GraphDrawing | None = None,
        closing: str = "",
        edit: Edit | None = None,
        scenes: Mapping[str, Scene] | None = None,
    ) -> None:
        super().__init__()
        self.heading, self.intro, self.columns, self.rows = heading, intro, tuple(columns), tuple(rows)
        self.drawing, self.closing, self.edit = drawing, closing, edit
        self.scenes = dict(scenes or {})
        self.board: dict[str, Any] | None = None  # lines and columns whose crossings are the options of some cells
        self.same: set[str] = set()  # cells whose answers the last edit left alone
        self.keeps = False  # whether answers outlive an edit

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell to fill in, in reading order."""
        return tuple(cell for row in self.rows for cell in row.cells if isinstance(cell, Cell))

    def asked(self) -> list[tuple[str, str]]:
        return [(cell.id, cell.ask) for cell in self.cells]

    def plain(self) -> dict[str, Any]:
        """The sheet as JSON can carry it."""
        rows = [
            {
                "head": row.head,
                "after": row.after,
                "cells": [asdict(c) if isinstance(c, Cell) else c for c in row.cells],
            }
            for row in self.rows
        ]
        return {
            "heading": self.heading,
            "intro": self.intro,
            "columns": self.columns,
            "rows": rows,
            "drawing": None if self.drawing is None else self.drawing.svg,
            "prefix": "" if self.drawing is None else self.drawing.picture.prefix,
            "closing": self.closing,
            "board": self.board,
            "scenes": {
                name: {"svg": scene.drawing.svg, "prefix": scene.drawing.picture.prefix, "node": scene.node}
                for name, scene in self.scenes.items()
            },
            "edit": self.edit and {"label": self.edit.label, "fields": self.edit.fields, "button": self.edit.button},
        }

    def wished(self, wish: dict[str, Any]) -> None:
        """The learner changed the inputs: show the sheet of the new ones, not answered."""
        if self.edit is None:
            return
        before = {cell.id: cell.right for cell in self.cells}
        made = self.edit.remake({str(name): str(text) for name, text in wish.items()})
        self.intro, self.rows, self.drawing, self.closing = made.intro, made.rows, made.drawing, made.closing
        self.scenes = made.scenes
        self.edit = made.edit or self.edit
        self.same = {cell.id for cell in self.cells if before.get(cell.id) == cell.right}

    def surviving(self) -> dict[str, dict[str, Any]]:
        return {key: state for key, state in self.states.items() if key in self.same and self.keeps}

    def shown_in(self, entry: Cell | str) -> str:
        """How an entry reads before it is shown: what is given, or its state and what one can choose."""
        if isinstance(entry, str):
            return entry
        return state_word(self.states.get(entry.id), entry.right)

    def text(self) -> str:
        """The same as a table of text: each open cell with its state, then what the cells ask and offer."""
        rows = [("", *self.columns), *((row.head, *map(self.shown_in, row.cells)) for row in self.open_rows())]
        rows = [tuple(text.replace("`", "") for text in row) for row in rows]
        count = max(map(len, rows))
        widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(count)]
        lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=False)).rstrip() for row in rows]
        offers = [f"{named}: choose from {' | '.join(options)}" for named, options in self.offers()]
        return "\n".join([self.heading, self.intro, *lines, *offers]).replace("`", "")

    def open_rows(self) -> list[Row]:
        """The rows that may be seen now."""
        return [row for row in self.rows if not row.after or self.states.get(row.after, {}).get("state") in DONE]

    def offers(self) -> list[tuple[str, tuple[str, ...]]]:
        """What can be chosen, once for each list of options: by column, else by row."""
        rows = self.open_rows()
        places = [(row.head, self.columns[i], c) for row in rows for i, c in enumerate(row.cells)]
        found = [(head, column, c.options) for head, column, c in places if isinstance(c, Cell) and c.options]
        lists = dict.fromkeys(options for *_, options in found)
        named = []
        for options in lists:
            heads = list(dict.fromkeys(head for head, _, o in found if o == options))
            columns = list(dict.fromkeys(column for _, column, o in found if o == options))
            by_row = len(columns) > 1 and all(o == options for head, _, o in found if head in heads)
            named.append((", ".join(heads if by_row else columns), options))
        return named

    def html(self) -> str:
        """The same for a page that runs nothing."""
        head = "".join(f"<th scope='col'>{in_html(column)}</th>" for column in ("", *self.columns))
        body = "".join(
            f"<tr><th scope='row'>{in_html(row.head)}</th>"
            + "".join(
                f"<td>{in_html(c)}</td>" if isinstance(c, str) else f"<td><i>{escape(self.shown_in(c))}</i></td>"
                for c in row.cells
            )
            + "</tr>"
            for row in self.open_rows()
        )
        offers = "".join(f"<li>{in_html(n)}: {in_html(' | '.join(options))}</li>" for n, options in self.offers())
        image = "" if self.drawing is None else as_image(self.drawing)
        return (
            f"<p><b>{escape(self.heading)}</b></p><p>{in_html(self.intro)}</p>{image}"
            f"<table><tr>{head}</tr>{body}</table>" + (f"<p>To choose from:</p><ul>{offers}</ul>" if offers else "")
        )


DONE = ("right", "shown")


def drawn(outputs: Any, names: Names, **options: Any) -> tuple[GraphDrawing, Any]:
    """A drawing that tells no answers (names alone, unless `show` says more), and its picture to ask for keys."""
    options = {"show": ("name",), "show_local_grads": False, "modules": False} | options
    picture = read_graph(outputs, names, options=wanted(**options))
    return drawing_of(picture), picture
