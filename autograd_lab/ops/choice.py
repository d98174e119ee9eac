"""Choosing, the whole chapter in one place: where, maximum, clamp.

The cards are in `selecting.py` and `clamping.py`. Read next: `selecting.py`.
"""

from __future__ import annotations

from .clamping import clamp, clamp_max, clamp_min, clamp_numbers  # noqa: F401
from .selecting import fmax, fmin, maximum, minimum, where, where_card, word_for  # noqa: F401
