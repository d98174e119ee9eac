"""The layout engine in the wheel and its WASM build for browsers place every box alike: the drawings have equal bytes.

Needs node, and the package of `package.json`: `npm install --prefix tests --no-package-lock`.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import autograd_lab
from autograd_lab.view.diff import compared
from autograd_lab.view.dot import to_dot
from autograd_lab.view.heat import heated
from autograd_lab.view.names import Names
from autograd_lab.view.picture import read_graph
from autograd_lab.view.render import graphviz_pure, lay_out, read_json
from autograd_lab.view.svg import to_svg
from autograd_lab.view.traceback import picture_of_error

from .test_dot import HOSTILE
from .test_picture import no_background_recorder, pictured, small_mlp  # noqa: F401

TESTS = Path(__file__).parent.parent
PACKAGE = TESTS / "node_modules" / "@viz-js" / "viz"
INSTALL = "npm install --prefix tests --no-package-lock"


def leaf(*numbers):
    return autograd_lab.tensor(list(numbers), requires_grad=True)


def read(outputs, max_nodes=300, **names):
    return read_graph(outputs, Names(names.items()), max_nodes=max_nodes)


def scalar():
    x = autograd_lab.tensor(2.0, requires_grad=True)
    return read((x * 3 + 4) ** 2, x=x)


def reused():
    x = leaf(1.0, 2.0)
    return read((x * x + x).sum(), x=x)


def broadcast():
    w, b = autograd_lab.ones(2, 3, requires_grad=True), leaf(1.0, 2.0, 3.0)
    return read((w + b).mean(), w=w, b=b)


def network():
    return pictured(small_mlp, autograd_lab)


def recurrent():
    w, x, h = leaf(0.5, 0.5), leaf(1.0, 1.0), leaf(0.0, 0.0)
    for _ in range(15):
        h = autograd_lab.tanh(h * w + x)
    return read(h.sum(), w=w, x=x)


def folded():
    x = y = leaf(1.0)
    for _ in range(400):
        y = y * 2
    return read(y.sum(), 50, x=x)


def hostile():
    leaves = [leaf(float(i)) for i in range(len(HOSTILE))]
    return read(sum(t * i for i, t in enumerate(leaves)).sum(), **dict(zip(HOSTILE, leaves, strict=True)))


def hot():
    x = leaf(1e-9, 2.0)
    loss = (x * x).sum()
    return heated(read(loss, x=x), loss)


def different():
    x = leaf(1.0, 2.0)
    return compared(read((x * 2).sum(), x=x), read((x * 2).tanh().sum(), x=x))


def failing():
    x = leaf(1.0, 2.0, 3.0)
    with pytest.raises(RuntimeError) as caught:
        x * 2 + autograd_lab.ones(2)
    return picture_of_error(caught.value)


GOLDEN = (scalar, reused, broadcast, network, recurrent, folded, hostile, hot, different, failing)


@pytest.fixture(scope="module")
def pictures():
    return {make.__name__: make() for make in GOLDEN}


@pytest.fixture(scope="module")
def wasm(pictures):
    """Each layout as the WASM build makes it."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    if not PACKAGE.is_dir():
        pytest.skip(f"@viz-js/viz is not installed: {INSTALL}")
    dots = json.dumps([to_dot(picture, wordless=True) for picture in pictures.values()])
    command = [node, str(Path(__file__).with_name("layout_in_node.mjs"))]
    done = subprocess.run(command, input=dots.encode(), capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return dict(zip(pictures, json.loads(done.stdout)["layouts"], strict=True))


@pytest.mark.parametrize("name", [make.__name__ for make in GOLDEN])
def test_the_wasm_build_draws_the_same_bytes(name, pictures, wasm):
    picture = pictures[name]
    if not graphviz_pure():
        pytest.skip("graphviz-pure is not installed")
    here = lay_out(picture, "graphviz-pure")
    there = read_json(json.loads(wasm[name]), picture, "graphviz-pure")
    assert there == here
    assert to_svg(picture, there) == to_svg(picture, here)


def test_the_drawings_are_ten_different_ones(pictures):
    assert len(pictures) == 10 and len({picture.prefix for picture in pictures.values()}) == 10
