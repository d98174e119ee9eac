"""A question for a drawing: what `draw_graph` returned, kept in a variable, must show the asked graph."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograd_lab.view.drawing import GraphDrawing
from autograd_lab.view.names import is_tensor

from .answers import Unusable, short
from .graph_shape import Shape, difference, shape_of, shape_of_tensor
from .questions import Case, Question
from .reference import Reference
from .verdict import Criterion, Reason, Verdict, judged


@dataclass(frozen=True)
class Drawn(Question):
    """A drawing of `of`, compared with the graph by its ops and arrows, not by its names and numbers."""

    of: str = ""

    @property
    def asks(self) -> str:
        return f"the drawing of {self.of}"

    def find(self, case: Case, given: tuple[Any, ...], space: Mapping[str, Any]) -> Verdict:
        drawing = given[0]
        if not isinstance(drawing, GraphDrawing):
            raise Unusable("none.wrong-type", self._no_drawing(drawing))
        shown, wanted = shape_of(drawing.picture), shape_of_tensor(case.reference.tensors[self.of])
        begun = shown.nodes[:1] == wanted.nodes[:1]
        criteria = (
            Criterion("it begins with the first step of your diagram", begun, self.points // 2),
            Criterion("it has every step, in order", shown == wanted, self.points - self.points // 2),
        )
        return judged(self.id, criteria, f"a drawing of {_counted(shown)}", self._reason(case.reference, shown, wanted))

    def _no_drawing(self, thing: Any) -> str:
        line = f"{self.entries[0]} = draw_graph({self.of})"
        if is_tensor(thing):
            return f"{short(thing)} is a tensor. Its drawing is what draw_graph returns: {line}"
        if thing is None:
            return f"{self.entries[0]} is None: what you kept is not the drawing itself. Write {line}"
        return f"A drawing is asked for; you gave a {type(thing).__name__}. Write {line}"

    def _reason(self, reference: Reference, shown: Shape, wanted: Shape) -> Reason | None:
        if shown.ops and shown != wanted and shown.ops == wanted.ops[: len(shown.ops)]:
            stopped = reference.computed()[len(shown.ops) - 1]
            text = (
                f"This drawing stops at {stopped}: it shows {_counted(shown)}, your diagram has {len(wanted.ops)}. "
                f"A drawing shows what a tensor was computed from, so draw the last one, {self.of}."
            )
            return Reason("graph.drawn-part", text)
        return difference(shown, wanted, "This drawing")

    def solution(self, case: Case) -> str:
        return f"{self.entries[0]} = draw_graph({self.of})"

    nudge = "A drawing shows everything that a tensor was computed from. From which tensor do you see it all?"

    def part(self, reference: Reference) -> str:
        return (
            f"The drawing of {self.of} has {len(reference.computed())} ops, one for each arrow of your diagram. "
            "draw_graph(...) takes a tensor and returns its drawing; keep that in the variable."
        )

    def worked(self, sibling: Reference) -> str:
        return (
            "In another program:\n\n    a = torch.tensor(6.0, requires_grad=True)\n    area = a * a\n"
            "    picture_of_area = draw_graph(area)\n\nThe variable's name in a last line of its own shows it."
        )


def _counted(shape: Shape) -> str:
    return f"{len(shape.ops)} op{'' if len(shape.ops) == 1 else 's'}"
