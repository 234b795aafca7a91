"""Bytes as letters that no HTML parser can mistake: LZMA, in the digits of RFC 1924, whose "<" is "." here.

Five letters stand for four bytes; with base64 pages were a twentieth larger. LZMA makes scripts a seventh shorter than
gzip does, kernels and equations a third; pages unpack it themselves (`web/src/page/lzma.ts`), for browsers cannot.
`tools/assets` runs this file on its own.
"""

from __future__ import annotations

import base64
import lzma

EFFORT = 6 | lzma.PRESET_EXTREME
"""Of packing; 9 takes more memory, and gains nothing here."""


def letters_of(data: bytes) -> str:
    """Bytes as letters: how many they are, in four bytes, then LZMA; where that is longer, a zero and the bytes."""
    stream = lzma.compress(data, lzma.FORMAT_RAW, filters=_filters(len(data)))
    whole = len(data).to_bytes(4, "little") + stream if len(stream) < len(data) else bytes(4) + data
    return base64.b85encode(whole).decode("ascii").replace("<", ".")


def bytes_of(letters: str) -> bytes:
    """The bytes again."""
    data = base64.b85decode(letters.replace(".", "<"))
    size = int.from_bytes(data[:4], "little")
    if not size:
        return data[4:]
    return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=_filters(size)).decompress(data[4:], size)


def _filters(size: int) -> list[dict[str, int]]:
    """With the contexts that texts like; the page knows them."""
    reach = 1 << max(12, size.bit_length())
    return [{"id": lzma.FILTER_LZMA1, "preset": EFFORT, "lc": 3, "lp": 0, "pb": 0, "dict_size": reach}]
