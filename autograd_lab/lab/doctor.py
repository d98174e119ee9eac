"""The doctor: what is installed, which renderer will draw, and what to type for what is missing.

Facts are plain data (`examine`), so that a test can compare them; `cli.py` prints them. Versions come from
the installed packages' metadata: the doctor imports nothing heavy.
"""

import importlib
import os
import shutil
import sys
from dataclasses import dataclass
from importlib import metadata

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


@dataclass(frozen=True)
class Finding:
    """One line of the doctor's report; `state` is a version, a path or None when it is missing."""

    what: str
    state: str | None
    purpose: str
    remedy: str
    essential: bool = False


@dataclass(frozen=True)
class _Part:
    package: str
    purpose: str
    extra: str | None = None


PARTS = (
    _Part("numpy", "the arrays of the engine"),
    _Part("graphviz", "writes the description of a drawing"),
    _Part("graphviz-pure", "places nodes and edges"),
    _Part("platformdirs", "finds the folder where progress is kept"),
    _Part("rich", "tables in the terminal"),
    _Part("jupyterlab", "opens the course", "lab"),
    _Part("ipywidgets", "sliders and fields in a lesson", "lab"),
    _Part("anywidget", "steps through a graph", "lab"),
    _Part("matplotlib", "plots", "lab"),
    _Part("resvg-py", "saves a drawing as PNG", "export"),
    _Part("svglib", "saves a drawing as PDF", "export"),
    _Part("reportlab", "saves a drawing as PDF", "export"),
    _Part("distributed", "grades on many machines", "class"),
    _Part("torch", "draws PyTorch results; parity tests", "parity"),
    _Part("pytest", "runs the tests", "test"),
    _Part("nbval", "compares every cell of the lessons", "test"),
    _Part("playwright", "drives a browser in the tests", "test"),
)


def examine() -> tuple[Finding, ...]:
    """Every finding, the essential ones first."""
    return (_python(), *map(_part, PARTS), _renderer(), _chromium())


def healthy(findings: tuple[Finding, ...]) -> bool:
    """Whether nothing essential is missing.

    >>> healthy((Finding("torch", None, "parity", "pip install torch"),))
    True
    >>> healthy((Finding("numpy", None, "arrays", "pip install numpy", essential=True),))
    False
    """
    return not any(finding.essential and finding.state is None for finding in findings)


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    good = sys.version_info >= (3, 11)
    return Finding(
        "Python", version if good else None, "runs everything", "install Python 3.11 or newer", essential=True
    )


def _part(part: _Part) -> Finding:
    try:
        state = metadata.version(part.package)
    except metadata.PackageNotFoundError:
        state = None
    name = f"autograd-lab[{part.extra}]" if part.extra else "autograd-lab"
    return Finding(part.package, state, part.purpose, f'pip install "{name}"', essential=part.extra is None)


def _renderer() -> Finding:
    """Which layout engine the drawings will use: the first that is found, and the others."""
    names = list(importlib.import_module("autograd_lab.view.render").available())
    return Finding(
        "renderer",
        names[0] + (f" (also: {', '.join(names[1:])})" if names[1:] else ""),
        "makes the drawings",
        "pip install graphviz-pure==0.2.2",
    )


def _chromium() -> Finding:
    chosen = os.environ.get("CHROMIUM")
    path = next(filter(None, map(shutil.which, [chosen] if chosen else CHROMIUM_NAMES)), None)
    return Finding("chromium", path, "the tests open the lessons in it", "install Chromium with your system's packages")
