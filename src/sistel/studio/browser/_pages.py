"""The page that the studio without a server mounts into."""

from __future__ import annotations

from html import escape
from typing import Final

from sistel._version import __version__
from sistel.errors import Text
from sistel.look import both, style_sheet

# Pages of models have scripts inside, and take the policy of this page over as far as theirs is not stricter: it lets
# scripts inside pages run, and theirs says by digests which. Nothing is asked of any other address.
POLICY: Final = (
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline' blob:; "
    "img-src 'self' data: blob:; font-src 'self' data: blob:; connect-src 'self' data: blob:; worker-src 'self' blob:; "
    "frame-src 'self' blob:; media-src 'self' data: blob:; base-uri 'none'; form-action 'none'"
)
NEEDS: Final = Text(
    "The studio needs JavaScript and WebAssembly.",
    "Студии нужны JavaScript и WebAssembly.",
)
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="sistel {version}">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{look}</style>
<link rel="stylesheet" href="studio/studio.css">
</head>
<body>
<div class="sistel" data-studio="worker" data-bytes="{size}" lang="en"><noscript>{needs}</noscript></div>
<script type="module" src="studio/studio.js"></script>
</body>
</html>
"""


def index_page(title: Text, size: int) -> str:
    """The page.

    Args:
        title: Of the window, until a file is open.
        size: Of what is fetched before Python runs [bytes].
    """
    return _PAGE.format(
        policy=POLICY,
        version=__version__,
        title=escape(f"{title.en} · {title.ru}"),
        look=style_sheet(),
        size=size,
        needs=both(NEEDS),
    )
