"""Activations as functions: F.relu, F.gelu, F.softmax and the rest.

They check what PyTorch checks and call the cards of `ops/activation.py`, `rectifier.py` and `smooth.py`.
Read next: `linear.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._tensor import Tensor, bare
from ...caution import warn
from ...dtypes import TYPE_NAMES
from ...generators import default_generator
from ...inplace import in_place
from ...menu import log_softmax as log_softmax_of
from ...menu import softmax as softmax_of
from ...ops import activation, rectifier, smooth
from ...ops.activation import sigmoid, tanh
from ...ops.smooth import logsigmoid


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Zero for negative elements, unchanged otherwise.

    >>> import autograd_lab as torch
    >>> relu(torch.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """
    return relu_(input) if inplace else activation.relu(input)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """Unchanged above zero, times `negative_slope` below."""
    return leaky_relu_(input, negative_slope) if inplace else rectifier.leaky_relu(input, negative_slope)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """x above zero, alpha * (e^x - 1) below."""
    return elu_(input, alpha) if inplace else rectifier.elu_card(input, alpha)


SELU_ALPHA, SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """elu with the constants of Klambauer et al. 2017, which keep mean 0 and variance 1."""
    return (elu_ if inplace else rectifier.elu_card)(input, SELU_ALPHA, SELU_SCALE)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """x above zero, alpha * (e^(x / alpha) - 1) below."""
    return celu_(input, alpha) if inplace else rectifier.celu_card(input, alpha)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """Limit every element to [min_val, max_val]."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return (hardtanh_ if inplace else rectifier.hardtanh_card)(input, min_val, max_val)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Limit every element to [0, 6]."""
    return hardtanh(input, 0.0, 6.0, inplace)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """x / 6 + 1 / 2, limited to [0, 1]."""
    return (hardsigmoid_ if inplace else rectifier.hardsigmoid)(input)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """x * hardsigmoid(x)."""
    return (hardswish_ if inplace else rectifier.hardswish)(input)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """x * sigmoid(x)."""
    return (silu_ if inplace else smooth.silu)(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """x * tanh(softplus(x))."""
    return (mish_ if inplace else smooth.mish)(input)


def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """x times the normal distribution function at x; `approximate="tanh"` computes it with tanh."""
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return smooth.gelu_card(input, approximate)


def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """log(1 + e^(beta x)) / beta: a smooth relu."""
    return smooth.softplus_card(input, beta, threshold)


def softsign(input: Tensor) -> Tensor:
    """x / (1 + |x|)."""
    return input / (input.abs() + 1)


def tanhshrink(input: Tensor) -> Tensor:
    """x - tanh(x)."""
    return input - tanh(input)


def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Move every element towards zero by `lambd`."""
    if lambd < 0:
        kind, most = TYPE_NAMES[input.dtype.name], np.finfo(input._data.dtype).max
        raise RuntimeError(f"lambda must be in range [0, {most:g}] for input dtype {kind}, but found {lambd:g}")
    return rectifier.softshrink_card(input, lambd)


def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Elements within `lambd` of zero become zero."""
    return rectifier.hardshrink(input, lambd)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """Elements up to the threshold become `value`."""
    return (threshold_ if inplace else rectifier.threshold_card)(input, threshold, value)


def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """leaky_relu with a learned slope: one for all, or one per channel (dimension 1)."""
    count = weight.shape[0] if weight.ndim else 1
    if count != 1:
        if input.ndim == 0:
            raise RuntimeError("Not allow zero-dim input tensor.")
        channels = input.shape[1] if input.ndim > 1 else 1
        if channels != count:
            raise RuntimeError(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                f"{count} and channel size = {channels}."
            )
    if input.ndim > 1 and weight.ndim:
        weight = weight.reshape((1, count) + (1,) * (input.ndim - 2))
    elif not input.ndim and weight.ndim:
        weight = weight.reshape(())
    return rectifier.prelu_kernel(input, weight)


def rrelu(
    input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False
) -> Tensor:
    """leaky_relu with random slopes in training, and with their mean otherwise."""
    if not training:
        return leaky_relu(input, (lower + upper) / 2, inplace)
    data = input._data
    slopes = default_generator.numpy.uniform(lower, upper, data.shape)
    noise = bare(np.where(data > 0, 1.0, slopes).astype(data.dtype)[()])
    return (rrelu_with_noise_ if inplace else rectifier.rrelu_with_noise)(input, noise, lower, upper)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half along `dim` times the sigmoid of the second half."""
    if not input.ndim:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    size = input.shape[dim]
    if size % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {dim % input.ndim} is size {size}")
    return smooth.glu_card(input, dim)


def implicit_dim(name: str, ndim: int) -> int:
    """The dimension PyTorch chose before `dim` was asked for, with its warning."""
    warn(f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.")
    return 0 if ndim in (0, 1, 3) else 1


def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """e^x over the sum of e^x along `dim`."""
    return softmax_of(input, implicit_dim("softmax", input.ndim) if dim is None else dim, dtype)


def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """softmax of -x."""
    return softmax_of(-input, implicit_dim("softmin", input.ndim) if dim is None else dim, dtype)


def log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """The logarithm of softmax along `dim`, computed without overflow."""
    return log_softmax_of(input, implicit_dim("log_softmax", input.ndim) if dim is None else dim, dtype)


def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    """softmax of logits with Gumbel noise; `hard` gives one-hot values with the soft gradient."""
    noise = -np.log(default_generator.numpy.exponential(size=logits.shape))
    soft = softmax_of((logits + bare(noise.astype(logits._data.dtype))) / tau, dim)
    if not hard:
        return soft
    data = soft._data
    chosen = np.zeros_like(data)
    np.put_along_axis(chosen, np.argmax(data, dim, keepdims=True), 1, dim)
    return bare(chosen) - soft.detach() + soft


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """Each vector along `dim` divided by its length."""
    length = input.norm(p, dim, keepdim=True)
    return input / length.clamp_min(eps).expand_as(input)


relu_ = in_place(activation.relu, "relu_")
leaky_relu_ = in_place(rectifier.leaky_relu, "leaky_relu_")
elu_ = in_place(rectifier.elu_card, "elu_")
celu_ = in_place(rectifier.celu_card, "celu_")
hardtanh_ = in_place(rectifier.hardtanh_card, "hardtanh_")
hardsigmoid_ = in_place(rectifier.hardsigmoid, "hardsigmoid_")
hardswish_ = in_place(rectifier.hardswish, "hardswish_")
silu_ = in_place(smooth.silu, "silu_")
mish_ = in_place(smooth.mish, "mish_")
threshold_ = in_place(rectifier.threshold_card, "threshold_")
rrelu_with_noise_ = in_place(rectifier.rrelu_with_noise, "rrelu_")

__all__ = [
    "celu", "elu", "elu_", "gelu", "glu", "gumbel_softmax", "hardshrink", "hardsigmoid", "hardswish", "hardtanh",
    "hardtanh_", "leaky_relu", "leaky_relu_", "log_softmax", "logsigmoid", "mish", "normalize", "prelu", "relu",
    "relu6", "relu_", "rrelu", "selu", "sigmoid", "silu", "softmax", "softmin", "softplus", "softshrink", "softsign",
    "tanh", "tanhshrink", "threshold", "threshold_",
]  # fmt: skip
