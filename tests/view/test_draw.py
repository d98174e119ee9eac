"""`draw_graph`: what a cell, a terminal and a file get, and what bad input is told."""

from __future__ import annotations

import base64
import builtins
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

import autograd_lab
from autograd_lab import draw_graph
from autograd_lab.recorder import watchers
from autograd_lab.view import render
from autograd_lab.view.palette import PLAIN, ROLES
from autograd_lab.view.recording import record

from .test_dot import HOSTILE

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def no_background_recorder():
    """Nothing is recorded unless a test says so: a test runner that loads ipykernel looks like a notebook."""
    before = watchers[:]
    watchers.clear()
    yield
    watchers[:] = before


def parsed(drawing):
    return ElementTree.fromstring(drawing.svg)


def groups(drawing, css):
    found = parsed(drawing).iter(f"{SVG}g")
    return [group for group in found if css in group.get("class", "").split()]


def small():
    x = autograd_lab.tensor(2.0, requires_grad=True)
    with record():
        loss = (x * 3 + 4) ** 2
    return draw_graph(loss)


def test_table_in_a_terminal():
    assert repr(small()) == str(small()) == small().text()
    assert small().text() == (
        "graph of loss: 3 operations, 1 leaf\n"
        "node  name  op            shape  value  grad      inputs\n"
        "n0    x     leaf          ()     2      None\n"
        "n2    3     number\n"
        "n3    t1    MulBackward0  ()     6      not kept  x, 3\n"
        "n5    4     number\n"
        "n6    t2    AddBackward0  ()     10     not kept  t1, 4\n"
        "n8    2     number\n"
        "n9    loss  PowBackward0  ()     100    not kept  t2, 2"
    )


def test_svg_keeps_its_contract():
    drawing = small()
    picture, root = drawing.picture, parsed(drawing)
    assert root.get("class") == "ag-graph ag-auto"
    title, desc = root.get("aria-labelledby").split()
    texts = {e.get("id"): e.text for e in root if e.tag in (f"{SVG}title", f"{SVG}desc")}
    assert texts[title] == "Graph of loss"
    assert texts[desc].startswith("3 operations, 1 leaf (x).")
    ids = {e.get("id") for e in root.iter(f"{SVG}g")} - {None}
    prefix = picture.prefix
    assert {f"{prefix}-{node.key}" for node in picture.nodes} <= ids
    for edge in picture.edges:
        assert f"{prefix}-{edge.forward_id}" in ids
        assert (f"{prefix}-{edge.backward_id}" in ids) == edge.backward
    everything = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(everything) == len(set(everything))
    for group in groups(drawing, "node") + groups(drawing, "edge"):
        assert group[0].tag == f"{SVG}title"
        assert group[0].text
    assert len(groups(drawing, "ag-root")) == 1
    assert len(groups(drawing, "ag-acc")) == 1


def fields(drawing, key):
    group = next(g for g in parsed(drawing).iter(f"{SVG}g") if g.get("id") == f"{drawing.picture.prefix}-{key}")
    return {t.get("data-field"): t for t in group.iter(f"{SVG}text") if t.get("data-field")}


def test_fields_that_a_step_rewrites():
    drawing = small()
    assert {name: t.text for name, t in fields(drawing, "n0").items()} == {"value": "2", "grad": "None"}
    assert {name: t.text for name, t in fields(drawing, "n10").items()} == {
        "value": "100",
        "grad": "not kept",
    }
    assert fields(drawing, "n1")["value"].text == "AccumulateGrad"
    assert fields(drawing, "e0-3-0")["local"].text == "local 3"
    assert not fields(drawing, "e3-0-0")["grad"].text
    assert int(fields(drawing, "n0")["grad"].get("data-room")) >= 8


def test_room_for_what_a_step_will_write():
    from autograd_lab.view.drawing import drawing_of

    picture = small().picture
    wide = drawing_of(picture, widest={"n0.grad": "1" * 30, "e3-0-0.grad": "2" * 25})
    assert fields(wide, "n0")["grad"].get("data-room") == "30"
    assert fields(wide, "e3-0-0")["grad"].get("data-room") == "25"
    assert wide.layout.width > small().layout.width + 200


