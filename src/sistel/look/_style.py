"""Tokens in style sheets: as properties of pages, and as plain colours of pictures that stand alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final, Literal

from sistel.look._tokens import TOKENS, colour

Theme = Literal["auto", "light", "dark"]

PAGES: Final = (":root", ".sistel")
"""What has the colours: a page of its own, or one of several in a document."""
SANS: Final = 'system-ui,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif'
MONO: Final = 'ui-monospace,"Cascadia Code",Menlo,Consolas,"DejaVu Sans Mono",monospace'
_USED = re.compile(r"var\(--([a-z][a-z0-9-]*)\)")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_SPARE = re.compile(r"\s*([{};,])\s*")
_DARK: Final = "@media (prefers-color-scheme:dark)"


def properties(roots: Sequence[str] = (":root",), *, switched: bool = False) -> str:
    """The tokens as properties of CSS: by day, where the reader's system has night, and where the reader asks for it.

    Scripts read the properties for what they draw, which rules out one property with two colours (`light-dark`).

    Args:
        roots: Selectors of the elements that have them.
        switched: Whether the page has no scripts, and radio buttons `theme-light` and `theme-dark` instead.
    """
    day, night = (
        "".join(f"--{name}:{pair[dark]};" for name, pair in TOKENS.items())
        + f"--shadow:{_SHADOWS[dark]};color-scheme:{('light', 'dark')[dark]}"
        for dark in (False, True)
    )
    unless = ",".join(f'{root}:not([data-theme="light"])' for root in roots)
    asked = ",".join(f'{root}[data-theme="dark"]' for root in roots)
    rules = f"{','.join(roots)}{{{day}}}\n{_DARK}{{{unless}{{{night}}}}}\n{asked}{{{night}}}\n"
    # Paper is white, whatever a screen was.
    rules += f"@media print{{{','.join(roots)},{unless},{asked}{{{day}}}}}\n"
    if switched:
        rules += f":root:has(#theme-light:checked){{{day}}}\n:root:has(#theme-dark:checked){{{night}}}\n"
    return rules


_SHADOWS: Final = (
    "0 1px 2px rgb(20 30 40/.06),0 6px 20px rgb(20 30 40/.1)",
    "0 1px 2px rgb(0 0 0/.4),0 8px 24px rgb(0 0 0/.45)",
)


@cache
def _common(name: str = "look.css") -> str:
    """The style sheet that all pages have: letters, header, buttons, fields, tables, notes."""
    return files("sistel.look").joinpath(name).read_text(encoding="utf-8")


def style_sheet(*more: str, roots: Sequence[str] = PAGES, switched: bool = False) -> str:
    """Tokens, the common style sheet, and what a kind of pages has besides."""
    return tidied(properties(roots, switched=switched), _common(), *more)


def tidied(*sheets: str) -> str:
    """Sheets behind each other, without comments and spaces that say nothing."""
    return _SPARE.sub(r"\1", _COMMENT.sub("", "".join(sheets)))


def painted(rules: str, theme: Theme = "auto") -> str:
    """Rules whose colours are tokens, with the colours themselves: not every reader of pictures knows properties.

    Args:
        rules: Rules one after another, without `@media`, such as `.paper{fill:var(--paper)}`.
        theme: By day, by night, or as the reader's screen is; then all that has a colour is said twice.
    """
    if theme != "auto":
        return _filled(rules, dark=theme == "dark")
    night = []
    for selector, declared in _RULE.findall(rules):
        coloured = [each for each in declared.split(";") if "var(--" in each]
        if coloured:
            night.append(f"{selector.strip()}{{{';'.join(coloured)}}}\n")
    return f"{_filled(rules, dark=False)}{_DARK}{{\n{_filled(''.join(night), dark=True)}}}\n"


def inside(rules: str) -> str:
    """The same rules as a part of a page: with its colours, and those of the day where it has none."""
    return _USED.sub(lambda found: f"var(--{found[1]},{colour(found[1])})", rules)


def _filled(rules: str, *, dark: bool) -> str:
    return _USED.sub(lambda found: colour(found[1], dark=dark), rules)
