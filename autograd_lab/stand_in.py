"""Let autograd_lab stand in for PyTorch: after `stand_in_for_torch()`, `import torch` means this package.

For scripts that say `import torch` and `import torch.nn as nn` and should run unchanged:
`autograd-lab run script.py` calls this first.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import runpy
import sys
from types import ModuleType
from typing import Any

PACKAGE = __name__.rpartition(".")[0]


class _AliasLoader(importlib.abc.Loader):
    """Hands out a module of ours under its torch name, and leaves its own names as they are."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.own = {name: getattr(module, name, None) for name in ("__spec__", "__loader__", "__package__", "__name__")}

    def create_module(self, spec: Any) -> ModuleType:
        return self.module

    def exec_module(self, module: ModuleType) -> None:
        for name, value in self.own.items():
            setattr(module, name, value)


class _AliasFinder(importlib.abc.MetaPathFinder):
    """Finds `torch.x` as `autograd_lab.x`."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if fullname != "torch" and not fullname.startswith("torch."):
            return None
        ours = PACKAGE + fullname[len("torch") :]
        try:
            module = importlib.import_module(ours)
        except ModuleNotFoundError as error:
            if error.name and (ours == error.name or ours.startswith(error.name + ".")):
                missing = ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
                missing.add_note("autograd_lab stands in for torch here, and it has no module of this name.")
                raise missing from None
            raise
        return importlib.util.spec_from_loader(fullname, _AliasLoader(module))


def stand_in_for_torch() -> ModuleType:
    """Make `import torch` mean autograd_lab in this process, and return the package.

    Raises RuntimeError if the real PyTorch is loaded already: two libraries under one name would be mixed up.
    """
    package = importlib.import_module(PACKAGE)
    loaded = sys.modules.get("torch")
    if loaded is not None and loaded is not package:
        raise RuntimeError(
            "The real torch is loaded already. Call stand_in_for_torch() in a fresh process, before anything imports "
            "torch."
        )
    if not any(isinstance(finder, _AliasFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _AliasFinder())
    sys.modules["torch"] = package
    return package


def run_script(path: str, arguments: list[str]) -> None:
    """Run a script as `python path arguments…` would, with autograd_lab in the place of torch."""
    stand_in_for_torch()
    before, places = sys.argv, sys.path[:]
    sys.argv = [path, *arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))  # a script finds the files beside it
    try:
        runpy.run_path(path, run_name="__main__")
    finally:
        sys.argv, sys.path[:] = before, places
