"""`torch.save` and `torch.load` in a format that loading can only read, never run.

A file is a zip archive: `structure.json` says how dictionaries, lists and numbers are nested, and every tensor is an
`.npy` member, written and read without pickle. PyTorch's own files hold pickled Python and are refused.
A save to a path goes to a new file beside it, which takes the old one's place only when it is complete.
"""

from __future__ import annotations

import io
import json
import math
import os
import secrets
import zipfile
import zlib
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np

from . import dtypes
from ._device import device, meta_array, usable
from ._tensor import Size, Tensor, bare
from .graph import LEAF

FORMAT = "autograd_lab 1"
DAMAGED = "PytorchStreamReader failed reading zip archive: {}"
SPECIAL = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


def save(obj: Any, f: Any, pickle_module: Any = None, pickle_protocol: Any = None) -> None:
    """Write tensors, and dictionaries, lists and tuples of them, to a path or a binary file.

    Numbers, strings, None, dtypes and devices may stand among them. Raises TypeError for anything else: save
    `module.state_dict()`, not the module.

    >>> import autograd_lab as torch, io
    >>> file = io.BytesIO()
    >>> torch.save({"w": torch.tensor([1.0, 2.0]), "epoch": 3}, file)
    >>> _ = file.seek(0)
    >>> torch.load(file)
    {'w': tensor([1., 2.]), 'epoch': 3}
    """
    data = packed(obj)
    if hasattr(f, "write"):
        f.write(data)
    else:
        replace(Path(f), data)


