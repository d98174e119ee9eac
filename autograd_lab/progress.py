"""What the learner has done, kept as small JSON records in one folder: one file for each record.

A record has a kind ("exercise", "prompt", ...) and a key; remembering the same pair again replaces it. Each
file is written whole or not at all, so two notebooks may write at the same time and a crash leaves the old
record. A file that cannot be read is moved aside and reported, never deleted. Where the folder cannot be
written, records live until the kernel stops, and a warning says so once. Read next: `course/learner.py`.
"""

import json
import os
import re
import tempfile
import warnings
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import platformdirs

FORMAT = 1
LONGEST_NAME = 200  # bytes; file systems stop at 255


class ProgressWarning(UserWarning):
    """Something about the progress folder that the learner should know; work goes on."""


def folder() -> Path:
    """Where progress is kept: AUTOGRAD_LAB_HOME, or the place this system has for a user's data."""
    chosen = os.environ.get("AUTOGRAD_LAB_HOME", "").strip()
    if chosen:
        return Path(chosen).expanduser()
    return platformdirs.user_data_path("autograd_lab", appauthor=False)


def remember(kind: str, key: str, value: dict[str, Any]) -> bool:
    """Keep a record, replacing an earlier one of the same kind and key; returns whether it is on the disk.

    `value` is anything that JSON holds. Raises TypeError for anything else, ValueError for NaN and for a name
    that is empty or too long.

    >>> from tempfile import TemporaryDirectory
    >>> from unittest.mock import patch
    >>> with TemporaryDirectory() as home, patch.dict("os.environ", AUTOGRAD_LAB_HOME=home):
    ...     remember("prompt", "04/p1", {"answer": 12, "right": False})
    ...     recall("prompt")
    True
    {'04/p1': {'answer': 12, 'right': False}}
    """
    if not isinstance(value, dict):
        raise TypeError(f"A record is a dict, for example {{'answer': 12}}, not {type(value).__name__}.")
    text = json.dumps({"format": FORMAT, "value": value}, ensure_ascii=False, allow_nan=False)
    path = folder() / file_name(kind) / f"{file_name(key)}.json"
    try:
        write_whole(path, text.encode())
    except OSError as error:
        _unwritten[path] = value
        warn_unwritable(error)
        return False
    _unwritten.pop(path, None)
    return True


def recall(kind: str) -> dict[str, dict[str, Any]]:
    """Every record of a kind: {key: value}, sorted by key; empty if there is none.

    A record that cannot be read is moved aside with a ProgressWarning, and is not among them.
    """
    place = folder() / file_name(kind)
    found = {}
    try:
        paths = sorted(place.glob("*.json"))
    except OSError:  # a folder that may not be read holds nothing for us
        paths = []
    for path in paths:
        value = _read(path)
        if value is not None:
            found[unquote(path.stem)] = value
    found |= {unquote(path.stem): value for path, value in _unwritten.items() if path.parent == place}
    return dict(sorted(found.items()))


def recall_one(kind: str, key: str) -> dict[str, Any] | None:
    """One record, or None if it was never remembered or cannot be read."""
    path = folder() / file_name(kind) / f"{file_name(key)}.json"
    return _unwritten.get(path) or _read(path)


def file_name(name: str) -> str:
    """A name as a file's name: other characters than small letters, digits, - and _ become %XX.

    No two names share a file, also where the file system takes A for a, and none leads out of the folder.

    >>> file_name("04/p1"), file_name("E2")
    ('04%2fp1', '%452')
    """
    made = re.sub(rb"[^a-z0-9_-]", lambda found: b"%%%02x" % found[0][0], name.encode()).decode()
    if not 0 < len(made) <= LONGEST_NAME:
        raise ValueError(f"The name of a record has 1 to {LONGEST_NAME} bytes; {name[:40]!r} has {len(made)}.")
    return made


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: first beside it, on the disk, then in its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, part = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(part, path)
    except OSError:
        Path(part).unlink(missing_ok=True)
        raise


def move_aside(path: Path, why: str) -> None:
    """Rename a file that cannot be read, to a free name, and warn; the learner can still look into it."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged{number}")).exists():
        number += 1
    try:
        path.rename(aside)
        where = f"It was kept as {aside}"
    except OSError:
        where = f"It was left where it is: {path}"
    warnings.warn(
        f"A progress file could not be read ({why}). {where}; everything else is untouched.",
        ProgressWarning,
        stacklevel=3,
    )


def warn_unwritable(error: OSError) -> None:
    """Say once for each folder that progress lasts only until the kernel stops."""
    place = folder()
    if place not in _warned:
        _warned.add(place)
        warnings.warn(
            f"The progress folder {place} cannot be written ({error.strerror or error}). Go on: nothing is "
            "lost until you stop the kernel. To keep your progress, set the environment variable "
            "AUTOGRAD_LAB_HOME to a folder of your own before you start.",
            ProgressWarning,
            stacklevel=3,
        )


_unwritten: dict[Path, dict[str, Any]] = {}  # what this kernel could not write
_warned: set[Path] = set()


def _read(path: Path) -> dict[str, Any] | None:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        value = content["value"]
        if content["format"] != FORMAT or not isinstance(value, dict):
            raise ValueError("it is not in the format that this version writes")
    except OSError:  # not there, or taken away by another kernel a moment ago
        return None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        move_aside(path, str(error) or type(error).__name__)
        return None
    return value
