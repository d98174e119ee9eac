"""The two sets of digits: how a file is checked and becomes tensors.

A file is an `.npz` of bytes, made by `tools/make_digits.py`. Its checksum is written here, so that a file that
was damaged or exchanged is noticed before anything is learned from it.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np

from .._tensor import bare
from ..utils.data import TensorDataset


@dataclass(frozen=True)
class Source:
    """One file: its name, its SHA-256 checksum, and the byte that means the brightest."""

    file: str
    sha256: str
    brightest: int


@dataclass(frozen=True)
class Digits:
    """Images to train with and images to test with; each a TensorDataset of (image, label)."""

    name: str
    train: TensorDataset
    test: TensorDataset

    def __repr__(self) -> str:
        height, width = self.train.tensors[0].shape[2:]
        return f"{self.name}: {len(self.train)} images to train with, {len(self.test)} to test with, {height}x{width}"


DIGITS8 = Source("digits8.npz", "4c817b8f965c16a2f4dd317b7ae03886a6f531e8c7fb739eb16e2717c3c73afc", 16)
MNIST5K = Source("mnist5k.npz", "d6da04472ff35e8c521817bcb4d1a91cadc58d0582da764f02136bb9a8c1db1e", 255)


def digits8() -> Digits:
    """1,797 handwritten digits of 8 by 8: 1,438 to train with, 359 to test with.

    Images are float32 in [0, 1] of shape (N, 1, 8, 8), labels int64 of shape (N,). The split is fixed: every fifth
    image of each digit is for testing. Raises RuntimeError if the file is damaged, FileNotFoundError if it is missing.
    Source: E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, UCI, CC BY 4.0.

    >>> digits8()
    digits8: 1438 images to train with, 359 to test with, 8x8
    >>> images, labels = digits8().train.tensors
    >>> images.shape, images.dtype, labels[:5]
    (torch.Size([1438, 1, 8, 8]), torch.float32, tensor([0, 1, 2, 3, 4]))
    """
    return read("digits8", DIGITS8)


def mnist5k() -> Digits:
    """5,000 handwritten digits of 28 by 28, 500 of each: 4,000 to train with, 1,000 to test with.

    Images are float32 in [0, 1] of shape (N, 1, 28, 28), labels int64 of shape (N,). The split is fixed: every fifth
    image of each digit is for testing. Raises RuntimeError if the file is damaged, FileNotFoundError if it is missing.
    Source: Y. LeCun, C. Cortes and C. J. C. Burges, the MNIST database, CC BY-SA 3.0.

    >>> mnist5k()
    mnist5k: 4000 images to train with, 1000 to test with, 28x28
    >>> image, label = mnist5k().test[0]
    >>> image.min(), image.max(), label
    (tensor(0.), tensor(1.), tensor(0))
    """
    return read("mnist5k", MNIST5K)


def read(name: str, source: Source) -> Digits:
    """The digits of one file, as new tensors each time: changing them changes nobody else's."""
    arrays = unpacked(source)
    parts = []
    for part in ("train", "test"):
        images = arrays[f"{part}_images"].astype(np.float32)[:, None]
        images /= np.float32(source.brightest)
        parts.append(TensorDataset(bare(images), bare(arrays[f"{part}_labels"].astype(np.int64))))
    return Digits(name, *parts)


def unpacked(source: Source) -> dict[str, Any]:
    """The arrays of a file, as bytes, after its checksum was found right."""
    path = files(__package__) / "files" / source.file
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise FileNotFoundError(
            f"The digits are missing: there is no file {source.file} in the folder of autograd_lab.datasets. "
            f"Installing autograd-lab again brings it back."
        ) from None
    found = hashlib.sha256(data).hexdigest()
    if found != source.sha256:
        raise RuntimeError(
            f"The file {source.file} is damaged or was changed: its SHA-256 begins with {found[:12]}, that of the "
            f"right file with {source.sha256[:12]}. Installing autograd-lab again brings the right one back."
        )
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        return dict(archive)