def test_titles_give_no_value_away():
    words = " ".join(e.text for e in parsed(small()).iter(f"{SVG}title"))
    words += " ".join(e.get("aria-label", "") for e in parsed(small()).iter())
    assert "100" not in words
    assert "10" not in words


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
@pytest.mark.parametrize("engine", ["auto", "layered"])
def test_hostile_names(name, engine):
    x = autograd_lab.tensor(2.0, requires_grad=True)
    drawing = draw_graph(x * x, params={name: x}, engine=engine)
    root = parsed(drawing)
    assert not list(root.iter(f"{SVG}script"))
    assert not [e for e in root.iter() if any("href" in key for key in e.attrib)]
    assert "url(" not in drawing.svg
    assert "http" not in drawing.svg.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert len(drawing.svg) < 20_000
    drawing.text().encode()
    drawing.dot.encode()
    if engine == "auto" and render.graphviz_pure():
        assert drawing.layout.engine == "graphviz-pure"


def test_hostile_class_name():
    class Odd(autograd_lab.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    Odd.__name__ = 'A<b>&"x'
    x = autograd_lab.tensor(2.0, requires_grad=True)
    parsed(draw_graph(Odd.apply(x)))


PROGRAM = """
import sys, hashlib
import autograd_lab as torch
from autograd_lab import draw_graph
x = torch.tensor([1.0, 2.0], requires_grad=True)
names = {"b": 1, "a": 2}
h = torch.tanh(x * 3) + x
loss = (h * h).sum()
drawing = draw_graph(loss)
sys.stdout.write(hashlib.sha256((drawing.svg + drawing.dot + drawing.text()).encode()).hexdigest())
"""


def test_two_processes_give_equal_bytes():
    seen = set()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        seen.add(done.stdout)
    assert len(seen) == 1


def test_live_cell_holds_svg_and_table(monkeypatch):
    monkeypatch.delenv("AUTOGRAD_LAB_OUTPUT", raising=False)
    bundle = small()._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert "<svg" in bundle["text/html"]
    assert bundle["text/plain"] == small().text()


def test_stored_cell_holds_an_image_and_table(monkeypatch):
    monkeypatch.setenv("AUTOGRAD_LAB_OUTPUT", "stored")
    bundle = small()._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    found = re.match(r'<img src="data:image/svg\+xml;base64,([^"]+)" alt="([^"]+)">', bundle["text/html"])
    assert base64.b64decode(found[1]).decode() == small().svg
    assert found[2].startswith("Graph of loss. 3 operations, 1 leaf (x).")


@pytest.mark.parametrize(
    ("ending", "begins"),
    [(".svg", b"<svg"), (".dot", b"digraph"), (".html", b"<!doctype html>"), (".PNG", b"\x89PNG")],
)
def test_save(tmp_path, ending, begins):
    if ending == ".PNG":
        pytest.importorskip("resvg_py")
    small().save(tmp_path / f"graph{ending}")
    assert (tmp_path / f"graph{ending}").read_bytes().startswith(begins)


def test_png_shows_the_colours_of_the_palette(tmp_path):
    pytest.importorskip("resvg_py")
    image = pytest.importorskip("PIL.Image")
    x = autograd_lab.tensor(2.0, requires_grad=True)
    for theme, column in (("light", 0), ("dark", 1)):
        draw_graph(x * x, theme=theme).save(tmp_path / "graph.png")
        colours = {c for _, c in image.open(tmp_path / "graph.png").convert("RGB").getcolors(1 << 24)}
        wanted = [PLAIN["paper"][column], *(ROLES[role][1 + 2 * column] for role in ("op", "leaf", "acc"))]
        for colour in wanted:
            assert tuple(bytes.fromhex(colour[1:])) in colours


def test_save_without_the_png_package(tmp_path, monkeypatch):
    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name == "resvg_py":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError) as caught:
        small().save(tmp_path / "graph.png")
    assert str(caught.value) == (
        'Saving a drawing as PNG needs the package resvg-py: pip install "autograd-lab[export]". '
        "Saving as .svg, .dot, .html or .json needs nothing more."
    )
    assert not list(tmp_path.iterdir())


def test_save_with_an_unknown_ending(tmp_path):
    with pytest.raises(ValueError) as caught:
        small().save(tmp_path / "graph.gif")
    assert str(caught.value) == (
        "Cannot save a drawing as 'graph.gif': the name must end in one of .svg, .png, .dot, .html, .pdf, .json, "
        "to say which form you want."
    )


def test_save_where_nothing_can_be_written(tmp_path):
    place = tmp_path / "no" / "such" / "graph.svg"
    with pytest.raises(FileNotFoundError) as caught:
        small().save(place)
    assert str(caught.value) == (
        f"Could not write the drawing to {str(place)!r}: No such file or directory. "
        "Choose a folder that exists and that you may write to."
    )


def test_a_number_has_no_graph():
    with pytest.raises(TypeError) as caught:
        draw_graph(3.0)
    assert str(caught.value) == (
        "draw_graph needs a tensor that was computed from others, but got the number 3.0, "
        "which has no graph. Make the input a leaf, x = torch.tensor(3.0, requires_grad=True), "
        "compute with it, and pass the result."
    )


