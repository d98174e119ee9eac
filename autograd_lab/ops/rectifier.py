"""Activations with kinks: leaky_relu, elu, hardtanh and their family.

At a kink the slope is PyTorch's. Read next: `smooth.py`.
"""

from __future__ import annotations

import numpy as np

from ..formulas import on_both
from ..op import op
from ..samples import draw, unary
from .comparison import where
from .elementwise import exp


@op("LeakyReluBackward0", pointwise=True, samples=unary(0.1, away=0.2))
def leaky_relu(self, negative_slope=0.01):
    """Unchanged above zero, times a small slope below."""
    return np.where(self > 0, self, self * self.dtype.type(negative_slope))[()]


@leaky_relu.wrt("self", latex=r"1 \text{ or } $negative_slope")
def _(grad, self, negative_slope):
    return where(self > 0, grad, grad * negative_slope)


@on_both
def below_zero(self):
    """The negative elements, with 0 for the others: what exp may be given without overflow."""
    return where(self > 0, 0.0, self)


@op("EluBackward0", called="elu", pointwise=True, samples=unary(1.0, 1.0, 1.0, away=0.2))
def elu_card(self, alpha=1.0, scale=1.0, input_scale=1.0):
    """scale * x above zero, scale * alpha * (e^(input_scale * x) - 1) below."""
    kind = self.dtype.type
    low = np.expm1(np.minimum(self, kind(0)) * kind(input_scale)) * kind(alpha * scale)
    return np.where(self > 0, self * kind(scale), low)[()]


@elu_card.wrt(
    "self",
    latex=r"$scale \text{ or } $alpha \cdot $scale \cdot $input_scale \cdot e^{$input_scale \cdot $self}",
)
def _(grad, self, alpha, scale, input_scale):
    return where(self > 0, grad * scale, grad * (exp(below_zero(self) * input_scale) * (alpha * scale * input_scale)))


@op("CeluBackward0", called="celu", pointwise=True, samples=unary(1.5, away=0.2))
def celu_card(self, alpha=1.0):
    """x above zero, alpha * (e^(x / alpha) - 1) below."""
    kind = self.dtype.type
    return np.where(self > 0, self, np.expm1(np.minimum(self, kind(0)) / kind(alpha)) * kind(alpha))[()]


@celu_card.wrt("self", latex=r"1 \text{ or } e^{$self / $alpha}")
def _(grad, self, alpha):
    return where(self <= 0, grad * exp(below_zero(self) / alpha), grad)


@on_both
def passed(grad, inside):
    """The gradient where a condition holds, else 0."""
    return where(inside, grad, 0.0)


@op("HardtanhBackward0", called="hardtanh", pointwise=True, samples=unary(-1.0, 1.0, low=-0.9, high=0.9))
def hardtanh_card(self, min_val=-1.0, max_val=1.0):
    """Limit every element; at the limits the slope is 0."""
    kind = self.dtype.type
    return np.minimum(kind(max_val), np.maximum(kind(min_val), self))


@hardtanh_card.wrt("self", latex="[$min_val < $self < $max_val]")
def _(grad, self, min_val, max_val):
    return where((self <= min_val) | (self >= max_val), 0.0, grad)  # nan is within


@op("HardsigmoidBackward0", pointwise=True, samples=unary())
def hardsigmoid(self):
    """x / 6 + 1 / 2, limited to [0, 1]."""
    kind = self.dtype.type
    return np.minimum(np.maximum(self + kind(3), kind(0)), kind(6)) / kind(6)


@hardsigmoid.wrt("self", latex=r"\frac{1}{6}")
def _(grad, self):
    return passed(grad / 6, (self > -3) & (self < 3))


@op("HardswishBackward0", pointwise=True, samples=unary())
def hardswish(self):
    """x * hardsigmoid(x)."""
    kind = self.dtype.type
    return self * np.minimum(np.maximum(self + kind(3), kind(0)), kind(6)) / kind(6)


@hardswish.wrt("self", latex=r"0 \text{ or } \frac{$self}{3} + \frac{1}{2} \text{ or } 1")
def _(grad, self):
    return where(self < 3, passed(grad * (self / 3 + 0.5), self > -3), grad)


@op("SoftshrinkBackward0", called="softshrink", pointwise=True, samples=unary(0.5, away=0.8))
def softshrink_card(self, lambd=0.5):
    """Move every element towards zero by `lambd`; small ones become zero."""
    kind = self.dtype.type
    return np.where(self > lambd, self - kind(lambd), np.where(self < -lambd, self + kind(lambd), self * kind(0)))[()]


@softshrink_card.wrt("self", latex="[|$self| > $lambd]")
def _(grad, self, lambd):
    return where((self >= -lambd) & (self <= lambd), 0.0, grad)  # nan counts as large


@op("HardshrinkBackward0", pointwise=True, samples=unary(0.5, away=0.8))
def hardshrink(self, lambd=0.5):
    """Small elements become zero."""
    return np.where((self >= -lambd) & (self <= lambd), self.dtype.type(0), self)[()]


@hardshrink.wrt("self", latex="[|$self| > $lambd]")
def _(grad, self, lambd):
    return where((self >= -lambd) & (self <= lambd), 0.0, grad)  # nan counts as large


@op("ThresholdBackward0", called="threshold", pointwise=True, samples=unary(0.1, 20.0, away=0.3))
def threshold_card(self, threshold, value):
    """Elements up to the threshold become `value`."""
    return np.where(self <= threshold, self.dtype.type(value), self)[()]


@threshold_card.wrt("self", latex="[$self > $threshold]")
def _(grad, self, threshold):
    return where(self <= threshold, 0.0, grad)


def slopes(rng):
    return [(draw(rng, (2, 3), -2, 2, 0.2), draw(rng, (3,), 0.1, 0.5))]


@op("PreluKernelBackward0", broadcasts=True, samples=slopes)
def prelu_kernel(self, weight):
    """Unchanged above zero, times a learned slope below."""
    return np.where(self > 0, self, self * weight)[()]


@prelu_kernel.wrt("self", latex=r"1 \text{ or } $weight")
def _(grad, self, weight):
    return where(self > 0, grad, grad * weight)


@prelu_kernel.wrt("weight", latex=r"\min(0, $self)")
def _(grad, self):
    return where(self > 0, 0.0, grad * self)


def noisy(rng):
    return [(draw(rng, (2, 3), -2, 2), draw(rng, (2, 3), 0.1, 1))]


@op(
    "RreluWithNoiseBackward0",
    broadcasts=True,
    inputs=("noise",),
    saved=("lower", "upper", "training"),
    samples=noisy,
)
def rrelu_with_noise(self, noise, lower=0.125, upper=1 / 3, training=True):
    """leaky_relu with a random slope for every element; `noise` is 1 above zero."""
    return self * noise


@rrelu_with_noise.wrt("self", latex="$noise")
def _(grad, noise):
    return grad * noise
