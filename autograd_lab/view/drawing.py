"""A drawing: a picture that can be looked at, in a cell, in a terminal or as a file.

Only joins the stages: `lay_out` places the boxes, `to_svg` draws them. What only some drawings need (DOT, files, the
page's buttons) is imported when it is asked for, so that the first drawing of a process comes sooner.
"""

from __future__ import annotations

import os
from base64 import b64encode
from functools import cached_property
from html import escape
from typing import Any

from autograd_lab.collecting import no_collection
from autograd_lab.view.boxes import NOTHING, Widest
from autograd_lab.view.layout import Layout
from autograd_lab.view.parts import Picture
from autograd_lab.view.render import lay_out
from autograd_lab.view.spoken import description, legend_of, title_of
from autograd_lab.view.svg import to_svg


class GraphDrawing:
    """A drawn graph. A cell shows it as SVG, a terminal as a table; `save` writes it to a file.

    It holds plain data only, so it keeps no graph and no tensor alive.
    """

    def __init__(self, picture: Picture, widest: Widest = NOTHING, theme: str = "auto", engine: str = "auto") -> None:
        self.picture, self.theme, self.engine = picture, theme, engine
        self.widest = dict(widest)

    @cached_property
    def layout(self) -> Layout:
        """Where everything is, and which engine placed it (`layout.engine`)."""
        with no_collection():
            return lay_out(self.picture, self.engine, self.widest)

    @cached_property
    def svg(self) -> str:
        """The drawing as SVG text."""
        with no_collection():
            return to_svg(self.picture, self.layout, self.widest, self.theme)

    @cached_property
    def dot(self) -> str:
        """The graph in the language of Graphviz."""
        from autograd_lab.view.dot import to_dot

        return to_dot(self.picture, self.widest)

    def text(self) -> str:
        """The graph as a table."""
        from autograd_lab.view.table import to_table

        return to_table(self.picture)

    @property
    def legend(self) -> dict[str, str]:
        """What each mark in this drawing means."""
        return legend_of(self.picture)

    @property
    def alt(self) -> str:
        """The drawing in words."""
        return f"{title_of(self.picture)}. {description(self.picture)}"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the drawing to a file whose name ends in .svg, .png, .pdf, .dot, .html or .json.

        Raises ValueError for another ending, OSError if the file cannot be written, ImportError naming the
        `pip install` line if PNG or PDF needs a package that is missing.
        """
        from autograd_lab.view.save import save

        save(self, path)

    def like(self, picture: Picture) -> GraphDrawing:
        """Another picture, drawn in the same way."""
        return GraphDrawing(picture, self.widest, self.theme, self.engine)

    def html(self) -> str:
        """The drawing for a page: inline, so that titles, keys and the page's theme work."""
        from autograd_lab.view.explore import page_part

        return page_part(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """What a cell holds: the SVG and the table. Stored in a file: both as any page shows them."""
        stored = os.environ.get("AUTOGRAD_LAB_OUTPUT") == "stored"
        html = page_html(self.svg, self.alt, self.text()) if stored else self.html()
        return {"text/html": html, "text/plain": self.text()}

    def __repr__(self) -> str:
        return self.text()


def drawing_of(picture: Picture, widest: Widest = NOTHING, theme: str = "auto", engine: str = "auto") -> GraphDrawing:
    """The drawing of a picture one has already, with room for texts that steps will write.

    `widest` gives the longest text of a field: {"n3.value": "[1, 2, 3]", "e5-3-0.grad": "12.5"}.
    """
    return GraphDrawing(picture.without_places(), widest, theme, engine)


def page_html(svg: str, alt: str, table: str) -> str:
    """Drawing and table for a page that nobody trusts and no kernel serves: an image, and text to open.

    Inline SVG is hidden on such a page, and a page shows one form of an output only.
    """
    data = b64encode(svg.encode()).decode()
    image = f'<img src="data:image/svg+xml;base64,{data}" alt="{escape(alt)}">'
    return f"{image}<details open><summary>As a table</summary><pre>{escape(table)}</pre></details>"
