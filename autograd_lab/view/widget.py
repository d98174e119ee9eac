"""The walk as a Jupyter widget: the drawing and the frames travel once, then the browser walks alone.

The kernel is asked only when an input is changed: a message goes to the walk's `Trial`, new frames come back. Needs
anywidget (extra `lab`). Read next: `browser/stepper.js`.
"""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets

from autograd_lab.view.script import script, style
from autograd_lab.view.trial import Trial


class StepperWidget(anywidget.AnyWidget):
    """The browser reads the traits, and writes `step` and `answers`."""

    _esm = script()
    _css = style()
    svg = traitlets.Unicode().tag(sync=True)
    prefix = traitlets.Unicode().tag(sync=True)  # of the ids in the drawing
    label = traitlets.Unicode("Step through").tag(sync=True)
    frames = traitlets.List().tag(sync=True)
    boxes = traitlets.List().tag(sync=True)  # what is said of a chosen box
    inputs = traitlets.List().tag(sync=True)  # what may be changed
    still = traitlets.Unicode().tag(sync=True)  # why nothing can be changed
    step = traitlets.Int(0).tag(sync=True)
    answers = traitlets.Dict().tag(sync=True)

    def __init__(self, trial: Trial | None = None, **traits: Any) -> None:
        self.trial = trial
        super().__init__(**traits)
        self.on_msg(self._asked)

    def _asked(self, _widget: Any, question: dict[str, Any], _buffers: Any) -> None:
        """What the page asks of the kernel; whatever goes wrong is answered with a sentence."""
        reply: dict[str, Any] = {"serial": question.get("serial")}
        try:
            reply |= self._answer(question)
        except Exception as error:  # the learner's numbers may be such that an op refuses them
            reply["error"] = str(error) or type(error).__name__
        self.send(reply)

    def _answer(self, question: dict[str, Any]) -> dict[str, Any]:
        if self.trial is None:
            return {"error": self.still}
        if question["kind"] == "curve":
            return {"curve": self.trial.curve(question["input"], question["low"], question["high"])}
        if question["kind"] == "reset":
            self.trial.reset()
        else:
            self.trial.change(question["input"], question["place"], float(question["value"]))
        frames = self.trial.frames()
        with self.hold_sync():
            self.frames, self.inputs = frames, self.trial.inputs()
        return {}

    def mimebundle(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What a cell holds for this widget, without any text of its own."""
        bundle = self._repr_mimebundle_()
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle or {}, {})
        return dict(data), dict(metadata)
