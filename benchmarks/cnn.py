"""The network of `examples/mnist_cnn.py`: what a step costs beside PyTorch, and what a training reaches.

    python benchmarks/cnn.py              everything: about two minutes
    python benchmarks/cnn.py --steps      only the comparison of steps with PyTorch
    python benchmarks/cnn.py --training   only the trainings

Steps of both libraries take turns in one process (`measure.py`), with the same weights and digits, and their
losses are compared before anything is measured. One thread, CPU time. What is promised stands in GOALS.
"""

import argparse
import contextlib
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from measure import Step, Timing, clock, one_thread, take_turns, warn_of_settings

one_thread()

import numpy as np  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "examples")]

import mnist_cnn  # noqa: E402

BATCH = 64
TURNS = 40
SEEDS = (0, 1, 2)
# name -> the most that our time may be, divided by PyTorch's
GOALS = {"one step of the network": 1.0, "convolution 16 to 32 channels, 14x14": 4.0}
MUST = {"one step of the network": 1.25}
# data -> (least accuracy with every seed, most CPU seconds of one training)
TRAININGS = {"mnist5k": (0.93, 60.0), "digits8": (0.95, 10.0)}


def network(torch: Any) -> Step:
    """Forward, backward and optimizer step of the whole network on 64 digits, dropout on."""
    images, labels = digits(torch)
    net = mnist_cnn.make_net(torch, 28, 512, 0.5)
    mnist_cnn.set_weights(torch, net, np.random.default_rng(0))
    criterion = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-3, momentum=mnist_cnn.MOMENTUM)
    net.eval()
    first = criterion(net(images), labels).item()  # without dropout, so that the libraries can be compared
    net.train()

    def step() -> tuple[float, float, float, object]:
        start = clock()
        loss = criterion(net(images), labels)
        middle = clock()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return start, middle, clock(), first

    return step


def digits(torch: Any) -> tuple[Any, Any]:
    from autograd_lab.datasets import mnist5k

    return tuple(torch.from_numpy(t.numpy()[:BATCH]) for t in mnist5k().train.tensors)


def layer(make: Callable[[Any], Any], shape: tuple[int, ...], needs_grad: bool) -> Callable[[Any], Step]:
    """Forward and backward of one layer on random images; `needs_grad` asks for the gradient of the images too."""

    def build(torch: Any) -> Step:
        draw = np.random.default_rng(1)
        module = make(torch)
        with torch.no_grad():
            for parameter in module.parameters():
                values = draw.standard_normal(tuple(parameter.shape)).astype(np.float32) * np.float32(0.1)
                parameter.copy_(torch.from_numpy(values))
        images = torch.from_numpy(draw.standard_normal(shape).astype(np.float32)).requires_grad_(needs_grad)
        out = module(images)
        grad = torch.from_numpy(draw.standard_normal(tuple(out.shape)).astype(np.float32))

        def step() -> tuple[float, float, float, object]:
            for tensor in (images, *module.parameters()):
                tensor.grad = None
            start = clock()
            made = module(images)
            middle = clock()
            made.backward(grad)
            end = clock()
            found = images.grad if needs_grad else module.weight.grad
            return start, middle, end, float(found.abs().sum())

        return step

    return build


STEPS: dict[str, Callable[[Any], Step]] = {
    "one step of the network": network,
    "convolution 1 to 4 channels, 28x28": layer(lambda t: t.nn.Conv2d(1, 4, 5, padding=2), (BATCH, 1, 28, 28), False),
    "convolution 4 to 8 channels, 14x14": layer(lambda t: t.nn.Conv2d(4, 8, 5, padding=2), (BATCH, 4, 14, 14), True),
    "convolution 16 to 32 channels, 14x14": layer(
        lambda t: t.nn.Conv2d(16, 32, 5, padding=2), (BATCH, 16, 14, 14), True
    ),
    "pool of 2, 4 channels, 28x28": layer(lambda t: t.nn.MaxPool2d(2), (BATCH, 4, 28, 28), True),
    "pool of 2, 8 channels, 14x14": layer(lambda t: t.nn.MaxPool2d(2), (BATCH, 8, 14, 14), True),
}


def compare_steps(turns: int) -> bool:
    """Print our times beside PyTorch's; whether every goal that must be reached is."""
    import autograd_lab

    try:
        import torch
    except ImportError:
        print("PyTorch is not installed, so steps cannot be compared: pip install torch")
        return True
    torch.set_num_threads(1)
    reached = True
    print(f"{'ms per step':38}{'ours':>8}{'torch':>8}{'ratio':>7}  (forward, backward)   goal")
    for name, build in STEPS.items():
        steps = {"ours": build(autograd_lab), "torch": build(torch)}
        values = {library: step()[3] for library, step in steps.items()}
        np.testing.assert_allclose(values["ours"], values["torch"], rtol=2e-4, err_msg=name)
        found = take_turns(steps, turns, 5)
        print(line(name, found["ours"], found["torch"]))
        ratio = found["ours"].total / found["torch"].total
        reached &= ratio <= MUST.get(name, GOALS.get(name, np.inf))
    return reached


def line(name: str, ours: Timing, theirs: Timing) -> str:
    """One row of the table."""
    parts = f"({ours.forward / theirs.forward:.2f}, {ours.backward / theirs.backward:.2f})"
    goal = f"at most {GOALS[name]}" if name in GOALS else ""
    times = f"{ours.total * 1e3:8.2f}{theirs.total * 1e3:8.2f}{ours.total / theirs.total:7.2f}"
    return f"{name:38}{times}  {parts:20}  {goal}".rstrip()


def train(data: str) -> bool:
    """Print what trainings with three seeds reach; whether all of them reach the goal in time."""
    least, most = TRAININGS[data]
    accuracies, seconds = [], []
    for seed in SEEDS:
        with tempfile.TemporaryDirectory() as folder:
            options = mnist_cnn.parse(["--data", data, "--seed", str(seed), "--out", folder])
        start = clock()
        accuracies.append(mnist_cnn.run(options).test_rights[-1])
        seconds.append(clock() - start)
    shown = ", ".join(f"{a:.1%}" for a in accuracies)
    print(f"{data}, {options.epochs} epochs, {options.hidden} hidden, seeds {SEEDS}: test accuracy {shown}")
    print(f"    goal at least {least:.0%} each; median {statistics.median(seconds):.1f} s of CPU, at most {most:.0f} s")
    return min(accuracies) >= least and max(seconds) <= most


def main(argv: Sequence[str] | None = None) -> int:
    """Measure what is asked for; exit code 1 if a goal that must be reached is not."""
    parser = argparse.ArgumentParser(description="Measure the convolutional network of the example.")
    parser.add_argument("--steps", action="store_true", help="only compare steps with PyTorch")
    parser.add_argument("--training", action="store_true", help="only train")
    parser.add_argument("--turns", type=int, default=TURNS, help=f"turns of each library ({TURNS})")
    options = parser.parse_args(argv)
    for name in warn_of_settings():
        print(f"note: {name} is set, which changes how fast NumPy multiplies matrices", file=sys.stderr)
    both = options.steps == options.training
    reached = True
    if both or options.steps:
        reached &= compare_steps(options.turns)
    if both or options.training:
        mnist_cnn.progress = lambda: contextlib.nullcontext(SILENT)
        for data in TRAININGS:
            reached &= train(data)
    return int(not reached)


SILENT = SimpleNamespace(add_task=lambda *_, **__: 0, update=lambda *_, **__: None)  # a progress bar that draws nothing


if __name__ == "__main__":
    sys.exit(main())
