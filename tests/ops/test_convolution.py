"""Convolution and max pooling in every formulation: values, gradients and second derivatives are PyTorch's."""

import numpy as np
import pytest

import autograd_lab

KERNELS = [(2, 2), (3, 3), (5, 5), (4, 3), (1, 3), (3, 1), (7, 2)]


def run(torch, arrays, pool, options):
    """The result, the gradients, and the gradients of a function of them."""
    leaves = [torch.from_numpy(a.copy()).requires_grad_() for a in arrays]
    y = torch.nn.functional.conv2d(*leaves, **options)
    y = torch.nn.functional.max_pool2d(y, pool) if pool else y
    first = torch.autograd.grad((y * y).sum(), leaves, create_graph=True)
    second = torch.autograd.grad(sum((g * g * g).sum() for g in first), leaves)
    assert y.is_contiguous()
    return [t.detach().numpy() for t in (y, *first, *second)]


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize("channels", [(1, 3), (2, 3), (3, 2)], ids=str)
@pytest.mark.parametrize("stride", [(1, 1), (2, 1)], ids=str)
def test_convolution_is_pytorchs(kernel, channels, stride):
    torch = pytest.importorskip("torch", reason="compares with PyTorch")
    draw = np.random.default_rng(0)
    for size in ((8, 8), (9, 7)):
        for padding in ((0, 0), (1, 2)):
            for pool in (None, 2):
                rows = [(s + 2 * p - k) // t + 1 for s, p, k, t in zip(size, padding, kernel, stride, strict=True)]
                if min(rows) < (pool or 1):
                    continue
                shapes = (2, channels[0], *size), (channels[1], channels[0], *kernel), channels[1:]
                arrays = [draw.standard_normal(shape) for shape in shapes]
                options = {"padding": padding, "stride": stride}
                ours, theirs = (run(lib, arrays, pool, options) for lib in (autograd_lab, torch))
                for a, b in zip(ours, theirs, strict=True):
                    np.testing.assert_allclose(a, b, rtol=1e-7, atol=1e-7 * abs(b).max())


def test_the_first_of_equal_elements_wins_and_so_does_nan():
    """Expected from PyTorch 2.13."""
    torch, nan = autograd_lab, float("nan")
    rows = [[1.0, 1, 0, 2], [1, 1, 2, 2], [nan, 3, -1, -1], [4, 5, -1, -1]]
    x = torch.tensor([[rows]], requires_grad=True)
    values, indices = torch.nn.functional.max_pool2d(x, 2, return_indices=True)
    values.sum().backward()
    np.testing.assert_array_equal(values.detach().numpy(), [[[[1, 2], [nan, -1]]]])
    assert indices.tolist() == [[[[0, 3], [8, 10]]]]
    assert x.grad.tolist() == [[[[1, 0, 0, 1], [0, 0, 0, 0], [1, 0, 1, 0], [0, 0, 0, 0]]]]
