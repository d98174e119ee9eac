"""Write docs/glossary.md: every word that a lesson introduces, from the lists at the lessons' ends.

python tools/make_glossary.py           say whether it is current
python tools/make_glossary.py --write   write it
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
from pages import ROOT, WHITE, table, write_or_say

TARGET = ROOT / "docs" / "glossary.md"
HEAD = """# Glossary

Every word that a lesson introduces, with the meaning that the lesson gives it. A word that several lessons explain has
one row for each meaning, in the order of the course. The words of the source code, such as *card* and *funnel*, are
in [ARCHITECTURE.md](ARCHITECTURE.md#words).

This page is written by `tools/make_glossary.py` from the lists "Words of this lesson". Change a meaning there.
"""
LIST = re.compile(r"^\*\*Words of this lesson\*\*\n\n((?:(?:- |  ).*(?:\n|\Z))+)", re.MULTILINE)
ENTRY = re.compile(r"- \*([^*]+)\*: (.+)", re.DOTALL)


@dataclass(frozen=True)
class Word:
    """A word as one lesson explains it."""

    word: str
    meaning: str
    lesson: str


def words_of(path: Path) -> Iterator[Word]:
    """The words of one lesson; ValueError for a lesson without the list, or for an entry of another form."""
    last = nbformat.read(path, as_version=4).cells[-1].source
    found = LIST.search(last)
    if not found:
        raise ValueError(f"{path.name}: the last cell has no list **Words of this lesson**")
    for line in re.split(r"\n(?=- )", found[1].rstrip("\n")):
        entry = ENTRY.fullmatch(line)
        if not entry:
            raise ValueError(f"{path.name}: an entry is written `- *word*: meaning`, not {line!r}")
        yield Word(entry[1], WHITE.sub(" ", entry[2]), path.stem)


def words() -> list[Word]:
    """All words in the order of the alphabet, those of one spelling in the order of the lessons."""
    paths = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
    return sorted((word for path in paths for word in words_of(path)), key=lambda word: word.word.lower())


def text() -> str:
    """The whole page."""
    lessons: dict[tuple[str, str], list[str]] = {}
    for word in words():
        link = f"[{word.lesson[:2]}](../notebooks/{word.lesson}.ipynb)"
        lessons.setdefault((word.word, word.meaning), []).append(link)
    rows = [(f"**{word}**", meaning, ", ".join(links)) for (word, meaning), links in lessons.items()]
    return f"{HEAD}\n{table(('word', 'what it means', 'lesson'), rows)}\n"


if __name__ == "__main__":
    sys.exit(write_or_say("Write the glossary from the lessons.", TARGET, text()))
