"""Train a small convolutional network on handwritten digits, and look at what it learned.

    python examples/mnist_cnn.py                                5,000 digits of 28 by 28, three epochs
    python examples/mnist_cnn.py --data digits8                 smaller digits: a few seconds
    python examples/mnist_cnn.py --steps 20 --no-dropout        print the loss of 20 steps ...
    python examples/mnist_cnn.py --steps 20 --no-dropout --torch    ... and the same numbers from PyTorch

`model_training` is the place to read: five lines make a step, here and in PyTorch. What is drawn at random, the
first weights and the order of the digits, is drawn with NumPy, so that both start alike and see the same batches.
Saved at the end, in the folder of --out: loss.png, filters.png and wrong.png.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # read when NumPy is imported
    os.environ.setdefault(name, "1")  # matrices as small as these are multiplied faster by one thread than by several

import numpy as np  # noqa: E402

USUAL = {
    "mnist5k": {"epochs": 3, "lr": 0.05, "batch": 64, "hidden": 512, "dropout": 0.5},
    "digits8": {"epochs": 15, "lr": 0.03, "batch": 32, "hidden": 64, "dropout": 0.25},
}
MOMENTUM = 0.9
CHANNELS = (4, 8)
KEEP_EVERY = 20  # steps from one kept copy of the filters to the next


@dataclass
class Record:
    """What a training leaves behind besides the trained network."""

    losses: list[float] = field(default_factory=list)  # one per step
    train_rights: list[float] = field(default_factory=list)  # share of right answers while training, per epoch
    test_rights: list[float] = field(default_factory=list)  # the same on the test images after each epoch
    filters: list[tuple[int, np.ndarray]] = field(default_factory=list)  # (step, kernels of the first layer)
    wrong: list[tuple[np.ndarray, int, int]] = field(default_factory=list)  # (image, answer, truth)


class Shuffled:
    """A sampler: every index once per epoch, in an order that NumPy draws."""

    def __init__(self, count: int, draw: np.random.Generator) -> None:
        self.count, self.draw = count, draw

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[int]:
        return iter(self.draw.permutation(self.count).tolist())


def make_net(torch: Any, side: int, hidden: int, dropout: float) -> Any:
    """Two convolutions, each followed by relu and a pool that halves the image; then two linear layers."""
    nn = torch.nn
    few, more = CHANNELS

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.conv1 = nn.Conv2d(1, few, 5, padding=2)
            self.conv2 = nn.Conv2d(few, more, 5, padding=2)
            self.pool = nn.MaxPool2d(2)
            self.fc1 = nn.Linear(more * (side // 4) ** 2, hidden)
            self.dropout = nn.Dropout(dropout)
            self.fc2 = nn.Linear(hidden, 10)

        def forward(self, x: Any) -> Any:
            x = self.pool(torch.relu(self.conv1(x)))  # (N, 4, side / 2, side / 2)
            x = self.pool(torch.relu(self.conv2(x)))  # (N, 8, side / 4, side / 4)
            x = torch.relu(self.fc1(x.flatten(1)))
            return self.fc2(self.dropout(x))  # scores: CrossEntropyLoss turns them into probabilities

    return Net()


def set_weights(torch: Any, net: Any, draw: np.random.Generator) -> None:
    """Uniform numbers as wide as PyTorch's own first weights, copied in."""
    with torch.no_grad():
        for layer in (net.conv1, net.conv2, net.fc1, net.fc2):
            bound = 1 / math.sqrt(math.prod(layer.weight.shape[1:]))
            for parameter in (layer.weight, layer.bias):
                values = draw.uniform(-bound, bound, tuple(parameter.shape)).astype(np.float32)
                parameter.copy_(torch.from_numpy(values))


def rightness(output: Any, target: Any) -> tuple[int, int]:
    """How many answers are right, and how many there are."""
    return int((output.argmax(1) == target).sum()), len(target)


def share(counts: list[tuple[int, int]]) -> float:
    """The share of right answers in a list of (right, all)."""
    return sum(right for right, _ in counts) / max(1, sum(total for _, total in counts))


def model_training(torch: Any, net: Any, train_loader: Any, test_loader: Any, options: Any, tick: Any) -> Record:
    """Train, and keep the losses, the shares of right answers, and the filters on their way."""
    criterion = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=options.lr, momentum=MOMENTUM)
    record = Record()
    for _ in range(options.epochs):
        rights = []
        net.train()  # dropout is at work
        for data, target in train_loader:
            if len(record.losses) % KEEP_EVERY == 0:
                keep_filters(net, record)
            output = net(data)  # forward: the graph is recorded
            loss = criterion(output, target)  # one number says how wrong the answers are
            optimizer.zero_grad()  # gradients add up, so those of the last step must go
            loss.backward()  # backward through the graph: every parameter gets its .grad
            optimizer.step()  # every parameter takes a step against its gradient
            rights.append(rightness(output, target))
            record.losses.append(loss.item())
            tick(record.losses[-1])
            if finished(record, options):
                break
        record.train_rights.append(share(rights))
        record.test_rights.append(share(model_testing(torch, net, test_loader, record)))
        if finished(record, options):
            break
    keep_filters(net, record)
    return record


def finished(record: Record, options: argparse.Namespace) -> bool:
    """Whether to stop early: after --steps steps, or because the loss is no number any more."""
    return len(record.losses) == options.steps or not math.isfinite(record.losses[-1])


def keep_filters(net: Any, record: Record) -> None:
    """A copy: the weights themselves change with every step."""
    record.filters.append((len(record.losses), net.conv1.weight.detach().numpy()[:, 0].copy()))


