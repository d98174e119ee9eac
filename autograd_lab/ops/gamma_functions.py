"""Gamma, digamma, zeta and Bessel functions on float64 arrays: the second half of `special_functions.py`.

Pure numerics, no gradients. Read next: `special_ops.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .special_functions import in_double

# B_2, B_4, … B_24: the Bernoulli numbers of all asymptotic series here
BERNOULLI = (
    1 / 6,
    -1 / 30,
    1 / 42,
    -1 / 30,
    5 / 66,
    -691 / 2730,
    7 / 6,
    -3617 / 510,
    43867 / 798,
    -174611 / 330,
    854513 / 138,
    -236364091 / 2730,
)
SHIFT = 12  # from here on the asymptotic series has all digits


@in_double
def lgamma(x: Any) -> Any:
    """ln |gamma(x)|: Stirling's series after shifting x up, reflection below 1/2. Source: A&S 6.1.40, 6.1.17."""
    low = x < 0.5
    y = np.where(low, 1 - x, x)
    product, z = np.ones_like(y), y.copy()
    for _ in range(SHIFT):
        small = z < SHIFT
        product = np.where(small, product * z, product)
        z = np.where(small, z + 1, z)
    series = sum(b / (2 * k * (2 * k - 1) * z ** (2 * k - 1)) for k, b in enumerate(BERNOULLI[:8], 1))
    found = (z - 0.5) * np.log(z) - z + 0.5 * math.log(2 * math.pi) + series - np.log(product)
    found = np.where(np.isposinf(y), np.inf, np.where((y == 1) | (y == 2), 0.0, found))
    reflected = math.log(math.pi) - np.log(np.abs(sin_pi(x))) - found
    return np.where(low, np.where((x <= 0) & (x == np.floor(x)), np.inf, reflected), found)


def sin_pi(x: Any) -> Any:
    """sin(pi x), exact at whole numbers."""
    rest = x - 2 * np.round(x / 2)
    return np.sin(np.pi * np.where(np.abs(rest) > 0.5, np.copysign(1 - np.abs(rest), rest), rest))


@in_double
def digamma(x: Any) -> Any:
    """The derivative of lgamma: asymptotic series after shifting x up. Source: A&S 6.3.18, 6.3.5, 6.3.7."""
    low = x < 0.5
    z = np.where(low, 1 - x, x)
    shifted = np.zeros_like(z)
    for _ in range(SHIFT):
        small = z < SHIFT
        shifted = np.where(small, shifted - 1 / z, shifted)
        z = np.where(small, z + 1, z)
    series = sum(b / (2 * k * z ** (2 * k)) for k, b in enumerate(BERNOULLI[:8], 1))
    found = np.log(z) - 0.5 / z - series + shifted
    reflected = found - np.pi * cos_pi(x) / sin_pi(x)
    pole = np.where(x == 0, np.copysign(np.inf, -x), np.nan)
    return np.where(low, np.where((x <= 0) & (x == np.floor(x)), pole, reflected), found)


def cos_pi(x: Any) -> Any:
    """cos(pi x), from the sine half a turn further."""
    return sin_pi(x + 0.5)


@in_double
def zeta(s: Any, q: Any) -> Any:
    """Hurwitz's zeta, the sum of (q + k)^-s. Source: Euler and Maclaurin's summation, as in Cephes `zeta.c`."""
    s, q = np.broadcast_arrays(s, q)
    total = np.zeros(s.shape)
    lowest = np.min(q, initial=0.0, where=np.isfinite(q))
    steps = SHIFT + min(int(-lowest), 10_000)  # until all are above SHIFT, where the series has all digits
    for k in range(steps):
        total = total + (q + k) ** -s
    a = q + steps
    power = a**-s
    total = total + power * a / (s - 1) + power / 2
    factor = s * power / a
    for j, b in enumerate(BERNOULLI, 1):
        total = total + b / math.factorial(2 * j) * factor
        factor = factor * (s + 2 * j - 1) * (s + 2 * j) / (a * a)
    whole = (q <= 0) & (q == np.floor(q))
    total = np.where(whole, np.inf, np.where((q < 0) & (s != np.floor(s)), np.nan, total))
    total = np.where(np.isposinf(q), 0.0, total)
    return np.where(s == 1, np.inf, np.where(s < 1, np.nan, total))


def polygamma(n: int, x: Any) -> Any:
    """The n-th derivative of digamma, from zeta. Source: A&S 6.4.10."""
    if n == 0:
        return digamma(x)
    if n == 1:
        two = np.float64(2)
        low = x < 0.5  # reflection, A&S 6.4.7; PyTorch's sine is not exact at whole numbers either, and so finite there
        return np.where(low, (np.pi / np.sin(np.pi * x)) ** 2 - zeta(two, 1 - x), zeta(two, x)).astype(x.dtype)[()]
    sign = 1.0 if n % 2 else -1.0
    order = np.full(np.shape(x), n + 1.0)
    return (sign * math.factorial(n) * zeta(np.asarray(order), x)).astype(x.dtype)[()]


def bessel_scaled(order: int, x: Any) -> Any:
    """exp(-|x|) I_order(x), order 0 or 1: power series to 20, asymptotic series above. Source: A&S 9.6.10, 9.7.1."""
    y = np.abs(x)
    small, large = np.minimum(y, 20.0), np.maximum(y, 20.0)
    quarter, near = small * small / 4, np.ones_like(y)
    for k in range(60, 0, -1):
        near = 1 + near * quarter / (k * (k + order))
    near = near * np.exp(-small) * (small / 2 if order else 1.0)
    term, far = np.ones_like(y), np.ones_like(y)
    for k in range(1, 31):
        term = term * ((2 * k - 1) ** 2 - 4 * order) / (k * 8 * large)
        far = far + term
    found = np.where(y <= 20, near, far / np.sqrt(2 * np.pi * large))
    return np.copysign(found, x) if order else found


@in_double
def i0e(x: Any) -> Any:
    """exp(-|x|) times the modified Bessel function of order 0. Source: A&S 9.6.10, 9.7.1."""
    return bessel_scaled(0, x)


@in_double
def i0(x: Any) -> Any:
    """The modified Bessel function of order 0. Source: A&S 9.6.10, 9.7.1."""
    return bessel_scaled(0, x) * np.exp(np.abs(x))


@in_double
def i1e(x: Any) -> Any:
    """exp(-|x|) times the modified Bessel function of order 1. Source: A&S 9.6.10, 9.7.1."""
    return bessel_scaled(1, x)


@in_double
def i1(x: Any) -> Any:
    """The modified Bessel function of order 1. Source: A&S 9.6.10, 9.7.1."""
    return bessel_scaled(1, x) * np.exp(np.abs(x))
