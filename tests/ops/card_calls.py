"""Cards called with their samples: what test_registry and test_parity share."""

import zlib

import numpy as np

import autograd_lab as torch
import autograd_lab.ops.every
from autograd_lab.op import CARDS, Card


def generator(name):
    return np.random.default_rng(zlib.crc32(name.encode()))


def cases(card):
    return card.samples(generator(card.forward.__name__))


def with_samples():
    return [card for card in CARDS.values() if card.samples is not None]


def is_float(value):
    return isinstance(value, (np.ndarray, np.floating)) and value.dtype.kind == "f"


class Call:
    """One card with one sample: which arguments are tensors, and the card as a function of arrays."""

    def __init__(self, card: Card, sample):
        self.card, self.sample = card, sample
        self.listed = card.listed
        if card.listed:
            self.arrays = [np.asarray(a) for a in sample[0]]
            self.targets = list(range(len(self.arrays)))
            return
        names = card.names[: len(sample)]
        self.places = [
            i for i, (n, v) in enumerate(zip(names, sample, strict=True)) if n in card.tensors and v is not None
        ]
        self.arrays = [np.asarray(sample[i]) if not np.isscalar(sample[i]) else sample[i] for i in self.places]
        self.targets = [
            k for k, i in enumerate(self.places) if names[i] in card.targets and is_float(self.arrays[k])
        ]  # fmt: skip

    def __call__(self, tensors):
        """The results that have a gradient: those of `also` (indices, statistics) have none and are left out."""
        if self.listed:
            return self.card.function(tensors, *self.sample[1:])
        arguments = list(self.sample)
        for i, t in zip(self.places, tensors, strict=True):
            arguments[i] = t
        result = self.card.function(*arguments)
        return result[0] if self.card.also else result

    def inputs(self, requires_grad=True):
        made = []
        for k, array in enumerate(self.arrays):
            if isinstance(array, (int, float, bool)):
                made.append(array)
                continue
            t = torch.from_numpy(np.array(array))
            made.append(t.requires_grad_() if requires_grad and k in self.targets else t)
        return made


def results_of(value):
    """The floating results of a call, as a list."""
    values = value if isinstance(value, tuple) else (value,)
    return [v for v in values if v.dtype.is_floating_point]


def weights(results, seed=0):
    rng = np.random.default_rng(seed)
    return [torch.from_numpy(rng.uniform(0.5, 1.5, tuple(r.shape))) for r in results]
