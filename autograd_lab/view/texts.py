"""How numbers, arrays, shapes, names and ops read in a drawing, in the table and in the steps.

Everything that shows a number uses these functions, so that one value never reads in two ways.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from math import isfinite
from typing import Any

import numpy as np

from autograd_lab._tensor import Tensor

LONGEST = 24  # characters of an array that is still written out
FEW = 64  # elements that plain Python compares faster than NumPy
NOT_RECORDED = "not recorded"
WHOLE = (int, np.integer)

SYMBOLS = {
    "Add": "+",
    "Sub": "−",
    "Rsub": "−",
    "Mul": "×",
    "Div": "÷",
    "Pow": "**",
    "Neg": "−",
    "Mm": "@",
    "Mv": "@",
    "Bmm": "@",
    "Dot": "@",
    "T": "transpose",
    "Addmm": "x @ W + b",
    "MseLoss": "mse_loss",
    "Convolution": "conv",
    "MaxPool2DWithIndices": "max_pool2d",
}


def number_text(value: Any) -> str:
    """One number, with at most four decimals as PyTorch prints it, and without trailing zeros.

    Small numbers keep four digits that count.

    >>> [number_text(v) for v in (60.0, 1 / 3, 0.0123456, 1e-9, 12345678.0, float("nan"), True, 7)]
    ['60', '0.3333', '0.01235', '1e-09', '1.2346e+07', 'nan', 'True', '7']
    """
    if not isinstance(value, float):
        value = value.item() if hasattr(value, "item") else value
    if isinstance(value, complex):
        imaginary = number_text(value.imag)
        return f"{number_text(value.real)}{'' if imaginary[0] == '-' else '+'}{imaginary}j"
    if isinstance(value, int) or not isfinite(value):
        return str(value)
    if value == 0:
        return "0"
    if 0.1 <= abs(value) < 1e6:
        return trimmed(f"{value:.4f}")
    if 1e-3 <= abs(value) < 0.1:
        return trimmed(f"{value:.5f}" if abs(value) >= 0.01 else f"{value:.6f}")
    digits, exponent = f"{value:.4e}".split("e")
    return f"{trimmed(digits)}e{exponent}"


def trimmed(digits: str) -> str:
    return digits.rstrip("0").rstrip(".")


def value_text(array: Any, room: int = LONGEST) -> str:
    """An array in at most `room` characters: written out if it fits, else its range.

    >>> value_text(np.array([[1.0, 2.0], [3.0, 4.5]])), value_text(np.arange(100.0))
    ('[[1, 2], [3, 4.5]]', '0 to 99')
    """
    array = np.asarray(array)
    if array.ndim == 0:
        return number_text(array)
    if array.size == 0:
        return "no elements"
    if array.size <= room // 2:
        written = written_out(array.tolist())
        if len(written) <= room:
            return written
    kind = array.dtype.kind
    if kind == "b":
        return f"True {int(array.sum())}, False {int((~array).sum())}"
    if kind == "c":
        return f"{array.size} complex numbers"
    low, high = ends(array)
    missing = 0
    if low != low:
        missing = int(np.isnan(array).sum())
        if missing == array.size:
            return "all nan"
        low, high = np.nanmin(array), np.nanmax(array)
    low, high = rounded(low + 0), rounded(high + 0)  # + 0: which of 0 and -0 is the smallest is chance
    span = f"all {low}" if low == high else f"{low} to {high}"
    return f"{span}, nan {missing}" if missing else span


def ends(array: np.ndarray) -> tuple[Any, Any]:
    """The smallest and the largest number; nan if there is one."""
    if array.size > FEW:
        return array.min(), array.max()
    numbers = array.ravel().tolist()
    total = sum(numbers)
    if total != total and any(number != number for number in numbers):  # infinities of both signs make a nan, too
        return numbers[0] * float("nan"), 0
    return min(numbers), max(numbers)


def rounded(value: Any) -> str:
    """A number with three digits that count, for a range."""
    return number_text(value) if isinstance(value, WHOLE) else f"{float(value):.3g}"


def written_out(numbers: Any) -> str:
    """A number, or lists of them as deep as the array that they are from."""
    if isinstance(numbers, list):
        return "[" + ", ".join([written_out(row) for row in numbers]) + "]"
    return number_text(numbers)


@lru_cache(maxsize=1024)
def room_for(shape: tuple[int, ...] | None) -> int:
    """How many characters to keep for a value or gradient of this shape, since boxes do not grow."""
    count = 1
    for size in shape or ():
        count *= size
    if not shape:
        return 10
    if count <= 4:
        return min(LONGEST, max(14, 7 * count + 2))
    return 18 if count <= LONGEST // 2 else 14


def fit(text: str, room: int) -> str:
    """The text, cut with … if it is longer than `room` characters."""
    return text if len(text) <= room else text[: max(room - 1, 1)] + "…"


def clean(text: Any, limit: int = 200) -> str:
    """A name as it may stand in XML and on one line: no control characters, at most `limit` characters."""
    text = str(text)
    if text.isascii() and text.isprintable():
        return fit(text, limit)
    text = re.sub(r"[^\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)
    return fit(text, limit)


def shape_text(shape: tuple[int, ...] | None) -> str:
    return NOT_RECORDED if shape is None else str(tuple(shape))


def symbol_of(node_name: str) -> str:
    """How an op is written in code: its sign, or the name of the function.

    >>> [symbol_of(n) for n in ("MulBackward0", "LogSoftmaxBackward0", "SquareBackward")]
    ['×', 'log_softmax', 'square']
    """
    plain = re.sub(r"Backward\d*$", "", node_name)
    if plain in SYMBOLS:
        return SYMBOLS[plain]
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", plain).lower() or plain


def array_of(tensor: Any) -> Any:
    """The numbers of a tensor of ours or of PyTorch, as a NumPy array; None if they cannot be read."""
    if isinstance(tensor, Tensor):
        return np.asarray(tensor._data)
    try:
        tensor = tensor.detach()
        try:
            return np.asarray(tensor.numpy())
        except (TypeError, RuntimeError):  # on another device, not yet conjugated, or a dtype that NumPy lacks
            tensor = tensor.cpu().resolve_conj().resolve_neg()
            return np.asarray(tensor.numpy() if tensor.is_complex() else tensor.float().numpy())
    except Exception:
        return None


@cache
def dtype_text(dtype: Any) -> str:
    """`torch.float32` as `float32`."""
    return str(dtype).rpartition(".")[2]
