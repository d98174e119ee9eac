"""How long drawings take: ours beside torchviz and TorchLens, all in one run.

    python benchmarks/draw.py                    # 10, 100 and 1,000 nodes: deep networks and an unrolled RNN
    python benchmarks/draw.py --nodes 100 300    # other sizes
    python benchmarks/draw.py --markdown         # the tables of docs/drawing.md
    python benchmarks/draw.py --profile 1000     # where our time goes

Wall seconds, best of five (of 15 for the stages), from a graph that is there to the text of an SVG; the layout engines
are programs of their own, so CPU time of this process would not count them. "first" is the first drawing of a fresh
process, with the import of everything that drawings need, compiled before as `pip install` leaves every package. A peer
that needs more than LIMIT seconds is stopped. torchviz and TorchLens need `dot` on PATH; what is not installed is left
out.
"""

from __future__ import annotations

import argparse
import compileall
import cProfile
import importlib.util
import platform
import pstats
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent.parent / "autograd_lab"
SIZES = (10, 100, 1000)
LIMIT = 120  # seconds for one peer at one size
OURS = ("autograd_lab", "autograd_lab, PyTorch's tensors")
TOOLS = (*OURS, "torchviz", "torchlens")
PROGRAMS = ("network", "mlp", "residual", "rnn")


def library(tool: str) -> Any:
    """The library whose tensors a tool draws."""
    return importlib.import_module("autograd_lab" if tool == OURS[0] else "torch")


