"""Layouts: one engine after the other, down to our own, and never an error for want of Graphviz."""

from __future__ import annotations

import importlib.util
import shutil
import stat
import sys
from dataclasses import replace

import pytest

import autograd_lab
from autograd_lab import draw_graph
from autograd_lab.view import render
from autograd_lab.view.boxes import label_size
from autograd_lab.view.names import Names
from autograd_lab.view.picture import read_graph
from autograd_lab.view.render import lay_out
from autograd_lab.view.units import boxes_of, heads, units_of


def a_picture():
    x = autograd_lab.tensor([3.0, 4.0], requires_grad=True)
    w = autograd_lab.tensor([[1.0, 2.0], [0.5, 0.1]], requires_grad=True)
    h = autograd_lab.tanh(w @ x) + x * x
    return read_graph((h * x).sum() + h[0], Names([("x", x), ("w", w), ("h", h)]))


def installed(engine):
    return engine == "layered" or bool(render.FINDERS[engine]())


@pytest.fixture
def no_path(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))


def hide_graphviz_pure(monkeypatch):
    monkeypatch.setattr(render.importlib.metadata, "files", lambda name: [])
    render.installed_program.cache_clear()


@pytest.fixture(autouse=True)
def found_anew():
    render.installed_program.cache_clear()
    yield
    render.installed_program.cache_clear()


