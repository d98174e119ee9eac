"""`loop_lab()`: put the lines of a training loop in order, and see what each order does.

The lines are run by the engine exactly as they stand. Shown are the weights, the loss, and how many nodes are alive
after each round. Read next: `loop_run.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from autograd_lab.view.texts import number_text
from autograd_lab.widgets.bench import Bench, Values
from autograd_lab.widgets.bench_parts import Field, Figure, Output, Table, Text
from autograd_lab.widgets.loop_effects import effect_question, effects_of, step_question, told
from autograd_lab.widgets.loop_run import LINES, RIGHT, Run, Start, run
from autograd_lab.widgets.plot import Axis, Line, line_plot

SHUFFLED = ("backward", "step", "forward", "zero", "loss")
TONES = {
    "falls": "good",
    "late": "warn",
    "memory": "warn",
    "stale": "error",
    "sum": "error",
    "still": "error",
    "error": "error",
}


def loop_lab(
    order: Sequence[str] = SHUFFLED,
    *,
    w: float = 3.0,
    b: float = 1.0,
    x: float = 2.0,
    target: float = 10.0,
    lr: float = 0.05,
    rounds: int = 20,
    **options: Any,
) -> Bench:
    """A training loop to put in order, for output = w * x + b and a squared loss.

    `order` names the lines that are used at first: "zero", "forward", "loss", "backward", "step", and the distractors
    "total", "item", "detach". `options` are those of `Bench`.

    Raises ValueError for an unknown line, a line used twice, and fewer than 3 or more than 200 rounds.

    >>> lab = loop_lab()
    >>> [(question.label, question.shown) for question in lab.questions]
    [('One step', '2.25'), ('Effect', 'An error is raised')]
    >>> lab.set(order=["forward", "loss", "backward", "zero", "step"]).questions[1].shown
    'The weights never move'
    """
    check(order)
    if isinstance(rounds, bool) or not isinstance(rounds, int) or not 3 <= rounds <= 200:
        raise ValueError(f"rounds must be a whole number from 3 to 200, got {rounds!r}.")
    start = Start(w, b, x, target, lr)
    field = Field("order", "lines", "order", tuple(LINES.values()), tuple(LINES), waits=True)

    def compute(values: Values, action: str) -> Output:
        return shown(run(check(values["order"]), start, rounds), start)

    return Bench(
        "Loop lab: the order of a training step",
        (field,),
        {"order": list(order)},
        compute,
        intro=f"w = {w:g}, b = {b:g}, x = {x:g}, target = {target:g}, SGD, lr = {lr:g}. The lines run {rounds} times.",
        buttons=[("run", f"Run {rounds} rounds")],
        ready=[{"order": list(near)} for near in neighbours()],
        **options,
    )


def check(order: Sequence[str]) -> tuple[str, ...]:
    """The order as a tuple; ValueError if it names what is no line, or a line twice."""
    unknown = [key for key in order if key not in LINES]
    if unknown or len(set(order)) != len(order):
        raise ValueError(f"order takes each of {', '.join(LINES)} at most once, got {list(order)}.")
    return tuple(order)


def neighbours() -> Iterator[tuple[str, ...]]:
    """The right order, two lines of it exchanged, one left out, or a distractor at its end or before backward."""
    yield RIGHT
    for i in range(len(RIGHT)):
        yield RIGHT[:i] + RIGHT[i + 1 :]
        for j in range(i):
            swapped = list(RIGHT)
            swapped[i], swapped[j] = swapped[j], swapped[i]
            yield tuple(swapped)
    yield ("forward", "loss", "backward", "zero", "step")
    for extra in ("total", "item", "detach"):
        yield (*RIGHT, extra)
        yield (*RIGHT[:3], extra, *RIGHT[3:])


def shown(done: Run, start: Start) -> Output:
    """What happened, why, the numbers of the rounds, and both curves."""
    questions = (step_question(start), effect_question(done))
    hides = (questions[1].id,)
    blocks: list[Any] = [Text(told(effect, done), hides=hides, tone=TONES[effect]) for effect in effects_of(done)]
    if done.rounds:
        blocks += [
            rounds_table(done, tuple(q.id for q in questions)),
            loss_figure(done, hides),
            nodes_figure(done, hides),
        ]
    said = f"{len(done.order)} lines are in use."
    return Output(tuple(blocks), questions, said)


def number(value: float | None) -> str:
    return "None" if value is None else number_text(value)


def rounds_table(done: Run, hides: tuple[str, ...]) -> Table:
    """The first rounds, and the last."""
    picked = [*done.rounds[:4], *(done.rounds[-1:] if len(done.rounds) > 4 else ())]
    rows = tuple(
        (str(r.number), number(r.loss), number(r.w), number(r.b), number(r.grad), str(r.nodes)) for r in picked
    )
    return Table(("round", "loss", "w", "b", "w.grad", "living nodes"), rows, "After each round", hides)


def loss_figure(done: Run, hides: tuple[str, ...]) -> Figure:
    """The loss of each round."""
    points = [(float(r.number), r.loss) for r in done.rounds if r.loss is not None]
    top = max((y for _, y in points), default=1.0) or 1.0
    svg = line_plot("Loss", rounds_axis(done), Axis("loss", 0.0, 1.05 * top), [Line("", points)])
    ends = f"{number_text(points[0][1])} in round 1, {number_text(points[-1][1])} in the last" if points else "none"
    return Figure(svg, f"The loss in each round: {ends}.", curve_table("loss", points), hides)


def nodes_figure(done: Run, hides: tuple[str, ...]) -> Figure:
    """The nodes that are alive after each round."""
    points = [(float(r.number), float(r.nodes)) for r in done.rounds]
    top = max(y for _, y in points)
    svg = line_plot(
        "Living nodes", rounds_axis(done), Axis("living nodes", 0.0, max(10.0, 1.05 * top)), [Line("", points, "acc")]
    )
    alt = f"Nodes that are alive after each round: {points[0][1]:g} after round 1, {points[-1][1]:g} after the last."
    return Figure(svg, alt, curve_table("living nodes", points), hides)


def rounds_axis(done: Run) -> Axis:
    return Axis("round", 1.0, float(max(2, len(done.rounds))))


def curve_table(name: str, points: list[tuple[float, float]]) -> Table:
    return Table(("round", name), tuple((f"{a:g}", number_text(b)) for a, b in points))
