"""Angles: atan2, sinc, degrees and radians.

Read next: `special_ops.py`.
"""

from __future__ import annotations

import numpy as np

from ..op import op
from ..samples import binary, unary
from .choice import where
from .trigonometry import cos, sin


@op("Atan2Backward0", broadcasts=True, floats=True, samples=binary(low=0.3))
def atan2(self, other):
    """The angle of the point (other, self), in radians from -pi to pi.

    >>> import autograd_lab as torch
    >>> torch.atan2(torch.tensor([1.0]), torch.tensor([-1.0]))
    tensor([2.3562])
    """
    return np.arctan2(self, other)


@atan2.wrt("self", latex=r"\frac{$other}{$self^2 + $other^2}")
def _(grad, self, other):
    return grad * inverse_square(self, other) * other


@atan2.wrt("other", latex=r"-\frac{$self}{$self^2 + $other^2}")
def _(grad, self, other):
    return grad * inverse_square(self, other) * -self


def inverse_square(self, other):
    """1 / (self ** 2 + other ** 2), and 0 at the origin: the rule of atan2."""
    square = self * self + other * other
    return where(square == 0, 0.0, 1 / square)


@op("SincBackward0", pointwise=True, floats=True, samples=unary(away=0.3))
def sinc(self):
    """sin(pi x) / (pi x), and 1 at 0.

    >>> import autograd_lab as torch
    >>> torch.sinc(torch.tensor([0.0, 0.5, 0.8]))
    tensor([1.0000, 0.6366, 0.2339])
    """
    return np.sinc(self)


@sinc.wrt("self", latex=r"\frac{\cos(\pi $self) - \operatorname{sinc}($self)}{$self}")
def _(grad, self):
    turn = np.pi * self
    slope = (turn * cos(turn) - sin(turn)) / (turn * self)
    return grad * where(turn * self == 0, 0.0, slope)


@op("Deg2RadBackward0", pointwise=True, floats=True, samples=unary())
def deg2rad(self):
    """From degrees to radians.

    >>> import autograd_lab as torch
    >>> torch.deg2rad(torch.tensor([180.0]))
    tensor([3.1416])
    """
    return self * self.dtype.type(np.pi / 180)


@deg2rad.wrt("self", latex=r"\frac{\pi}{180}")
def _(grad):
    return grad * (np.pi / 180)


@op("Rad2DegBackward0", pointwise=True, floats=True, samples=unary())
def rad2deg(self):
    """From radians to degrees.

    >>> import autograd_lab as torch
    >>> torch.rad2deg(torch.tensor([1.0]))
    tensor([57.2958])
    """
    return self * self.dtype.type(180 / np.pi)


@rad2deg.wrt("self", latex=r"\frac{180}{\pi}")
def _(grad):
    return grad * (180 / np.pi)
