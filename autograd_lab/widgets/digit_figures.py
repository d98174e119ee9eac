"""The drawings of the digit monitor: the loss, the images of a batch, the filters, and the gradients at each layer."""

from __future__ import annotations

import math

from autograd_lab.view.heat import word_for
from autograd_lab.view.palette import heat_level
from autograd_lab.view.texts import number_text
from autograd_lab.widgets.bench_parts import Figure, Table
from autograd_lab.widgets.digit_training import Training
from autograd_lab.widgets.pixels import grey, pictures
from autograd_lab.widgets.plot import Axis, Bar, Line, bar_plot, line_plot


def loss_figure(losses: list[float], other: str, old: list[float]) -> Figure:
    """The loss of every step, and that of the run before."""
    finite = [loss for loss in losses + old if math.isfinite(loss)] or [1.0]
    top = min(max(finite), 6.0)
    lines = [Line("this run", means(losses))]
    if old:
        lines.append(Line(f"before: {other}", means(old), "leaf"))
    x = Axis("step", 1.0, float(max(len(losses), len(old), 2)))
    svg = line_plot("Loss of each step", x, Axis("loss", 0.0, 1.05 * top), lines)
    alt = f"The loss, each point the mean of {stride(losses, 80)} steps: {ends(losses)}"
    alt += " Larger losses are not drawn." if max(finite) > 6 else ""
    rows = tuple((f"up to {a:g}", number_text(b)) for a, b in means(losses, 10))
    return Figure(svg, alt, Table(("steps", "mean loss"), rows))


def stride(losses: list[float], most: int) -> int:
    """How many steps share a point, for at most so many points."""
    return max(1, math.ceil(len(losses) / most))


def means(losses: list[float], most: int = 80) -> list[tuple[float, float]]:
    """One batch's loss jumps about: points of (last step, mean loss) of equally many steps.

    >>> means([4.0, 2.0, 1.0, 3.0, 5.0], 3)
    [(2.0, 3.0), (4.0, 2.0), (5.0, 5.0)]
    """
    wide = stride(losses, most)
    parts = [(start, losses[start : start + wide]) for start in range(0, len(losses), wide)]
    return [(float(start + len(part)), sum(part) / len(part)) for start, part in parts]


def ends(losses: list[float]) -> str:
    """The loss at both ends."""
    last = losses[-20:]
    return (
        f"{number_text(losses[0])} in step 1, {number_text(sum(last) / len(last))} in the last {len(last)} on average."
    )


def batch_figure(t: Training) -> Figure:
    """The first images of the last batch, with their labels and what the model answered."""
    images = [grey(image, 0.0, 1.0) for image in t.log.images.numpy()[:, 0]]
    labels = list(map(str, t.log.labels.tolist()))
    if t.log.answers is None:
        words, wrong, answers, told = labels, [], ["not asked"] * len(labels), "the label"
    else:
        answers = list(map(str, t.log.answers.tolist()))
        words = [f"{label} → {answer}" for label, answer in zip(labels, answers, strict=True)]
        wrong = [answer != label for label, answer in zip(labels, answers, strict=True)]
        told = "the label, and after the arrow what the model said; dashes frame a wrong answer"
    alt = f"The first {len(images)} images of the batch; below each {told}."
    table = Table(("label", "the model said"), tuple(zip(labels, answers, strict=True)))
    return Figure(pictures("Images of the batch", images, words, wrong), alt, table)


def filter_figure(t: Training) -> list[Figure]:
    """The kernels of the first convolution: black is negative, white positive."""
    filters = t.filters()
    if filters is None:
        return []
    filters = filters[:8]
    top = float(abs(filters).max())
    words = [f"filter {i}" for i in range(len(filters))]
    rows = tuple(
        (word, number_text(float(k.min())), number_text(float(k.max()))) for word, k in zip(words, filters, strict=True)
    )
    alt = f"The {len(filters)} filters of the first convolution: black is negative, grey is near 0, white is positive."
    table = Table(("filter", "smallest weight", "largest weight"), rows)
    return [Figure(pictures("First-layer filters", [grey(k, -top, top) for k in filters], words), alt, table)]


def norm_figure(t: Training) -> list[Figure]:
    """The length of the gradient at each layer, in the colours of heat."""
    norms = t.norms()
    shown = [norm for _, norm in norms if norm]
    if not t.log.losses or not shown:
        return []
    low, high = 10.0 ** (math.floor(math.log10(min(shown))) - 1), 10.0 ** math.ceil(math.log10(max(shown)) + 1e-9)
    bars = [
        Bar(name, norm or 0.0, size(norm), f"var(--ag-heat-{heat_level(norm or 0.0)})", "var(--ag-back)")
        for name, norm in norms
    ]
    svg = bar_plot("Norm of the gradient at each layer", Axis("norm of .grad", low, high, log=True), bars)
    alt = "The norm of the gradient at each layer, from the first to the last."
    return [Figure(svg, alt, Table(("layer", "norm of .grad"), tuple((bar.name, bar.text) for bar in bars)))]


def size(norm: float | None) -> str:
    return "None" if norm is None else f"{norm:.1e} {word_for(norm)}".strip()
