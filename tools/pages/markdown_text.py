"""Small pieces of Markdown that code hosts and the site show alike."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence

SPECIAL = re.compile(r"[\\*_<>\[\]#|]")


def escape(text: str, special: re.Pattern[str] = SPECIAL) -> str:
    """A text whose signs mean themselves; what stands between backticks is left as it is."""
    pieces = text.split("`")
    pieces[::2] = [special.sub(r"\\\g<0>", piece) for piece in pieces[::2]]
    return "`".join(pieces)


def code(text: str) -> str:
    """A word of code, also in a table: there a bar would begin the next cell."""
    return f"`{text}`" if "|" not in text else f"<code>{html.escape(text, quote=False).replace('|', '&#124;')}</code>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table, with an empty one after it."""
    yield "| " + " | ".join(head) + " |"
    yield "|---" * len(head) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""
