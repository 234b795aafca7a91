"""Pictures for paper: light colours alone, no variables of style sheets, and turned where they are too wide."""

from __future__ import annotations

import re
from typing import Final

from sistel.look import colour
from sistel.views.reports._layout import svg_size

_DARK = re.compile(r"@media *\(prefers-color-scheme: *dark\) *\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
_DECLARED = re.compile(r"(--[\w-]+):([^;{}]+);?")
_USED = re.compile(r"var\((--[\w-]+)(?:,([^()]*))?\)")
TURNED: Final = 1250.0
"""Width from which letters of a picture would be too small on a page that stands upright [px]."""


def printable(svg: str) -> str:
    """A picture that any reader of SVG draws as it is on light paper."""
    made = _DARK.sub("", svg[svg.index("<svg") :].rstrip())
    head, begin, rest = made.partition("<style>")
    style, end, rest = rest.partition("</style>")
    if "var(" not in made or not begin:
        return made
    known = dict(_DECLARED.findall(style))

    def value(found: re.Match[str]) -> str:
        return str(known.get(found[1], found[2] or colour("ink"))).strip()

    rules = _USED.sub(value, style)
    return head + begin + _DECLARED.sub("", rules) + end + _USED.sub(value, rest)


def too_wide(svg: str) -> bool:
    """Whether the letters of a picture would be too small on a page that stands upright."""
    wide, high = svg_size(svg)
    return wide > TURNED and wide > 1.25 * high


def turned(svg: str) -> str:
    """A picture turned by a quarter to the left: read from the right side of the page."""
    wide, high = svg_size(svg)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{high:.6g}" height="{wide:.6g}" '
        f'viewBox="0 0 {high:.6g} {wide:.6g}"><g transform="translate(0 {wide:.6g}) rotate(-90)">{svg}</g></svg>'
    )
