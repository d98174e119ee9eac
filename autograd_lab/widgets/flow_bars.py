"""`flow_bars(depth, activation, init)`: how large the gradient is at each layer of a deep net.

The net is really made and walked back, in float64, for every setting. The length of each weight's `.grad` is a bar on a
logarithmic axis, in the colours and with the words of `draw_graph(heat="grad")`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import autograd_lab as torch
from autograd_lab.course.prompt import Choice, Question
from autograd_lab.view.heat import EXPLODING, VANISHING, norm_of, short, word_for
from autograd_lab.view.palette import heat_level
from autograd_lab.widgets.bench import Bench, Values
from autograd_lab.widgets.bench_parts import Field, Figure, Output, Table, Text
from autograd_lab.widgets.plot import Axis, Bar, bar_plot

DEPTHS = (2, 5, 10, 20, 30)
ACTIVATIONS = ("sigmoid", "tanh", "relu", "none")
INITS = ("xavier_uniform_", "kaiming_uniform_", "normal_ std 1", "normal_ std 0.01")
WIDTH, BATCH, SEED = 16, 8, 3
STARVED = 1 / 100  # smallest gradient below this part of the largest


def flow_bars(depth: int = 10, activation: str = "sigmoid", init: str = "xavier_uniform_", **options: Any) -> Bench:
    """The length of the gradient at each layer, for a depth, an activation and an initialization.

    `options` are those of `Bench`. Raises ValueError for a setting that is not offered.

    >>> bars = flow_bars(20, "sigmoid", "xavier_uniform_")
    >>> [(question.label, question.shown) for question in bars.questions]
    [('Starves', 'Layer 1, next to the input'), ('Size', 'At least one vanishes: below 1e-7')]
    """
    for name, value, offered in (
        ("depth", depth, DEPTHS),
        ("activation", activation, ACTIVATIONS),
        ("init", init, INITS),
    ):
        if value not in offered:
            raise ValueError(f"{name} must be one of {', '.join(map(repr, offered))}, got {value!r}.")
    fields = (
        Field("depth", "layers", "slider", tuple(map(str, DEPTHS))),
        Field("activation", "activation", "choice", ACTIVATIONS),
        Field("init", "weights from", "choice", INITS),
    )
    values: Values = {"depth": DEPTHS.index(depth), "activation": activation, "init": init}
    return Bench(
        "Flow bars: how much gradient reaches each layer",
        fields,
        values,
        lambda now, action: shown(flow(DEPTHS[now["depth"]], now["activation"], now["init"])),
        intro=f"A net of linear layers, {WIDTH} wide. The loss is the mean of the squared outputs; backward has run.",
        ready=[
            {"depth": d, "activation": a, "init": i} for d in range(len(DEPTHS)) for a in ACTIVATIONS for i in INITS
        ],
        **options,
    )


@dataclass(frozen=True)
class Flow:
    """The norms of the weights' gradients, from the layer next to the input to the one next to the loss."""

    depth: int
    activation: str
    init: str
    norms: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """The smallest as a part of the largest."""
        return min(self.norms) / max(self.norms)

    @property
    def smallest(self) -> int:
        """The number of the layer with the smallest gradient, from 1."""
        return self.norms.index(min(self.norms)) + 1


@lru_cache(256)
def flow(depth: int, activation: str, init: str) -> Flow:
    """Make the net, walk back once, and measure."""
    draw = torch.Generator()
    draw.manual_seed(SEED)
    x = torch.randn(BATCH, WIDTH, generator=draw).to(torch.float64)
    weights = []
    for _ in range(depth):
        weight = torch.empty(WIDTH, WIDTH, dtype=torch.float64, requires_grad=True)
        fill(weight, activation, init, draw)
        weights.append(weight)
        x = x @ weight.T
        x = x if activation == "none" else getattr(torch, activation)(x)
    (x**2).mean().backward()
    return Flow(depth, activation, init, tuple(norm_of(weight.grad) for weight in weights))


def fill(weight: Any, activation: str, init: str, draw: Any) -> None:
    """First values, by the functions of `nn.init`."""
    starts = torch.nn.init
    if init == "xavier_uniform_":
        starts.xavier_uniform_(weight, generator=draw)
    elif init == "kaiming_uniform_":
        starts.kaiming_uniform_(weight, nonlinearity="relu", generator=draw)
    else:
        starts.normal_(weight, std=float(init.rpartition(" ")[2]), generator=draw)


