"""What a drawing writes: JSON, PDF, the SVG without rules, a page that needs nothing else."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from .test_drawn_modules import net_drawing, no_background_recorder  # noqa: F401


def test_json_holds_boxes_edges_and_places(tmp_path):
    drawing = net_drawing()
    drawing.save(tmp_path / "net.json")
    data = json.loads((tmp_path / "net.json").read_text(encoding="utf-8"))
    assert [node["key"] for node in data["nodes"]] == [node.key for node in drawing.picture.nodes]
    assert {edge["id"] for edge in data["edges"]} == {edge.forward_id for edge in drawing.picture.edges}
    assert data["layout"]["centres"].keys() <= {node["key"] for node in data["nodes"]}
    assert data["clusters"][1] == {
        "key": "m1",
        "kind": "module",
        "title": "block : Block",
        "parent": "m0",
        "path": "block",
    }


def test_pdf_is_one_page_with_the_texts(tmp_path):
    pytest.importorskip("svglib")
    drawing = net_drawing(theme="dark")
    drawing.save(tmp_path / "net.pdf")
    data = (tmp_path / "net.pdf").read_bytes()
    assert data.startswith(b"%PDF")
    assert len(data) > 4000


def test_the_svg_for_files_has_no_rules_and_no_variables():
    from autograd_lab.view.flat import flat

    for theme in ("light", "dark"):
        text = flat(net_drawing().svg, theme)
        assert "var(" not in text and "<style" not in text and "class=" not in text
        ElementTree.fromstring(text)
    light, dark = (flat(net_drawing().svg, theme) for theme in ("light", "dark"))
    assert light.replace("#", "") != dark.replace("#", "")


def test_html_needs_nothing_else(tmp_path):
    net_drawing().save(tmp_path / "net.html")
    page = (tmp_path / "net.html").read_text(encoding="utf-8")
    for forbidden in ("http://", "https://", "<link", " src=", "@import", "url("):
        assert forbidden not in page.replace("http://www.w3.org/2000/svg", "")
    assert page.count("<template data-state=") == 16  # every set of four frames
    assert "<svg" in page.split("<template")[0]
