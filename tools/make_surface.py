"""Write autograd_lab/_surface.pyi: the methods that the menu hangs on Tensor, for type checkers and editors.

python tools/make_surface.py            print what it would write
python tools/make_surface.py --write    write it
"""

from __future__ import annotations

import argparse
import inspect
from pathlib import Path

import autograd_lab
from autograd_lab._tensor import Tensor

TARGET = Path(__file__).parent.parent / "autograd_lab" / "_surface.pyi"
HEAD = '''"""The methods that `menu/` hangs on Tensor. Written by tools/make_surface.py; read by type checkers only."""

import builtins
from typing import Any

from ._tensor import Tensor

class Surface:
'''
# What these give; everything else gives a Tensor. Tensor has methods named bool, int and float: hence builtins.
OTHER = {
    "builtins.bool": [
        "__bool__",
        "__contains__",
        "allclose",
        "equal",
        "is_complex",
        "is_contiguous",
        "is_floating_point",
    ],
    "builtins.int": [
        "__index__",
        "__int__",
        "__len__",
        "data_ptr",
        "dim",
        "element_size",
        "nelement",
        "numel",
        "storage_offset",
    ],
    "builtins.float": ["__float__"],
    "complex": ["__complex__"],
    "str": ["__format__"],
    "None": ["__setitem__", "backward"],
    "Any": ["__array__", "__array_wrap__", "__deepcopy__", "__iter__", "item", "numpy", "size", "stride", "tolist"],
}
RETURNS = {name: kind for kind, names in OTHER.items() for name in names}
TUPLES = [
    "chunk",
    "split",
    "unbind",
    "tensor_split",
    "aminmax",
    "frexp",
    "max",
    "min",
    "median",
    "mode",
    "sort",
    "topk",
]
RETURNS |= dict.fromkeys(
    [*TUPLES, "kthvalue", "cummax", "cummin", "nanmedian", "unique", "nonzero", "unique_consecutive"], "Any"
)
RETURNS = {
    name: f"builtins.{kind}" if kind in ("bool", "int", "float", "complex") else kind for name, kind in RETURNS.items()
}
REFLECTED = {"__eq__", "__ne__"}
NARROWER = {"__iadd__", "__isub__"}  # without the `alpha` of add and sub


def own_names() -> set[str]:
    """What `_tensor.py` itself defines."""
    source = inspect.getsource(inspect.getmodule(Tensor))
    body = source[source.index("class Tensor") : source.index("class Number")]
    return {line.split("(")[0].split()[-1] for line in body.splitlines() if line.startswith("    def ")}


def parameters(function: object) -> str:
    """The parameters after `self`, without annotations."""
    try:
        found = list(inspect.signature(function).parameters.values())[1:]
    except (TypeError, ValueError):
        return "*args: Any, **kwargs: Any"
    parts, keyword_only = [], False
    for p in found:
        if p.kind is p.VAR_POSITIONAL:
            parts.append(f"*{p.name}: Any")
            keyword_only = True
        elif p.kind is p.VAR_KEYWORD:
            parts.append(f"**{p.name}: Any")
        else:
            if p.kind is p.KEYWORD_ONLY and not keyword_only:
                parts.append("*")
                keyword_only = True
            parts.append(f"{p.name}: Any" + ("" if p.default is p.empty else " = ..."))
    return ", ".join(parts)


def text() -> str:
    """The whole stub."""
    lines, own = [], own_names()
    for name in sorted(vars(Tensor)):
        value = getattr(Tensor, name)  # also opens the chapters that wait to be asked for
        if name in own or (name.startswith("_") and not name.startswith("__")):
            continue
        kind = RETURNS.get(name, "Tensor")
        if isinstance(value, property):
            lines += ["    @property", f"    def {name}(self) -> {kind}: ..."]
        elif (callable(value) and not inspect.isclass(value) and name not in dir(object)) or name in REFLECTED:
            given = parameters(value)
            ignore = "  # type: ignore[override]" if name in REFLECTED else ""
            ignore = "  # type: ignore[misc]" if name in NARROWER else ignore
            lines.append(f"    def {name}(self{', ' if given else ''}{given}) -> {kind}: ...{ignore}")
    return HEAD + "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help=f"write {TARGET.name}")
    if parser.parse_args().write:
        TARGET.write_text(text(), encoding="utf-8")
        print(f"{TARGET.name}: written for autograd_lab {autograd_lab.__version__}")
    else:
        print(text())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
