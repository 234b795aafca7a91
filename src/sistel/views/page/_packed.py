"""Long texts inside a page: gzip, as letters that no HTML parser can mistake.

Five letters stand for four bytes (RFC 1924, whose "<" is "." here); with base64 pages were a twentieth larger.
"""

from __future__ import annotations

import base64
import gzip
from functools import cache
from html import escape

from sistel.views.assets import asset


def packed(name: str, text: str | bytes, effort: int = 9) -> str:
    """A block of a page that `page.unpack(name)` reads back.

    Args:
        name: Of the block, unique in the page.
        text: What it holds; letters are stored as UTF-8.
        effort: Of packing, 0 to 9.

    Returns:
        A `<script>` element of a type that no browser runs. The same text gives the same bytes.
    """
    data = text.encode("utf-8", "replace") if isinstance(text, str) else text
    # Without the time of packing, so that a page is the same whenever it is made.
    letters = base64.b85encode(gzip.compress(data, effort, mtime=0)).decode("ascii").replace("<", ".")
    return f'<script type="text/plain" data-packed="{escape(name, quote=True)}">{letters}</script>'


def unpacked(letters: str) -> bytes:
    """What a block holds, of its letters."""
    return gzip.decompress(base64.b85decode(letters.replace(".", "<")))


@cache
def packed_asset(name: str, file: str, after: str = "") -> str:
    """A block with what was gathered for pages, and a line behind it; packing takes longer than much of a page."""
    return packed(name, asset(file) + after.encode())