def replace(path: Path, data: bytes) -> None:
    """Write a file so that the old one stays whole until the new one is."""
    if not path.parent.is_dir():
        raise RuntimeError(f"Parent directory {path.parent} does not exist.")
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with open(unfinished, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


class Writer:
    """Collects the arrays of a structure; one that occurs twice is kept once, so that sharing survives."""

    def __init__(self) -> None:
        self.arrays: list[Any] = []
        self.places: dict[Any, int] = {}

    def array(self, data: Any) -> int:
        """The number of an array among the members."""
        data = np.asarray(data)
        key = (data.__array_interface__["data"][0], data.shape, data.strides, data.dtype) if data.size else id(data)
        if key not in self.places:
            self.places[key] = len(self.arrays)
            self.arrays.append(data)
        return self.places[key]

    def plain(self, value: Any) -> Any:
        """A value in JSON: strings, bools, ints and None as they are, all others as ["kind", …]."""
        if value is None or isinstance(value, (bool, str)) or type(value) is int:
            return value
        if isinstance(value, Tensor):
            if value.is_meta:
                return ["meta", list(value.shape), value.dtype.name]
            return ["tensor", self.array(value._data), value._edge is LEAF]
        if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind != "O":
            return ["array", self.array(value), isinstance(value, np.generic)]
        if isinstance(value, float):
            return ["float", value if math.isfinite(value) else str(value)]
        if isinstance(value, complex):
            return ["complex", self.plain(value.real), self.plain(value.imag)]
        if isinstance(value, (dict, OrderedDict)):
            kind = "ordered" if isinstance(value, OrderedDict) else "dict"
            return [kind, [[self.plain(k), self.plain(v)] for k, v in value.items()]]
        if isinstance(value, Size):
            return ["size", list(value)]
        if isinstance(value, (list, tuple, set)):
            return [type(value).__name__, [self.plain(v) for v in value]]
        if isinstance(value, dtypes.dtype):
            return ["dtype", value.name]
        if isinstance(value, device):
            return ["device", str(value)]
        raise unsavable(value)


def unsavable(value: Any) -> TypeError:
    """The error for a value that a file of plain data cannot hold."""
    error = TypeError(f"save() cannot store a {type(value).__name__}")
    advice = (
        "Files hold tensors, numbers, strings, lists, tuples, sets and dictionaries only, so that loading never "
        "runs code."
    )
    if hasattr(value, "state_dict"):
        advice += " Save value.state_dict(), and load it with load_state_dict() into a new object."
    error.add_note(advice)
    return error


def packed(obj: Any) -> bytes:
    """The bytes of a file."""
    writer = Writer()
    structure = {"format": FORMAT, "value": writer.plain(obj)}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("structure.json", json.dumps(structure, allow_nan=False))
        for i, data in enumerate(writer.arrays):
            member = io.BytesIO()
            np.lib.format.write_array(member, np.ascontiguousarray(data).reshape(data.shape), allow_pickle=False)
            archive.writestr(f"{i}.npy", member.getvalue())
    return buffer.getvalue()


def load(
    f: Any, map_location: Any = None, pickle_module: Any = None, *, weights_only: Any = None, mmap: Any = None
) -> Any:
    """Read what `save` wrote, from a path or a binary file. Nothing in the file is ever run.

    Raises FileNotFoundError for a missing file and RuntimeError for one that is damaged or that another program wrote.
    """
    data = f.read() if hasattr(f, "read") else Path(f).read_bytes()
    try:
        found = unpacked(data)
    except Foreign as error:
        raise error
    except zipfile.BadZipFile:
        raise damaged("failed finding central directory") from None
    except (
        KeyError,
        IndexError,
        TypeError,
        ValueError,
        EOFError,
        RecursionError,
        zlib.error,
        NotImplementedError,
    ) as error:
        raise damaged(f"{type(error).__name__}: {error}") from None
    place = None if map_location is None else usable(map_location)
    return moved(found, place) if place is not None and place.type == "meta" else found


class Foreign(RuntimeError):
    """A file of another program."""


def damaged(what: str) -> RuntimeError:
    error = RuntimeError(DAMAGED.format(what))
    error.add_note("The file is damaged, or save() did not write it.")
    return error


def unpacked(data: bytes) -> Any:
    """The value in the bytes of a file."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        if "structure.json" not in names:
            foreign = Foreign("load() reads only files that autograd_lab's save() wrote")
            if any(name.endswith("data.pkl") for name in names):
                foreign.add_note(
                    "This file was written by PyTorch. Its data is pickled Python code, which is not run here; "
                    "save the tensors "
                    "as NumPy arrays there."
                )
            raise foreign
        if archive.testzip() is not None:
            raise ValueError(f"checksum of {archive.testzip()}")
        structure = json.loads(archive.read("structure.json"))
        if structure["format"] != FORMAT:
            raise Foreign(f"load() does not know the format {structure['format']!r}")
        arrays: dict[int, Any] = {}

        def array(number: int) -> Any:
            if number not in arrays:
                member = io.BytesIO(archive.read(f"{int(number)}.npy"))
                arrays[number] = np.lib.format.read_array(member, allow_pickle=False)
            return arrays[number]

        return restored(structure["value"], array)


def restored(value: Any, array: Any) -> Any:
    """A value from its JSON form."""
    if not isinstance(value, list):
        return value
    kind, first, *rest = value
    if kind == "tensor":
        made = bare(array(first) if array(first).ndim else array(first)[()])
        made._edge = LEAF if rest[0] else None
        return made
    if kind == "array":
        return array(first)[()] if rest[0] else array(first)
    if kind == "meta":
        return bare(meta_array(tuple(first), getattr(dtypes, dtype_name(rest[0])).numpy))
    if kind == "float":
        return SPECIAL[first] if isinstance(first, str) else float(first)
    if kind == "complex":
        return complex(restored(first, array), restored(rest[0], array))
    if kind in ("dict", "ordered"):
        pairs = [(restored(k, array), restored(v, array)) for k, v in first]
        return OrderedDict(pairs) if kind == "ordered" else dict(pairs)
    if kind == "size":
        return Size(first)
    if kind in ("list", "tuple", "set"):
        items = [restored(v, array) for v in first]
        return {"list": list, "tuple": tuple, "set": set}[kind](items)
    if kind == "dtype":
        return getattr(dtypes, dtype_name(first))
    if kind == "device":
        return device(first)
    raise ValueError(f"unknown kind {kind!r}")


def dtype_name(name: str) -> str:
    """A dtype's name in the module `dtypes`; raises ValueError for anything else."""
    if name not in dtypes.TYPE_NAMES:
        raise ValueError(f"unknown dtype {name!r}")
    return "bool_" if name == "bool" else name


def moved(value: Any, place: Any) -> Any:
    """Tensors of a structure on another device."""
    if isinstance(value, Tensor):
        return value.to(device=place)
    if isinstance(value, (dict, OrderedDict)):
        return type(value)((k, moved(v, place)) for k, v in value.items())
    if isinstance(value, (list, tuple, set)) and not isinstance(value, Size):
        return type(value)(moved(v, place) for v in value)
    return value
