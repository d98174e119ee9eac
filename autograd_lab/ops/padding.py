"""Padding: more elements around a tensor, with one value, or mirrored, repeated or wrapped.

`pad` counts from the last dimension: (left, right, top, bottom, …). Read next: `pooling.py`.
"""

from __future__ import annotations

import numpy as np

from ..op import op
from ..samples import Shape, shaped


def widths(pad, ndim):
    """`pad` as pairs in the order of the dimensions."""
    given = [(pad[i], pad[i + 1]) for i in range(0, len(pad), 2)]
    return [(0, 0)] * (ndim - len(given)) + given[::-1]


@op(
    "ConstantPadNdBackward0",
    called="constant_pad_nd",
    samples=shaped((Shape(2, 3), (1, 2), 0.5), (Shape(3, 4), (-1, 1, 2, 0), 0.0)),
)
def constant_pad(self, pad, value=0.0):
    """More elements with one value at the ends of the last dimensions; negative numbers cut elements off."""
    pairs = widths(pad, self.ndim)
    cut = self[tuple(slice(max(0, -a), n - max(0, -b)) for (a, b), n in zip(pairs, self.shape, strict=True))]
    out = np.full([n + max(0, a) + max(0, b) for (a, b), n in zip(pairs, cut.shape, strict=True)], value, self.dtype)
    out[tuple(slice(max(0, a), max(0, a) + n) for (a, _), n in zip(pairs, cut.shape, strict=True))] = cut
    return out


@constant_pad.wrt("self")
def _(grad, pad):
    return constant_pad(grad, tuple([-p for p in pad]), 0.0)


def origins(shape, padding, how):
    """Index arrays that say where each element of the padded tensor comes from."""
    named = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}[how]
    pairs = widths(padding, len(shape))
    return np.ix_(*(np.pad(np.arange(n), pair, named) for n, pair in zip(shape, pairs, strict=True)))


def mirrored_samples(rng):
    return [
        (rng.uniform(-1, 1, (2, 3, 4)), (1, 2), "reflect"),
        (rng.uniform(-1, 1, (1, 3, 3)), (1, 0, 1, 1), "replicate"),
    ]


def mirroring(node_name):
    """The card of one kind of padding, under the name PyTorch gives its node."""

    def mirrored_pad(self, padding, how):
        """More elements taken from the tensor itself: "reflect", "replicate" or "circular"."""
        return self[origins(self.shape, padding, how)]

    mirrored_pad.__name__ = node_name.removesuffix("Backward0")
    card = op(node_name, called="pad", samples=mirrored_samples)(mirrored_pad)

    @card.wrt("self")
    def _(grad, self_shape, padding, how):
        return pad_fold(grad, self_shape, padding, how)

    return card


@op("ReflectionPad2DBackwardBackward0", samples=shaped(
    (Shape(2, 3, 7), (2, 3, 4), (1, 2), "reflect"), (Shape(1, 5, 4), (1, 3, 3), (1, 0, 1, 1), "circular")
))  # fmt: skip
def pad_fold(self, shape, padding, how):
    """Each padded element's gradient added to the element it was taken from."""
    out = np.zeros(shape, self.dtype)
    np.add.at(out, origins(shape, padding, how), self)
    return out


@op("ReflectionPad2DBackward0", samples=mirrored_samples)
def padded_again(self, padding, how):
    """The same padding, as the gradient of `pad_fold`."""
    return self[origins(self.shape, padding, how)]


@padded_again.wrt("self")
def _(grad, self_shape, padding, how):
    return pad_fold(grad, self_shape, padding, how)


@pad_fold.wrt("self")
def _(grad, padding, how):
    return padded_again(grad, padding, how)


MIRRORED = {
    (how, dims): mirroring(f"{name}{dims}DBackward0")
    for how, name in (("reflect", "ReflectionPad"), ("replicate", "ReplicationPad"), ("circular", "CircularPad"))
    for dims in (1, 2, 3)
}
