"""`same(program, *arrays)`: a program run with PyTorch and with autograd_lab gives the same numbers."""

import importlib

import numpy as np
import pytest

import autograd_lab

LAB = (autograd_lab, importlib.import_module("autograd_lab.nn.functional"))


def tensors(lib, arrays):
    """Float arrays become tracked leaves, integer and bool arrays plain tensors."""
    made = [lib.tensor(np.array(a)) for a in arrays]
    return [t.requires_grad_() if a.dtype.kind == "f" else t for t, a in zip(made, arrays, strict=True)]


def numbers(lib, F, program, arrays, twice):
    """Result, first and second gradients of a program, as arrays."""
    leaves = tensors(lib, arrays)
    result = program(lib, F, *leaves)
    results = list(result) if isinstance(result, (tuple, list)) else [result]
    found = [r.detach().numpy() for r in results]
    tracked = [t for t in leaves if t.requires_grad]
    roots = [r for r in results if r.requires_grad]
    if not tracked or not roots:
        return found
    rng = np.random.default_rng(1)
    weights = [lib.tensor(rng.uniform(0.5, 1.5, tuple(r.shape)).astype(r.detach().numpy().dtype)) for r in roots]
    loss = sum((r * w).sum() for r, w in zip(roots, weights, strict=True))
    grads = lib.autograd.grad(loss, tracked, create_graph=twice, allow_unused=True)
    found += [None if g is None else g.detach().numpy() for g in grads]
    again = [g for g in grads if g is not None and g.requires_grad] if twice else []
    if not again:  # the gradient does not depend on the inputs: its own gradient is nothing, or zeros
        found += [None] * len(tracked)
    else:
        second = sum((g * g).sum() for g in again)
        found += [
            None if g is None else g.detach().numpy() for g in lib.autograd.grad(second, tracked, allow_unused=True)
        ]
    return found


@pytest.fixture
def same():
    """Compare a program `(lib, F, *tensors) -> results` between the two libraries."""
    torch = pytest.importorskip("torch", reason="PyTorch is the source of the expected numbers")

    def check(program, *arrays, twice=True, tolerance=1e-9):
        theirs = numbers(torch, torch.nn.functional, program, arrays, twice)
        ours = numbers(*LAB, program, arrays, twice)
        assert len(ours) == len(theirs)
        for a, b in zip(ours, theirs, strict=True):
            if b is None or a is None:  # an unused input: None here, or zeros there
                assert not np.any(0 if a is None else a)
                assert not np.any(0 if b is None else b)
                continue
            assert a.shape == b.shape
            assert a.dtype == b.dtype
            np.testing.assert_allclose(a, b, tolerance, tolerance)
        return ours

    return check


@pytest.fixture
def draw():
    """Uniform float64 numbers in [-2, 2], the same in every run."""
    rng = np.random.default_rng(7)
    return lambda *shape, low=-2.0, high=2.0: np.asarray(rng.uniform(low, high, shape))


@pytest.fixture
def messages():
    """The error texts of a call in both libraries, as a pair."""
    torch = pytest.importorskip("torch", reason="PyTorch is the source of the expected texts")

    def both(program):
        texts = []
        for lib, F in (LAB, (torch, torch.nn.functional)):
            with pytest.raises(Exception) as caught:
                program(lib, F)
            texts.append((type(caught.value).__name__, str(caught.value)))
        return texts

    return both
