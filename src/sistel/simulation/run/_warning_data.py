"""Warnings of a run as plain data, for archives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from sistel.errors import Source, Span, Text
from sistel.simulation.run._warnings import Warnings

if TYPE_CHECKING:
    from sistel.plain import Json


FARTHEST: Final = 10_000_000
"""Lines and columns of a file, beyond which a place is not believed."""


def plain_warnings(noted: Warnings) -> list[dict[str, object]]:
    """All that a run has noted: codes, sentences in both languages, times [s] and places."""
    return [
        {
            "code": item.code,
            "message": list(item.message),
            "hint": None if item.hint is None else list(item.hint),
            "times": list(times),
            "place": item.place,
            "line": None if item.span is None else _line(item.span),
        }
        for item, times in noted.seen()
    ]


def warnings_of(plain: Sequence[Json]) -> Warnings:
    """The warnings of an archive; their places are in a text of which one line is known."""
    noted = Warnings()
    for item in plain:
        hint = None if item["hint"] is None else Text(*map(str, item["hint"]))
        for time in item["times"]:
            noted.add(str(item["code"]), float(time), Text(*map(str, item["message"])), _span(item), hint=hint)
    return noted


def _line(span: Span) -> list[object]:
    """The line of a place and how much of it is meant."""
    text = span.source.line(span.line) if span.source.text else ""
    return [text, max(0, min(span.end - span.start, len(text) + 1 - span.column))]


def _span(item: Json) -> Span | None:
    """The place, as ``walker.xml:12:5``."""
    if not item["place"]:
        return None
    path, line, column = str(item["place"]).rsplit(":", 2)
    row, first = int(line), int(column)
    if not (1 <= row <= FARTHEST and 1 <= first <= FARTHEST):
        raise ValueError("no place in a file")
    text, length = item["line"] or ("", 0)
    start = row - 1 + first - 1
    source = Source(path, "\n" * (row - 1) + str(text).ljust(first - 1))
    return Span(source, start, start + max(0, int(length)))
