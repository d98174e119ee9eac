"""Drawings as files: SVG, PNG, PDF, DOT, JSON and a page of HTML. What cannot be written is said in one sentence."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import unicodedata
from collections.abc import Callable
from dataclasses import asdict
from html import escape
from math import isfinite
from pathlib import Path
from typing import Any

from autograd_lab.view.flat import flat
from autograd_lab.view.spoken import description, title_of

MOST_PIXELS = 16_000  # on the longer side of a PNG
MOST_POINTS = 14_000  # on the longer side of a PDF


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
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        "<style>:root{color-scheme:light dark}body{font-family:sans-serif;margin:1rem}pre{overflow-x:auto}</style>\n"
        f"<h1>{title}</h1>\n{drawing.html()}\n<pre>{escape(drawing.text())}</pre>\n</html>\n"
    )
    return page.encode()


def json_file(drawing: Any) -> bytes:
    """The picture as plain data: boxes, edges, frames, remarks, legend, and where everything stands."""
    picture, layout = drawing.picture, drawing.layout
    data = {
        "title": title_of(picture),
        "description": description(picture),
        "nodes": [told(node) for node in picture.nodes],
        "edges": [{"id": edge.forward_id, **told(edge)} for edge in picture.edges],
        "clusters": [told(cluster) for cluster in picture.clusters],
        "roots": picture.roots,
        "notes": picture.notes,
        "legend": drawing.legend,
        "layout": {
            "engine": layout.engine,
            "width": layout.width,
            "height": layout.height,
            "centres": layout.centres,
            "frames": layout.frames,
        },
    }
    return json.dumps(data, indent=1, ensure_ascii=False).encode() + b"\n"


def told(thing: Any) -> dict[str, Any]:
    """The fields of a box, edge or frame that say something. JSON has no word for nan: it becomes text."""
    fields = {name: value for name, value in asdict(thing).items() if value not in (None, "", (), False)}
    heat = fields.get("heat")
    return {**fields, "heat": str(heat)} if heat is not None and not isfinite(heat) else fields


def pdf_file(drawing: Any) -> bytes:
    """The SVG with its colours put in, as lines and letters."""
    try:
        from reportlab.graphics import renderPDF
        from svglib.svglib import svg2rlg
    except ImportError:
        raise ImportError(needs("PDF", "svglib and reportlab")) from None
    fonts = fonts_for_pdf()
    svg = flat(drawing.svg, shade(drawing), fonts or ("Helvetica", "Courier"))
    made = svg2rlg(io.BytesIO((svg if fonts else plain_letters(svg)).encode()))
    fit_on_page(made)
    return bytes(renderPDF.drawToString(made, title_of(drawing.picture)))


def fonts_for_pdf() -> tuple[str, str] | None:
    """Matplotlib's fonts, made known to the writer of PDF, so that every sign is there; None without them."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from svglib.fonts import register_font

    files = font_files()
    for name, (plain, bold) in files.items():
        if name not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(name, str(plain)))
            register_font(name, str(plain), rlgFontName=name)
            register_font(name, str(bold), weight="bold", rlgFontName=f"{name} Bold")
            register_font(name, str(plain), style="italic", rlgFontName=name)
    return ("DejaVu Sans", "DejaVu Sans Mono") if files else None


STAND_INS = str.maketrans({"−": "-", "→": ">", "∑": "S", "ᵀ": "T", "⊙": "*", "…": "...", "∂": "d", "σ": "s", "⁻": "-"})


def plain_letters(text: str) -> str:
    """The text in signs that every PDF font has."""
    plain = unicodedata.normalize("NFKC", text.translate(STAND_INS))
    return "".join(c if ord(c) < 256 else "?" for c in plain)


def fit_on_page(made: Any) -> None:
    """A page of a PDF may measure 14,400 points at most."""
    longest = max(made.width, made.height)
    if longest > MOST_POINTS:
        made.scale(MOST_POINTS / longest, MOST_POINTS / longest)
        made.width, made.height = (side * MOST_POINTS / longest for side in (made.width, made.height))


def needs(form: str, packages: str) -> str:
    several = "packages" if " and " in packages else "package"
    return (
        f'Saving a drawing as {form} needs the {several} {packages}: pip install "autograd-lab[export]". '
        "Saving as .svg, .dot, .html or .json needs nothing more."
    )


def shade(drawing: Any) -> str:
    return "dark" if drawing.theme == "dark" else "light"


def png_file(drawing: Any) -> bytes:
    """The SVG with its colours put in, painted at twice its size. `theme="dark"` is painted dark."""
    try:
        import resvg_py
    except ImportError:
        raise ImportError(needs("PNG", "resvg-py")) from None
    svg = flat(drawing.svg, shade(drawing))
    longest = max(drawing.layout.width, drawing.layout.height)
    zoom = 2 if longest * 2 <= MOST_PIXELS else 1
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom, **more_fonts()))


def more_fonts() -> dict[str, Any]:
    """Matplotlib's fonts, if it is installed: a machine without fonts would paint no texts."""
    files = font_files()
    if not files:
        return {}
    return {
        "font_files": [str(file) for pair in files.values() for file in pair],
        "sans_serif_family": "DejaVu Sans",
        "monospace_family": "DejaVu Sans Mono",
    }


def font_files() -> dict[str, tuple[Path, Path]]:
    """Plain and bold files of two fonts that Matplotlib brings; nothing if it is not installed."""
    found = importlib.util.find_spec("matplotlib")
    folder = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf" if found and found.origin else Path()
    files = {
        "DejaVu Sans": (folder / "DejaVuSans.ttf", folder / "DejaVuSans-Bold.ttf"),
        "DejaVu Sans Mono": (folder / "DejaVuSansMono.ttf", folder / "DejaVuSansMono-Bold.ttf"),
    }
    return files if all(file.is_file() for pair in files.values() for file in pair) else {}


WRITERS: dict[str, Callable[[Any], bytes]] = {
    ".svg": svg_file,
    ".png": png_file,
    ".dot": dot_file,
    ".html": html_file,
    ".pdf": pdf_file,
    ".json": json_file,
}
