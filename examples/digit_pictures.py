"""Three pictures of a training: its losses, its filters, and the digits that were answered wrongly.

Each takes the record that `mnist_cnn.py` made and saves a PNG file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure


def draw_loss(record: Any, path: Path) -> None:
    """The loss of every step, and its mean over the steps around."""
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    losses = np.array(record.losses)
    axes.plot(np.arange(1, len(losses) + 1), losses, color="#9ecae1", linewidth=0.8, label="each step")
    window = max(1, len(losses) // 20)
    means = np.convolve(losses, np.full(window, 1 / window), "valid")
    axes.plot(np.arange(len(means)) + 1 + (window - 1) / 2, means, color="#08519c", label=f"mean of {window} steps")
    axes.set(xlabel="step", ylabel="cross-entropy loss", title=f"test accuracy {record.test_rights[-1]:.1%}")
    axes.set_ylim(bottom=0)
    axes.legend()
    figure.savefig(path, dpi=120)


def draw_filters(record: Any, path: Path) -> None:
    """The kernels of the first layer, one row for each of at most six moments of the training."""
    rows = [record.filters[i] for i in np.unique(np.linspace(0, len(record.filters) - 1, 6).round().astype(int))]
    columns = len(rows[0][1])
    figure = Figure(figsize=(1.5 + 1.1 * columns, 0.6 + 1.1 * len(rows)), layout="constrained")
    figure.suptitle("filters of the first layer: blue adds, red subtracts", fontsize=10)
    places = figure.subplots(len(rows), columns, squeeze=False)
    limit = max(np.abs(kernels).max() for _, kernels in rows)
    for line, (step, kernels) in zip(places, rows, strict=True):
        line[0].set_ylabel(f"step {step}", rotation="horizontal", ha="right", va="center")
        for place, kernel in zip(line, kernels, strict=True):
            place.imshow(kernel, cmap="RdBu", vmin=-limit, vmax=limit)
            place.set(xticks=[], yticks=[])
    figure.savefig(path, dpi=120)


def draw_wrong(record: Any, path: Path) -> None:
    """Up to 24 test images that were answered wrongly, each with its answer and the truth."""
    shown = record.wrong[:24]
    lines = max(1, -(-len(shown) // 8))
    figure = Figure(figsize=(9, 0.7 + 1.35 * lines), layout="constrained")
    figure.suptitle(f"{len(record.wrong)} wrong answers" + f", the first {len(shown)}" * (len(record.wrong) > 24))
    places = figure.subplots(lines, 8, squeeze=False).ravel()
    for place in places:
        place.set_axis_off()
    for place, (image, answer, truth) in zip(places, shown, strict=False):
        place.imshow(image, cmap="gray_r", vmin=0, vmax=1)
        place.set_title(f"says {answer}, is {truth}", fontsize=9)
    figure.savefig(path, dpi=120)
