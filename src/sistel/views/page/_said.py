"""Words in both languages, as the payload of a page carries them."""

from __future__ import annotations

from collections.abc import Callable

from sistel.errors import Language, Text
from sistel.views._page_words import Said
from sistel.views.text._numbers import clean

LONGEST = 200
"""Letters of a name in a page; longer ones are cut."""

BOTH: tuple[Language, Language] = ("en", "ru")


def said(text: Text) -> Said:
    """A text for the payload; the page shows the one that its reader has chosen."""
    return text.en if text.en == text.ru else {"en": text.en, "ru": text.ru}


def spoken(write: Callable[[Language], str]) -> Said:
    """What a function writes in either language."""
    en, ru = (write(lang) for lang in BOTH)
    return said(Text(en, ru))


def tidy(name: str) -> str:
    """A name of strangers: without characters that turn the direction of writing, and not endless."""
    plain = clean(name)
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…"
