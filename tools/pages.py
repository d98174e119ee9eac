"""A page, or a marked block of a page, that a tool writes: what the three `make_*` tools of the documents share.

A block stands between `<!-- begin NAME -->` and `<!-- end NAME -->`; what is around it is written by hand. Tests call
`current` and fail when a page would change.
"""

import argparse
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WHITE = re.compile(r"\s+")


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table.

    >>> print(table(["word", "meaning"], [["a|b", "two\\nlines"]]))
    | word | meaning |
    | --- | --- |
    | a\\|b | two lines |
    """
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(
        "| " + " | ".join(WHITE.sub(" ", cell).replace("|", r"\|") for cell in line) + " |" for line in lines
    )


def with_block(text: str, name: str, content: str) -> str:
    """The text with this content in its block; ValueError if it has not exactly one block of this name.

    >>> with_block("<!-- begin a -->\\nold\\n<!-- end a -->", "a", "new")
    '<!-- begin a -->\\n\\nnew\\n\\n<!-- end a -->'
    """
    block = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
    if len(block.findall(text)) != 1:
        raise ValueError(f"There must be one block <!-- begin {name} --> ... <!-- end {name} -->.")
    return block.sub(lambda found: f"{found[1]}\n{content}\n\n{found[2]}", text)


def current(path: Path, text: str) -> bool:
    """Whether the page on the disk is this text."""
    return path.exists() and path.read_text(encoding="utf-8") == text


def write_or_say(description: str, path: Path, text: str) -> int:
    """The command line of such a tool: say whether the page is current, or write it; exit code 1 if it is not."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--write", action="store_true", help=f"write {path.relative_to(ROOT).as_posix()}")
    if parser.parse_args().write:
        path.write_text(text, encoding="utf-8", newline="\n")
    same = current(path, text)
    print(f"{path.relative_to(ROOT).as_posix()}: {'current' if same else 'not current, write it with --write'}")
    return 0 if same else 1