def hide_pygraphviz(monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(
        render.importlib.util, "find_spec", lambda name, *a: None if name == "pygraphviz" else found(name, *a)
    )


def assert_complete(layout, picture):
    """Every box and edge has a place, inside the drawing, and no two boxes overlap."""
    units, head = units_of(picture, boxes_of(picture)), heads(picture)
    areas = {}
    for key, unit in units.items():
        x, y = layout.centres[key]
        areas[key] = (x - unit.width / 2, y - unit.height / 2, x + unit.width / 2, y + unit.height / 2)
    for left, top, right, bottom in areas.values():
        assert left > -4
        assert top > -4
        assert right < layout.width + 4
        assert bottom < layout.height + 4
    keys = list(areas)
    for i, one in enumerate(keys):
        for other in keys[i + 1 :]:
            a, b = areas[one], areas[other]
            apart = a[2] <= b[0] + 1 or b[2] <= a[0] + 1 or a[3] <= b[1] + 1 or b[3] <= a[1] + 1
            assert apart, (one, other)
    for edge in picture.edges:
        source, target = head[edge.source], head[edge.target]
        if source == target or edge.kind == "view":
            continue
        points = layout.routes[edge.forward_id]
        assert len(points) % 3 == 1
        for key, (x, y) in ((source, points[0]), (target, points[-1])):
            left, top, right, bottom = areas[key]
            assert left - 5 <= x <= right + 5, (edge, key)  # a root has a second line around it
            assert top - 5 <= y <= bottom + 5, (edge, key)
        if label_size(edge, rankdir=picture.rankdir)[0]:
            assert edge.forward_id in layout.labels
    assert set(layout.frames) == {cluster.key for cluster in picture.clusters}
    for node in picture.nodes:
        if node.cluster and node.key in areas:
            x, y, width, height = layout.frames[node.cluster]
            left, top, right, bottom = areas[node.key]
            assert x <= left and y <= top and right <= x + width and bottom <= y + height


def a_model():
    net = autograd_lab.nn.Sequential(autograd_lab.nn.Linear(2, 2), autograd_lab.nn.Tanh(), autograd_lab.nn.Linear(2, 1))
    return draw_graph(net, autograd_lab.ones(1, 2)).picture


@pytest.mark.parametrize("rankdir", ["LR", "TB"])
@pytest.mark.parametrize("make", [a_picture, a_model])
@pytest.mark.parametrize("engine", render.ENGINES)
def test_each_engine_places_everything(engine, make, rankdir):
    if engine != "auto" and not installed(engine):
        pytest.skip(f"{engine} is not installed")
    picture = replace(make(), rankdir=rankdir)
    layout = lay_out(picture, engine)
    assert_complete(layout, picture)
    if engine != "auto":
        assert layout.engine == engine


@pytest.mark.usefixtures("no_path")
def test_empty_path_still_gives_a_graphviz_layout():
    if not installed("graphviz-pure"):
        pytest.skip("graphviz-pure is not installed")
    assert shutil.which("dot") is None
    assert lay_out(a_picture()).engine == "graphviz-pure"


def test_dot_on_path_is_next(monkeypatch, tmp_path):
    program = shutil.which("dot") or (render.graphviz_pure() or [None])[0]
    if program is None or sys.platform == "win32":
        pytest.skip("neither dot nor graphviz-pure is installed, or no links to programs here")
    (tmp_path / "dot").symlink_to(program)
    monkeypatch.setenv("PATH", str(tmp_path))
    hide_graphviz_pure(monkeypatch)
    picture = a_picture()
    layout = lay_out(picture)
    assert layout.engine == "dot"
    assert_complete(layout, picture)


@pytest.mark.usefixtures("no_path")
def test_pygraphviz_is_next(monkeypatch):
    if importlib.util.find_spec("pygraphviz") is None:
        pytest.skip("pygraphviz is not installed")
    hide_graphviz_pure(monkeypatch)
    assert lay_out(a_picture()).engine == "pygraphviz"


@pytest.mark.usefixtures("no_path")
def test_with_nothing_at_all_our_own_layout_draws(monkeypatch):
    hide_graphviz_pure(monkeypatch)
    hide_pygraphviz(monkeypatch)
    picture = a_picture()
    layout = lay_out(picture)
    assert layout.engine == "layered"
    assert_complete(layout, picture)


def pretend_dot(tmp_path, monkeypatch, body):
    """A program named `dot` on PATH that does what `body` says, and no other engine."""
    if sys.platform == "win32":
        pytest.skip("needs a shell script as a program")
    program = tmp_path / "dot"
    program.write_text(f"#!{sys.executable}\n{body}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path))
    hide_graphviz_pure(monkeypatch)
    hide_pygraphviz(monkeypatch)


@pytest.mark.parametrize(
    "body",
    ["raise SystemExit(1)", "print('no json')", "print('{}')", "import os; os.write(1, b'\\xff\\xfe')"],
    ids=["fails", "no json", "empty", "no text"],
)
def test_a_broken_dot_is_passed_over(tmp_path, monkeypatch, body):
    pretend_dot(tmp_path, monkeypatch, body)
    picture = a_picture()
    assert lay_out(picture).engine == "layered"
    with pytest.raises(RuntimeError, match=r"The layout engine 'dot' did not work: "):
        lay_out(picture, "dot")


def test_a_slow_engine_is_stopped(tmp_path, monkeypatch):
    pretend_dot(tmp_path, monkeypatch, "import time; time.sleep(60)")
    monkeypatch.setattr(render, "TIME_LIMIT", 0.3)
    monkeypatch.setattr(render, "HURRIED_LIMIT", 0.3)
    assert lay_out(a_picture()).engine == "layered"


def test_a_slow_layout_gets_a_second_try_in_a_hurry(tmp_path, monkeypatch):
    program = shutil.which("dot") or (render.graphviz_pure() or [None])[0]
    if program is None:
        pytest.skip("neither dot nor graphviz-pure is installed")
    body = (
        "import subprocess, sys, time; text = sys.stdin.read()\n"
        "time.sleep(0 if 'splines=line' in text else 60)\n"
        f"subprocess.run([{program!r}, '-Tjson0'], input=text, text=True)"
    )
    pretend_dot(tmp_path, monkeypatch, body)
    monkeypatch.setattr(render, "TIME_LIMIT", 0.3)
    picture = a_picture()
    layout = lay_out(picture)
    assert layout.engine == "dot"
    assert_complete(layout, picture)


@pytest.mark.usefixtures("no_path")
def test_an_engine_asked_for_but_missing_names_the_way_to_get_it(monkeypatch):
    hide_graphviz_pure(monkeypatch)
    with pytest.raises(RuntimeError) as caught:
        lay_out(a_picture(), "graphviz-pure")
    assert str(caught.value) == (
        "The layout engine 'graphviz-pure' did not work: it is not installed. "
        "To get it: pip install graphviz-pure. "
        'Or leave engine="auto", which always finds a way to draw.'
    )


def test_unknown_engine():
    with pytest.raises(ValueError) as caught:
        lay_out(a_picture(), "doot")
    assert str(caught.value) == (
        "There is no layout engine 'doot'. Use one of 'auto', 'graphviz-pure', 'dot', 'pygraphviz', 'layered'."
    )


def test_our_own_layout_of_one_box_and_of_a_deep_chain():
    x = autograd_lab.tensor(1.0, requires_grad=True)
    assert lay_out(read_graph(x), "layered").routes == {}
    y = x
    for _ in range(3000):
        y = y * 1.0
    picture = read_graph(y, max_nodes=10_000)
    assert len(lay_out(picture, "layered").centres) == len(units_of(picture, boxes_of(picture)))


def test_doctor_can_ask_what_is_there():
    assert render.available()["layered"] == "built in"
