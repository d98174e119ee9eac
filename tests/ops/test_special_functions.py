"""The special functions have the digits they promise: against PyTorch, and against known values without it."""

import math

import numpy as np
import pytest

from autograd_lab.ops import gamma_functions, special_functions

KNOWN = [  # function, x, value from mathematics
    (special_functions.erf, 1.0, 0.8427007929497149),
    (special_functions.erfc, 5.0, 1.5374597944280347e-12),
    (special_functions.erfinv, 0.5, 0.4769362762044699),
    (special_functions.ndtri, 0.975, 1.959963984540054),
    (gamma_functions.lgamma, 0.5, math.log(math.sqrt(math.pi))),
    (gamma_functions.lgamma, 11.0, math.log(math.factorial(10))),
    (gamma_functions.digamma, 1.0, -0.5772156649015329),
    (gamma_functions.i0, 1.0, 1.2660658777520084),
    (gamma_functions.i1, 1.0, 0.565159103992485),
]


@pytest.mark.parametrize(("function", "x", "value"), KNOWN, ids=lambda v: getattr(v, "__name__", ""))
def test_known_values(function, x, value):
    assert function(np.float64(x)) == pytest.approx(value, rel=1e-14)


def test_float32_stays_float32():
    assert special_functions.erf(np.ones(2, np.float32)).dtype == np.float32


def test_polygamma_of_one_is_the_sum_of_inverse_squares():
    assert gamma_functions.polygamma(1, np.ones(1))[0] == pytest.approx(math.pi**2 / 6, rel=1e-14)


GRID = np.concatenate([np.linspace(-20.03, 20.01, 801), np.linspace(-1.0, 1.0, 201), [0.0, np.inf, -np.inf, np.nan]])


@pytest.mark.parametrize("name", ["erf", "erfc", "erfcx", "log_ndtr", "i0", "i0e", "i1", "i1e"])
def test_agrees_with_pytorch(name):
    torch = pytest.importorskip("torch")
    ours = getattr(special_functions, name, None) or getattr(gamma_functions, name)
    theirs = getattr(torch.special, name)(torch.from_numpy(GRID)).numpy()
    np.testing.assert_allclose(ours(GRID), theirs, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("name", ["lgamma", "digamma"])
def test_gamma_functions_agree_with_pytorch(name):
    torch = pytest.importorskip("torch")
    theirs = getattr(torch, name)(torch.from_numpy(GRID)).numpy()
    np.testing.assert_allclose(getattr(gamma_functions, name)(GRID), theirs, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_polygamma_agrees_with_pytorch(n):
    torch = pytest.importorskip("torch")
    x = np.concatenate([np.linspace(0.01, 30, 300), np.linspace(-9.9, -0.1, 50)])
    theirs = torch.polygamma(n, torch.from_numpy(x)).numpy()
    np.testing.assert_allclose(
        gamma_functions.polygamma(n, x), theirs, rtol=1e-9 if n == 1 else 1e-12
    )  # PyTorch's own has 9 digits at n = 1


@pytest.mark.parametrize("name", ["erfinv", "ndtri"])
def test_quantiles_agree_with_pytorch(name):
    torch = pytest.importorskip("torch")
    x = np.concatenate([np.linspace(-1, 1, 401), 1 - np.logspace(-15, -1, 50), np.logspace(-300, -2, 50)])
    theirs = getattr(torch.special, name)(torch.from_numpy(x)).numpy()
    np.testing.assert_allclose(getattr(special_functions, name)(x), theirs, rtol=1e-12, atol=1e-12)
