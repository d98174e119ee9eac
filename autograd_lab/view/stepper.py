"""`step_through(loss)`: walk forward, then backward, on one drawing, in the engine's real order.

Joins the stages: `tape_of` -> tape, `read_graph` -> picture, `frames_of` -> frames, `drawing_of` -> drawing.
A cell shows the widget; a terminal, and a page that runs nothing, get the last frame and a table of all
steps.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from autograd_lab.graph import FREED_TEXT
from autograd_lab.view.answers import Answers, Row, as_csv, as_json
from autograd_lab.view.draw import names_for
from autograd_lab.view.drawing import GraphDrawing, drawing_of, page_html
from autograd_lab.view.film import Frame
from autograd_lab.view.frames import PREDICT, frames_of
from autograd_lab.view.looking import boxes_of
from autograd_lab.view.names import Names
from autograd_lab.view.page import walk_page
from autograd_lab.view.parts import Picture
from autograd_lab.view.picture import read_graph
from autograd_lab.view.program import CannotRunAgain, program_of
from autograd_lab.view.replay import Run
from autograd_lab.view.steps import Tape
from autograd_lab.view.tape import check, tape_of
from autograd_lab.view.trial import Trial, as_recorded

HIDDEN = re.compile(r"⟦[^|⟧]*\|[^⟧]*⟧")
PREFIXED = re.compile(r"-([nem]\d[\d-]*)$")
SVG = "http://www.w3.org/2000/svg"
NEEDS_LAB = 'Stepping in the browser needs anywidget: pip install "autograd-lab[lab]"'
NOT_RECORDED = "Some values were not recorded: compute inside `with record():` to see them."


def step_through(loss: Any, *, inputs: Any = None, predict: str = "none", order: int = 1, grad: Any = None) -> Walk:
    """Walk the graph of `loss` step by step: each op forward, then each node of backward.

    `loss` is a tracked tensor, ours or PyTorch's, with one element or with a `grad` of its shape. With `inputs` the
    walk is that of `autograd.grad(loss, inputs)`. With `order=2` the backward pass is recorded as ops, and the walk
    goes on to the backward of the gradient. `predict` hides numbers until you typed them: "none", "gradients" (what
    each backward step sends on) or "all" (forward values and local derivatives too). In a notebook the steps are
    walked with buttons or keys, without the kernel, and inputs can be changed: the recorded ops run again. Elsewhere
    the result prints as a table. The graph and every `.grad` stay as they were. A step that raises is the last one,
    and shows the error.

    Raises TypeError for what is no tensor, ValueError for an unknown `predict` or `order`, and RuntimeError with
    PyTorch's texts for a tensor that is not tracked, is no scalar, or whose graph was freed.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> y = x * 3
    >>> step_through(y)
    steps of y: 1 forward, 2 backward
    step  phase     node            what happens
    1     forward   MulBackward0    y = x * 3 = 2 * 3 = 6
    2     backward                  dy/dy = 1
    3     backward  MulBackward0    dy/dx = dy/dy · dy/dx = 1 · 3 = 3
    4     backward  AccumulateGrad  x.grad = 3
    """
    if predict not in PREDICT:
        choices = ", ".join(f'"{choice}"' for choice in PREDICT)
        raise ValueError(f"predict must be one of {choices}, got {predict!r}.")
    check(loss, grad)
    names = names_for(None, sys._getframe(1))
    tape = tape_of(loss, grad, names, inputs=inputs, order=order)
    refuse_freed(tape)
    walk = walk_of(tape, names, predict)

    def film(run: Run, like: Tape) -> tuple[Picture, list[Frame]]:
        goals = None if run.program.wanted is None else [run.value(goal) for goal in run.program.wanted]
        known = run.names()
        made = as_recorded(tape_of(run.result, grad, known, inputs=goals, order=order), like)
        drawn = read_graph(made.outputs, known)
        return drawn, frames_of(made, drawn, predict)

    try:
        walk.trial = Trial(program_of(loss, names, inputs), walk.tape, walk.drawing.picture, film)
        walk.still = ""
    except CannotRunAgain as error:
        walk.still = str(error)
    return walk


def walk_of(tape: Tape, names: Names, predict: str = "none") -> Walk:
    """The walk of a tape: its frames, on one drawing."""
    picture = read_graph(tape.outputs, names)
    frames = frames_of(tape, picture, predict)
    drawing = drawing_of(picture, widest_texts(frames))
    return Walk(replace(tape, nodes=(), outputs=()), frames, drawing, predict)


def refuse_freed(tape: Tape) -> None:
    """Where the very first step finds its values freed there is nothing to walk: PyTorch's error, with a note."""
    first = tape.backward[0].error if tape.backward else None
    if first is not None and first.text == FREED_TEXT:
        error = RuntimeError(FREED_TEXT)
        error.add_note(
            "The values that backward needs were freed by an earlier backward, so nothing is left to "
            "step through. Call step_through(loss) before loss.backward(), or call "
            "loss.backward(retain_graph=True)."
        )
        raise error


