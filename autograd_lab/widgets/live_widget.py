"""The widget that carries plain data to the browser and answers back. Needs anywidget (extra `lab`)."""

from __future__ import annotations

import anywidget
import traitlets


class LiveWidget(anywidget.AnyWidget):
    """The browser reads `data` and writes `states`; it asks the kernel with `wish` and is told in `note`."""

    data = traitlets.Dict().tag(sync=True)
    states = traitlets.Dict().tag(sync=True)
    wish = traitlets.Dict().tag(sync=True)
    note = traitlets.Dict().tag(sync=True)
