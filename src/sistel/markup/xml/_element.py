"""What an XML file becomes: elements and attributes that know their places, and the limits of reading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, Self, TypeVar

from sistel.errors import Fragment, Source, Span

LABELS = ("имя", "name", "номер", "number", "id", "DEF")
"""Attributes by which people tell one element from another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much of a hostile file is read. Each limit is far above what a description of a mechanism needs."""

    size: int = 16 * 1024 * 1024
    """Input [bytes]."""
    depth: int = 256
    """Elements inside each other, the root included."""
    attributes: int = 256
    """Attributes of one element."""
    elements: int = 200_000
    """Elements in a file."""
    pieces: int = 2_000_000
    """Attributes and pieces of text in a file; they take more memory than characters do."""
    problems: int = 1000
    """Errors after which reading stops: the rest of such a file says nothing more to anyone."""


LIMITS = Limits()


@dataclass(slots=True, eq=False, repr=False)
class Attribute:
    """An attribute of an element. Built while reading, then left alone.

    Like the places of an element, the value becomes a `Fragment` when asked for: this halves the time of reading.
    """

    name: str
    source: Source
    name_start: int
    """Offset of the name [characters]."""
    start: int
    """Offset of the value, after its quotation mark [characters]."""
    text: str
    """The value as XML means it: references replaced, each line end and tab a blank."""
    offsets: Sequence[int] | None = None
    """See `Fragment`."""

    @property
    def value(self) -> Fragment:
        """The value, each character with its place."""
        return Fragment(self.text, self.source, self.start, self.offsets)

    @property
    def name_span(self) -> Span:
        """The name in the source."""
        return Span(self.source, self.name_start, self.name_start + len(self.name))

    def __repr__(self) -> str:
        return f"<Attribute {self.name}={shorten(self.text)!r} at {self.name_span}>"


class Tree(Protocol):
    """What has children of its own kind."""

    @property
    def children(self) -> Sequence[Self]: ...


T = TypeVar("T", bound=Tree)


def walk_tree(root: T) -> Iterator[T]:
    """A tree in the order of its file, the root first; no recursion, for chains of bodies are long."""
    stack = [root]
    while stack:
        found = stack.pop()
        yield found
        stack.extend(reversed(found.children))


@dataclass(slots=True, eq=False, repr=False)
class Element:
    """An element. Built while reading, then left alone.

    Places are kept as offsets and become spans when asked for: a file has many tags, and few are complained about.
    """

    name: str
    """With its prefix, if there is one: namespaces are not resolved."""
    source: Source
    start: int
    """Offset of ``<`` of the start tag [characters]."""
    end: int
    """Offset after ``>`` of the start tag [characters]."""
    name_start: int
    attributes: dict[str, Attribute]
    children: list[Element] = field(default_factory=list)
    text: list[Fragment] = field(default_factory=list)
    """Character data between the tags, CDATA included, comments left out; one for each stretch that is not blank."""
    end_name: tuple[int, int] | None = None
    """Offsets of the name in the end tag; it may be misspelt there [characters]."""

    def walk(self) -> Iterator[Element]:
        """The element and everything inside, in the order of the file."""
        return walk_tree(self)

    @property
    def span(self) -> Span:
        """The start tag, from ``<`` to ``>``."""
        return Span(self.source, self.start, self.end)

    @property
    def name_span(self) -> Span:
        """The name in the start tag."""
        return Span(self.source, self.name_start, self.name_start + len(self.name))

    @property
    def end_name_span(self) -> Span | None:
        """The name in the end tag; None when the element closes itself or its end tag is missing."""
        return None if self.end_name is None else Span(self.source, *self.end_name)

    @property
    def label(self) -> str:
        """The start tag in short, as people would tell it from its like: ``<Тело номер="1">``."""
        for name in LABELS:
            attribute = self.attributes.get(name)
            if attribute is not None and attribute.text:
                return f'<{shorten(self.name)} {name}="{shorten(attribute.text, 30)}">'
        return f"<{shorten(self.name)}>"

    def __repr__(self) -> str:
        return f"<Element {self.name} at {self.span}>"


def shorten(text: str, limit: int = 60) -> str:
    """A text that fits into a message."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
