"""`torch.cuda`: what a build without a GPU answers."""

from __future__ import annotations

from typing import Any


def is_available() -> bool:
    """Whether a GPU can be used: never here.

    >>> is_available()
    False
    """
    return False


def device_count() -> int:
    """The number of GPUs: 0."""
    return 0


def manual_seed(seed: int) -> None:
    """Seeds the GPUs' generators, of which there are none."""


def manual_seed_all(seed: int) -> None:
    """Seeds the GPUs' generators, of which there are none."""


def empty_cache() -> None:
    """Frees the GPU's cache; nothing to do."""


def synchronize(device: Any = None) -> None:
    """Waits for a GPU, which this build has not."""
    raise AssertionError("Torch not compiled with CUDA enabled")


def current_device() -> int:
    """The GPU in use: an error in a build without one."""
    raise AssertionError("Torch not compiled with CUDA enabled")
