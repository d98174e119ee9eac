"""The questions as a Jupyter widget: they travel once, then the browser judges alone.

`prompt.js` and `prompt.css` are files of their own, read as they are: no bundler, no network. Needs anywidget
(extra `lab`).
"""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets

HERE = Path(__file__).parent


class QuestionsWidget(anywidget.AnyWidget):
    """`kind` is "questions" or "summary"; the browser reads `questions` and writes `states`."""

    _esm = HERE / "prompt.js"
    _css = HERE / "prompt.css"
    kind = traitlets.Unicode("questions").tag(sync=True)
    heading = traitlets.Unicode().tag(sync=True)
    questions = traitlets.List().tag(sync=True)
    states = traitlets.Dict().tag(sync=True)
