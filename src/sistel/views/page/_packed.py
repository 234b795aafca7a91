"""Long texts inside a page: packed, as letters that no HTML parser can mistake."""

from __future__ import annotations

from functools import cache
from html import escape

from sistel.views.assets import asset, asset_letters, bytes_of, letters_of

unpacked = bytes_of


def packed(name: str, text: str | bytes) -> str:
    """A block of a page that `page.unpack(name)` reads back.

    Args:
        name: Of the block, unique in the page.
        text: What it holds; letters are stored as UTF-8.

    Returns:
        A `<script>` element of a type that no browser runs. The same text gives the same bytes.
    """
    return _block(name, letters_of(text.encode("utf-8", "replace") if isinstance(text, str) else text))


@cache
def packed_asset(name: str, file: str) -> str:
    """A block with what was gathered for pages; packing takes longer than much of a page."""
    return _block(name, asset_letters(file) or letters_of(asset(file)))


def _block(name: str, letters: str) -> str:
    return f'<script type="text/plain" data-packed="{escape(name, quote=True)}">{letters}</script>'
