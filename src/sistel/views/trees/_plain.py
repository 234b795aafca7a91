"""Trees of XML where lxml is not installed: as much of its elements as pictures and scenes need, under its names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from xml.parsers import expat

DEEPEST = 2900
"""Elements inside each other."""


class XMLSyntaxError(ValueError):
    """Text that is no XML."""


class Element:
    """An element: its name, attributes, text before its children, and text after itself."""

    __slots__ = ("_children", "_parent", "attrib", "namespaces", "tag", "tail", "text")

    def __init__(
        self, tag: str, attrib: Mapping[str, str] | None = None, nsmap: Mapping[str | None, str] | None = None
    ) -> None:
        """Without children; namespaces are those that it declares, by prefix."""
        self.tag = tag
        self.attrib: dict[str, str] = dict(attrib or {})
        self.namespaces: dict[str | None, str] = dict(nsmap or {})
        self.text: str | None = None
        self.tail: str | None = None
        self._children: list[Element] = []
        self._parent: Element | None = None

    def __iter__(self) -> Iterator[Element]:
        return iter(tuple(self._children))

    def __len__(self) -> int:
        return len(self._children)

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, place: Any) -> Any:
        return self._children[place]

    def get(self, name: str, otherwise: Any = None) -> Any:
        """An attribute."""
        return self.attrib.get(name, otherwise)

    def set(self, name: str, value: str) -> None:
        """Write an attribute."""
        self.attrib[name] = value

    def append(self, child: Element) -> None:
        """Take an element in, as the last one; it leaves where it was."""
        child._leave()
        child._parent = self
        self._children.append(child)

    def insert(self, place: int, child: Element) -> None:
        """Take an element in before others."""
        child._leave()
        child._parent = self
        self._children.insert(place, child)

    def index(self, child: Element) -> int:
        """The place of a child."""
        return next(place for place, each in enumerate(self._children) if each is child)

    def remove(self, child: Element) -> None:
        """Give an element away."""
        del self._children[self.index(child)]
        child._parent = None

    def extend(self, some: Iterable[Element]) -> None:
        """Take several elements in."""
        for each in tuple(some):
            self.append(each)

    def _leave(self) -> None:
        if self._parent is not None:
            self._parent.remove(self)

    def getparent(self) -> Element | None:
        """What it stands in."""
        return self._parent

    def iter(self, *tags: str) -> Iterator[Element]:
        """It and all that it holds, in order; those of some names where names are given."""
        wanted = set(tags) - {"*"}
        waiting = [self]
        while waiting:
            element = waiting.pop()
            if not wanted or element.tag in wanted:
                yield element
            waiting += reversed(element._children)

    def itertext(self) -> Iterator[str]:
        """All texts inside, in order."""
        waiting: list[Element | str] = [self]
        while waiting:
            each = waiting.pop()
            if isinstance(each, str):
                yield each
                continue
            for child in reversed(each._children):
                if child.tail:
                    waiting.append(child.tail)
                waiting.append(child)
            if each.text:
                waiting.append(each.text)


def SubElement(parent: Element, tag: str, attrib: Mapping[str, str] | None = None) -> Element:
    """A new last child."""
    made = Element(tag, attrib)
    parent.append(made)
    return made


def fromstring(data: str | bytes) -> Element:
    """Read a document.

    Raises:
        XMLSyntaxError: It is none, or declares types of its own.
    """
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.ordered_attributes = True
    open_: list[Element] = []
    pending: dict[str | None, str] = {}
    top: list[Element] = []

    def begin(name: str, given: list[str]) -> None:
        named = {_tag(key): value for key, value in zip(given[::2], given[1::2], strict=True)}
        element = Element(_tag(name), named, pending)
        pending.clear()
        if open_:
            open_[-1].append(element)
        else:
            top.append(element)
        if len(open_) > DEEPEST:
            raise XMLSyntaxError("nested too deep")
        open_.append(element)

    def letters(text: str) -> None:
        if not open_:
            return
        element = open_[-1]
        if len(element):
            last = element[-1]
            last.tail = (last.tail or "") + text
        else:
            element.text = (element.text or "") + text

    def declared(prefix: str | None, address: str | None) -> None:
        pending[prefix] = address or ""

    def typed(*what: object) -> None:
        raise XMLSyntaxError("a document type is declared")

    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda name: open_.pop()
    parser.CharacterDataHandler = letters
    parser.StartNamespaceDeclHandler = declared
    parser.StartDoctypeDeclHandler = typed
    try:
        parser.Parse(data, True)
    except expat.ExpatError as problem:
        raise XMLSyntaxError(str(problem)) from None
    return top[0]


def _tag(name: str) -> str:
    return "{" + name if "}" in name else name


_TEXT = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"}
_VALUE = {**_TEXT, '"': "&quot;", "\n": "&#10;", "\t": "&#9;"}
_IN_TEXT, _IN_VALUE = re.compile(r"[&<>\r]"), re.compile(r'[&<>"\n\r\t]')


def tostring(element: Element) -> str:
    """An element as text, with what it holds and without what stands after it."""
    parts: list[str] = []
    waiting: list[tuple[Element, dict[str, str | None]] | str] = [(element, {})]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            parts.append(each)
            continue
        one, known = each
        known = _open(one, known, parts)
        if not len(one) and not one.text:
            parts.append("/>")
        else:
            parts.append(">" + _IN_TEXT.sub(lambda found: _TEXT[found[0]], one.text or ""))
            waiting.append(f"</{_called(one.tag, known)}>")
            for child in reversed(tuple(one)):
                if child.tail:
                    waiting.append(_IN_TEXT.sub(lambda found: _TEXT[found[0]], child.tail))
                waiting.append((child, known))
    return "".join(parts)


def _open(element: Element, known: dict[str, str | None], parts: list[str]) -> dict[str, str | None]:
    """Write a tag but for its last letters; returns the prefixes of namespaces inside."""
    declared = {address: prefix for prefix, address in element.namespaces.items()}
    fresh = {address: prefix for address, prefix in declared.items() if known.get(address, "") != prefix}
    for name in (element.tag, *element.attrib):
        address = name[1:].partition("}")[0] if name[0] == "{" else ""
        if address and address not in known and address not in fresh and address != XML:
            fresh[address] = f"ns{len(known) + len(fresh)}"
    known = {**known, **fresh}
    parts.append("<" + _called(element.tag, known))
    parts += [f' xmlns{":" + prefix if prefix else ""}="{address}"' for address, prefix in fresh.items()]
    for name, value in element.attrib.items():
        parts.append(f' {_called(name, known)}="{_IN_VALUE.sub(lambda found: _VALUE[found[0]], value)}"')
    return known


XML = "http://www.w3.org/XML/1998/namespace"


def _called(name: str, known: Mapping[str, str | None]) -> str:
    if name[0] != "{":
        return name
    address, _, own = name[1:].partition("}")
    prefix = "xml" if address == XML else known[address]
    return f"{prefix}:{own}" if prefix else own
