"""`mode_meter(n, m)`: what the whole Jacobian costs in forward mode and in reverse mode, counted.

The function is a chain of three matrices from n inputs to m outputs. Forward mode sends one tangent through the chain
for each input; reverse mode walks back once for each output. Every multiplication is counted where it happens:
by the recorder on the way forward, by the engine's steps on the way back. Both ways must give the same Jacobian.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import autograd_lab as torch
from autograd_lab import engine, recorder
from autograd_lab.course.prompt import Choice, Question
from autograd_lab.course.wrong_answers import WrongAnswer, kept
from autograd_lab.widgets.bench import Bench, Values
from autograd_lab.widgets.bench_parts import Field, Figure, Output, Table, Text
from autograd_lab.widgets.plot import Axis, Bar, bar_plot

SIZES = (1, 2, 3, 4, 6, 10, 20, 40)
HIDDEN = 8


def mode_meter(n: int = 10, m: int = 1, **options: Any) -> Bench:
    """Passes and multiplications for the whole Jacobian with n inputs and m outputs, in both modes.

    `options` are those of `Bench`. Raises ValueError for a size that is not on the sliders.

    >>> meter = mode_meter(10, 1)
    >>> [(question.label, question.shown) for question in meter.questions]
    [('Cheaper', 'Reverse mode'), ('Passes', '10')]
    """
    for name, size in (("n", n), ("m", m)):
        if size not in SIZES:
            raise ValueError(f"{name} must be one of {', '.join(map(str, SIZES))}, got {size!r}.")
    texts = tuple(map(str, SIZES))
    fields = (Field("n", "inputs n", "slider", texts), Field("m", "outputs m", "slider", texts))
    places = range(len(SIZES))
    values: Values = {"n": SIZES.index(n), "m": SIZES.index(m)}
    return Bench(
        "Mode meter: forward mode against reverse mode",
        fields,
        values,
        lambda now, action: shown(counted(SIZES[now["n"]], SIZES[now["m"]])),
        intro=f"f is a chain of three matrices: n inputs, {HIDDEN}, {HIDDEN}, m outputs. How is its Jacobian found?",
        ready=[{"n": i, "m": j} for i in places for j in places],
        **options,
    )


@dataclass(frozen=True)
class Counted:
    """Passes and multiplications of both modes, and the Jacobian that both found."""

    n: int
    m: int
    passes: tuple[int, int]  # forward mode, reverse mode
    multiplications: tuple[int, int]
    jacobian: tuple[tuple[float, ...], ...]


class Multiplications:
    """A watcher of the recorder: how many numbers were multiplied in matrix products."""

    def __init__(self) -> None:
        self.count = 0

    def recorded(self, card: Any, arguments: dict[str, Any], result: Any, in_place: bool = False) -> None:
        if card.node_name == "MvBackward0":
            self.count += arguments["self"].numel()


@lru_cache(128)
def counted(n: int, m: int) -> Counted:
    """Find the Jacobian in both ways, and count. RuntimeError if they differ."""
    draw = torch.Generator()
    draw.manual_seed(10 * n + m)
    shapes = ((HIDDEN, n), (HIDDEN, HIDDEN), (m, HIDDEN))
    chain = [torch.randint(-2, 3, shape, generator=draw).to(torch.float64) for shape in shapes]

    def f(x: Any) -> Any:
        for matrix in chain:
            x = matrix @ x
        return x

    columns, forward_passes, forward = forward_mode(f, n)
    rows, reverse_passes, reverse = reverse_mode(f, n)
    found = tuple(tuple(row) for row in rows)
    if found != tuple(zip(*columns, strict=True)):
        raise RuntimeError("forward mode and reverse mode found different Jacobians")
    return Counted(n, m, (forward_passes, reverse_passes), (forward, reverse), found)


def forward_mode(f: Any, n: int) -> tuple[list[list[float]], int, int]:
    """One tangent for each input. The chain is linear, so a tangent goes through it as a value does."""
    columns, passes = [], 0
    counter = Multiplications()
    with recorder.watch(counter), torch.no_grad():
        for tangent in torch.eye(n, dtype=torch.float64):
            columns.append(f(tangent).tolist())
            passes += 1
    return columns, passes, counter.count


def reverse_mode(f: Any, n: int) -> tuple[list[list[float]], int, int]:
    """The values once, then one walk back for each output."""
    x = torch.ones(n, dtype=torch.float64).requires_grad_()
    y = f(x)
    rows, passes, count = [], 0, 0
    for seed in torch.eye(len(y), dtype=torch.float64):
        passes += 1
        for step in engine.steps([y], [seed], keep_graph=True, looking=True):
            if step.node.name() == "MvBackward0":
                count += step.node._saved_self.numel()  # the transposed matrix times the gradient
                row = step.grad_inputs[1]
        rows.append(row.tolist())
    return rows, passes, count


def shown(c: Counted) -> Output:
    """Both modes beside each other, and the questions."""
    questions = (cheaper_question(c), passes_question(c))
    hides = tuple(question.id for question in questions)
    names = ("forward mode", "reverse mode")
    rows = tuple(
        (name, str(passes), str(count // passes), str(count))
        for name, passes, count in zip(names, c.passes, c.multiplications, strict=True)
    )
    table = Table(("mode", "passes", "multiplications in one pass", "multiplications in all"), rows, hides=hides)
    top = max(c.multiplications)
    fills = (("var(--ag-leaf-fill)", "var(--ag-leaf)"), ("var(--ag-op-fill)", "var(--ag-op)"))
    bars = [Bar(name, float(n), str(n), *f) for name, n, f in zip(names, c.multiplications, fills, strict=True)]
    svg = bar_plot("Multiplications for the whole Jacobian", Axis("multiplications", 0, top), bars, row=34)
    forward, reverse = c.multiplications
    alt = f"Multiplications for the whole Jacobian: {forward} in forward mode, {reverse} in reverse mode."
    figure = Figure(svg, alt, Table(("mode", "multiplications"), tuple((b.name, b.text) for b in bars)), hides)
    law = (
        f"Forward mode: one pass for each input, {c.passes[0]}; a pass gives one column of J. "
        f"Reverse mode: one pass for each output, {c.passes[1]}; a pass gives one row. A loss is one number, m = 1, "
        "so training uses reverse mode."
    )
    more = (
        "Not counted: the values themselves, one pass through the chain in both modes. Reverse mode also keeps them "
        "until it has walked back; forward mode keeps nothing."
    )
    blocks = (table, figure, Text(law, hides=hides), Text(more, hides=hides))
    return Output(blocks, questions, f"n = {c.n} inputs, m = {c.m} outputs.")


def cheaper_question(c: Counted) -> Question:
    """Which mode multiplies less?"""
    forward, reverse = c.multiplications
    right = "Both cost the same" if forward == reverse else "Forward mode" if forward < reverse else "Reverse mode"
    passes = f"forward mode needs {c.n} {plural(c.n)}, one for each input, and reverse mode {c.m}, one for each output"
    reasons = {
        "Forward mode": f"Count the passes: {passes}.",
        "Reverse mode": f"Reverse mode is not always cheaper. Count the passes: {passes}.",
        "Both cost the same": f"A pass costs the same in both modes, but their number differs: {passes}.",
    }
    return Question(
        id=f"mode-meter/cheaper/{c.n}/{c.m}",
        label="Cheaper",
        text=f"n = {c.n} inputs, m = {c.m} outputs: which mode finds the whole Jacobian with fewer multiplications?",
        shown=right,
        because=f"{passes[0].upper()}{passes[1:]}.",
        choices=tuple(
            Choice(t, t == right, "" if t == right else why, "mode.always-reverse") for t, why in reasons.items()
        ),
    )


def passes_question(c: Counted) -> Question:
    """How many passes forward mode needs."""
    right = float(c.passes[0])
    wrong = [
        WrongAnswer(
            float(c.m), "That is the number of outputs: so many passes does reverse mode need.", "mode.swapped"
        ),
        WrongAnswer(float(c.n * c.m), "One pass gives a whole column of J, not one entry.", "mode.entries"),
        WrongAnswer(1.0, "One pass follows one tangent and gives one column of J.", "mode.one-pass"),
        WrongAnswer(float(c.n + c.m), "Inputs and outputs are not added: forward mode counts inputs only.", "mode.sum"),
        WrongAnswer(3.0, "That is the number of matrices. Every pass goes through all of them.", "mode.layers"),
        WrongAnswer(float(c.n * 3), "Going through the three matrices once is one pass, not three.", "mode.layers"),
    ]
    return Question(
        id=f"mode-meter/passes/{c.n}/{c.m}",
        label="Passes",
        text=f"How many passes does forward mode need with n = {c.n} and m = {c.m}?",
        answer=right,
        shown=str(c.passes[0]),
        because=f"One for each input: {c.passes[0]}.",
        wrong=kept(right, wrong),
        otherwise="Not this number. A tangent says how one input moves. How many inputs are there?",
    )


def plural(count: int) -> str:
    return "pass" if count == 1 else "passes"
