"""Drawings as files: SVG, PNG, DOT and a page of HTML. What cannot be written is said in one sentence."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from autograd_lab.view.palette import resolved

MOST_PIXELS = 16_000  # on the longer side of a PNG


def save(drawing: Any, path: str | os.PathLike[str]) -> None:
    """Write `drawing` to `path`, in the form that the ending of its name says."""
    target = Path(path)
    ending = target.suffix.lower()
    if ending not in WRITERS:
        known = ", ".join(WRITERS)
        raise ValueError(
            f"Cannot save a drawing as {target.name!r}: the name must end in one of {known}, "
            "to say which form you want."
        )
    data = WRITERS[ending](drawing)
    try:
        target.write_bytes(data)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise type(error)(
            f"Could not write the drawing to {str(path)!r}: {reason}. "
            "Choose a folder that exists and that you may write to."
        ) from None


def svg_file(drawing: Any) -> bytes:
    return drawing.svg.encode()


def dot_file(drawing: Any) -> bytes:
    return drawing.dot.encode()


def html_file(drawing: Any) -> bytes:
    """A page that needs nothing else: the drawing, and below it the table."""
    title = escape(drawing.alt.split(". ")[0])
    page = (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{title}</title>\n'
        "<style>:root{color-scheme:light dark}body{font-family:sans-serif;margin:1rem}</style>\n"
        f"<h1>{title}</h1>\n{drawing.html()}\n<pre>{escape(drawing.text())}</pre>\n</html>\n"
    )
    return page.encode()


def png_file(drawing: Any) -> bytes:
    """The SVG with its colours put in, painted at twice its size. `theme="dark"` is painted dark."""
    try:
        import resvg_py
    except ImportError:
        raise ImportError(
            'Saving a drawing as PNG needs the package resvg-py: pip install "autograd-lab[export]". '
            "Saving as .svg, .dot or .html needs nothing more."
        ) from None
    svg = resolved(drawing.svg, "dark" if drawing.theme == "dark" else "light")
    longest = max(drawing.layout.width, drawing.layout.height)
    zoom = 2 if longest * 2 <= MOST_PIXELS else 1
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom, **more_fonts()))


def more_fonts() -> dict[str, Any]:
    """Matplotlib's fonts, if it is installed: a machine without fonts would paint no texts."""
    found = importlib.util.find_spec("matplotlib")
    fonts = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf" if found and found.origin else Path()
    if not (fonts / "DejaVuSansMono.ttf").is_file():
        return {}
    return {
        "font_files": [str(fonts / name) for name in ("DejaVuSans.ttf", "DejaVuSansMono.ttf")],
        "sans_serif_family": "DejaVu Sans",
        "monospace_family": "DejaVu Sans Mono",
    }


WRITERS: dict[str, Callable[[Any], bytes]] = {
    ".svg": svg_file,
    ".png": png_file,
    ".dot": dot_file,
    ".html": html_file,
}