def model_testing(torch: Any, net: Any, test_loader: Any, record: Record) -> list[tuple[int, int]]:
    """Right answers on images that were never trained with; the wrong ones are kept in the record."""
    net.eval()  # dropout rests
    rights, record.wrong = [], []
    with torch.no_grad():
        for data, target in test_loader:
            output = net(data)
            rights.append(rightness(output, target))
            answers, truths = output.argmax(1).numpy(), target.numpy()
            for i in np.flatnonzero(answers != truths):
                record.wrong.append((data[int(i), 0].numpy(), int(answers[i]), int(truths[i])))
    return rights


def run(options: argparse.Namespace) -> Record:
    """Load the digits, make the network, train it."""
    torch = framework(options.torch)
    from autograd_lab import datasets

    digits = getattr(datasets, options.data)()
    train, test = (
        torch.utils.data.TensorDataset(*(torch.from_numpy(t.numpy()) for t in part.tensors))
        for part in (digits.train, digits.test)
    )
    draw = np.random.default_rng(options.seed)
    torch.manual_seed(options.seed)  # for dropout
    net = make_net(torch, train.tensors[0].shape[-1], options.hidden, options.dropout)
    set_weights(torch, net, draw)
    train_loader = torch.utils.data.DataLoader(train, options.batch, sampler=Shuffled(len(train), draw))
    test_loader = torch.utils.data.DataLoader(test, 250)
    count = options.epochs * len(train_loader)
    with progress() as bar:
        task = bar.add_task("training", total=min(options.steps or count, count), loss=math.nan)

        def tick(loss: float) -> None:
            bar.update(task, advance=1, loss=loss)

        return model_training(torch, net, train_loader, test_loader, options, tick)


def framework(real: bool) -> Any:
    """`torch`: this project, or PyTorch itself."""
    if not real:
        import autograd_lab as torch
    else:
        try:
            import torch
        except ImportError:
            raise SystemExit("PyTorch is not installed: pip install torch, or leave --torch out.") from None
    return torch


def progress() -> Any:
    """A bar with the loss beside it, on the error stream, so that printed losses can be compared."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    loss = TextColumn("loss {task.fields[loss]:.4f}")
    parts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), loss, TimeRemainingColumn())
    return Progress(*parts, console=Console(stderr=True))


def main(argv: Sequence[str] | None = None) -> int:
    """Train as asked, print what came out, save the pictures."""
    options = parse(argv)
    draw = pictures()
    start = time.process_time()
    record = run(options)
    seconds = time.process_time() - start
    if options.steps:
        for step, loss in enumerate(record.losses, 1):
            print(f"step {step:4}  loss {loss:.4f}")
    if not math.isfinite(record.losses[-1]):
        raise SystemExit(f"The loss is no number any more after step {len(record.losses)}: try a smaller --lr.")
    for epoch, (train, test) in enumerate(zip(record.train_rights, record.test_rights, strict=True), 1):
        print(f"epoch {epoch:3}  right while training {train:6.1%}  right in the test {test:6.1%}")
    draw.draw_loss(record, options.out / "loss.png")
    draw.draw_filters(record, options.out / "filters.png")
    draw.draw_wrong(record, options.out / "wrong.png")
    print(f"test accuracy {record.test_rights[-1]:.1%}")
    print(f"{seconds:.1f} s of CPU time; pictures are in {options.out}", file=sys.stderr)
    return 0


def pictures() -> Any:
    """The drawings, which need matplotlib: asked for before the training, not after."""
    try:
        import digit_pictures
    except ImportError:
        raise SystemExit('The pictures need matplotlib: pip install "autograd-lab[lab]"') from None
    return digit_pictures


def parse(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """The options, checked; a bad one ends the program with a sentence."""
    parser = argparse.ArgumentParser(description="Train a small convolutional network on handwritten digits.")
    parser.add_argument("--data", choices=USUAL, default="mnist5k", help="the digits (default: mnist5k)")
    parser.add_argument("--epochs", type=whole, metavar="N", help="times through all digits (3; digits8: 15)")
    parser.add_argument("--lr", type=rate, metavar="X", help="learning rate (0.05; digits8: 0.03)")
    parser.add_argument("--batch", type=whole, metavar="N", help="digits per step (64; digits8: 32)")
    parser.add_argument("--hidden", type=whole, metavar="N", help="units of the hidden layer (512; digits8: 64)")
    parser.add_argument("--seed", type=seed, default=0, metavar="N", help="start of what is drawn at random (0)")
    parser.add_argument("--steps", type=whole, metavar="N", help="stop after N steps and print the loss of each")
    parser.add_argument("--no-dropout", dest="dropout", action="store_const", const=0.0, help="leave dropout out")
    parser.add_argument("--torch", action="store_true", help="run with PyTorch itself")
    parser.add_argument("--out", type=Path, default=Path("mnist_cnn_out"), metavar="DIR", help="folder for pictures")
    options = parser.parse_args(argv)
    for name, value in USUAL[options.data].items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    try:
        options.out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=options.out):
            pass
    except OSError as error:
        parser.error(f"cannot write into the folder {options.out} ({error.strerror}); choose another with --out")
    return options


def whole(text: str) -> int:
    """A whole number above 0."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"must be a whole number above 0, not {text!r}")
    return int(text)


def seed(text: str) -> int:
    """A whole number, 0 or above."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"must be a whole number, 0 or above, not {text!r}")
    return int(text)


def rate(text: str) -> float:
    """A number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (0 < value < math.inf):
        raise argparse.ArgumentTypeError(f"must be a number above 0, not {text!r}")
    return value


if __name__ == "__main__":
    sys.exit(main())
