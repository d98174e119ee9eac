"""Activations: relu, sigmoid, tanh, softmax.

A backward that is not a plain formula is a card of its own, as in PyTorch, which shows it under
`create_graph=True` (`TanhBackwardBackward0`). Read next: `loss.py`.
"""

from __future__ import annotations

import numpy as np

from ..dtypes import TYPE_NAMES, of
from ..formulas import summed_columns
from ..op import op
from ..samples import draw, unary
from .elementwise import exp
from .layout import in_order
from .reduction import sum_dim
from .views import checked_dim

ZEROS = {np.dtype(k): np.array(0, k) for k in ("f2", "f4", "f8", "i8", "i4", "i2", "i1", "u1")}
ONES = {kind: np.array(1, kind) for kind in ZEROS}


def alike(rng):
    """A gradient and a result of one shape."""
    return [(draw(rng, shape, -2, 2), draw(rng, shape, 0.1, 0.9)) for shape in ((), (3,), (2, 3))]


def away_from_zero(rng):
    """The same, with results of both signs."""
    return [(draw(rng, shape, -2, 2), draw(rng, shape, -2, 2, 0.2)) for shape in ((), (3,), (2, 3))]


@op("TanhBackward0", pointwise=True, floats=True, samples=unary())
def tanh(self):
    """Squash every element into (-1, 1).

    >>> import autograd_lab as torch
    >>> torch.tanh(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 0.7616])
    """
    return np.tanh(self)


@tanh.wrt("self", latex="1 - $result^2")
def _(grad, result):
    return tanh_backward(grad, result)


@op("TanhBackwardBackward0", pointwise=True, samples=alike)
def tanh_backward(grad_output, output):
    """grad * (1 - output ** 2)."""
    slope = output * output
    if slope.__class__ is not np.ndarray:
        return grad_output * (1 - slope)
    return grad_output * np.subtract(ONES[slope.dtype], slope, slope)  # a 0-d one is quicker than a Python 1


@tanh_backward.wrt("grad_output", latex="1 - $output^2")
def _(grad, output):
    return grad * (1 - output * output)


@tanh_backward.wrt("output", latex=r"-2 \cdot $grad_output \cdot $output")
def _(grad, grad_output, output):
    return -2 * grad * grad_output * output


@op("SigmoidBackward0", pointwise=True, floats=True, samples=unary())
def sigmoid(self):
    """1 / (1 + e^-x): squash every element into (0, 1).

    >>> import autograd_lab as torch
    >>> torch.sigmoid(torch.tensor([0.0, 2.0]))
    tensor([0.5000, 0.8808])
    """
    small = np.exp(-np.abs(self))
    return np.where(self >= 0, 1 / (1 + small), small / (1 + small))[()]


@sigmoid.wrt("self", latex=r"$result \cdot (1 - $result)")
def _(grad, result):
    return sigmoid_backward(grad, result)


@op("SigmoidBackwardBackward0", pointwise=True, samples=alike)
def sigmoid_backward(grad_output, output):
    """grad * output * (1 - output)."""
    return grad_output * (output * (1 - output))


@sigmoid_backward.wrt("grad_output", latex=r"$output \cdot (1 - $output)")
def _(grad, output):
    return grad * (output * (1 - output))


@sigmoid_backward.wrt("output", latex=r"$grad_output \cdot (1 - 2 \cdot $output)")
def _(grad, grad_output, output):
    return grad * grad_output * (1 - 2 * output)


BITS = {np.dtype(f"f{n}"): np.dtype(f"i{n}") for n in (2, 4, 8)}


@op("ReluBackward0", pointwise=True, samples=unary(away=0.2))
def relu(self):
    """Zero for negative elements, unchanged otherwise; the slope at 0 is taken as 0.

    >>> import autograd_lab as torch
    >>> torch.relu(torch.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """
    return np.maximum(ZEROS[self.dtype], self)  # in this order -0.0 stays -0.0, as in PyTorch


@relu.wrt("self", latex="[$result > 0]")
def _(grad, result):
    return threshold_backward(grad, result)


@op("ThresholdBackwardBackward0", pointwise=True, inputs=("output",), samples=away_from_zero)
def threshold_backward(grad_output, output):
    """grad where the output was positive (or nan), else 0."""
    kind = BITS.get(grad_output.dtype)
    if kind is None or not output.ndim:
        return np.where(output <= 0, grad_output.dtype.type(0), grad_output)[()]
    bits = (output <= ZEROS[output.dtype]).astype(kind)
    np.subtract(bits, ONES[kind], bits)  # all set where the gradient passes: exact for inf and nan, unlike a product,
    np.bitwise_and(bits, grad_output.view(kind), bits)  # and ten times quicker than where
    return bits.view(grad_output.dtype)


@threshold_backward.wrt("grad_output", latex="[$output > 0]")
def _(grad, output):
    return threshold_backward(grad, output)


def checked(name, data, dim):
    """Raise PyTorch's errors for a bad dimension, and for integers, which these functions do not turn into floats."""
    dim = checked_dim(dim, data.ndim)
    if data.dtype.kind not in "fc":
        word = {"bool": "Bool"}.get(data.dtype.name) or TYPE_NAMES[of(data).name]
        kernel = f"{name}_lastdim_kernel_impl" if dim == max(data.ndim - 1, 0) else f"{name}_kernel_impl"
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{word}'")


@op("LogSoftmaxBackward0", called="log_softmax", samples=lambda rng: [(rng.uniform(-2, 2, (2, 3)), 1)])
def log_softmax_card(self, dim):
    """The logarithm of softmax along `dim`, computed without overflow."""
    checked("log_softmax", self, dim)
    if not self.ndim:
        return np.zeros_like(self)
    shifted = self - np.maximum.reduce(self, dim, keepdims=True)
    raised = np.exp(shifted)
    classes = self.ndim == 2 and dim in (1, -1)
    total = summed_columns(raised) if classes else np.add.reduce(raised, dim, keepdims=True)
    return in_order(shifted - np.log(total))


@log_softmax_card.wrt("self", latex=r"$grad - e^{$result} \sum $grad")
def _(grad, result, dim):
    return grad - exp(result) * sum_dim(grad, dim, True)


@op("SoftmaxBackward0", called="softmax", samples=lambda rng: [(rng.uniform(-2, 2, (2, 3)), 1)])
def softmax_card(self, dim):
    """e^x over the sum of e^x along `dim`."""
    checked("softmax", self, dim)
    if not self.ndim:
        return np.ones_like(self)
    raised = np.exp(self - np.max(self, dim, keepdims=True))
    return in_order(raised / np.add.reduce(raised, dim, keepdims=True))


@softmax_card.wrt("self", latex=r"$result \cdot ($grad - \sum $grad \cdot $result)")
def _(grad, result, dim):
    return result * (grad - sum_dim(grad * result, dim, True))
