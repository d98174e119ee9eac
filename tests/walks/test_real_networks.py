"""Layers as people use them: every leaf's last frame is its `.grad` after a real backward, and before it was None."""

import numpy as np
import pytest

import autograd_lab
from autograd_lab import record
from autograd_lab.view.names import Names
from autograd_lab.view.tape import tape_of

torch = pytest.importorskip("torch")
both_libraries = pytest.mark.parametrize("lib", [autograd_lab, torch], ids=["ours", "PyTorch's"])


def classifier(lib):
    model = lib.nn.Sequential(lib.nn.Linear(3, 4), lib.nn.ReLU(), lib.nn.Linear(4, 2))
    return lib.nn.functional.cross_entropy(model(lib.randn(5, 3)), lib.tensor([0, 1, 0, 1, 1]))


def convolution(lib):
    nn = lib.nn
    layers = (nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8, 1))
    return nn.Sequential(*layers)(lib.randn(2, 1, 6, 6)).mean()


def recurrent(lib):
    output, _ = lib.nn.LSTM(2, 3)(lib.randn(3, 1, 2))
    return output.sum()


def embedded(lib):
    return lib.nn.Embedding(5, 2)(lib.tensor([1, 1, 2])).pow(2).sum()


def attention(lib):
    query = lib.randn(3, 1, 4)
    return lib.nn.MultiheadAttention(4, 2)(query, query, query)[0].sum()


def written_into(lib):
    base = lib.ones(4, requires_grad=True) * 2
    base[0] = 5.0
    base.view(2, 2).mul_(3)
    return (base**2).sum()


def mixed_dtypes(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y = lib.tensor([1.0, 2.0], dtype=lib.float64, requires_grad=True)
    return (x * y).sum()


def joined(lib):
    x = lib.randn(3, requires_grad=True)
    return lib.cat([x, x * 2, lib.ones(2)]).var() + lib.stack([x, x]).norm()


def picked(lib):
    x = lib.tensor([3.0, 1.0, 2.0], requires_grad=True)
    values, _ = x.sort()
    return values[0] * 5 + x.max(0)[0]


def empty(lib):
    return (lib.zeros(0, requires_grad=True) * 2).sum()


PROGRAMS = [
    classifier,
    convolution,
    recurrent,
    embedded,
    attention,
    written_into,
    mixed_dtypes,
    joined,
    picked,
    empty,
]


def half(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True, dtype=lib.bfloat16)
    return (x * x).sum()


def complex_numbers(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    return (lib.complex(x, x) * 2j).abs().sum()


def judged(lib, program, recorded):
    lib.manual_seed(0)
    if recorded:
        with record():
            loss = program(lib)
    else:
        loss = program(lib)
    tape = tape_of(loss, names=Names())
    leaves = {step.node: tape.nodes[step.node].variable for step in tape.backward if step.leaf}
    assert leaves and all(leaf.grad is None for leaf in leaves.values())
    loss.backward()
    for step in tape.backward:
        assert step.error is None
        if step.leaf is not None and step.leaf.after.values is not None:
            right = leaves[step.node].grad
            right = right.float().numpy() if "bfloat16" in str(right.dtype) else right.numpy()
            np.testing.assert_allclose(step.leaf.after.values, right, rtol=1e-4, atol=1e-6)
    return tape


@both_libraries
@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_last_frame_of_each_leaf_is_its_grad(lib, program, recorded):
    judged(lib, program, recorded)


@pytest.mark.parametrize("program", [half, complex_numbers])
def test_dtypes_that_numpy_lacks_are_walked_too(program):
    judged(torch, program, True)
