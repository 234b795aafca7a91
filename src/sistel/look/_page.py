"""Pages that need nothing beside them: their header, and whole pages in both languages without a script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Final

from sistel._version import __version__
from sistel.errors import Language, Text
from sistel.look._style import style_sheet

_MARK: Final = (
    '<svg viewBox="0 0 32 32" aria-hidden="true"><g fill="none" stroke="currentColor" stroke-width="3" '
    'stroke-linecap="round"><path d="M16 8 8 27M16 8l6 9 1 10"/></g><circle cx="16" cy="7" r="4" fill="currentColor"/>'
    "</svg>"
)
_BACK: Final = Text("To the gallery", "В галерею")
_THEMES: Final = {
    "auto": ("◐", Text("Colours as the system has them", "Цвета как в системе")),
    "light": ("○", Text("Light colours", "Светлые цвета")),
    "dark": ("●", Text("Dark colours", "Тёмные цвета")),
}
_POLICY: Final = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; form-action 'none'"
)


def both(text: Text) -> str:
    """A text in both languages, of which the page shows one."""
    if text.en == text.ru:
        return escape(text.en)
    return f'<span lang="en" data-in="en">{escape(text.en)}</span><span lang="ru" data-in="ru">{escape(text.ru)}</span>'


def brand(back: str = "") -> str:
    """The mark at the left of a header.

    Args:
        back: Where it leads: the index of the gallery that the page belongs to.
    """
    if not back:
        return f'<span class="brand">{_MARK}</span>'
    # Its name is that of one language: an attribute cannot have two, and scripts may say it anew.
    name = f"{_BACK.en} · {_BACK.ru}"
    way = '<svg class="back" viewBox="0 0 8 12" aria-hidden="true"><path d="M6.5 1.5 2 6l4.5 4.5" fill="none" '
    way += 'stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"/></svg>'
    return f'<a class="brand" href="{escape(back)}" aria-label="{name}" title="{name}">{way}{_MARK}</a>'


def header(title: str, facts: str = "", tools: str = "", *, back: str = "") -> str:
    """The head of a page.

    Args:
        title: As HTML.
        facts: What is known of it, in few words, as HTML.
        tools: At the right, as HTML.
        back: Where the mark leads.
    """
    return (
        f'<header class="header" data-part="header">{brand(back)}<h1>{title}</h1><p class="facts">{facts}</p>'
        f'<div class="tools">{tools}</div></header>\n'
    )


def switched_page(
    title: str, style: str, lang: Language, inside: Iterable[str], *, heading: str = "", facts: str = ""
) -> str:
    """A page to read in both languages, between which radio buttons switch, as between day and night.

    Args:
        title: Of the window, as HTML.
        style: What follows the common style sheet.
        lang: Language in which it opens.
        inside: What stands on it, as HTML.
        heading: In its header, as HTML; the title unless told otherwise.
        facts: Beside it, as HTML.
    """
    names = {code: (code.upper(), Text(name, name)) for code, name in (("en", "English"), ("ru", "Русский"))}
    radios, tools = _choices("in", names, lang, lang)
    return _page(title, style, lang, inside, header(heading or title, facts, tools + " {}"), radios)


def still_page(
    title: str, style: str, lang: Language, inside: Iterable[str], *, heading: str = "", facts: str = ""
) -> str:
    """The same in one language."""
    return _page(title, style, lang, inside, header(heading or title, facts, "{}"), "")


def _page(title: str, style: str, lang: Language, inside: Iterable[str], head: str, radios: str) -> str:
    themes, tools = _choices("theme", _THEMES, "auto", lang)
    return "".join(
        (
            f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            '<meta name="color-scheme" content="light dark">\n',
            f'<meta name="generator" content="sistel {__version__}">\n<link rel="icon" href="data:,">\n',
            f"<title>{title}</title>\n",
            f"<style>{style_sheet(style, roots=(':root',), switched=True)}</style>\n</head>\n<body>\n",
            *(radios, themes, head.replace("{}", tools), '<main class="sheet">\n'),
            *inside,
            "</main>\n</body>\n</html>\n",
        )
    )


def _choices(group: str, known: Mapping[str, tuple[str, Text]], chosen: str, lang: Language) -> tuple[str, str]:
    """Radio buttons before everything that they change, and the labels that press them."""
    radios, labels = "", ""
    for key, (sign, words) in known.items():
        said, checked = escape(words.say(lang)), " checked" if key == chosen else ""
        radio = f'<input type="radio" id="{group}-{key}"{checked} name="{group}" class="switch" aria-label="{said}">'
        radios += radio + "\n"
        labels += f'<label for="{group}-{key}" title="{said}">{sign}</label>'
    return radios, f'<span class="seg">{labels}</span>'
