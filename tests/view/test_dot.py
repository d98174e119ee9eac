"""DOT text: exact for a small graph, safe for any name."""

from __future__ import annotations

import shutil
import subprocess

import pytest

import autograd_lab
from autograd_lab.view.dot import to_dot
from autograd_lab.view.names import Names
from autograd_lab.view.picture import read_graph
from autograd_lab.view.render import graphviz_pure

HOSTILE = [
    "<b>",
    "a&b",
    'quo"te',
    "back\\slash",
    "ends with \\",
    "{|}",
    "🙂 smile",
    "<script>alert(1)</script>",
    "new\nline",
    "nul\x00\x1b",
    "\ud800",
    "x" * 10_000,
    "\\N\\G",
    "-->",
    "]]>",
    "日本語",
]


def square(name="x"):
    x = autograd_lab.tensor(3.0, requires_grad=True)
    return read_graph(x * x, Names([(name, x)]))


def test_small_graph():
    lines = [line.strip() for line in to_dot(square()).splitlines()]
    assert lines[0] == "digraph {"
    assert lines[-1] == "}"
    edges = [line for line in lines if "->" in line]
    assert [edge.split(" [")[0] for edge in edges] == ["n0:out:e -> n2", "n0:out:e -> n2"]
    assert 'id="e0-2-0"' in edges[0]
    assert 'id="e0-2-1"' in edges[1]


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_any_name_gives_valid_dot(name):
    text = to_dot(square(name))
    program = graphviz_pure() or ([shutil.which("dot"), "-Tjson0"] if shutil.which("dot") else [])
    if not program:
        pytest.skip("neither graphviz-pure nor dot is installed")
    done = subprocess.run(program, input=text.encode(), capture_output=True, timeout=30, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert len(text) < 4_000


def test_same_text_for_equal_pictures():
    assert to_dot(square()) == to_dot(square())
