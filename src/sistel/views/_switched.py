"""Words of strangers on pages in both languages."""

from __future__ import annotations

from sistel import look
from sistel.errors import Language, Text
from sistel.views.text._numbers import clean

LANGUAGES: tuple[Language, Language] = ("en", "ru")


def both(text: Text) -> str:
    """A text in both languages, of which the switch of the page shows one."""
    return look.both(Text(clean(text.en), clean(text.ru)))
