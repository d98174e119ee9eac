"""A bench as a Jupyter widget: the browser edits `values` and asks with `request`; Python answers in `output`.

A widget has one script, so four files are joined into one: the questions of the course, the list whose lines are
moved, the other inputs, and the bench. No bundler, no network. Needs anywidget (extra `lab`).
"""

from __future__ import annotations

import re
from importlib.resources import files

import anywidget
import traitlets

from autograd_lab.course import prompt
from autograd_lab.view.palette import variables


def read(room: str, name: str) -> str:
    return files(f"autograd_lab.{room}").joinpath(name).read_text("utf-8")


def part(name: str, script: str, offered: str) -> str:
    """A script as one object, so that its names stay its own.

    >>> part("a", "export function f() {}\\nexport default { f };", "f")
    'const a = (() => {\\nfunction f() {}\\n\\nreturn { f };\\n})();\\n'
    """
    script = re.sub(r"^export default .*;$", "", script, flags=re.MULTILINE)
    script = re.sub(r"^export ", "", script, flags=re.MULTILINE)
    return f"const {name} = (() => {{\n{script}\nreturn {{ {offered} }};\n}})();\n"


def script() -> str:
    """The scripts as one module."""
    questions = part("prompt", prompt.script(), "render, numbersIn")
    lines = part("lines", read("widgets", "bench_lines.js"), "orderField")
    return questions + lines + read("widgets", "bench_inputs.js") + read("widgets", "bench.js")


def style() -> str:
    """The looks of questions and of benches, and the colours of figures."""
    return read("course", "prompt.css") + read("widgets", "bench.css") + variables("auto")


class BenchWidget(anywidget.AnyWidget):
    """The browser reads `output`, `ready` and `parts`, and writes `values`, `request`, `states` and `ask`."""

    _esm = script()
    _css = style()
    heading = traitlets.Unicode().tag(sync=True)
    intro = traitlets.Unicode().tag(sync=True)
    fields = traitlets.List().tag(sync=True)
    buttons = traitlets.List().tag(sync=True)
    values = traitlets.Dict().tag(sync=True)
    output = traitlets.Dict().tag(sync=True)
    parts = traitlets.List().tag(sync=True)
    ready = traitlets.Dict().tag(sync=True)
    states = traitlets.Dict().tag(sync=True)
    request = traitlets.Dict().tag(sync=True)
    ask = traitlets.Bool(True).tag(sync=True)
