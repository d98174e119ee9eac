"""`digit_monitor()`: train a small network on real digits and watch; stop, continue, or leave a line of the loop out.

The training runs in the kernel in slices of a quarter of a second, asked for one by one, so that it can be stopped and
the page stays alive. A stored page shows the start, and what a training reaches only as claims. Read next:
`digit_training.py`.
"""

from __future__ import annotations

import math
from typing import Any

import autograd_lab as torch
from autograd_lab.course.prompt import Choice, Question
from autograd_lab.datasets import Digits, digits8
from autograd_lab.widgets.bench import Bench, Values
from autograd_lab.widgets.bench_parts import Field, Output, Table, Text
from autograd_lab.widgets.digit_figures import batch_figure, ends, filter_figure, loss_figure, norm_figure
from autograd_lab.widgets.digit_training import FAULTS, LOOP, Training, digit_net

SLICE = 0.25  # seconds
USUAL = {
    8: {"lr": 0.02, "batch": 8, "hidden": 64, "dropout": 0.25},
    28: {"lr": 0.05, "batch": 64, "hidden": 512, "dropout": 0.5},
}
BANDS = (10, 30, 50, 70, 90)
CHANCE = 0.2


def digit_monitor(
    model: Any = None,
    data: Digits | None = None,
    optimizer: Any = None,
    *,
    epochs: int = 3,
    batch: int | None = None,
    seed: int = 0,
    **options: Any,
) -> Bench:
    """Train on digits, and see batches, loss, accuracy, filters and gradients.

    Without arguments: the network of `examples/mnist_cnn.py` on `digits8()`, SGD with momentum 0.9. `data` may be
    `mnist5k()`; `model` takes images (N, 1, height, width) and gives ten scores; `optimizer` holds its parameters. The
    model is trained in place, and returns to its first weights when one starts again. `options` are those of `Bench`.

    Raises ValueError for an optimizer without its model, and for epochs or batch below 1.

    >>> monitor = digit_monitor()
    >>> monitor.questions[0].label, [choice.text for choice in monitor.questions[0].choices][0]
    ('Accuracy', 'about 10 %, at most 20 %')
    """
    digits = data or digits8()
    if optimizer is not None and model is None:
        raise ValueError("An optimizer holds the parameters of one model: pass that model too.")
    side = digits.train.tensors[0].shape[-1]
    usual = USUAL.get(side, USUAL[28])
    for name, value in (("epochs", epochs), ("batch", batch or 1)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise ValueError(f"{name} must be a whole number above 0, got {value!r}.")
    model = model if model is not None else digit_net(side, int(usual["hidden"]), usual["dropout"], seed)
    optimizer = optimizer or torch.optim.SGD(model.parameters(), lr=usual["lr"], momentum=0.9)
    training = Training(model, digits, optimizer, batch or int(usual["batch"]), epochs, seed)
    monitor = Monitor(training)
    return Bench(
        "Digit monitor: watch a training",
        (Field("fault", "line to leave out", "choice", tuple(FAULTS)),),
        {"fault": training.fault},
        monitor.compute,
        intro=f"{digits}. One epoch is {training.steps_per_epoch} steps of {training.batch} images.",
        buttons=[("run", "Train"), ("stop", "Stop"), ("restart", "Start again")],
        **options,
    )


class Monitor:
    """Answers the browser: trains when asked, and shows where the training stands."""

    def __init__(self, training: Training) -> None:
        self.training = training
        self.other: tuple[str, list[float]] = ("", [])  # the losses of the run before, to compare with

    def compute(self, values: Values, action: str) -> Output:
        t = self.training
        if values["fault"] not in FAULTS:
            raise ValueError(f"There is no fault {values['fault']!r}. Choose one of {', '.join(FAULTS)}.")
        if values["fault"] != t.fault or action == "restart":
            if t.log.losses:
                self.other = (t.fault, t.log.losses)
            t.restart(values["fault"])
        accuracy = t.trial() if not t.log.losses else t.trials[t.fault]
        if action == "run" and t.progress >= 1 and math.isfinite(t.log.losses[-1]):
            t.goal += t.epochs
        if action in ("run", "more"):
            t.work(SLICE)
        return self.shown(accuracy)

    def shown(self, accuracy: float) -> Output:
        """Everything about where the training stands."""
        t = self.training
        question = accuracy_question(t, accuracy)
        hides = (question.id,)
        blocks: list[Any] = []
        if t.log.losses:
            blocks += [loss_figure(t.log.losses, *self.other), Text(told(t), hides=hides, tone=tone(t))]
            if t.log.tested:
                blocks.append(tested_table(t, hides))
        else:
            blocks.append(Text(claims(t, accuracy), hides=hides))
        blocks += [batch_figure(t), *filter_figure(t), *norm_figure(t), loop_table(t)]
        steps, all_steps = len(t.log.losses), t.goal * t.steps_per_epoch
        said = f"{steps} of {all_steps} steps done." if steps else "Not trained yet. Predict, then press Train."
        return Output(tuple(blocks), (question,), said, t.progress if steps else None)


def loop_table(t: Training) -> Table:
    """The lines of the loop, and which one is left out."""
    rows = tuple((f"`{line}`", "left out" if line == FAULTS[t.fault] else "runs") for line in LOOP)
    return Table(("line", ""), rows, "Each step runs these lines; the last two run once an epoch")


def told(t: Training) -> str:
    """What the line that is left out does, with what was seen."""
    seen = f"The loss: {ends(t.log.losses)}"
    line = FAULTS[t.fault]
    if line in ("loss.backward()", "optimizer.step()"):
        why = (
            "`.grad` stays None, so `step()` has nothing to go by"
            if "backward" in line
            else "no line changes the weights"
        )
        still = "No weight has moved" if not t.moved() else "Weights have moved"
        return f"{still}: {why}. The loss changes only because every batch has other images. {seen}"
    if line == "optimizer.zero_grad()":
        return (
            f"`.grad` holds the sum of the gradients of all {len(t.log.losses)} steps, not that of this step. {seen} "
            "Old gradients push on in directions that are wrong by now."
        )
    if line == "model.eval()":
        return (
            "The training is right; the test is not: dropout is at work in it, and its answers are partly "
            f"chance. {seen}"
        )
    return seen


def tone(t: Training) -> str:
    return "warn" if FAULTS[t.fault] else "good" if sum(t.log.losses[-20:]) < sum(t.log.losses[:20]) else ""


def tested_table(t: Training, hides: tuple[str, ...]) -> Table:
    """The accuracy after each epoch."""
    wrong_test = FAULTS[t.fault] == "model.eval()"
    head = ("epoch", "accuracy without eval()", "accuracy with eval()") if wrong_test else ("epoch", "test accuracy")
    rows = tuple(
        (str(i), f"{tested:.1%}", *([f"{resting:.1%}"] if wrong_test else []))
        for i, (tested, resting) in enumerate(t.log.tested, 1)
    )
    return Table(head, rows, hides=hides)


def claims(t: Training, accuracy: float) -> str:
    """What one epoch reaches, in words that are true on every machine."""
    return f"Tried before: the test accuracy after one epoch is above {CHANCE:.0%}: {accuracy > CHANCE}."


def accuracy_question(t: Training, accuracy: float) -> Question:
    """The accuracy after one epoch, within ten points."""
    right = min(BANDS, key=lambda band: abs(band - 100 * accuracy))
    line = FAULTS[t.fault]
    still = line in ("loss.backward()", "optimizer.step()")
    choices = []
    for band in BANDS:
        text = "about 10 %, at most 20 %" if band == 10 else f"about {band} %, between {band - 10} and {band + 10} %"
        if band == right:
            choices.append(Choice(text, right=True))
        elif band == 10:
            choices.append(
                Choice(text, reason="That is guessing, one digit in ten. This model does learn.", rule="M24")
            )
        elif still:
            reason = f"Without `{line}` no weight moves. A model that has learned nothing cannot reach {band} %."
            choices.append(Choice(text, reason=reason, rule="M7"))
        elif band > right:
            reason = f"Not that good after one epoch: less than {band - 10} % of the test images are right."
            choices.append(Choice(text, reason=reason, rule="accuracy.too-high"))
        else:
            reason = f"Better than that: {t.steps_per_epoch} steps take it above {band + 10} %."
            choices.append(Choice(text, reason=reason, rule="accuracy.too-low"))
    return Question(
        id=f"digit-monitor/accuracy/{t.fault}/{t.steps_per_epoch}/{t.batch}",
        label="Accuracy",
        text="How many of the test images will be right after one epoch?"
        + (f" (`{line}` is left out.)" if line else ""),
        shown=f"about {right} %",
        because="It was tried before: one epoch from the first weights. Press Train and see it again.",
        choices=tuple(choices),
    )
