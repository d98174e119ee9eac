"""A walk as a page of HTML that needs nothing else: no kernel, no network. `walk.save("walk.html")` writes it.

The page holds the widget's own script and style, with the walk as JSON in the place of the widget's model. What needs
a kernel says so; without scripts the page is the drawing of the last step and the table.
"""

from __future__ import annotations

import json
from html import escape
from typing import Any

from autograd_lab.view.script import script, style

NO_KERNEL = (
    "The inputs can be changed in the notebook only: this page has no kernel that computes. Open the notebook and run "
    "its cell again."
)
MODEL = """
const values = JSON.parse(document.getElementById("walk").textContent);
const model = {
  get: (name) => values[name],
  set: (name, value) => { values[name] = value; },
  save_changes() {}, on() {}, off() {}, send() {},
};
document.querySelector("noscript")?.remove();
stepper.render({ model, el: document.querySelector("main") });
"""


def walk_page(title: str, traits: dict[str, Any], last_svg: str, table: str) -> str:
    """The page; `traits` is what the browser reads from the widget."""
    data = json.dumps({**traits, "still": NO_KERNEL, "inputs": []}, ensure_ascii=False).replace("<", "\\u003c")
    module = script().replace("export default { render };", "const stepper = { render };")
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        "<style>:root{color-scheme:light dark}body{margin:1rem;font-family:system-ui,sans-serif}"
        "@media (prefers-color-scheme:dark){body{background:#111;color:#f2f2f2}}"
        f"pre{{overflow-x:auto}}{style()}</style>\n<h1>{escape(title)}</h1>\n"
        f'<main><noscript><div style="overflow-x:auto">{last_svg}</div></noscript></main>\n'
        f"<details><summary>As a table</summary><pre>{escape(table)}</pre></details>\n"
        f'<script type="application/json" id="walk">{data}</script>\n'
        f'<script type="module">\n{module}\n{MODEL}</script>\n</html>\n'
    )
