"""`torch.random`: the seed of the default generator."""

from __future__ import annotations

from .generators import default_generator, initial_seed, manual_seed, seed

__all__ = ["default_generator", "initial_seed", "manual_seed", "seed"]
