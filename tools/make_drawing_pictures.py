"""Run the examples of docs/drawing.md; with --write, save their pictures.

python tools/make_drawing_pictures.py           say which pictures are not current
python tools/make_drawing_pictures.py --write   write docs/img/*.svg

Every Python block of the page runs, one after the other in one session. A picture below a block, `![…](img/name.svg)`,
is the drawing that the block's last line gives; the drawing's own description is its alternative text. A block of
plain text below one is what its last line prints.
"""

import argparse
import ast
import linecache
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "drawing.md"
BLOCK = re.compile(r"```python\n(.*?)```\n(?:\n!\[([^\]]*)\]\(img/([\w-]+)\.svg\)|\n```text\n(.*?)```)?", re.DOTALL)


def run(source: str, name: str, variables: dict[str, Any]) -> Any:
    """Run one block as a cell would, and return the value of its last line if that is an expression."""
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)  # so that lines are known
    tree = ast.parse(source, name)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), variables)
    return eval(compile(ast.Expression(last.value), name, "eval"), variables) if last else None


def made(page: str) -> tuple[dict[str, str], list[str]]:
    """The pictures of a page by name, and what is wrong: texts that differ, pictures described otherwise."""
    variables: dict[str, Any] = {"__name__": "drawing"}
    pictures: dict[str, str] = {}
    faults: list[str] = []
    for number, (source, about, name, printed) in enumerate(BLOCK.findall(page), 1):
        value = run(source, f"<block {number} of drawing.md>", variables)
        if name:
            pictures[name] = value.svg
            if not about:
                faults.append(f"the picture {name} has no alternative text")
        elif printed and str(value).rstrip() != printed.rstrip():
            faults.append(f"block {number} prints\n{value}")
    return pictures, faults


def main() -> None:
    """Say what is not current, or write it."""
    parser = argparse.ArgumentParser(description="Make the pictures of docs/drawing.md.")
    parser.add_argument("--write", action="store_true", help="write docs/img/*.svg")
    write = parser.parse_args().write
    pictures, faults = made(PAGE.read_text(encoding="utf-8"))
    for name, svg in pictures.items():
        path = PAGE.parent / "img" / f"{name}.svg"
        if write:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(svg.encode())
        elif not path.is_file() or path.read_bytes() != svg.encode():
            faults.append(f"{path.relative_to(ROOT)} is not current: run python tools/make_drawing_pictures.py --write")
    for fault in faults:
        print(fault)
    raise SystemExit(1 if faults else 0)


if __name__ == "__main__":
    main()
