"""A second copy of the package in the same process, under another name, to compare a change with.

The package imports its own modules relatively, so that its folder can be loaded under any name; the copy
has cards, tensors and an engine of its own. Read next: `unused.py`.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent


def load_copy(name: str, folder: Path = ROOT / "autograd_lab") -> ModuleType:
    """The package in `folder`, loaded as `name`.

    Raises FileNotFoundError if there is no package in the folder.
    """
    init = folder / "__init__.py"
    if not init.is_file():
        raise FileNotFoundError(f"{folder} holds no package: there is no __init__.py in it")
    spec = importlib.util.spec_from_file_location(name, init, submodule_search_locations=[str(folder)])
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
