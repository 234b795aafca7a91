"""The layout of a text: indentation and blanks between attributes. Words, values and remarks stay as they are."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Literal

from sistel.errors import Diagnostics, SistelError, Source
from sistel.markup.xml import read_xml
from sistel.records import mutable

_PIECE = re.compile(
    r"(?P<remark><!--(?s:.*?)-->|<\?(?s:.*?)\?>|<![^\[](?s:[^>]*)>)|(?P<data><!\[CDATA\[(?s:.*?)\]\]>)"
    r"|(?P<close></[^>]*>)|(?P<tag><[^\s<>/!?](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>)"
)
_INSIDE = re.compile(r"(?P<value>\"[^\"]*\"|'[^']*')|(?P<equals>[ \t\r\n]*=[ \t\r\n]*)|(?P<blank>[ \t\r\n]+)")
_VALUE = re.compile(r"\"[^\"]*\"|'[^']*'")
_LINE = re.compile(r"(?<=\n)|(?<=\r)(?!\n)")


@mutable
class _Line:
    """How a line begins."""

    kind: Literal["content", "tag", "remark", "fixed"]
    depth: int
    """Of what begins there."""
    owner: int
    """Where the tag or the remark begins that the line goes on with."""


def formatted(path: str, text: str, step: str | None = None) -> str:
    """The text with its elements indented by their depth.

    Args:
        path: Of the file, for messages.
        text: The text.
        step: What each depth is indented by; without, as most of the text is.

    Raises:
        SistelError: The text is no sound XML: where elements end is not known.
    """
    source = Source(path, text)
    diagnostics = Diagnostics()
    if read_xml(source, diagnostics) is None or diagnostics.failed:
        raise SistelError([each for each in diagnostics.sorted() if each.severity == "error"])
    step = step or ("\t" if len(re.findall(r"(?m)^\t+<", text)) > len(re.findall(r"(?m)^ +<", text)) else "  ")
    text = _tidied(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    starts, lines = _lines(text)
    shifts: dict[int, int] = {}
    """By how much the line moved on which each tag or remark begins."""
    done: list[str] = []
    blank = 0
    ends = [*starts[1:], len(text)]
    for start, end, line in zip(starts, ends, lines, strict=True):
        words = text[start:end].rstrip("\r\n")
        if line.kind == "fixed":
            done.append(words)
            blank = 0
            continue
        words = words.rstrip(" \t")
        if not words:
            blank += 1
            if (blank == 1 and done and line.kind == "content") or line.kind != "content":
                done.append("")
            continue
        blank = 0
        body = words.lstrip(" \t")
        was = len(words) - len(body)
        if line.kind == "content":
            indent = step * line.depth
            shifts[start] = len(indent) - was
            done.append(indent + body)
        else:
            shift = shifts.get(starts[bisect_right(starts, line.owner) - 1], 0)
            lead = words[:was]
            done.append((lead + " " * shift if shift >= 0 else lead[: max(0, was + shift)]) + body)
    while done and not done[-1]:
        done.pop()
    return newline.join(done) + newline


def _lines(text: str) -> tuple[list[int], list[_Line]]:
    """Where lines begin, and what each of them begins with."""
    starts = [0, *(found.start() for found in _LINE.finditer(text) if 0 < found.start() < len(text))]
    lines = [_Line("content", 0, 0) for _ in starts]
    depth = at = 0
    for found in _PIECE.finditer(text):
        first, last = bisect_right(starts, at) if at else 0, bisect_right(starts, found.start())
        for index in range(first, last):
            lines[index].depth = depth
        begins = starts[last - 1]
        if found["close"]:
            depth = max(0, depth - 1)
            if not text[begins : found.start()].strip():
                lines[last - 1].depth = depth
        for index in range(last, bisect_right(starts, found.end() - 1)):
            kind: Literal["tag", "remark", "fixed"] = "tag" if found["tag"] else "fixed" if found["data"] else "remark"
            if kind == "tag" and _in_value(text, found.start(), found.end(), starts[index]):
                kind = "fixed"
            lines[index] = _Line(kind, depth, found.start())
        if found["tag"] and not found["tag"].endswith("/>"):
            depth += 1
        at = found.end()
    for index in range(bisect_right(starts, at), len(starts)):
        lines[index].depth = depth
    return starts, lines


def _in_value(text: str, start: int, end: int, at: int) -> bool:
    """Whether a line that begins at a place goes on with a value."""
    return any(found.start() < at < found.end() for found in _VALUE.finditer(text, start, end))


def _tidied(text: str) -> str:
    """Single blanks between the attributes of a line, none around equals signs and before the end of a tag."""
    pieces: list[str] = []
    at = 0
    for found in _PIECE.finditer(text):
        if not found["tag"]:
            continue
        pieces += (text[at : found.start()], _tag(found["tag"]))
        at = found.end()
    return "".join((*pieces, text[at:]))


def _tag(tag: str) -> str:
    def tidy(found: re.Match[str]) -> str:
        if found["value"]:
            return found["value"]
        if found["equals"] is not None:
            return "="
        blank = found["blank"]
        if found.end() >= len(tag) - 2 and tag[found.end() :] in (">", "/>"):
            return "" if "\n" not in blank and "\r" not in blank else blank
        return blank if "\n" in blank or "\r" in blank else " "

    return _INSIDE.sub(tidy, tag)
