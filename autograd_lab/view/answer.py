"""The words of an answer to "why is `.grad` None?": the kinds of reasons, and `Why`, which prints and shows one.

Plain data; `cases.py` finds which one it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import Any

from autograd_lab.view.drawing import GraphDrawing, drawing_of
from autograd_lab.view.parts import Picture

UNKNOWN = "not recorded"
KINDS = {
    "has grad": "nothing is wrong",
    "not a leaf": "an op made it, and gradients of such tensors are not kept",
    "retained too late": "retain_grad() was called after the backward that ran",
    "detached": "its history was cut off",
    "no_grad": "made while nothing was tracked",
    "not differentiable": "made by an op that no gradient can pass",
    "frozen": "a leaf that asks for no gradient",
    "untracked": "computed from nothing that asks for a gradient",
    "not reached": "the loss was not computed from it, or the way is cut",
    "no backward": "backward() has not run yet",
    "cleared": "a gradient was there and was set to None",
    "no loss": "no graph that leads to it is known",
    "not recorded": "what made it was not recorded",
}


@dataclass(frozen=True)
class Why:
    """The answer of `why`. `kind` is a key of KINDS, `place` the op or source line that decided it.

    Prints as sentences; a notebook shows the part of the graph around the tensor too.
    """

    name: str
    kind: str
    says: str
    place: str
    advice: str
    picture: Picture | None = field(default=None, compare=False, repr=False)

    @property
    def text(self) -> str:
        """What is so, where it was decided, and what to do."""
        place = f" Place: {self.place}." if self.place else ""
        return f"{self.says}{place} {self.advice}".strip()

    @cached_property
    def drawing(self) -> GraphDrawing | None:
        """The part of the graph around the tensor, if there is one."""
        return None if self.picture is None else drawing_of(self.picture)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        drawn = "" if self.drawing is None else self.drawing._repr_mimebundle_()["text/html"]
        return {"text/html": f"<p class='ag-why'>{escape(self.text)}</p>{drawn}", "text/plain": self.text}

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__
