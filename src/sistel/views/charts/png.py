"""Pictures of few colours as PNG files, written with nothing but zlib."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def png(pixels: NDArray[np.uint8], colours: NDArray[np.uint8], density: float | None = None) -> bytes:
    """A picture as the bytes of a PNG file (ISO/IEC 15948), with a table of colours.

    Args:
        pixels: Numbers of colours, shape (height, width), the top row first.
        colours: Red, green and blue of every colour, shape (n, 3), n up to 256.
        density: Pixels per metre, for printers.
    """
    high, wide = pixels.shape
    rows = np.zeros((high, wide + 1), dtype=np.uint8)  # every row begins with its filter: none
    rows[:, 1:] = pixels
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0)),
        (b"PLTE", np.ascontiguousarray(colours, dtype=np.uint8).tobytes()),
    ]
    if density is not None:
        chunks.append((b"pHYs", struct.pack(">IIB", round(density), round(density), 1)))
    chunks += [(b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
