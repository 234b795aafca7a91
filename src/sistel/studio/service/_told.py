"""Diagnostics as the window shows them; JavaScript counts letters beyond U+FFFF twice, and so do their places."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from typing import TYPE_CHECKING

from sistel.errors import Diagnostic, Span, Text

if TYPE_CHECKING:
    from sistel.plain import JsonObject


@lru_cache(maxsize=16)
def _beyond(text: str) -> tuple[int, ...]:
    """Where the letters stand that JavaScript counts twice."""
    if text.isascii():
        return ()
    return tuple(found.start() for found in re.finditer("[\U00010000-\U0010ffff]", text))


def utf16(text: str, offset: int) -> int:
    """How many UTF-16 units come before a character."""
    beyond = _beyond(text)
    return offset + bisect_left(beyond, offset) if beyond else offset


def character(text: str, units: int) -> int:
    """Which character begins at, or holds, a UTF-16 unit."""
    beyond = _beyond(text)
    # A letter counts twice: the units before letter number n of those are its place and n.
    number = bisect_left(range(len(beyond)), units, key=lambda each: beyond[each] + each + 1)
    return max(0, min(units - number, len(text)))


def told(diagnostic: Diagnostic, path: str | None = None) -> dict[str, object]:
    """A diagnostic as plain data.

    Args:
        diagnostic: What is wrong.
        path: Of the text that was sent; places in other texts name their file.
    """
    span = diagnostic.span
    return {
        "severity": diagnostic.severity,
        "code": diagnostic.code,
        **_place(span),
        "message": both(diagnostic.message),
        "expected": _both(diagnostic.expected),
        "hint": _both(diagnostic.hint),
        "related": [{**_place(where), "message": both(text)} for where, text in diagnostic.related],
        "file": None if span is None or span.source.path == path else span.source.path,
        "fixes": [],
    }


def _place(span: Span | None) -> JsonObject:
    if span is None:
        return {"from": 0, "to": 0, "line": 0, "column": 0}
    text = span.source.text
    start, end = utf16(text, span.start), utf16(text, span.end)
    return {"from": start, "to": end, "line": span.line, "column": span.column}


def both(said: Text) -> dict[str, str]:
    """A text in both languages, as JSON."""
    return {"en": said.en, "ru": said.ru}


def _both(text: Text | None) -> dict[str, str] | None:
    return None if text is None else both(text)