class Walk:
    """A tape made visible. Holds plain data only: it keeps no graph and no tensor alive.

    `trial` runs the recorded program again with other inputs; where that cannot be, `still` says why.
    """

    trial: Trial | None = None
    still = "The inputs can be changed in step_through(...), not here."

    def __init__(self, tape: Tape, frames: list[Frame], drawing: GraphDrawing, predict: str = "none") -> None:
        self.tape, self.frames, self.drawing, self.order = tape, frames, drawing, tape.order
        self._answers = Answers(f"{drawing.picture.prefix}/{tape.order}/{predict}", self.root, frames)

    @property
    def root(self) -> str:
        """The name of what is walked."""
        return str(self.frames[0]["root"])

    @cached_property
    def widget(self) -> Any:
        """The widget; ImportError names the `pip install` line if anywidget is missing."""
        try:
            from autograd_lab.view.widget import StepperWidget
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] not in ("anywidget", "traitlets", "ipywidgets"):
                raise
            raise ImportError(NEEDS_LAB) from error
        made = StepperWidget(self.trial, **self.traits(), answers=self._answers.stored())
        made.observe(lambda change: self._answers.note(change["new"]), names="answers")
        made.observe(lambda change: setattr(self._answers, "frames", change["new"]), names="frames")
        return made

    def traits(self) -> dict[str, Any]:
        """What the browser reads, as plain data."""
        return {
            "svg": self.drawing.svg,
            "prefix": self.drawing.picture.prefix,
            "label": f"Step through {self.root}",
            "frames": self.frames,
            "boxes": boxes_of(self.drawing.picture),
            "inputs": self.trial.inputs() if self.trial else [],
            "still": self.still,
        }

    def answers(self) -> list[Row]:
        """Every question of this walk with what was typed: one dict for each, "not answered" among them.

        >>> import autograd_lab as torch
        >>> x = torch.tensor(2.0, requires_grad=True)
        >>> y = x * 3
        >>> step_through(y, predict="gradients").answers()[0]["question"]
        'dy/dx ='
        """
        return self._answers.rows()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the walk to a file: .html steps by itself without kernel or network, .svg is the last step, .csv and
        .json are your answers.

        Raises ValueError for another ending, OSError if the file cannot be written.
        """
        target = Path(path)
        if target.suffix.lower() not in SAVED:
            raise ValueError(
                f"Cannot save a walk as {target.name!r}: the name must end in one of {', '.join(SAVED)}. "
                "For a picture of the graph, save the drawing of draw_graph."
            )
        target.write_text(SAVED[target.suffix.lower()](self), encoding="utf-8", newline="\n")

    def text(self) -> str:
        """Every step as a line of a table. What a question hides reads "?"."""
        forward = sum(frame["kind"] == "forward" for frame in self.frames)
        rows = [("step", "phase", "node", "what happens")]
        for number, frame in enumerate(self.frames):
            for place, line in enumerate(frame["told"]):
                head = (str(number), frame["phase"], frame["node"]) if place == 0 else ("", "", "")
                rows.append((*head, HIDDEN.sub("?", line)))
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        lines = ["  ".join([*(c.ljust(w) for c, w in zip(row, widths, strict=False)), row[3]]) for row in rows]
        recorded = sum(frame["kind"] == "recorded" for frame in self.frames)
        again = f"{recorded} recorded in backward, " if recorded else ""
        heading = f"steps of {self.root}: {forward} forward, {again}{len(self.tape.backward)} backward"
        unknown = [NOT_RECORDED] if any(step.result is None for step in self.tape.forward) else []
        return "\n".join(line.rstrip() for line in [heading, *lines, *unknown])

    def last_svg(self) -> str:
        """The drawing as the last frame shows it."""
        texts: dict[str, str] = {}
        for frame in self.frames:
            texts.update({key: HIDDEN.sub("?", text) for key, text in frame["set"].items()})
        ElementTree.register_namespace("", SVG)
        root = ElementTree.fromstring(self.drawing.svg)
        for group in root.iter(f"{{{SVG}}}g"):
            key = PREFIXED.search(group.get("id", ""))
            for part in group.iter(f"{{{SVG}}}text") if key else ():
                text = texts.get(f"{key[1]}.{part.get('data-field')}") if key else None
                if text is not None and text != part.text:
                    part.text = text
                    part.set("class", part.get("class", "").replace(" ag-quiet", ""))
        return ElementTree.tostring(root, encoding="unicode")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        """The last frame and the table; live, the widget too. A page shows the widget where it can."""
        alt = f"The last of {len(self.frames) - 1} steps. {self.drawing.alt}"
        page = {"text/html": page_html(self.last_svg(), alt, self.text()), "text/plain": self.text()}
        if os.environ.get("AUTOGRAD_LAB_OUTPUT") == "stored":
            return page
        try:
            data, metadata = self.widget.mimebundle()
        except ImportError:
            drawn = f'<div class="ag-drawing" style="overflow-x:auto">{self.last_svg()}</div>'
            return {"text/html": f"{drawn}<p>{escape(NEEDS_LAB)}</p>", "text/plain": self.text()}
        return {**data, **page}, metadata

    def __repr__(self) -> str:
        return self.text()


SAVED: dict[str, Callable[[Walk], str]] = {
    ".html": lambda walk: walk_page(f"Step through {walk.root}", walk.traits(), walk.last_svg(), walk.text()),
    ".svg": lambda walk: walk.last_svg(),
    ".csv": lambda walk: as_csv(walk.answers()),
    ".json": lambda walk: as_json(walk.answers()),
}


def widest_texts(frames: list[Frame]) -> dict[str, str]:
    """The longest text each field will show, so that boxes leave room for it."""
    widest: dict[str, str] = {}
    for frame in frames:
        for key, text in frame["set"].items():
            plain = re.sub(r"⟦[^|⟧]*\|([^⟧]*)⟧", r"\1", text)
            if len(plain) > len(widest.get(key, "")):
                widest[key] = plain
    return widest
