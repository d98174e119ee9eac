"""docs/drawing.md: what its examples draw and print is what the page shows, and it leaves no option out."""

from __future__ import annotations

import inspect
import re

import make_drawing_pictures
import pytest
from make_drawing_pictures import PAGE

from autograd_lab import draw_graph
from autograd_lab.recorder import watchers
from autograd_lab.view.render import graphviz_pure


@pytest.fixture(scope="module")
def page():
    return PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def made(page):
    if not graphviz_pure():
        pytest.skip("graphviz-pure is not installed; the pictures are made with it")
    before = watchers[:]
    watchers.clear()
    try:
        return make_drawing_pictures.made(page)
    finally:
        watchers[:] = before


def test_the_pictures_are_current(made):
    pictures, faults = made
    assert faults == []
    stored = {name: (PAGE.parent / "img" / f"{name}.svg").read_bytes() for name in pictures}
    assert stored == {name: svg.encode() for name, svg in pictures.items()}, "make_drawing_pictures.py --write"


def test_every_picture_of_the_page_is_made_and_no_other_is_kept(page, made):
    named = re.findall(r"img/([\w-]+)\.svg", page)
    assert len(named) == len(set(named)) and set(named) == made[0].keys()
    assert {path.stem for path in (PAGE.parent / "img").glob("draw_*.svg")} == set(named)


def test_every_option_is_in_the_table_with_its_default(page):
    rows = dict(re.findall(r"^\| `(\w+)=([^`]*)` \|", page, re.MULTILINE))
    options = {
        name: parameter.default
        for name, parameter in inspect.signature(draw_graph).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }
    assert rows.keys() == options.keys()
    shown = {name: eval(text) for name, text in rows.items() if name != "params"}
    assert shown == {name: default for name, default in options.items() if name != "params"}


def test_every_option_has_a_picture(page):
    drawn = "\n".join(re.findall(r"```python\n(.*?)```\n\n!\[", page, re.DOTALL))
    assert [name for name in re.findall(r"^\| `(\w+)=", page, re.MULTILINE) if f"{name}=" not in drawn] == []
