"""The stepper's script and style, each joined from files of one idea: what a widget and a saved page hold.

The files in `browser/` are ES modules that a browser or an editor reads as they are. Joined in this order they are one
module: an `import` of a neighbour is left out, since its names are already there. No bundler, no network.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

BROWSER = Path(__file__).with_name("browser")
SCRIPTS = (
    "elements", "numbers", "history", "drawing", "answers", "questions", "lines", "kernel", "plot", "inputs", "looking",
    "layout", "stepper",
)  # fmt: skip
STYLES = ("stepper", "drawing", "questions", "tools")
NUMBERS = BROWSER / "numbers.js"  # what a typed text means: for every widget that asks
NEIGHBOUR = re.compile(r'^import \{[^}]*\} from "\.[./a-z]+\.js";\n', re.MULTILINE)


@cache
def script() -> str:
    """One ES module; its default export has `render({ model, el })`.

    >>> "import " in script(), script().count("export default")
    (False, 1)
    """
    return joined(*(BROWSER / f"{name}.js" for name in SCRIPTS))


def joined(*files: Path) -> str:
    """ES modules as one, in an order in which each finds the names of its neighbours."""
    return "\n".join(NEIGHBOUR.sub("", file.read_text("utf-8")) for file in files)


@cache
def style() -> str:
    """One style sheet."""
    return "\n".join((BROWSER / f"{name}.css").read_text("utf-8") for name in STYLES)