def network(torch: Any, nodes: int) -> Any:
    """A deep network: each layer has a weight of its own; about `nodes` nodes."""
    y = torch.ones(4, 4, requires_grad=True)
    for _ in range(max(1, nodes // 4)):
        w = torch.ones(4, 4, requires_grad=True)
        y = torch.tanh(y @ w) * 0.5
    return y.sum()


def mlp(torch: Any, nodes: int) -> Any:
    """Linear layers: each weight is transposed on its way, and each layer has a bias."""
    layers = (part for _ in range(max(1, nodes // 5)) for part in (torch.nn.Linear(4, 4), torch.nn.ReLU()))
    return torch.nn.Sequential(*layers)(torch.ones(2, 4)).sum()


def residual(torch: Any, nodes: int) -> Any:
    """The same with a connection around each layer, so that no straight line will do."""
    y = torch.ones(4, 4, requires_grad=True)
    for _ in range(max(1, nodes // 5)):
        w = torch.ones(4, 4, requires_grad=True)
        y = torch.tanh(y @ w) * 0.5 + y
    return y.sum()


def rnn(torch: Any, nodes: int) -> Any:
    """An unrolled recurrent network: two leaves feed every step; about `nodes` nodes."""
    x = y = torch.ones(4, 4, requires_grad=True)
    w = torch.ones(4, 4, requires_grad=True)
    for _ in range(max(1, nodes // 4)):
        y = torch.tanh(y @ w + x) * 0.5
    return y.sum()


def drawing(tool: str, program: str, nodes: int) -> Callable[[], Any]:
    """What one tool does to get an SVG; building the graph is not timed, except where the tool runs the model."""
    torch, make = library(tool), globals()[program]
    if tool == "torchlens":
        return torchlens_drawing(torch, program, nodes)
    loss = make(torch, nodes)

    def draw() -> Any:
        if tool in OURS:
            from autograd_lab import draw_graph

            return draw_graph(loss, max_nodes=10**6).svg
        import torchviz

        return torchviz.make_dot(loss).pipe(format="svg")

    return draw


def torchlens_drawing(torch: Any, program: str, nodes: int) -> Callable[[], Any]:
    """TorchLens draws a module's forward and backward."""
    if program == "mlp":
        parts = (part for _ in range(max(1, nodes // 5)) for part in (torch.nn.Linear(4, 4), torch.nn.ReLU()))
        return traced(torch.nn.Sequential(*parts), torch.ones(2, 4))
    steps = max(1, nodes // (5 if program == "residual" else 4))

    class Net(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            count = 1 if program == "rnn" else steps
            self.w = torch.nn.ParameterList([torch.nn.Parameter(torch.ones(4, 4)) for _ in range(count)])

        def forward(self, x: Any) -> Any:
            y = x
            for i in range(steps):
                if program == "rnn":
                    y = torch.tanh(y @ self.w[0] + x) * 0.5
                else:
                    z = torch.tanh(y @ self.w[i]) * 0.5
                    y = z + y if program == "residual" else z
            return y.sum()

    return traced(Net(), torch.ones(4, 4))


def traced(net: Any, x: Any) -> Callable[[], Any]:
    """TorchLens's drawing of a module's call."""

    def draw() -> None:
        import torchlens

        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "graph")
            torchlens.trace(net, x).draw(
                vis_mode="unrolled", vis_outpath=path, vis_fileformat="svg", vis_save_only=True
            )

    return draw


def one(tool: str, program: str, nodes: int) -> str:
    """Best of five of one tool, and the first of this process: "first best"."""
    draw = drawing(tool, program, nodes)
    laps: list[float] = []
    while len(laps) < 6 and (not laps or laps[-1] < 20):
        start = time.perf_counter()
        draw()
        laps.append(time.perf_counter() - start)
    return f"{laps[0]:.3f} {min(laps[1:], default=laps[0]):.3f}"


def measured(tool: str, program: str, nodes: int) -> tuple[str, str]:
    """The same in a process of its own, so that a tool that hangs can be stopped."""
    command = [sys.executable, "-W", "ignore", __file__, "--one", tool, program, str(nodes)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return (f"> {LIMIT}",) * 2
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["failed"]
        return (f"failed ({said[-1].partition(':')[0][:40]})",) * 2
    first, best = done.stdout.split()[-2:]
    return first, best


def cell(first: str, best: str) -> str:
    return f"{first} / {best}" if first.replace(".", "").isdigit() else first


def installed(tool: str) -> bool:
    names = ["autograd_lab"] if tool == OURS[0] else ["torch", tool.partition(",")[0]]
    return all(importlib.util.find_spec(name) for name in names)


def tables(sizes: list[int]) -> str:
    tools = [tool for tool in TOOLS if installed(tool)]
    compileall.compile_dir(str(PACKAGE), quiet=1)
    lines = []
    for program in PROGRAMS:
        lines += [
            f"\nSeconds for one drawing, {program}: first in a fresh process / best of later ones\n",
            "| nodes | " + " | ".join(tools) + " |",
            "| --: |" + " --: |" * len(tools),
        ]
        for nodes in sizes:
            cells = [cell(*measured(tool, program, nodes)) for tool in tools]
            lines.append(f"| {nodes:,} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def stages(nodes: int) -> str:
    """Microseconds a node of each stage of ours, and memory."""
    from autograd_lab.view.names import Names
    from autograd_lab.view.picture import read_graph
    from autograd_lab.view.render import lay_out
    from autograd_lab.view.svg import to_svg
    from autograd_lab.view.walk import visit

    lines = ["\n| program | nodes | picture, us a node | layout, us a node | svg, us a node | memory, kB a node |"]
    lines.append("| --- | --: | --: | --: | --: | --: |")
    for program in PROGRAMS:
        loss = globals()[program](library(OURS[0]), nodes)
        count = len(visit((loss,)))

        def read(loss: Any = loss) -> Any:
            return read_graph(loss, Names(), max_nodes=10**6)

        picture = read()
        layout = lay_out(picture)
        works = (read, lambda: lay_out(picture), lambda: to_svg(picture, layout))  # noqa: B023
        times = [min(timed(work) for _ in range(15)) / count * 1e6 for work in works]
        tracemalloc.start()
        kept = read().without_places()
        memory, _ = tracemalloc.get_traced_memory()
        svg = to_svg(kept, layout)
        tracemalloc.stop()
        each = (memory + len(svg)) / count / 1000
        lines.append(f"| {program} | {count:,} | " + " | ".join(f"{t:.0f}" for t in times) + f" | {each:.1f} |")
    return "\n".join(lines)


def timed(work: Callable[[], Any]) -> float:
    """Seconds until the work is done; what it made is let go afterwards."""
    start = time.perf_counter()
    made = work()
    took = time.perf_counter() - start
    del made
    return took


def profile(nodes: int) -> None:
    """Where the time of one drawing goes."""
    for program in PROGRAMS:
        draw = drawing(OURS[0], program, nodes)
        draw()
        watch = cProfile.Profile()
        watch.runcall(draw)
        print(f"\n{program}, {nodes} nodes")
        pstats.Stats(watch).sort_stats("tottime").print_stats(25)


def main() -> None:
    parser = argparse.ArgumentParser(description="Time drawings of ours and of others.")
    parser.add_argument("--nodes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--markdown", action="store_true", help="the tables alone")
    parser.add_argument("--profile", type=int, metavar="NODES")
    parser.add_argument("--one", nargs=3, metavar=("TOOL", "PROGRAM", "NODES"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(one(given.one[0], given.one[1], int(given.one[2])))
    elif given.profile:
        profile(given.profile)
    else:
        if not given.markdown:
            print(f"Python {platform.python_version()}, {platform.machine()}, {platform.system()}")
        print(tables(given.nodes))
        print(stages(max(given.nodes)))


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    main()
