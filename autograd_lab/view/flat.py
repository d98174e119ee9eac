"""The SVG with every colour and font written on its marks, for programs that know no CSS rules or variables.

Reads the rules that stand inside the SVG (class selectors only) and gives each mark what a browser would: a later or
more exact rule wins. Used for PNG and PDF; what a page shows keeps its classes.
"""

from __future__ import annotations

import re
from functools import lru_cache
from xml.etree import ElementTree

from autograd_lab.view.palette import colours

NAMESPACE = "http://www.w3.org/2000/svg"
INHERITED = ("font-family", "font-size", "font-weight", "font-style", "fill", "stroke")
FONTS = ("sans-serif", "monospace")
Rule = tuple[tuple[tuple[str, frozenset[str]], ...], dict[str, str], tuple[int, int]]


def flat(svg: str, theme: str = "light", fonts: tuple[str, str] = FONTS) -> str:
    """The same drawing without a style sheet; `fonts` are the names of a plain and a fixed-width font."""
    ElementTree.register_namespace("", NAMESPACE)
    root = ElementTree.fromstring(svg)
    table = colours(theme)
    style = root.find(f"{{{NAMESPACE}}}style")
    rules = rules_in(style.text or "") if style is not None else ()
    stack: list[tuple[ElementTree.Element, tuple[tuple[str, frozenset[str]], ...], dict[str, str]]] = [(root, (), {})]
    while stack:
        element, parents, inherited = stack.pop()
        tag = element.tag.rpartition("}")[2]
        chain = (*parents, (tag, frozenset(element.get("class", "").split())))
        own = dict(inherited)
        for selector, declarations, _ in rules:
            if matches(selector, chain):
                own.update(declarations)
        if tag in ("text", "path", "rect", "ellipse"):
            for name, value in own.items():
                if tag != "text" and name.startswith(("font", "text")):
                    continue
                if name == "font-family":
                    value = fonts["mono" in value]
                element.set(name, re.sub(r"var\((--ag-[a-z0-9-]+)\)", lambda m: table[m[1]], value))
        below = {name: value for name, value in own.items() if name in INHERITED}
        for child in list(element):
            if child.tag.rpartition("}")[2] in ("style", "title", "desc"):
                element.remove(child)
            else:
                stack.append((child, chain, below))
        for name in ("class", "style", "tabindex", "aria-label", "role"):
            element.attrib.pop(name, None)
    return ElementTree.tostring(root, encoding="unicode")


@lru_cache(8)
def rules_in(sheet: str) -> tuple[Rule, ...]:
    """The rules of a style sheet for every page, the weakest first; those for some pages only are left out."""
    found: list[Rule] = []
    plain = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    plain = re.sub(r"@media[^{]*\{([^{}]*\{[^{}]*\})*[^{}]*\}", "", plain)
    for number, (selectors, body) in enumerate(re.findall(r"([^{}]+)\{([^{}]*)\}", plain)):
        pairs = (line.split(":", 1) for line in body.split(";") if ":" in line)
        declarations = {name.strip(): readable(name.strip(), value.strip()) for name, value in pairs}
        declarations = {name: value for name, value in declarations.items() if name not in SKIPPED and name[:2] != "--"}
        for selector in selectors.split(","):
            if ":" in selector or "[" in selector:
                continue
            steps = tuple(step_of(part) for part in selector.split())
            weight = sum(len(classes) for _, classes in steps), sum(bool(tag) for tag, _ in steps)
            found.append((steps, declarations, (weight[0] * 10 + weight[1], number)))
    return tuple(sorted(found, key=lambda rule: rule[2]))


SKIPPED = ("color-scheme", "outline", "cursor")


def step_of(part: str) -> tuple[str, frozenset[str]]:
    tag, *classes = part.split(".")
    return tag, frozenset(classes)


def readable(name: str, value: str) -> str:
    """A value as such programs know it: without its unit."""
    return value.removesuffix("px") if name in ("font-size", "stroke-width") else value


def matches(selector: tuple[tuple[str, frozenset[str]], ...], chain: tuple[tuple[str, frozenset[str]], ...]) -> bool:
    """Whether the last of the chain is what the selector names, inside the rest."""

    def fits(step: tuple[str, frozenset[str]], one: tuple[str, frozenset[str]]) -> bool:
        return (not step[0] or step[0] == one[0]) and step[1] <= one[1]

    if not fits(selector[-1], chain[-1]):
        return False
    at = len(chain) - 2
    for step in reversed(selector[:-1]):
        while at >= 0 and not fits(step, chain[at]):
            at -= 1
        if at < 0:
            return False
        at -= 1
    return True
