"""Random tensors. Seeds repeat; the numbers are not PyTorch's, whose streams are its own.

Read next: `conversion.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from .._tensor import Tensor, bare
from ..generators import default_generator
from ..op import op
from ..samples import unary
from .filling import EXAMPLE, sizes_of
from .from_data import finished, numpy_kind
from .python_numbers import zeros_of


def source(generator: Any) -> Any:
    """NumPy's generator behind a Generator; the default one for None."""
    return (default_generator if generator is None else generator).numpy


def drawer(method: str, name: str, text: str) -> Any:
    """`torch.rand` and `torch.randn`."""

    def make(*size, generator=None, dtype=None, device=None, requires_grad=False, layout=None, **named) -> Tensor:
        values = getattr(source(generator), method)(sizes_of(name, size, named))
        return finished(np.asarray(values).astype(numpy_kind(name, dtype)), device, requires_grad)

    make.__name__ = make.__qualname__ = name
    make.__doc__ = EXAMPLE.format(text=text, name=name)
    return make


rand = drawer("random", "rand", "Uniform random numbers from [0, 1).")
randn = drawer("standard_normal", "randn", "Random numbers from the standard normal distribution.")


def randint(low, high=None, size=None, *, generator=None, dtype=None, device=None, requires_grad=False) -> Tensor:
    """Random whole numbers from `low` to before `high`.

    >>> import autograd_lab as torch
    >>> torch.randint(3, (2,)).dtype
    torch.int64
    """
    if size is None:
        low, high, size = 0, low, high
    if low >= high:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    values = source(generator).integers(low, high, sizes_of("randint", (size,)))
    return finished(np.asarray(values).astype(numpy_kind("randint", dtype or dtypes.int64)), device, requires_grad)


def randperm(n, *, generator=None, dtype=None, device=None) -> Tensor:
    """The numbers 0 to n - 1 in random order."""
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    return finished(source(generator).permutation(n).astype(numpy_kind("randperm", dtype or dtypes.int64)), device)


def rand_like(input, **options) -> Tensor:
    """Uniform random numbers in the shape and dtype of `input`."""
    return rand(tuple(input.shape), **{"dtype": input.dtype, **options})


def randn_like(input, **options) -> Tensor:
    """Standard normal random numbers in the shape and dtype of `input`."""
    return randn(tuple(input.shape), **{"dtype": input.dtype, **options})


def randint_like(input, low, high=None, **options) -> Tensor:
    """Random whole numbers in the shape and dtype of `input`."""
    return randint(
        *((0, low) if high is None else (low, high)), tuple(input.shape), **{"dtype": input.dtype, **options}
    )


@op("BernoulliBackward0", pointwise=True, called="bernoulli", samples=lambda rng: [(np.array([0.0, 1.0, 1.0]),)])
def bernoulli_card(self, generator=None):
    """1 with the probability that each element says, else 0."""
    if self.size and not (np.min(self) >= 0 and np.max(self) <= 1):
        raise RuntimeError(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  If "
            "so, "
            "please report an enhancement request to PyTorch.)"
        )
    return (source(generator).random(np.shape(self)) < self).astype(self.dtype)


@bernoulli_card.wrt("self", latex="0")
def _(grad):
    return zeros_of(grad)


def bernoulli(input, p=None, *, generator=None) -> Tensor:
    """1 with the probability that each element says, else 0.

    >>> import autograd_lab as torch
    >>> torch.bernoulli(torch.tensor([0.0, 1.0]))
    tensor([0., 1.])
    """
    if p is not None:
        input = bare(np.full(tuple(input.shape), p, input._data.dtype))
    return bernoulli_card(input, generator)


def normal(mean=0.0, std=1.0, size=None, *, generator=None, dtype=None, device=None, requires_grad=False) -> Tensor:
    """Normal random numbers with mean and standard deviation, numbers or tensors."""
    spread = std._data if isinstance(std, Tensor) else std
    if np.any(np.asarray(spread) < 0):
        raise RuntimeError(f"normal expects std >= 0.0, but found std {float(np.min(spread)):g}")
    if size is not None:
        values = source(generator).normal(mean, std, sizes_of("normal", (size,)))
        return finished(np.asarray(values).astype(numpy_kind("normal", dtype)), device, requires_grad)
    center = mean._data if isinstance(mean, Tensor) else mean
    kind = mean._data.dtype if isinstance(mean, Tensor) else spread.dtype
    shape = np.broadcast_shapes(np.shape(center), np.shape(spread))
    return finished(np.asarray(source(generator).normal(center, spread, shape)).astype(kind))


def multinomial(input, num_samples, replacement=False, *, generator=None) -> Tensor:
    """Draw `num_samples` numbers with the given weights, row by row."""
    rows = np.atleast_2d(np.asarray(input._data, np.float64))
    if np.any(rows.sum(-1) <= 0):
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    if not replacement and num_samples > rows.shape[-1]:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    draws = [source(generator).choice(r.size, num_samples, replacement, r / r.sum()) for r in rows]
    return bare(np.asarray(draws if input.ndim > 1 else draws[0], np.int64))


def poisson(input, generator=None) -> Tensor:
    """Poisson random numbers with the rate that each element says."""
    return bare(np.asarray(source(generator).poisson(input._data)).astype(input._data.dtype))


# what the random in-place methods write; their gradient is zero, the old values are gone


@op("NormalBackward0", pointwise=True, called="normal_", samples=unary())
def drawn_normal(self, mean=0.0, std=1.0, generator=None):
    """Normal random numbers in the shape of a tensor."""
    return np.asarray(source(generator).normal(mean, std, np.shape(self))).astype(self.dtype)


@op("UniformBackward0", pointwise=True, called="uniform_", samples=unary())
def drawn_uniform(self, from_=0.0, to=1.0, generator=None):
    """Uniform random numbers in the shape of a tensor."""
    return np.asarray(source(generator).uniform(from_, to, np.shape(self))).astype(self.dtype)


@op("BernoulliBackward2", pointwise=True, called="bernoulli_", samples=unary())
def drawn_bernoulli(self, p=0.5, generator=None):
    """0 or 1 in the shape of a tensor."""
    p = p._data if isinstance(p, Tensor) else p
    return (source(generator).random(np.shape(self)) < p).astype(self.dtype)


@op("ExponentialBackward0", pointwise=True, called="exponential_", samples=unary())
def drawn_exponential(self, lambd=1.0, generator=None):
    """Exponential random numbers in the shape of a tensor."""
    return np.asarray(source(generator).exponential(1 / lambd, np.shape(self))).astype(self.dtype)


@op("RandomBackward0", pointwise=True, called="random_", samples=unary())
def drawn_integers(self, low=0, high=None, generator=None):
    """Random whole numbers in the shape of a tensor."""
    low, high = (0, low) if high is None and low else (low, high)
    top = {"f": 2**24, "b": 2}.get(self.dtype.kind, 2**31 - 1) if high is None else high
    return np.asarray(source(generator).integers(low, top, np.shape(self))).astype(self.dtype)


for _card in (drawn_normal, drawn_uniform, drawn_bernoulli, drawn_exponential, drawn_integers):

    @_card.wrt("self", latex="0")
    def _(grad):
        return zeros_of(grad)
