"""How a tensor prints, to the character, as PyTorch does.

`tensor_text` gets an array and the suffixes; nothing here knows what a tensor is. The rules are those of
PyTorch's `_tensor_str.py`: one width for all numbers, scientific when the range is wide, three first and
last elements of long dimensions, lines broken at 80 columns. Read next: `_tensor.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Options(NamedTuple):
    """What `set_printoptions` changes."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


_options = Options()
PROFILES = {
    "default": Options(),
    "short": Options(precision=2, threshold=1000, edgeitems=2),
    "full": Options(threshold=math.inf),
}


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Change how tensors print: digits, when to summarise, columns, and scientific notation."""
    global _options
    options = _options if profile is None else PROFILES[profile]._replace(linewidth=_options.linewidth)
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    options = options._replace(**{k: v for k, v in given.items() if v is not None}, sci_mode=sci_mode)  # type: ignore[arg-type]
    _options = options


def printoptions() -> Options:
    """The options in force."""
    return _options


def formatter(values: np.ndarray) -> tuple[Callable[[Any], str], int]:
    """A function that turns one element into text, and the width all texts are padded to."""
    kind, opts = values.dtype.kind, _options
    if kind == "b":
        width = max((len(str(bool(v))) for v in values), default=0)
        return lambda v: str(bool(v)), width
    if kind in "iu":
        width = max((len(str(int(v))) for v in values), default=0)
        return lambda v: str(int(v)), width
    numbers = values.astype(np.float64)
    counted = numbers[np.isfinite(numbers) & (numbers != 0)]  # zeros, inf and nan have no say in the format
    digits, whole, scientific, width = opts.precision, True, False, 1
    if counted.size:
        low, high = float(np.abs(counted).min()), float(np.abs(counted).max())
        whole = bool((counted == np.ceil(counted)).all())
        wide = high / low > 1000.0 or high > 1e8
        scientific = wide or (low < 1e-4 and not whole)
    if opts.sci_mode is not None:
        scientific = opts.sci_mode

    def show(v: Any) -> str:
        if scientific:
            return f"{float(v):.{digits}e}"
        if whole:
            return f"{float(v):.0f}" + "." * math.isfinite(v)
        return f"{float(v):.{digits}f}"

    return show, max((len(show(v)) for v in counted), default=width)


def summarised(values: np.ndarray) -> np.ndarray:
    """The elements that will be shown: three first and last of each long dimension."""
    edge = _options.edgeitems
    for axis in range(values.ndim):
        if values.shape[axis] > 2 * edge:
            keep = [*range(edge), *range(values.shape[axis] - edge, values.shape[axis])]
            values = values.take(keep, axis)
    return values


def body(values: np.ndarray, indent: int) -> str:
    """The numbers between the brackets."""
    shorten = values.size > _options.threshold
    shown = (summarised(values) if shorten else values).reshape(-1)
    if values.dtype.kind == "c":
        real, width_r = formatter(shown.real)
        imag, width_i = formatter(shown.imag)

        def element(v: Any) -> str:
            i = imag(v.imag) + "j"
            return f"{real(v.real):>{width_r}}" + ("" if i[0] in "+-" else "+") + i

        width = width_r + width_i + 1
    else:
        plain, width = formatter(shown)

        def element(v: Any) -> str:
            return f"{plain(v):>{width}}"

    if values.ndim == 0:
        return element(values[()])
    return block(values, indent, element, width, shorten)


def block(values: np.ndarray, indent: int, element: Callable[[Any], str], width: int, shorten: bool) -> str:
    """Nested lists of a tensor with dimensions. Depth is the number of dimensions, so recursion is short."""
    edge = _options.edgeitems
    long = shorten and values.shape[0] > 2 * edge
    if values.ndim == 1:
        per_line = max(1, (_options.linewidth - indent) // (width + 2))
        texts = [element(v) for v in (values[:edge] if long else values)]
        if long:
            texts += [" ..."] + [element(v) for v in values[-edge:]]
        lines = [", ".join(texts[i : i + per_line]) for i in range(0, len(texts), per_line)]
        return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"
    inside = [block(v, indent + 1, element, width, shorten) for v in (values[:edge] if long else values)]
    if long:
        inside += ["..."] + [block(v, indent + 1, element, width, shorten) for v in values[-edge:]]
    gap = "," + "\n" * (values.ndim - 1) + " " * (indent + 1)
    return "[" + gap.join(inside) + "]"


def tensor_text(
    values: np.ndarray, suffixes: list[str], prefix: str = "tensor(", empty_size: bool = True, meta: bool = False
) -> str:
    """The whole repr; `suffixes` are texts such as `dtype=torch.float64` in their order."""
    indent = len(prefix)
    if meta:
        content = "..."
    elif values.size == 0:
        content = "[]"
    else:
        content = body(values, indent)
    if values.size == 0 and values.ndim != 1 and not meta and empty_size:
        suffixes = [f"size={tuple(values.shape)}", *suffixes]
    text = prefix + content
    last = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if last + len(suffix) + 2 > _options.linewidth:
            text += ",\n" + " " * indent + suffix
            last = indent + len(suffix)
        else:
            text += ", " + suffix
            last += len(suffix) + 2
    return text + ")"
