"""Pages in both languages without a script: buttons of the page itself switch between them."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from sistel.errors import Language, Text
from sistel.views.text._numbers import clean

LANGUAGES: tuple[Language, Language] = ("en", "ru")


def switched_page(title: str, style: str, lang: Language, inside: Iterable[str]) -> str:
    """A page with a switch between the languages.

    Args:
        title: As HTML.
        style: Its style sheet; `.switch`, `.en` and `.ru` are for it to show and to hide.
        lang: Language in which it opens.
        inside: What stands on it, as HTML.
    """
    made = [f'<!doctype html>\n<html lang="{lang}">\n<head><meta charset="utf-8">']
    made.append('<meta name="viewport" content="width=device-width,initial-scale=1">')
    made.append(f"<title>{title}</title><style>{style}</style></head>\n<body>\n")
    for code in LANGUAGES:
        checked = " checked" if code == lang else ""
        made.append(f'<input class="switch" type="radio" name="lang" id="in-{code}"{checked}>')
    made.append('<div class="wrap">\n<div class="languages"><label for="in-en">English</label>')
    made.append('<label for="in-ru">Русский</label></div>\n')
    made += inside
    made.append("</div>\n</body>\n</html>\n")
    return "".join(made)


def both(text: Text) -> str:
    """A text in both languages, of which the switch shows one."""
    if text.en == text.ru:
        return escape(clean(text.en))
    parts = ((code, escape(clean(text.say(code)))) for code in LANGUAGES)
    return "".join(f'<span class="{code}" lang="{code}">{words}</span>' for code, words in parts)
