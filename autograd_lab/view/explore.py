"""A drawing in a page: the SVG, a line that is read aloud, buttons to zoom and to close frames, and the legend.

Every state of the frames is laid out here and put into the page, so nothing is asked of a kernel later. With few
frames these are all states; with many, each alone and all together. The page works without the script, too: then
it is the drawing, with titles and keyboard focus.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import combinations
from pathlib import Path
from typing import Any

from autograd_lab.view.collapsing import collapsed
from autograd_lab.view.parts import Picture
from autograd_lab.view.svg import sheet

SCRIPT = Path(__file__).with_name("explore.js").read_text("utf-8")
STYLE = Path(__file__).with_name("explore.css").read_text("utf-8")
ALL_STATES = 4  # with more frames than this, not every combination is laid out
MOST_FRAMES = 24  # that can be closed one by one
SMALLEST = 0.7  # a wide drawing shrinks to this part of its size before it is scrolled


def page_part(drawing: Any, controls: bool = True) -> str:
    """The HTML of one drawing."""
    states = list(closable(drawing.picture)) if controls else []
    style = STYLE + (sheet(drawing.theme) if states else "")
    parts = [f'<style>{style}</style><div class="ag-stage">{fitted(drawing.svg, drawing)}</div>']
    parts.append('<p class="ag-said" aria-live="polite"></p>')
    if controls:
        parts.append(buttons(drawing.picture, states))
        parts += [template(drawing, state) for state in states]
    parts.append(legend(drawing.legend))
    if controls:
        parts.append(f"<script>{SCRIPT}</script>")
    return f'<div class="ag-drawing">{"".join(parts)}</div>'


def fitted(svg: str, drawing: Any) -> str:
    """The SVG, told to fit the width of the page, but not to become too small to read; its boxes take the focus."""
    width = float(svg.split('width="', 1)[1].split('"', 1)[0])
    style = f"width:100%;max-width:{width:g}px;min-width:{min(width, max(280, width * SMALLEST)):g}px"
    svg = svg.replace('role="graphics-symbol"', 'role="graphics-symbol" tabindex="0" data-lm-suppress-shortcuts="true"')
    return svg.replace("<svg ", f'<svg style="{style}" ', 1)


def closable(picture: Picture) -> Iterator[tuple[str, ...]]:
    """The sets of frames that can be closed together, beginning with none; nothing if there is no frame."""
    keys = [cluster.key for cluster in picture.clusters if cluster.kind == "module" and cluster.parent]
    keys = keys or [cluster.key for cluster in picture.clusters if cluster.kind == "module"]
    keys = keys[:MOST_FRAMES]
    if not keys:
        return
    if len(keys) <= ALL_STATES:
        for size in range(len(keys) + 1):
            yield from combinations(keys, size)
        return
    outer = [key for key in keys if parent_of(picture, key) not in keys]
    yield ()
    yield from ((key,) for key in keys)
    yield from (tuple(k for k in outer if k != key) for key in outer)
    yield tuple(outer)


def parent_of(picture: Picture, key: str) -> str:
    return next(cluster.parent for cluster in picture.clusters if cluster.key == key)


def template(drawing: Any, state: tuple[str, ...]) -> str:
    """One state of the frames, not shown until it is asked for."""
    other = drawing.like(collapsed(drawing.picture, state)) if state else drawing
    svg = fitted(other.svg, other).replace(sheet(drawing.theme), "")
    return f'<template data-state="{" ".join(state)}">{svg}</template>'


def buttons(picture: Picture, states: list[tuple[str, ...]]) -> str:
    """Zoom, and one button for each frame that can be closed."""
    titles = {cluster.key: cluster.title for cluster in picture.clusters}
    keys = sorted({key for state in states for key in state}, key=lambda key: int(key[1:]))
    zoom = [
        f'<button type="button" data-zoom="{what}" aria-label="{label}">{sign}</button>'
        for what, sign, label in (("in", "+", "zoom in"), ("out", "−", "zoom out"), ("fit", "fit", "whole drawing"))
    ]
    frames = [
        f'<button type="button" data-toggle="{key}" aria-pressed="false">{escape(titles[key])}</button>' for key in keys
    ]
    label = "<span>collapse:</span>" if frames else ""
    return f'<div class="ag-controls">{"".join([*zoom, label, *frames])}</div>'


def legend(entries: dict[str, str]) -> str:
    """What the marks in this drawing mean, to open."""
    rows = "".join(f"<dt>{escape(mark)}</dt><dd>{escape(meaning)}</dd>" for mark, meaning in entries.items())
    return f"<details><summary>What the marks mean</summary><dl>{rows}</dl></details>"
