"""From DOT to a layout: the one place that runs Graphviz, and the order in which its forms are tried.

`graphviz-pure` (a wheel: no system Graphviz, same bytes everywhere), then `dot` on PATH, then `pygraphviz`,
then `layered.py`, which is ours and cannot be missing. Each runs as a program of its own with a time limit.
Whatever goes wrong in one is answered by the next, so a drawing never fails for want of Graphviz.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from autograd_lab.view.boxes import NOTHING, Widest
from autograd_lab.view.chain import chain_in
from autograd_lab.view.layered import layered
from autograd_lab.view.layout import Layout, Point, straight
from autograd_lab.view.one_line import in_one_line
from autograd_lab.view.parts import Picture
from autograd_lab.view.units import heads

ENGINES = ("auto", "graphviz-pure", "dot", "pygraphviz", "layered")
TIME_LIMIT = 3.0  # seconds for the careful try of an engine
HURRIED_LIMIT = 8.0  # and for the second, in a hurry
TOO_MANY = 8000  # edges that no engine but ours can place in that time
CAREFUL = 2500  # with more edges than this the careful try is left out
PYGRAPHVIZ = (
    "import sys, pygraphviz; "
    "graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode()); "
    "sys.stdout.buffer.write(graph.draw(format='json0', prog='dot'))"
)
HOW_TO_GET = {
    "graphviz-pure": "pip install graphviz-pure",
    "dot": "install Graphviz (https://graphviz.org/download) so that `dot` is on PATH",
    "pygraphviz": "pip install pygraphviz",
}


class LayoutFailed(Exception):
    """One engine could not do it; says why, for the next one or for the person who asked for this one."""


def lay_out(picture: Picture, engine: str = "auto", widest: Widest = NOTHING) -> Layout:
    """Place the boxes and edges of a picture.

    Raises ValueError for an engine that does not exist, RuntimeError if the engine asked for by name
    is not installed or fails. `engine="auto"` never fails.
    """
    check_engine(engine)
    if engine == "layered" or (engine == "auto" and len(picture.edges) > TOO_MANY):
        return layered(picture, widest)
    if engine == "auto" and (chain := chain_in(picture)) is not None:
        return in_one_line(picture, chain, widest)
    hurries = (False, True) if len(picture.edges) <= CAREFUL else (True,)
    if engine != "auto":
        try:
            return run_twice(engine, picture, widest, hurries)
        except LayoutFailed as error:
            raise RuntimeError(
                f"The layout engine {engine!r} did not work: {error}. To get it: {HOW_TO_GET[engine]}. "
                'Or leave engine="auto", which always finds a way to draw.'
            ) from None
    for name in ENGINES[1:-1]:
        try:
            return run_twice(name, picture, widest, hurries)
        except SlowLayout:  # the others are no quicker on such a graph
            break
        except LayoutFailed:
            continue
    return layered(picture, widest)


def run_twice(engine: str, picture: Picture, widest: Widest, hurries: tuple[bool, ...]) -> Layout:
    """One engine, with care; if that takes too long, once more in a hurry."""
    from autograd_lab.view.dot import to_dot  # here, as below: what lies on one straight line needs no engine

    for hurry in hurries:
        try:
            limit = HURRIED_LIMIT if hurry else TIME_LIMIT
            return run(engine, to_dot(picture, widest, hurry, wordless=True), picture, limit)
        except SlowLayout:
            if hurry == hurries[-1]:
                raise
    raise AssertionError("not reached")


def check_engine(engine: str) -> None:
    if engine not in ENGINES:
        known = ", ".join(repr(name) for name in ENGINES)
        raise ValueError(f"There is no layout engine {engine!r}. Use one of {known}.")


def available() -> dict[str, str]:
    """Which engines are there, in the order they are tried, and the command of each."""
    return {name: " ".join(command) for name in ENGINES[1:-1] if (command := FINDERS[name]())} | {"layered": "built in"}


def run(engine: str, dot: str, picture: Picture, limit: float) -> Layout:
    """Let one engine of the Graphviz family place a DOT text; raises LayoutFailed for whatever goes wrong."""
    command = FINDERS[engine]()
    if not command:
        raise LayoutFailed("it is not installed")
    try:
        done = subprocess.run(command, input=dot.encode(), capture_output=True, timeout=limit, check=False)
        return read_json(json.loads(done.stdout.decode()), picture, engine)
    except OSError as error:
        raise LayoutFailed(f"it could not be started ({error})") from None
    except subprocess.TimeoutExpired:
        raise SlowLayout(f"it needed more than {limit:.0f} seconds") from None
    except (ValueError, KeyError, IndexError) as error:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise LayoutFailed(said[-1] if said else f"its answer could not be read ({error})") from None


class SlowLayout(LayoutFailed):
    """The time limit was reached."""


def graphviz_pure() -> list[str]:
    """The command of the wheel `graphviz-pure`, found through the installed package: PATH does not matter."""
    program = installed_program()
    if program is not None:
        return [program, "-Tjson0"]
    program_on_path = shutil.which("graphviz-pure")
    return [program_on_path, "-Tjson0"] if program_on_path else []


@cache
def installed_program() -> str | None:
    """Where the wheel put its program; asked once, since the list of an installed package is long."""
    import importlib.metadata

    try:
        files = importlib.metadata.files("graphviz-pure") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    for file in files:
        if file.name in ("graphviz-pure", "graphviz-pure.exe"):
            program = Path(str(file.locate())).resolve()
            if program.is_file():
                return str(program)
    return None


def system_dot() -> list[str]:
    program = shutil.which("dot")
    return [program, "-Tjson0"] if program else []


def pygraphviz() -> list[str]:
    return [sys.executable, "-c", PYGRAPHVIZ] if importlib.util.find_spec("pygraphviz") else []


FINDERS: dict[str, Callable[[], list[str]]] = {
    "graphviz-pure": graphviz_pure,
    "dot": system_dot,
    "pygraphviz": pygraphviz,
}


def read_json(answer: dict[str, Any], picture: Picture, engine: str) -> Layout:
    """Graphviz's answer as a Layout: y downwards, a point of 1/72 inch as a pixel."""
    left, bottom, right, top = (float(n) for n in answer["bb"].split(","))

    def point(text: str) -> Point:
        x, y = text.split(",")[-2:]
        return round(float(x) - left, 2), round(top - float(y), 2)

    centres, frames = {}, {}
    for thing in answer.get("objects", ()):
        if "pos" in thing:
            centres[thing["name"]] = point(thing["pos"])
        elif thing["name"].startswith("cluster_") and "bb" in thing:
            x0, y0, x1, y1 = (float(n) for n in thing["bb"].split(","))
            frames[thing["name"].removeprefix("cluster_")] = (
                round(x0 - left, 2), round(top - y1, 2), round(x1 - x0, 2), round(y1 - y0, 2),
            )  # fmt: skip
    routes, labels = {}, {}
    for edge in answer.get("edges", ()):
        routes[edge["id"]] = route(edge["pos"], point)
        if "lp" in edge:
            labels[edge["id"]] = point(edge["lp"])
    head = heads(picture)
    wanted = {e.forward_id for e in picture.edges if e.kind != "view" and head[e.source] != head[e.target]}
    wanted |= {link.id for link in picture.links if head[link.op] != head[link.tensor]}
    if not set(head.values()) <= centres.keys() or not wanted <= routes.keys():
        raise ValueError("boxes or edges are missing")
    return Layout(round(right - left, 2), round(top - bottom, 2), centres, routes, labels, engine, frames)


def route(pos: str, point: Callable[[str], Point]) -> tuple[Point, ...]:
    """A spline of DOT, with the straight pieces under its arrow heads made part of it."""
    start = end = None
    points: list[Point] = []
    for part in pos.split(";")[0].split():
        if part.startswith("s,"):
            start = point(part)
        elif part.startswith("e,"):
            end = point(part)
        else:
            points.append(point(part))
    if start is not None:
        points = [start, *straight(start, points[0]), *points[1:]]
    if end is not None:
        points += straight(points[-1], end)
    return tuple(points)
