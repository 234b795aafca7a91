"""The elements of a text as a tree of plain data, with their places and what the schema knows of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.errors import Language
from sistel.markup.schema import AttributeSpec, Keyword, Reference
from sistel.markup.xml import Attribute, Element
from sistel.studio.service._complete import unit_words
from sistel.studio.service._names import KIND_OF
from sistel.studio.service._read import Reading, attribute_of, attributes_of, end_of, spec_of
from sistel.studio.service._told import utf16

if TYPE_CHECKING:
    from sistel.plain import JsonObject

MOST = 20_000
"""Elements that are told."""
REFERENCES = ("of", "point", "from", "body", "motor", "file", "scheme", "kind")
"""What tells elements apart that have no names, in this order."""


def outline(read: Reading, *, details: bool = False) -> JsonObject:
    """The elements of a text.

    Args:
        read: The text as it was read.
        details: Whether attributes are told too.
    """
    tree = read.tree
    if tree is None:
        return {"items": [], "whole": False, "lang": read.lang}
    teller = _Teller(read.source.text, details)
    top = teller.tell(tree, "0")
    count = 1
    stack = [(tree, top)]
    while stack:
        element, node = stack.pop()
        for place, child in enumerate(element.children):
            if count >= MOST:
                break
            count += 1
            told = teller.tell(child, f"{node['id']}.{place}")
            node["children"].append(told)
            stack.append((child, told))
    sound = not any(each.severity == "error" for each in read.found)
    return {"items": [top], "whole": sound and count < MOST, "lang": read.lang}


class _Teller:
    def __init__(self, text: str, details: bool) -> None:
        self.text = text
        self.plain = text.isascii()
        self.details = details

    def place(self, at: int) -> int:
        return at if self.plain else utf16(self.text, at)

    def tell(self, element: Element, path: str) -> JsonObject:
        spec = spec_of(element)
        name = attribute_of(element, "name")
        told: JsonObject = {
            "id": path,
            "key": None if spec is None else spec.key,
            "word": element.name,
            "name": None if name is None else name.text,
            "title": title_of(element),
            "kind": None if spec is None else KIND_OF.get(spec.key),
            "from": self.place(element.start),
            "to": self.place(end_of(element)),
            "tagTo": self.place(element.end),
            "children": [],
        }
        if self.details:
            told["attributes"] = [self._attribute(element, each) for each in attributes_of(element)]
        return told

    def _attribute(self, element: Element, each: tuple[AttributeSpec | None, Attribute]) -> JsonObject:
        spec, attribute = each
        value = attribute.value.span()
        unit = None if spec is None else unit_words(spec)
        return {
            "key": None if spec is None else spec.key,
            "word": attribute.name,
            "value": attribute.text,
            "from": self.place(value.start),
            "to": self.place(value.end),
            "nameFrom": self.place(attribute.name_start),
            "unit": None if unit is None else {"en": unit.en, "ru": unit.ru},
            "reference": spec is not None and isinstance(spec.kind, Reference),
            "choice": spec is not None and isinstance(spec.kind, Keyword),
        }


def title_of(element: Element) -> str:
    """What people would call an element: its name, or what it is of."""
    name = attribute_of(element, "name")
    if name is not None and name.text.strip():
        return name.text.strip()
    spec = spec_of(element)
    if spec is not None and spec.key == "transition":
        ends = [attribute_of(element, key) for key in ("from", "to")]
        return " → ".join("…" if each is None else each.text for each in ends)
    for key in REFERENCES:
        found = attribute_of(element, key)
        if found is not None:
            return found.text
    return ""


def written_language(read: Reading, wanted: str | None) -> Language:
    """The language that new words of a text are written in: that of the text, or the one asked for in an empty one."""
    if read.tree is None and wanted in ("en", "ru"):
        return "ru" if wanted == "ru" else "en"
    return read.lang
