"""A training on digits that can be stopped, continued and begun again, with one line of the loop left out if wanted.

Work is done in slices of time; what comes out depends on the number of steps alone. It draws its random numbers from a
generator of its own and leaves the learner's alone. Read next: `digit_figures.py`.
"""

from __future__ import annotations

import contextlib
import copy
import math
import time
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import autograd_lab as torch
from autograd_lab.generators import default_generator
from autograd_lab.view.heat import norm_of

FAULTS = {
    "no line is wrong": "",
    "zero_grad() left out": "optimizer.zero_grad()",
    "backward() left out": "loss.backward()",
    "step() left out": "optimizer.step()",
    "eval() forgotten in the test": "model.eval()",
}
LOOP = (
    "model.train()",
    "output = model(data)",
    "loss = criterion(output, target)",
    "optimizer.zero_grad()",
    "loss.backward()",
    "optimizer.step()",
    "model.eval()",
    "answers = model(test_images).argmax(1)",
)


def digit_net(side: int, hidden: int, dropout: float, seed: int = 0) -> Any:
    """The network of `examples/mnist_cnn.py`: two convolutions with pools, then two linear layers."""
    draw = np.random.default_rng(seed)
    with drawing_from(np.random.default_rng(seed)):
        net = layers_of(side, hidden, dropout)
    with torch.no_grad():
        for layer in net:
            if hasattr(layer, "weight"):
                bound = 1 / math.sqrt(math.prod(layer.weight.shape[1:]))
                for parameter in (layer.weight, layer.bias):
                    values = draw.uniform(-bound, bound, tuple(parameter.shape)).astype(np.float32)
                    parameter.copy_(torch.from_numpy(values))
    return net


def layers_of(side: int, hidden: int, dropout: float) -> Any:
    """The layers, in the order in which an image passes them."""
    nn = torch.nn
    layers = {
        "conv1": nn.Conv2d(1, 4, 5, padding=2),
        "relu1": nn.ReLU(),
        "pool1": nn.MaxPool2d(2),
        "conv2": nn.Conv2d(4, 8, 5, padding=2),
        "relu2": nn.ReLU(),
        "pool2": nn.MaxPool2d(2),
        "flat": nn.Flatten(),
        "fc1": nn.Linear(8 * (side // 4) ** 2, hidden),
        "relu3": nn.ReLU(),
        "dropout": nn.Dropout(dropout),
        "fc2": nn.Linear(hidden, 10),
    }
    return nn.Sequential(OrderedDict(layers))


@dataclass
class Log:
    """What was seen so far. `tested` holds (accuracy as tested, accuracy with eval()) for each epoch."""

    losses: list[float] = field(default_factory=list)
    tested: list[tuple[float, float]] = field(default_factory=list)
    images: Any = None
    labels: Any = None
    answers: Any = None


class Training:
    """A model, its digits and its optimizer, somewhere on the way through some epochs."""

    def __init__(self, model: Any, digits: Any, optimizer: Any, batch: int, epochs: int, seed: int) -> None:
        self.model, self.digits, self.optimizer = model, digits, optimizer
        self.batch, self.epochs, self.seed = batch, epochs, seed
        self.criterion = torch.nn.CrossEntropyLoss()
        self.first = copy.deepcopy(model.state_dict())
        self.first_optimizer = copy.deepcopy(optimizer.state_dict())
        self.fault = next(iter(FAULTS))
        self.trials: dict[str, float] = {}
        self.restart(self.fault)

    def restart(self, fault: str) -> None:
        """Begin again from the first weights, with this line left out."""
        self.fault, self.goal = fault, self.epochs
        self.model.load_state_dict(self.first)
        self.optimizer.load_state_dict(copy.deepcopy(self.first_optimizer))
        self.optimizer.zero_grad()
        self.dice = np.random.default_rng(self.seed)
        self.order: list[int] = []
        self.log = Log()
        images, labels = self.digits.train.tensors
        self.log.images, self.log.labels = images[:8], labels[:8]

    @property
    def steps_per_epoch(self) -> int:
        return math.ceil(len(self.digits.train) / self.batch)

    @property
    def progress(self) -> float:
        """From 0 to 1; 1 as well when the loss is no number any more."""
        if self.log.losses and not math.isfinite(self.log.losses[-1]):
            return 1.0
        return min(1.0, len(self.log.losses) / (self.goal * self.steps_per_epoch))

    def work(self, seconds: float) -> None:
        """Train for about this long, at most until the goal is reached."""
        end = time.monotonic() + seconds
        with drawing_from(self.dice):
            while self.progress < 1:
                self.step()
                if time.monotonic() >= end:
                    break

    def trial(self) -> float:
        """The accuracy after one epoch with this fault, found by doing it; then everything is as it was before it
        began."""
        if self.fault not in self.trials:
            self.goal = 1
            self.work(math.inf)
            self.trials[self.fault] = self.log.tested[0][0] if self.log.tested else 0.1
            self.restart(self.fault)
        return self.trials[self.fault]

    def step(self) -> None:
        """One step as in LOOP, without the line that the fault leaves out; at the end of an epoch, the test."""
        left_out = FAULTS[self.fault]
        if not self.order:
            self.order = self.dice.permutation(len(self.digits.train)).tolist()
        taken, self.order = self.order[: self.batch], self.order[self.batch :]
        data, target = (tensor[torch.tensor(taken)] for tensor in self.digits.train.tensors)
        self.model.train()
        output = self.model(data)
        loss = self.criterion(output, target)
        if left_out != "optimizer.zero_grad()":
            self.optimizer.zero_grad()
        if left_out != "loss.backward()":
            loss.backward()
        if left_out != "optimizer.step()":
            self.optimizer.step()
        self.log.losses.append(loss.item())
        self.log.images, self.log.labels, self.log.answers = data[:8], target[:8], output[:8].argmax(1)
        if not self.order:
            self.log.tested.append((self.accuracy(left_out != "model.eval()"), self.accuracy(True)))

    def accuracy(self, resting: bool) -> float:
        """The share of right answers on the test images, with dropout resting or at work."""
        self.model.train(not resting)
        images, labels = self.digits.test.tensors
        with torch.no_grad():
            right = int((self.model(images).argmax(1) == labels).sum())
        return right / len(labels)

    def norms(self) -> list[tuple[str, float | None]]:
        """The length of each weight's `.grad`, None where there is none."""
        weights = [(name, p) for name, p in self.model.named_parameters() if p.ndim > 1]
        return [(name, None if p.grad is None else norm_of(p.grad)) for name, p in weights]

    def filters(self) -> Any:
        """The kernels of the first convolution, or None."""
        for parameter in self.model.parameters():
            if parameter.ndim == 4:
                return parameter.detach().numpy()[:, 0]
        return None

    def moved(self) -> bool:
        """Whether any weight differs from its first value."""
        return any(bool((value != self.first[name]).any()) for name, value in self.model.state_dict().items())


@contextlib.contextmanager
def drawing_from(dice: Any) -> Iterator[None]:
    """Dropout and first weights draw from `dice`; the learner's default generator stays as it is."""
    before = default_generator.numpy
    default_generator.numpy = dice
    try:
        yield
    finally:
        default_generator.numpy = before
