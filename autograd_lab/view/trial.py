"""Change and see: the inputs of one walk, what becomes of them, and the curve of the result over one of them.

Plain data goes in and comes out, so that a page only shows it: `inputs()` for the controls, `frames()` for the walk
with the changed numbers, `curve()` for the plot. Read next: `widget.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import isfinite
from typing import Any

import numpy as np

from autograd_lab.autograd import grad
from autograd_lab.view.film import Frame
from autograd_lab.view.parts import Picture
from autograd_lab.view.program import CannotRunAgain, Program
from autograd_lab.view.replay import Changed, Run, apart
from autograd_lab.view.snapshots import LARGEST
from autograd_lab.view.steps import Tape
from autograd_lab.view.texts import clean, number_text

Film = Callable[[Run, Tape], tuple[Picture, list[Frame]]]
POINTS = 61  # of a curve
OTHER_SHAPE = "With these numbers the graph has another shape; the drawing stays as it was."


class Trial:
    """The recorded program of a walk, and the inputs that were changed since.

    `film` makes picture and frames of a run, as the walk's own were made; `tape` is the walk's.
    """

    def __init__(self, program: Program, tape: Tape, picture: Picture, film: Film) -> None:
        self.program, self.tape, self.picture, self.film = program, tape, picture, film
        self.changed: Changed = {}
        self.slopes: dict[int, float] = {}
        self.output: float | None = None

    def change(self, number: int, place: int, value: float) -> None:
        """Put a number into an element of an input, counted row by row.

        Raises ValueError for what is no finite number, an input that cannot be changed, or an element that it has not.
        """
        start = self.program.inputs[number]
        if start.fixed or not 0 <= place < start.data.size:
            raise ValueError(start.fixed or f"{start.name} has {start.data.size} elements.")
        if not isfinite(value):
            raise ValueError(f"{value} is no finite number.")
        data = np.array(self.changed.get(number, start.data))
        data.reshape(-1)[place] = value
        self.changed[number] = data

    def reset(self) -> None:
        """The recorded numbers again."""
        self.changed.clear()

    def frames(self) -> list[Frame]:
        """The walk with the inputs as they are now.

        Raises CannotRunAgain if the drawing does not fit the graph that came of it.
        """
        with apart(told=True):
            run = Run(self.program, self.changed)
            picture, frames = self.film(run, self.tape)
            self._note_slopes(run)
        if shape_of(picture) != shape_of(self.picture) or len(frames) == 0:
            raise CannotRunAgain(OTHER_SHAPE)
        return frames

    def _note_slopes(self, run: Run) -> None:
        """The result, and its slope by each tracked input of one element."""
        numbers = [i for i, tensor in enumerate(run.inputs) if tensor.requires_grad and tensor.numel() == 1]
        one = run.result.numel() == 1
        self.output = float(run.result.item()) if one else None
        found = grad(run.result, [run.inputs[i] for i in numbers], allow_unused=True) if one and numbers else ()
        self.slopes = {i: 0.0 if g is None else float(g.item()) for i, g in zip(numbers, found, strict=False)}

    def curve(self, number: int, low: float, high: float) -> dict[str, Any]:
        """The result for values of one input between two ends, and its slope where the input is now."""
        start = self.program.inputs[number]
        if start.data.size != 1 or not (isfinite(low) and isfinite(high) and low < high):
            raise ValueError("A curve needs an input of one element, and two ends.")
        points = []
        with apart():
            for x in np.linspace(low, high, POINTS):
                value = np.full(start.data.shape, x, start.data.dtype)
                y = float(Run(self.program, {**self.changed, number: value}).result.item())
                points.append([float(x), y if isfinite(y) else None])
            run = Run(self.program, self.changed)
            self._note_slopes(run)
        return {"input": number, "points": points, **self.now(number)}

    def now(self, number: int) -> dict[str, Any]:
        """Where the input is, what came of it, and the slope there; None for what is not known or not finite."""
        data = self.changed.get(number, self.program.inputs[number].data)
        numbers = {"x": float(data.reshape(-1)[0]), "y": self.output, "slope": self.slopes.get(number)}
        return {name: n if n is not None and isfinite(n) else None for name, n in numbers.items()}

    def inputs(self) -> list[dict[str, Any]]:
        """Every input with a name, for the controls of a page."""
        keys = {node.name: node.key for node in self.picture.nodes if node.kind in ("leaf", "param", "frozen")}
        told = []
        for number, start in enumerate(self.program.inputs):
            if not start.name:
                continue
            data = self.changed.get(number, start.data)
            large = start.data.size > LARGEST
            told.append(
                {
                    "id": number,
                    "name": start.name,
                    "key": keys.get(clean(start.name), ""),
                    "kind": start.kind,
                    "shape": list(start.data.shape),
                    "texts": [] if large else [written(v) for v in data.reshape(-1)],
                    "first": [] if large else [written(v) for v in start.data.reshape(-1)],
                    "fixed": f"It has more than {LARGEST} elements." if large else start.fixed,
                    **(self.now(number) if data.size == 1 else {}),
                }
            )
        return told


def as_recorded(tape: Tape, like: Tape) -> Tape:
    """A tape of the same program, with the learner's own lines and the versions that the tensors had."""
    steps = []
    for step, old in zip(tape.forward, like.forward, strict=False):
        keeps = tuple(replace(kept, about=was.about) for kept, was in zip(step.keeps, old.keeps, strict=False))
        steps.append(replace(step, line=old.line, in_place=old.in_place, keeps=keeps))
    return replace(tape, forward=tuple(steps))


def shape_of(picture: Picture) -> list[str]:
    """What a drawing consists of, whatever the numbers in it."""
    return [*(f"{node.key} {node.kind}" for node in picture.nodes), *(edge.forward_id for edge in picture.edges)]


def written(value: Any) -> str:
    """A number as somebody would type it: short where that says it all.

    >>> written(np.float32(0.1)), written(np.float64(2.0)), written(np.float32(-1.25e-7))
    ('0.1', '2', '-1.25e-07')
    """
    shown = number_text(value)
    if isfinite(value) and type(value)(shown) != value:
        text = str(value.item() if not isinstance(value, np.floating) else value)
        return text.removesuffix(".0")
    return shown
