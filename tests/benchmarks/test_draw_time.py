"""Drawings come before one gets impatient: limits are five times the figures that docs/drawing.md promises."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import time
from pathlib import Path

import pytest

import autograd_lab
from autograd_lab import draw_graph
from autograd_lab.view.names import Names
from autograd_lab.view.picture import read_graph
from autograd_lab.view.walk import visit

SCRIPT = Path(__file__).parent.parent.parent / "benchmarks" / "draw.py"


@pytest.fixture(scope="module")
def benchmark():
    spec = importlib.util.spec_from_file_location("benchmark_of_drawings", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("program", ["network", "rnn"])
@pytest.mark.parametrize(("nodes", "seconds"), [(100, 0.25), (1000, 1.0)])
def test_a_drawing_is_there_in_time(benchmark, program, nodes, seconds):
    loss = getattr(benchmark, program)(autograd_lab, nodes)
    start = time.perf_counter()
    svg = draw_graph(loss, max_nodes=10**6).svg
    assert time.perf_counter() - start < 5 * seconds
    assert svg.count('class="node ag-op') > 0.7 * nodes


@pytest.mark.parametrize("program", ["network", "rnn"])
def test_a_graph_is_read_in_time_and_little_memory(benchmark, program):
    import tracemalloc

    loss = getattr(benchmark, program)(autograd_lab, 1000)
    count = len(visit((loss,)))
    start = time.perf_counter()
    read_graph(loss, Names(), max_nodes=10**6)
    assert (time.perf_counter() - start) / count < 5 * 100e-6
    tracemalloc.start()
    drawing = draw_graph(loss, max_nodes=10**6)
    assert drawing.svg
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept / count < 10_000


@pytest.mark.parametrize("program", ["network", "rnn"])
def test_the_programs_have_about_as_many_nodes_as_asked(benchmark, program):
    for nodes in (10, 100, 1000):
        assert len(visit((getattr(benchmark, program)(autograd_lab, nodes),))) == pytest.approx(nodes, rel=0.3)


def test_the_benchmark_runs():
    command = [sys.executable, "-W", "ignore", str(SCRIPT), "--one", "autograd_lab", "rnn", "10"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    first, best = map(float, done.stdout.split())
    assert 0 < best <= 5 and first < 20
