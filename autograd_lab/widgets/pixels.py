"""Images and filters as drawings: grey pixels in an SVG, with a word below each.

The PNG inside is written without compression, so that the same pixels give the same bytes everywhere.
"""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograd_lab.widgets.plot import WIDTH, svg, text


def pictures(title: str, images: Sequence[Any], words: Sequence[str], marked: Sequence[bool] = ()) -> str:
    """Images of bytes in a row, each with a word below; a marked one has a frame of dashes."""
    room = WIDTH / max(8, len(images))
    side = room - 8
    parts = []
    for i, (image, word) in enumerate(zip(images, words, strict=True)):
        left = room * i + 4
        parts.append(
            f'<image x="{left:.1f}" y="4" width="{side:.1f}" height="{side:.1f}" style="image-rendering:pixelated" '
            f'href="{png(image)}"/>'
        )
        wrong = bool(marked) and marked[i]
        look = (
            'stroke="var(--ag-failed)" stroke-width="3" stroke-dasharray="5 3"' if wrong else 'stroke="var(--ag-line)"'
        )
        parts.append(f'<rect x="{left:.1f}" y="4" width="{side:.1f}" height="{side:.1f}" fill="none" {look}/>')
        parts.append(text(left + side / 2, side + 20, word, "middle"))
    return svg(title, parts, side + 28)


def png(pixels: Any) -> str:
    """A grey image of bytes, (height, width), as a data address.

    >>> png(np.zeros((1, 1), np.uint8))[:30]
    'data:image/png;base64,iVBORw0K'
    """
    height, width = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in np.ascontiguousarray(pixels))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = (b"IHDR", header), (b"IDAT", zlib.compress(rows, 0)), (b"IEND", b"")
    data = b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)
    return "data:image/png;base64," + b64encode(data).decode()


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def grey(array: Any, low: float, high: float) -> Any:
    """Numbers as bytes: `low` is black, `high` white.

    >>> grey(np.array([[-1.0, 0.0, 1.0]]), -1, 1)
    array([[  0, 128, 255]], dtype=uint8)
    """
    span = high - low or 1.0
    return np.rint(np.clip((np.nan_to_num(array) - low) / span, 0, 1) * 255).astype(np.uint8)
