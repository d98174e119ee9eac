"""The learner's work folder: new course files are copied in, a file the learner changed is never overwritten.

A small list in the folder, `.autograd_lab.json`, remembers the digest of every file as it was copied. A file
that still has this digest is ours to replace; any other file is the learner's. When the course has a newer
version of a file that is the learner's, it is put beside it, `NAME.ipynb` as `NAME.new.ipynb`. Read
`course_files.py` for what is copied, `serve.py` for what happens next.
"""

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from . import Trouble
from .course_files import CourseFile, course_root

LIST_NAME = ".autograd_lab.json"
FORMAT = 1


@dataclass(frozen=True)
class Copied:
    """What happened to one course file: `state` is "new", "updated", "as it was", "yours" or "beside"."""

    path: str
    state: str
    beside: str | None = None


def fill(folder: Path, files: Iterable[CourseFile]) -> tuple[Copied, ...]:
    """Bring the work folder up to date and say what happened to each file.

    Raises Trouble for a folder that cannot be written, the course's own folder, or an unreadable list.
    """
    _refuse_course(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        known = _read_list(folder)
        copied = tuple(_place(folder, file, known) for file in files)
        content = json.dumps({"format": FORMAT, "files": known}, indent=1, sort_keys=True)
        _write(folder / LIST_NAME, content.encode())
    except OSError as error:
        where = error.filename or folder
        raise Trouble(
            f"The work folder {folder} cannot be written: {error.strerror or error} ({where}). "
            "Choose a folder of your own, for example: autograd-lab lab ~/autograd_lab_work"
        ) from error
    return copied


def digest(data: bytes) -> str:
    """SHA-256 of a file's bytes.

    >>> digest(b"")[:8]
    'e3b0c442'
    """
    return hashlib.sha256(data).hexdigest()


def _place(folder: Path, file: CourseFile, known: dict[str, str]) -> Copied:
    """Copy one file where that loses nothing; `known` (path -> digest as copied) is brought up to date."""
    target, ours = folder / file.path, digest(file.data)
    if not target.exists():
        _write(target, file.data)
        known[file.path] = ours
        return Copied(file.path, "new")
    present, before = digest(target.read_bytes()), known.get(file.path)
    if present == ours:
        known[file.path] = ours
        return Copied(file.path, "as it was")
    if present == before:
        _write(target, file.data)
        known[file.path] = ours
        return Copied(file.path, "updated")
    if before == ours:
        return Copied(file.path, "yours")
    beside = _free_name(folder, file.path, known)
    _write(folder / beside, file.data)
    # The newer version has been offered once; from now on the file is just "yours".
    known[beside] = known[file.path] = ours
    return Copied(file.path, "beside", beside)


def _free_name(folder: Path, path: str, known: dict[str, str]) -> str:
    """`NAME.new.ipynb`, or the first numbered name that holds nothing of the learner's."""
    ending = Path(path).suffix
    stem = path.removesuffix(ending)
    number = 1
    while True:
        name = f"{stem}.new{number if number > 1 else ''}{ending}"
        there = folder / name
        if not there.exists() or digest(there.read_bytes()) == known.get(name):
            return name
        number += 1


def _read_list(folder: Path) -> dict[str, str]:
    """The digests of the files as they were copied; empty for a new folder."""
    path = folder / LIST_NAME
    if not path.exists():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        files = content["files"]
        if content["format"] != FORMAT or not all(isinstance(value, str) for value in files.values()):
            raise ValueError("not the format that this version writes")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Trouble(
            f"The list of copied files, {path}, cannot be read ({error}). Delete that one file and start "
            "again: your notebooks are kept, and where one differs from the course, the course's version is "
            "put beside it."
        ) from error
    return dict(files)


def _write(path: Path, data: bytes) -> None:
    """Write whole or not at all: a full disk must not leave half a notebook."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(path.name + ".part")
    try:
        half.write_bytes(data)
        os.replace(half, path)
    finally:
        half.unlink(missing_ok=True)


def _refuse_course(folder: Path) -> None:
    root = course_root().resolve()
    place = folder.resolve()
    parts = (root / "notebooks", root / "exercises", root / "autograd_lab")
    if place == root or any(place.is_relative_to(part) for part in parts):
        raise Trouble(
            f"{folder} holds the course itself, which stays as it is. "
            "Choose another folder for your copy, for example: autograd-lab lab my_course"
        )
