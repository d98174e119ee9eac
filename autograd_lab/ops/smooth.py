"""Smooth activations: erf, gelu, silu, mish, softplus, logsigmoid, glu.

Read next: `loss.py`.
"""

from __future__ import annotations

import math

import numpy as np

from ..op import on_both, op
from ..samples import unary
from .activation import sigmoid, tanh
from .comparison import where
from .elementwise import exp
from .shape import cat_card, narrow

ROOT_TWO = math.sqrt(2.0)


def error_function(x):
    """erf in the precision of the array, after W. J. Cody 1969 ("Rational Chebyshev approximations").

    >>> float(error_function(np.float64(0.5)))
    0.5204998778130465
    """
    values = np.asarray(x, np.float64)
    size = np.minimum(np.abs(values), 6.0)  # erf(6) is 1 in float64
    square = np.minimum(size, 0.5) ** 2
    small = values * ratio(square, SMALL)
    scaled = np.exp(-size * size)
    middle = 1 - scaled * ratio(np.clip(size, 0.46875, 4.0), MIDDLE)
    inverse = 1 / np.maximum(size, 4.0) ** 2
    tail = (1 / math.sqrt(math.pi) - inverse * ratio(inverse, LARGE)) / np.maximum(size, 4.0)
    large = 1 - scaled * tail
    found = np.where(size <= 0.46875, small, np.copysign(np.where(size <= 4.0, middle, large), values))
    return np.where(np.isnan(values), values, found).astype(getattr(x, "dtype", np.float64))[()]


def ratio(x, coefficients):
    """One polynomial over another, by Horner's rule; highest powers first."""
    above, below = coefficients
    return np.polyval(above, x) / np.polyval(below, x)


SMALL = (
    (1.85777706184603153e-1, 3.16112374387056560, 1.13864154151050156e2, 3.77485237685302021e2, 3.20937758913846947e3),
    (1.0, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3, 2.84423683343917062e3),
)
MIDDLE = (
    (
        2.15311535474403846e-8,
        5.64188496988670089e-1,
        8.88314979438837594,
        6.61191906371416295e1,
        2.98635138197400131e2,
        8.81952221241769090e2,
        1.71204761263407058e3,
        2.05107837782607147e3,
        1.23033935479799725e3,
    ),
    (
        1.0,
        1.57449261107098347e1,
        1.17693950891312499e2,
        5.37181101862009858e2,
        1.62138957456669019e3,
        3.29079923573345963e3,
        4.36261909014324716e3,
        3.43936767414372164e3,
        1.23033935480374942e3,
    ),
)
LARGE = (
    (
        1.63153871373020978e-2,
        3.05326634961232344e-1,
        3.60344899949804439e-1,
        1.25781726111229246e-1,
        1.60837851487422766e-2,
        6.58749161529837803e-4,
    ),
    (
        1.0,
        2.56852019228982242,
        1.87295284992346725,
        5.27905102951428412e-1,
        6.05183413124413191e-2,
        2.33520497626869185e-3,
    ),
)


@op("ErfBackward0", pointwise=True, floats=True, samples=unary())
def erf(self):
    """The error function: the probability that a normal value lies within x * sqrt(2) standard deviations.

    >>> import autograd_lab as torch
    >>> erf(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 0.8427])
    """
    return error_function(self)


@erf.wrt("self", latex=r"\frac{2}{\sqrt{\pi}} e^{-$self^2}")
def _(grad, self):
    return grad * (2 / math.sqrt(math.pi) * exp(-(self * self)))


@on_both
def normal_cdf(x):
    """The standard normal distribution function."""
    return 0.5 * (1 + erf(x / ROOT_TWO))


@on_both
def tanh_inside(x):
    """The argument of tanh in the approximate gelu."""
    return math.sqrt(2 / math.pi) * (x + 0.044715 * (x * x * x))


@op("GeluBackward0", pointwise=True, samples=lambda rng: [*unary("none")(rng), *unary("tanh")(rng)])
def gelu_card(self, approximate="none"):
    """x times the normal distribution function at x, or the tanh approximation of it."""
    if approximate == "none":
        return self * (0.5 * (1 + error_function(self / self.dtype.type(ROOT_TWO))))
    return 0.5 * self * (1 + np.tanh(tanh_inside(self)))


@gelu_card.wrt("self")
def _(grad, self, approximate):
    if approximate == "none":
        return grad * (normal_cdf(self) + self * (exp(-0.5 * (self * self)) * (1 / math.sqrt(2 * math.pi))))
    t = tanh(tanh_inside(self))
    inner = math.sqrt(2 / math.pi) * (1 + 3 * 0.044715 * (self * self))
    return grad * (0.5 * (1 + t) + 0.5 * self * (1 - t * t) * inner)


@op("SiluBackward0", pointwise=True, samples=unary())
def silu(self):
    """x * sigmoid(x)."""
    return self * sigmoid.card.forward(self)


@silu.wrt("self", latex=r"\sigma($self) (1 + $self (1 - \sigma($self)))")
def _(grad, self):
    s = sigmoid(self)
    return grad * (s * (1 + self * (1 - s)))


@op("MishBackward0", pointwise=True, samples=unary())
def mish(self):
    """x * tanh(softplus(x))."""
    return self * np.tanh(np.logaddexp(self, self.dtype.type(0)))


@mish.wrt("self")
def _(grad, self):
    t = tanh(softplus_card(self))
    return grad * (t + self * (1 - t * t) * sigmoid(self))


@op("SoftplusBackward0", pointwise=True, samples=unary())
def softplus_card(self, beta=1.0, threshold=20.0):
    """log(1 + e^(beta x)) / beta, and x itself where beta * x is beyond the threshold."""
    scaled = self * self.dtype.type(beta)
    return np.where(scaled > threshold, self, np.logaddexp(scaled, self.dtype.type(0)) / self.dtype.type(beta))[()]


@softplus_card.wrt("self", latex=r"\sigma($beta \cdot $self)")
def _(grad, self, beta, threshold):
    scaled = self * beta
    return where(scaled > threshold, grad, grad * sigmoid(scaled))


@op("LogSigmoidBackward0", pointwise=True, saved=("buffer",), samples=unary())
def logsigmoid(self):
    """log(sigmoid(x)), without overflow."""
    return -np.logaddexp(-self, self.dtype.type(0))


@logsigmoid.wrt("self", latex=r"\sigma(-$self)")
def _(grad, self):
    return grad * sigmoid(-self)


@op("GluBackward0", samples=lambda rng: [(rng.uniform(-2, 2, (2, 4)), 1)])
def glu_card(self, dim=-1):
    """The first half along `dim` times the sigmoid of the second half."""
    first, second = np.split(self, 2, dim)
    return first * sigmoid.card.forward(second)


@glu_card.wrt("self")
def _(grad, self, dim):
    half = self.shape[dim] // 2
    first, gate = narrow(self, dim, 0, half), sigmoid(narrow(self, dim, half, half))
    return cat_card([grad * gate, grad * first * gate * (1 - gate)], dim)
