"""Every relative link of documents and notebooks leads to a file, and to a heading where it names one. No network."""

import re
from pathlib import Path

import nbformat
import pages
import pytest

ROOT = pages.ROOT
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "exercises/README.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "notebooks").glob("*.ipynb")),
    *sorted((ROOT / "exercises").glob("*/*.ipynb")),
]
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]+`")
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
REFERENCE = re.compile(r"^\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)


def prose(path: Path) -> str:
    """The text of a page, or of a notebook's Markdown cells."""
    if path.suffix != ".ipynb":
        return path.read_text(encoding="utf-8")
    cells = nbformat.read(path, as_version=4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def links(text: str) -> list[str]:
    """The targets of all links and images, those in code left out."""
    text = FENCE.sub("", text)
    linked = CODE.sub("`code`", text)
    return [*LINK.findall(linked), *REFERENCE.findall(linked)]


def anchors(path: Path) -> set[str]:
    """What a link may name after #: headings, as web pages and JupyterLab spell them."""
    found, count = set(), {}
    for heading in HEADING.findall(FENCE.sub("", prose(path))):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
        slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        again = count[slug] = count.get(slug, -1) + 1
        found |= {f"{slug}-{again}" if again else slug, plain.replace(" ", "-")}
    return found


def fault(page: Path, target: str) -> str:
    """What is wrong with a link; "" if it leads somewhere, or out of the project."""
    if ELSEWHERE.match(target):
        return ""
    name, _, anchor = target.partition("#")
    path = (page.parent / name) if name else page
    if target.startswith("/") or not path.resolve().is_relative_to(ROOT):
        return f"{target}: leads out of the project"
    if not path.exists():
        return f"{target}: there is no such file"
    if anchor and path.suffix in (".md", ".ipynb") and anchor not in anchors(path):
        return f"{target}: there is no such heading"
    return ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page):
    assert [found for target in links(prose(page)) if (found := fault(page, target))] == []


def test_pages_have_links_to_check():
    assert sum(len(links(prose(page))) for page in PAGES) > 200


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[a](no_such_file.md)", "no_such_file.md: there is no such file"),
        ("![a](img/none.svg)", "img/none.svg: there is no such file"),
        ("[a](ARCHITECTURE.md#no-such-heading)", "ARCHITECTURE.md#no-such-heading: there is no such heading"),
        ("[a](/etc/hosts)", "/etc/hosts: leads out of the project"),
        ("[a](../../elsewhere.md)", "../../elsewhere.md: leads out of the project"),
        ("[a]: gone.md", "gone.md: there is no such file"),
        ('[a](gone.md "with a title")', "gone.md: there is no such file"),
        ("[a](ARCHITECTURE.md#words)", ""),
        ("[a](../notebooks/04_chain_rule.ipynb)", ""),
        ("[a](https://example.org/gone)", ""),
        ("`[a](gone.md)`", None),
        ("```\n[a](gone.md)\n```", None),
    ],
)
def test_a_broken_link_is_found(text, found):
    assert [fault(ROOT / "docs" / "a.md", target) for target in links(text)] == ([] if found is None else [found])
