"""The questions as a Jupyter widget: they travel once, then the browser judges alone.

`prompt.js` and `prompt.css` are files of their own; what a typed number means is the same file for all widgets. No
bundler, no network. Needs anywidget (extra `lab`).
"""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets

from autograd_lab.course.prompt import script

HERE = Path(__file__).parent


class QuestionsWidget(anywidget.AnyWidget):
    """`kind` is "questions" or "summary"; the browser reads `questions` and writes `states`."""

    _esm = script()
    _css = HERE / "prompt.css"
    kind = traitlets.Unicode("questions").tag(sync=True)
    heading = traitlets.Unicode().tag(sync=True)
    questions = traitlets.List().tag(sync=True)
    states = traitlets.Dict().tag(sync=True)
