"""Who the learner is: an id made once, from which the numbers of their exercises are drawn.

The id is random and says nothing about the person. It lives in the progress folder, so the same learner
meets the same numbers again. AUTOGRAD_LAB_LEARNER overrides it: an instructor may hand out ids, and the
stored outputs of the lessons belong to the learner `stored`. Read next: `grading/draw.py`.
"""

import hashlib
import os
import re
import secrets
from pathlib import Path

from autograd_lab import progress

FILE = "learner_id.txt"
OURS = re.compile(r"[0-9a-f]{16}")


def learner_id() -> str:
    """The learner's id: AUTOGRAD_LAB_LEARNER if set, else the one in the progress folder, made at first use.

    >>> from unittest.mock import patch
    >>> with patch.dict("os.environ", AUTOGRAD_LAB_LEARNER="ada"):
    ...     learner_id()
    'ada'
    """
    chosen = os.environ.get("AUTOGRAD_LAB_LEARNER", "").strip()
    if chosen:
        return chosen
    path = progress.folder() / FILE
    known = _read(path)
    if known is None:
        known = _make(path)
    return known


def _read(path: Path) -> str | None:
    """The stored id; a file that holds something else is moved aside."""
    try:
        text = path.read_bytes().decode("utf-8", "replace").strip()
    except OSError:
        return None
    if not OURS.fullmatch(text):
        progress.move_aside(path, "it holds no learner id; you get a new one, and new numbers in exercises")
        return None
    return text


def _make(path: Path) -> str:
    """A new id, on the disk unless another kernel was faster; then that one's."""
    made = secrets.token_hex(8)
    part = path.with_name(f"{FILE}.{made}.part")
    try:
        progress.write_whole(part, f"{made}\n".encode())
        try:
            os.link(part, path)  # fails if the file exists, unlike replace
        except FileExistsError:
            made = _read(path) or made
        except OSError:  # a file system without links
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        progress.warn_unwritable(error)
        # The same numbers every time on this machine, although nothing can be stored.
        return hashlib.sha256(str(Path.home()).encode()).hexdigest()[:16]
    return made
