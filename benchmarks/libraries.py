"""Which libraries take part: how each is imported and where its workloads are written.

A library that is not installed is left out, with a message that says how to get it. Read next: `run.py`.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import in_autograd
import in_micrograd
import in_mygrad
import in_numpy
import in_torch
from copies import ROOT, load_copy
from measure import Step

Makers = dict[str, Callable[..., Step]]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))  # this very tree is measured, installed or not


@dataclass(frozen=True)
class Library:
    """A library to measure: `makers(module)` gives the functions that make its steps, by workload."""

    name: str
    module: str
    makers: Callable[[Any], Makers]
    install: str = ""
    only_if_asked: bool = False


LIBRARIES = {
    library.name: library
    for library in (
        Library("torch", "torch", in_torch.makers, "torch==2.13.0"),
        Library("numpy", "numpy", in_numpy.makers),
        Library("autograd_lab", "autograd_lab", in_torch.makers),
        Library("autograd_lab-hooked", "autograd_lab", in_torch.watched_makers, only_if_asked=True),
        Library("mygrad", "mygrad", in_mygrad.makers, "mygrad"),
        Library("autograd", "autograd", in_autograd.makers, "autograd"),
        Library("micrograd", "micrograd", in_micrograd.makers, "micrograd"),
    )
}


def loaded(names: list[str] | None) -> tuple[dict[str, Makers], list[str]]:
    """The makers of each library that can be imported, and a message for each that cannot.

    Raises KeyError for a name that is no library here.
    """
    found: dict[str, Makers] = {}
    messages: list[str] = []
    for name in names or [n for n, library in LIBRARIES.items() if not library.only_if_asked]:
        library = LIBRARIES[name]
        try:
            module = importlib.import_module(library.module)
        except ImportError:
            messages.append(f"{name} is left out: it is not installed (pip install {library.install})")
            continue
        if name == "torch":
            module.set_num_threads(1)
        found[name] = library.makers(module)
    return found, messages


def copy_of(text: str) -> tuple[str, Makers]:
    """`name=folder` from the command line as a further library: a copy of the package with a change in it."""
    name, _, folder = text.partition("=")
    module: ModuleType = load_copy(name, Path(folder))
    return name, in_torch.makers(module)
