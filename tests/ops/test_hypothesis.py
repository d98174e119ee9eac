"""Shapes and dtypes that nobody thought of: broadcasting, 0-d, empty, non-contiguous, mixed dtypes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as shapes

import autograd_lab as torch

QUICK = settings(max_examples=40, deadline=None, derandomize=True)
BINARY = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "maximum": np.maximum, "minimum": np.minimum,
    "hypot": np.hypot, "atan2": np.arctan2, "logaddexp": np.logaddexp, "fmax": np.fmax, "copysign": np.copysign,
}  # fmt: skip
UNARY = {
    "exp": np.exp,
    "sin": np.sin,
    "tanh": np.tanh,
    "abs": np.abs,
    "floor": np.floor,
    "square": np.square,
    "neg": np.negative,
}
DTYPES = ["bool", "uint8", "int32", "int64", "float16", "float32", "float64"]


def numbers(shape, seed=0):
    return np.random.default_rng(seed).uniform(-2, 2, shape)


def strided(array):
    """The same values in memory that is not contiguous."""
    wide = np.zeros((*array.shape, 2), array.dtype) if array.ndim else np.zeros(2)
    wide[..., 0] = array
    return wide[..., 0]


pair_of_shapes = shapes.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3, min_side=0)


@QUICK
@given(name=st.sampled_from(sorted(BINARY)), both=pair_of_shapes)
def test_broadcasting(name, both):
    (left, right), common = both.input_shapes, both.result_shape
    a, b = numbers(left), numbers(right, 1)
    x, y = torch.from_numpy(a.copy()).requires_grad_(), torch.from_numpy(b.copy()).requires_grad_()
    result = getattr(torch, name)(x, y)
    assert tuple(result.shape) == common
    np.testing.assert_allclose(result.detach().numpy(), BINARY[name](a, b), rtol=1e-12)
    result.sum().backward()
    assert x.grad.shape == x.shape
    assert y.grad.shape == y.shape
    assert x.grad.dtype is x.dtype


@QUICK
@given(name=st.sampled_from(sorted(UNARY)), shape=shapes.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3))
def test_any_shape_and_strides(name, shape):
    a = numbers(shape)
    for array in (a, strided(a)):
        x = torch.from_numpy(array)
        np.testing.assert_allclose(getattr(torch, name)(x).numpy(), UNARY[name](a), rtol=1e-12)
        tracked = torch.from_numpy(array).requires_grad_()
        getattr(tracked, name)().sum().backward()
        assert tracked.grad.shape == tracked.shape


@QUICK
@given(shape=shapes.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=3), data=st.data())
def test_reductions(shape, data):
    dim = data.draw(st.integers(-len(shape), len(shape) - 1))
    keepdim = data.draw(st.booleans())
    a = numbers(shape)
    for name, reference in {"sum": np.sum, "mean": np.mean, "prod": np.prod, "amax": np.max, "amin": np.min}.items():
        x = torch.from_numpy(a.copy()).requires_grad_()
        result = getattr(x, name)(dim, keepdim)
        np.testing.assert_allclose(result.detach().numpy(), reference(a, axis=dim, keepdims=keepdim), rtol=1e-12)
        result.sum().backward()
        assert x.grad.shape == x.shape


@QUICK
@given(left=st.sampled_from(DTYPES), right=st.sampled_from(DTYPES), zero_dim=st.booleans())
def test_mixed_dtypes_promote_as_pytorch(left, right, zero_dim):
    reference = pytest.importorskip("torch")
    a, b = np.ones(2, left), np.ones((), right) if zero_dim else np.ones(2, right)
    for name in ("add", "mul", "maximum"):
        ours = getattr(torch, name)(torch.tensor(a), torch.tensor(b))
        theirs = getattr(reference, name)(reference.tensor(a), reference.tensor(b))
        assert str(ours.dtype) == str(theirs.dtype), name
        np.testing.assert_array_equal(ours.numpy(), theirs.numpy())


@QUICK
@given(kind=st.sampled_from(DTYPES), number=st.sampled_from([True, 3, 2.5]))
def test_python_numbers_promote_as_pytorch(kind, number):
    reference = pytest.importorskip("torch")
    a = np.ones(2, kind)
    for operate in (lambda t: t * number, lambda t: number + t, lambda t: t / number, lambda t: t**2):
        ours, theirs = operate(torch.tensor(a)), operate(reference.tensor(a))
        assert str(ours.dtype) == str(theirs.dtype)
        np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=1e-3)


@QUICK
@given(shape=shapes.array_shapes(min_dims=2, max_dims=3, min_side=1, max_side=4), data=st.data())
def test_indexing(shape, data):
    index = data.draw(shapes.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True))
    parts = index if isinstance(index, tuple) else (index,)
    if any(isinstance(p, slice) and p.step is not None and p.step < 0 for p in parts):
        return
    a = numbers(shape)
    x = torch.from_numpy(a.copy()).requires_grad_()
    part = x[index]
    np.testing.assert_array_equal(part.detach().numpy(), a[index])
    part.sum().backward()
    expected = np.zeros(shape)
    expected[index] = 1
    np.testing.assert_array_equal(x.grad.numpy(), expected)


@QUICK
@given(batch=shapes.mutually_broadcastable_shapes(signature="(n,k),(k,m)->(n,m)", max_dims=2, min_side=1, max_side=3))
def test_matmul(batch):
    left, right = batch.input_shapes
    a, b = numbers(left), numbers(right, 1)
    x, y = torch.from_numpy(a.copy()).requires_grad_(), torch.from_numpy(b.copy()).requires_grad_()
    result = x @ y
    np.testing.assert_allclose(result.detach().numpy(), a @ b, rtol=1e-12, atol=1e-12)
    result.sum().backward()
    assert x.grad.shape == x.shape
    assert y.grad.shape == y.shape


@QUICK
@given(shape=shapes.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4), data=st.data())
def test_shape_changes_keep_every_gradient(shape, data):
    order = data.draw(st.permutations(range(len(shape))))
    a = numbers(shape)
    x = torch.from_numpy(a.copy()).requires_grad_()
    moved = x.permute(*order).flip(0).reshape(-1)
    np.testing.assert_array_equal(moved.detach().numpy(), np.flip(a.transpose(order), 0).reshape(-1))
    (moved * torch.arange(moved.numel(), dtype=torch.float64)).sum().backward()
    weights = np.arange(a.size, dtype=float).reshape([shape[i] for i in order])
    np.testing.assert_array_equal(x.grad.numpy(), np.flip(weights, 0).transpose(np.argsort(order)))
