"""What is being written at a place of a text, however broken the text is there: by its tags alone, without a tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from sistel.markup.schema import ELEMENT_BY_KEY, ELEMENT_BY_WORD, AttributeSpec, ElementSpec
from sistel.records import entry

Where = Literal["content", "element", "attribute", "value", "close", "remark"]

_PIECE = re.compile(
    r"<!--(?s:.*?)(?:-->|\Z)|<!\[CDATA\[(?s:.*?)(?:\]\]>|\Z)|<\?(?s:.*?)(?:\?>|\Z)|<!(?s:[^>]*)(?:>|\Z)"
    r"|<(?P<close>/?)(?P<name>[^\s<>/=\"']*)"
)
_ATTRIBUTE = re.compile(r"\s+(?P<name>[^\s<>/=\"']*)(?P<equals>\s*=\s*)?(?P<quote>[\"'])?")


@entry
class Cursor:
    """What is being written."""

    where: Where
    """Between tags, the name of an element, of an attribute, a value, an end tag, or a remark and the like."""
    start: int
    """Where the word or the value begins."""
    end: int
    """Where it ends: it may go on behind the place."""
    at: int
    around: tuple[str, ...]
    """Names of the elements around, the outermost first; without the one whose tag the place is in."""
    element: str = ""
    """Whose tag it is."""
    given: tuple[str, ...] = ()
    """Its other attributes, those behind the place too."""
    attribute: str = ""
    """Whose value it is."""
    quoted: bool = True
    """Whether the value has its quotation mark."""

    @property
    def spec(self) -> ElementSpec | None:
        """What the schema knows of the element whose tag it is."""
        return ELEMENT_BY_WORD.get(self.element.casefold())

    @property
    def attribute_spec(self) -> AttributeSpec | None:
        """What the schema knows of the attribute."""
        spec = self.spec
        return None if spec is None else spec.by_word.get(self.attribute.casefold())


def cursor(text: str, at: int) -> Cursor:
    """What is being written at a place."""
    stack: list[str] = []
    position = 0
    while True:
        found = _PIECE.search(text, position)
        if found is None or found.start() >= at:
            return _content(text, at, stack)
        name = found["name"]
        if name is None:
            if at < found.end() or (at == found.end() == len(text) and not text.endswith(">")):
                return Cursor("remark", at, at, at, tuple(stack))
            position = found.end()
            continue
        if found["close"]:
            if at <= found.end():
                return Cursor("close", found.start() + 2, found.end(), max(at, found.start() + 2), tuple(stack))
            if name in stack:
                del stack[len(stack) - 1 - stack[::-1].index(name) :]
            position = found.end()
            continue
        if at <= found.end():
            return Cursor("element", found.start() + 1, found.end(), at, tuple(stack), name)
        closed, position, inside = _tag(text, found.end(), at, name, stack)
        if inside is not None:
            return inside
        if not closed:
            stack.append(name)


def _tag(text: str, at: int, wanted: int, name: str, stack: Sequence[str]) -> tuple[bool, int, Cursor | None]:
    """A start tag: whether it closes itself, where it ends, and what the wanted place is if it lies in it."""
    given: list[tuple[str, int, int]] = []
    values: list[tuple[str, int, int, bool]] = []
    while True:
        found = _ATTRIBUTE.match(text, at)
        if found is None or (not found["name"] and found["equals"] is None):
            gap = re.compile(r"\s*").match(text, at)
            assert gap is not None
            end = gap.end()
            break
        given.append((found["name"], *found.span("name")))
        at = found.end()
        if found["equals"] is None:
            at = found.end("name")
            continue
        quote = found["quote"]
        if quote is None:
            rest = re.compile(r"[^\s<>\"'/]*").match(text, at)
            assert rest is not None
            values.append((found["name"], at, rest.end(), False))
            at = rest.end()
            continue
        close = _closing(text, at, quote)
        values.append((found["name"], at, close, True))
        at = close + 1 if text[close : close + 1] == quote else close
        if wanted < at and wanted > close:
            at = close
    ends = text.startswith("/>", end) or text.startswith(">", end)
    if wanted > end or (wanted == end and not ends and text[end : end + 1] == "<"):
        closed = text.startswith("/>", end)
        return closed, end + (2 if closed else 1 if ends else 0), None

    def others(own: int) -> tuple[str, ...]:
        return tuple(word for word, start, _ in given if start != own and word)

    for attribute, start, stop, quoted in values:
        if start <= wanted <= stop:
            return False, end, Cursor("value", start, stop, wanted, tuple(stack), name, others(-1), attribute, quoted)
    for _, start, stop in given:
        if start <= wanted <= stop:
            return False, end, Cursor("attribute", start, stop, wanted, tuple(stack), name, others(start))
    return False, end, Cursor("attribute", wanted, wanted, wanted, tuple(stack), name, others(-1))


def _closing(text: str, at: int, quote: str) -> int:
    """Where a value ends: at its quotation mark, or, where that is missing, before the next tag or the end of its line.

    A value over several lines that holds no ``=`` is one; else the mark that comes belongs to the next attribute.
    """
    limit = text.find("<", at)
    limit = len(text) if limit < 0 else limit
    close = text.find(quote, at, limit)
    if close < 0:
        stop = re.compile(r"[^\r\n<>]*").match(text, at, limit)
        assert stop is not None
        return stop.end()
    return close


def _content(text: str, at: int, stack: Sequence[str]) -> Cursor:
    start = at
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] in "_-"):
        start -= 1
    return Cursor("content", start, at, at, tuple(stack))


def allowed_in(around: Sequence[str]) -> tuple[str, ...]:
    """Keys of the elements that may stand inside the last of some elements, the outermost of which is the root."""
    if not around:
        return ("system", "task")
    specs = [ELEMENT_BY_WORD.get(name.casefold()) for name in around]
    last = specs[-1]
    if last is None:
        return ()
    if last.key != "repeat":
        return last.children
    home = next((spec for spec in reversed(specs[:-1]) if spec is not None and spec.key != "repeat"), None)
    return last.children if home is None else tuple(key for key in home.children if key in last.children)


def element_words(keys: Sequence[str]) -> list[ElementSpec]:
    """What the schema knows of elements."""
    return [ELEMENT_BY_KEY[key] for key in keys]
