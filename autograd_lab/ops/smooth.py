"""Smooth activations: gelu, silu, mish, softplus, logsigmoid, glu.

Read next: `loss.py`.
"""

from __future__ import annotations

import math

import numpy as np

from ..formulas import on_both
from ..op import op
from ..samples import unary
from . import special_functions as special
from .activation import sigmoid, tanh
from .comparison import where
from .elementwise import exp
from .layout import in_order
from .shape import cat_card, narrow
from .special_ops import erf

ROOT_TWO = math.sqrt(2.0)


@on_both
def normal_cdf(x):
    """The standard normal distribution function."""
    return 0.5 * (1 + erf(x / ROOT_TWO))


@on_both
def tanh_inside(x):
    """The argument of tanh in the approximate gelu."""
    return math.sqrt(2 / math.pi) * (x + 0.044715 * (x * x * x))


@op("GeluBackward0", called="gelu", pointwise=True, samples=lambda rng: [*unary("none")(rng), *unary("tanh")(rng)])
def gelu_card(self, approximate="none"):
    """x times the normal distribution function at x, or the tanh approximation of it."""
    if approximate == "none":
        return self * (0.5 * (1 + special.erf(self / self.dtype.type(ROOT_TWO))))
    return 0.5 * self * (1 + np.tanh(tanh_inside(self)))


@gelu_card.wrt("self", latex=r"\operatorname{Φ}($self) + $self \cdot \operatorname{Φ}'($self)")
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


@mish.wrt(
    "self",
    latex=r"\tanh(\operatorname{softplus}($self))"
    r" + $self \cdot \sigma($self) \cdot (1 - \tanh(\operatorname{softplus}($self))^2)",
)
def _(grad, self):
    t = tanh(softplus_card(self))
    return grad * (t + self * (1 - t * t) * sigmoid(self))


@op("SoftplusBackward0", called="softplus", pointwise=True, samples=unary())
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
    return in_order(-np.logaddexp(-self, self.dtype.type(0)))


@logsigmoid.wrt("self", latex=r"\sigma(-$self)")
def _(grad, self):
    return grad * sigmoid(-self)


@op("GluBackward0", called="glu", samples=lambda rng: [(rng.uniform(-2, 2, (2, 4)), 1)])
def glu_card(self, dim=-1):
    """The first half along `dim` times the sigmoid of the second half."""
    first, second = np.split(self, 2, dim)
    return first * sigmoid.card.forward(second)


@glu_card.wrt("self")
def _(grad, self, dim):
    half = self.shape[dim] // 2
    first, gate = narrow(self, dim, 0, half), sigmoid(narrow(self, dim, half, half))
    return cat_card([grad * gate, grad * first * gate * (1 - gate)], dim)
