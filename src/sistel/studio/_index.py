"""The page that the application mounts into, with a server and without one."""

from __future__ import annotations

from html import escape

from sistel._version import __version__
from sistel.errors import Text
from sistel.look import both, style_sheet

_INDEX = """<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
{policy}<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="sistel {version}">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{look}</style>
<link rel="stylesheet" href="studio/studio.css"{nonce}>
{head}</head>
<body>
<div class="sistel" data-studio{data} lang="{lang}"><noscript>{needs}</noscript></div>
<script type="module" src="studio/studio.js"{nonce}></script>
</body>
</html>
"""


def mount_page(
    title: str, needs: Text, *, lang: str = "en", data: str = "", nonce: str = "", policy: str = "", head: str = ""
) -> str:
    """The page.

    Args:
        title: Of the window, until a file is open.
        needs: What is said to browsers that cannot run it.
        lang: Language in which it begins.
        data: How it is mounted: the rest of the attribute `data-studio`, and others.
        nonce: What lets its script and its style in, where it comes from a server.
        policy: What it may do, where no server says so.
        head: What else stands in its head, as HTML.
    """
    told = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n' if policy else ""
    return _INDEX.format(
        lang=lang,
        policy=told,
        version=__version__,
        title=escape(title),
        look=style_sheet(),
        nonce=f' nonce="{nonce}"' if nonce else "",
        data=data,
        head=head,
        needs=both(needs),
    )