def shown(f: Flow) -> Output:
    """The bars, what they mean, and the questions."""
    questions = (starves_question(f), size_question(f))
    hides = tuple(question.id for question in questions)
    powers = [math.log10(max(norm, 1e-300)) for norm in (*f.norms, VANISHING, EXPLODING)]
    axis = Axis("norm of weight.grad", 10.0 ** (math.floor(min(powers)) - 1), 10.0 ** math.ceil(max(powers)), log=True)
    bars = [
        Bar(
            f"layer {i}",
            norm,
            f"{norm:.1e} {word_for(norm)}".strip(),
            f"var(--ag-heat-{heat_level(norm)})",
            "var(--ag-back)",
        )
        for i, norm in enumerate(f.norms, 1)
    ]
    row = 22 if f.depth <= 10 else 18
    svg = bar_plot("Norm of the gradient at each layer", axis, bars, row)
    alt = (
        f"Norm of the gradient at each of {f.depth} layers: from {f.norms[0]:.1e} next to the input to "
        f"{f.norms[-1]:.1e} next to the loss. Vanishing is below 1e-7, exploding above 1e3."
    )
    rows = tuple((f"layer {i}", f"{norm:.1e}", word_for(norm) or "between") for i, norm in enumerate(f.norms, 1))
    figure = Figure(svg, alt, Table(("layer", "norm of weight.grad", "size"), rows), hides)
    told = f"The smallest gradient, at layer {f.smallest}, is {f.ratio:.1e} of the largest. " + why(f)
    return Output((figure, Text(told, hides=hides)), questions, f"{f.depth} layers, {f.activation}, {f.init}.")


def why(f: Flow) -> str:
    """What makes gradients of this net small or large."""
    if f.activation == "sigmoid":
        return (
            "The local derivative of a sigmoid is at most 0.25: each layer on the way back makes the gradient smaller."
        )
    if f.init == "normal_ std 0.01":
        return "Every gradient is a product with all the other weights. These are tiny: all layers get next to nothing."
    if f.init == "normal_ std 1" and f.activation == "tanh":
        return (
            "Large weights multiply on the way back; where tanh is flat, its small local derivative works against them."
        )
    if f.init == "normal_ std 1":
        return (
            f"Each layer multiplies by about {math.sqrt(WIDTH):g}, the root of the width: this explodes with the depth."
        )
    if f.activation == "tanh":
        return "The local derivative of tanh is at most 1, and these weights keep the spread about even."
    if f.activation == "relu" and f.init == "xavier_uniform_":
        return (
            "Relu lets about half through, and these weights do not make up for it: everything shrinks with the depth."
        )
    if f.activation == "none" and f.init == "kaiming_uniform_":
        return (
            "These weights are made larger to make up for a relu, and there is none: everything grows with the depth."
        )
    return "These weights are as large as this activation needs: gradients stay about even."


# Questions -------------------------------------------------------------------------------------------

FIRST, MIDDLE = "Layer 1, next to the input", "A layer in the middle"
EVEN = "None: all are more than a hundredth of the largest"


def starves_question(f: Flow) -> Question:
    """Which layer gets the smallest gradient?"""
    last = f"Layer {f.depth}, next to the loss"
    ends = {1: FIRST, f.depth: last}
    right = EVEN if f.ratio > STARVED else ends.get(f.smallest, MIDDLE)
    fact = f"the smallest gradient is at layer {f.smallest}, {f.ratio:.1e} of the largest"
    reasons = {
        FIRST: f"Not here: {fact}. The input's side starves when local derivatives on the way back are small.",
        last: f"Not here: {fact}. Next to the loss the gradient has passed through fewer layers, not more.",
        EVEN: f"Not here: {fact}, less than a hundredth.",
    }
    if f.depth > 2:
        reasons[MIDDLE] = f"Not here: {fact}. On the way back the change adds up from layer to layer."
    return Question(
        id=f"flow-bars/starves/{f.depth}/{f.activation}/{f.init}",
        label="Starves",
        text=f"{f.depth} layers, activation {f.activation}, weights from {f.init}: which layer starves?",
        shown=right,
        because=f"{fact[0].upper()}{fact[1:]}.",
        choices=tuple(
            Choice(text, text == right, "" if text == right else why, "M17") for text, why in reasons.items()
        ),
    )


def size_question(f: Flow) -> Question:
    """Does a gradient vanish or explode, by the limits of the drawing?"""
    small, large = min(f.norms) < VANISHING, max(f.norms) > EXPLODING
    names = {
        (True, False): "At least one vanishes: below 1e-7",
        (False, True): "At least one explodes: above 1e3",
        (False, False): "Neither: all lie between",
        (True, True): "Both happen in this net",
    }
    right = names[small, large]
    fact = f"the norms lie between {short(min(f.norms))} and {short(max(f.norms))}"
    return Question(
        id=f"flow-bars/size/{f.depth}/{f.activation}/{f.init}",
        label="Size",
        text="Does a gradient vanish (norm below 1e-7) or explode (above 1e3)?",
        shown=right,
        because=f"{fact[0].upper()}{fact[1:]}.",
        choices=tuple(
            Choice(t, t == right, "" if t == right else f"Not here: {fact}. {size_reason(key, f)}", "M17")
            for key, t in names.items()
        ),
    )


def size_reason(claim: tuple[bool, bool], f: Flow) -> str:
    """What speaks against a claim about vanishing and exploding."""
    vanishes, explodes = claim
    if vanishes and min(f.norms) >= VANISHING:
        return "Even the smallest is above 1e-7: the way back is too short, or its factors are not that small."
    if explodes and max(f.norms) <= EXPLODING:
        return "Even the largest is below 1e3: the factors on the way back do not add up to that much."
    if not vanishes and min(f.norms) < VANISHING:
        return "The smallest is below 1e-7: many small factors were multiplied on the way back."
    return "The largest is above 1e3: many factors above 1 were multiplied on the way back."
