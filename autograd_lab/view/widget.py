"""The walk as a Jupyter widget: the drawing and the frames travel once, then the browser walks alone.

Nothing is computed here. `stepper.js` and `stepper.css` are files of their own, read as they are: no bundler,
no network. Needs anywidget (extra `lab`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

HERE = Path(__file__).parent


class StepperWidget(anywidget.AnyWidget):
    """The browser reads `svg`, `prefix` of its ids, `frames`, `label`, and writes `step` and `answers`."""

    _esm = HERE / "stepper.js"
    _css = HERE / "stepper.css"
    svg = traitlets.Unicode().tag(sync=True)
    prefix = traitlets.Unicode().tag(sync=True)
    frames = traitlets.List().tag(sync=True)
    label = traitlets.Unicode("Step through").tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    answers = traitlets.Dict().tag(sync=True)

    def mimebundle(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What a cell holds for this widget, without any text of its own."""
        bundle = self._repr_mimebundle_()
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle or {}, {})
        return dict(data), dict(metadata)