@pytest.mark.parametrize("thing", ["loss", None, {"a": 1}, object()])
def test_other_things_have_no_graph(thing):
    with pytest.raises(TypeError, match=f"but got a {type(thing).__name__}, which has no graph"):
        draw_graph(thing)


def test_an_untracked_tensor_has_no_graph():
    y = autograd_lab.tensor(3.0) * 2
    with pytest.raises(ValueError) as caught:
        draw_graph(y)
    assert str(caught.value) == (
        "The tensor 'y' has no graph: nothing it was computed from has requires_grad=True, or the graph "
        "was cut (detach(), no_grad(), item()). Create a leaf with requires_grad=True, compute from it, "
        "and draw the result."
    )


def test_one_untracked_among_several():
    x = autograd_lab.tensor(1.0, requires_grad=True)
    with pytest.raises(ValueError, match=r"^This tensor has no graph"):
        draw_graph([x * 2, x.detach() * 2])
    with pytest.raises(ValueError, match="empty tuple"):
        draw_graph(())


def test_unknown_options():
    x = autograd_lab.tensor(1.0, requires_grad=True)
    with pytest.raises(ValueError, match="There is no layout engine 'doot'"):
        draw_graph(x * 2, engine="doot")
    with pytest.raises(ValueError, match="There is no theme 'pink'"):
        draw_graph(x * 2, theme="pink")
    with pytest.raises(TypeError, match="params must be a dict"):
        draw_graph(x * 2, params=[x])
    with pytest.raises(TypeError, match=r"params\['x'\] is of type float"):
        draw_graph(x * 2, params={"x": 1.0})


def test_a_freed_graph_draws():
    x = autograd_lab.tensor(2.0, requires_grad=True)
    loss = x * x
    loss.backward()
    drawing = draw_graph(loss)
    assert len(groups(drawing, "is-freed")) == 1
    assert "MulBackward0 freed" in drawing.text()


def test_drawing_leaves_no_trace():
    x = autograd_lab.tensor(2.0, requires_grad=True)
    loss = x * x
    draw_graph(loss)._repr_mimebundle_()
    assert x.grad is None
    loss.backward()
    assert x.grad.item() == 4.0


def test_drawing_holds_no_graph():
    import gc
    import weakref

    def inside():
        loss = autograd_lab.tensor(2.0, requires_grad=True) * 3
        return weakref.ref(loss.grad_fn), draw_graph(loss)

    seen, drawing = inside()
    gc.collect()
    assert seen() is None
    assert drawing.svg


def test_deep_chain_is_drawn_without_recursion():
    y = x = autograd_lab.tensor(1.0, requires_grad=True)
    for _ in range(5000):
        y = y * 1.0
    drawing = draw_graph(y)
    assert parsed(drawing) is not None
    assert "4,997 of 5,000 operations are in one box" in drawing.svg
    assert x.grad is None


def test_pytorch_results_draw_with_the_same_call():
    torch = pytest.importorskip("torch")
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    model = torch.nn.Linear(2, 1)
    loss = model(x).exp().sum()
    drawing = draw_graph(loss)
    assert {"x", "model.weight", "model.bias", "loss"} <= {node.name for node in drawing.picture.nodes}
    parsed(drawing)


def test_the_way_to_see_more_is_told():
    x = autograd_lab.tensor(2.0, requires_grad=True)
    words = "1 result and 1 constant not recorded.\nCompute inside `with record():` to see them."
    assert draw_graph(x * 3 + 4).text().endswith(words)
    assert "record()" not in small().text()


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_a_dark_drawing_stays_dark_beside_one_that_follows_the_page():
    x = autograd_lab.tensor(2.0, requires_grad=True)
    dark, auto = draw_graph(x * x, theme="dark").svg, draw_graph(x * x).svg
    assert 'class="ag-graph ag-dark"' in dark
    assert ".ag-auto{" not in dark
    assert ".ag-dark{" not in auto
    assert f"--ag-paper:{PLAIN['paper'][1]}" in dark


@pytest.mark.parametrize("column", [0, 1], ids=["light", "dark"])
def test_contrast_of_the_palette(column):
    paper, text = PLAIN["paper"][column], PLAIN["text"][column]
    for role in ROLES.values():
        stroke, fill = role[2 * column], role[2 * column + 1]
        assert contrast(stroke, paper) >= 4.5
        assert contrast(text, fill) >= 10
    assert contrast(PLAIN["quiet"][column], paper) >= 4.5
