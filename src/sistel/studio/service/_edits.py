"""Changes of texts: what is put in the place of what, with the layout of what stands around."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sistel.markup.xml import Element
from sistel.studio.service._read import end_of
from sistel.studio.service._told import utf16

ESCAPES = {"&": "&amp;", "<": "&lt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"}
_ESCAPED = re.compile('[&<"\n\t\r]')


class Edit(NamedTuple):
    """Characters of a text that give way to others."""

    start: int
    end: int
    insert: str


def escaped(text: str, quote: str = '"') -> str:
    """A text as it stands inside an attribute."""
    done = _ESCAPED.sub(lambda found: ESCAPES[found.group()], text)
    return done.replace("'", "&apos;") if quote == "'" else done


def applied(text: str, edits: Iterable[Edit]) -> str:
    """The text after changes that do not overlap."""
    pieces: list[str] = []
    at = 0
    for start, end, insert in sorted(edits, key=lambda each: (each.start, each.end)):
        assert at <= start <= end, "changes overlap"
        pieces += (text[at:start], insert)
        at = end
    return "".join((*pieces, text[at:]))


def told_edits(text: str, edits: Iterable[Edit]) -> list[dict[str, object]]:
    """Changes as the window makes them, by UTF-16 units of the text before."""
    plain = text.isascii()
    return [
        {
            "from": start if plain else utf16(text, start),
            "to": end if plain else utf16(text, end),
            "insert": insert,
        }
        for start, end, insert in sorted(set(edits))
        if text[start:end] != insert
    ]


def difference(before: str, after: str) -> list[Edit]:
    """The changes, line by line, that make one text of another; nothing where they are the same."""
    if before == after:
        return []
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    start = sum(map(len, old[:head]))
    if len(old) == len(new):
        edits = []
        for one, other in zip(old[head : len(old) - tail], new[head : len(new) - tail], strict=True):
            if one != other:
                edits.append(Edit(start, start + len(one), other))
            start += len(one)
        return edits
    end = len(before) - sum(map(len, old[len(old) - tail :]))
    return [Edit(start, end, "".join(new[head : len(new) - tail]))]


def line_start(text: str, at: int) -> int:
    """Where the line of a character begins."""
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def indent_of(text: str, at: int) -> str:
    """The blanks with which the line of a character begins."""
    start = line_start(text, at)
    end = start
    while end < len(text) and text[end] in " \t":
        end += 1
    return text[start:end]


def newline_of(text: str) -> str:
    """How lines of a text end."""
    return "\r\n" if "\r\n" in text else "\n"


def step_of(text: str, element: Element) -> str:
    """By how much what stands inside an element is indented further than it."""
    own = indent_of(text, element.start)
    for child in element.children:
        inner = indent_of(text, child.start)
        if (
            inner.startswith(own)
            and len(inner) > len(own)
            and not text[line_start(text, child.start) : child.start].strip()
        ):
            return inner[len(own) :]
    return "\t" if "\n\t" in text else "  "


def insertion(text: str, parent: Element, written: Sequence[str], *, after: Element | None = None) -> Edit:
    """Lines of a new element inside another, after one of its children, or as its last.

    Args:
        text: The text.
        parent: The element around it.
        written: The lines of the new element, indented among themselves.
        after: Behind which child it stands.
    """
    newline = newline_of(text)
    inner = indent_of(text, parent.start) + step_of(text, parent)
    if after is None and parent.children:
        after = parent.children[-1]
    if after is not None and not text[line_start(text, after.start) : after.start].strip():
        inner = indent_of(text, after.start)
    block = newline.join(inner + line for line in written)
    if after is not None:
        # Behind what else stands on the line of that one: a remark belongs to it.
        at = end_of(after)
        rest = re.compile(r"[ \t]*(?:<!--[^\r\n]*?-->)?[ \t]*(?=\r?\n)").match(text, at)
        at = rest.end() if rest is not None and rest.group().strip() else at
        return Edit(at, at, newline + block)
    if text[parent.end - 2 : parent.end] == "/>":
        cut = parent.end - 2
        while text[cut - 1] in " \t\r\n":
            cut -= 1
        closing = f"{newline}{indent_of(text, parent.start)}</{parent.name}>"
        return Edit(cut, parent.end, ">" + newline + block + closing)
    closed = text[parent.end : parent.end + 2] == "</"
    tail = newline + indent_of(text, parent.start) if closed else ""
    return Edit(parent.end, parent.end, newline + block + tail)


def removal(text: str, element: Element) -> Edit:
    """An element and everything in it leaves, with its lines where nothing else stands on them."""
    start, end = element.start, end_of(element)
    first = line_start(text, start)
    rest = re.compile(r"[ \t]*(\r\n|\n|\r|\Z)").match(text, end)
    if not text[first:start].strip() and rest is not None:
        return Edit(first, rest.end(), "")
    blank = start
    while blank > 0 and text[blank - 1] in " \t":
        blank -= 1
    return Edit(blank if blank < start else start, end, "")
