"""Long texts inside a page: gzip, as letters that no HTML parser can mistake."""

from __future__ import annotations

import base64
import gzip
from html import escape


def packed(name: str, text: str | bytes) -> str:
    """A block of a page that `page.unpack(name)` reads back.

    Args:
        name: Of the block, unique in the page.
        text: What it holds; letters are stored as UTF-8.

    Returns:
        A `<script>` element of a type that no browser runs. The same text gives the same bytes.
    """
    data = text.encode("utf-8", "replace") if isinstance(text, str) else text
    # Without the time of packing, so that a page is the same whenever it is made.
    letters = base64.b64encode(gzip.compress(data, 9, mtime=0)).decode("ascii")
    return f'<script type="text/plain" data-packed="{escape(name, quote=True)}">{letters}</script>'
