"""Pages in both languages with one script, which switches between them; they need nothing beside them."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from html import escape

from sistel._version import __version__
from sistel.errors import Language, Text
from sistel.look import style_sheet
from sistel.views.assets import asset_text
from sistel.views.page._files import view_text


def scripted_page(
    title: Text, lang: Language, body: Iterable[str], *, script: str, style: str, images: str = "data:", fit: str = ""
) -> str:
    """A page that runs its own script alone.

    Args:
        title: In the title bar.
        lang: Language in which it opens.
        body: Lines of HTML.
        script: Name of the asset.
        style: Name of the style sheet, which follows the colours.
        images: Where pictures may come from.
        fit: What the viewport is told besides its width.
    """
    code, look = asset_text(script), style_sheet(view_text(style), roots=(":root",))
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; img-src {images}; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )
    lines = [
        "<!doctype html>",
        f'<html lang="{lang}" data-lang="{lang}">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        f'<meta name="viewport" content="width=device-width, initial-scale=1{fit}">',
        '<meta name="color-scheme" content="light dark">',
        f'<meta name="generator" content="sistel {__version__}">',
        '<link rel="icon" href="data:,">',
        f"<title>{escape(title.say(lang))}</title>",
        f"<style>{look}</style>",
        "</head>",
        "<body>",
        *body,
        f"<script>{code}</script>",
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(lines)
