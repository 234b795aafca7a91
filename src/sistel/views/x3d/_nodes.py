"""The tree of an X3D scene, and how it is written: numbers, strings, names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from xml.sax.saxutils import escape

from sistel.described import given_once
from sistel.records import mutable

DIGITS = 9
"""Significant digits of numbers: more than the single precision of viewers keeps."""
LONGEST = 60
"""Letters of a name that a node keeps; its full text goes to the metadata."""
NAME = (
    (0x30, 0x39),
    (0x41, 0x5A),
    (0x61, 0x7A),
    (0x5F, 0x5F),
    (0x401, 0x40C),
    (0x40E, 0x44F),
    (0x451, 0x45C),
)
"""Letters that all editions of XML and all viewers take in names: Latin, Cyrillic, digits, and the low line."""


_FOREIGN = re.compile("[^\\t\\n\\r\\x20-\\uD7FF\\uE000-\\uFFFD\\U00010000-\\U0010FFFF]")


@mutable
class Node:
    """An element of the scene."""

    tag: str
    fields: dict[str, str] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)


def node(tag: str, fields: dict[str, str] | None = None, children: Iterable[Node] = ()) -> Node:
    """A node with what it holds; empty fields are left out."""
    return Node(tag, {name: value for name, value in (fields or {}).items() if value != ""}, list(children))


def transform(
    children: Iterable[Node],
    *,
    name: str = "",
    translation: Sequence[float] = (0.0, 0.0, 0.0),
    rotation: Sequence[float] = (0.0, 0.0, 1.0, 0.0),
    scale: Sequence[float] = (1.0, 1.0, 1.0),
) -> Node:
    """A Transform; fields that do nothing are left out."""
    return node(
        "Transform",
        {
            "DEF": name,
            "translation": numbers(translation) if any(translation) else "",
            "rotation": numbers(rotation) if rotation[3] else "",
            "scale": numbers(scale) if any(part != 1.0 for part in scale) else "",
        },
        children,
    )


def numbers(values: Iterable[float]) -> str:
    """Numbers of a field, with blanks between them."""
    return " ".join(number(value) for value in values)


def rows(values: Iterable[Iterable[float]]) -> str:
    """Tuples of numbers, with commas between the tuples."""
    return ", ".join(numbers(row) for row in values)


def number(value: float) -> str:
    """A number without signs of nothing: -0 is 0."""
    text = f"{value:.{DIGITS}g}"
    return "0" if text == "-0" else text


def string(text: str) -> str:
    """A text without characters that XML does not know."""
    return _FOREIGN.sub("\N{REPLACEMENT CHARACTER}", text)


def strings(*texts: str) -> str:
    """A field of several strings, each in quotes of its own."""
    escaped = (string(text).replace("\\", "\\\\").replace('"', '\\"') for text in texts)
    return " ".join(f'"{text}"' for text in escaped)


def name_note(text: str) -> Node:
    """The name of something as it was written, for a node that cannot bear it."""
    return node("MetadataString", {"containerField": "metadata", "name": "name", "value": strings(text)})


class Names:
    """Names of nodes: safe everywhere, and each given once."""

    def __init__(self) -> None:
        """Nothing is named yet."""
        self._given: set[str] = set()

    def give(self, text: str, prefix: str = "", suffix: str = "") -> str:
        """A name as near to a text as can be."""
        core = identifier(text)[:LONGEST]
        wanted = f"{prefix}{core}{suffix}"
        if wanted[0].isdigit():
            wanted = f"_{wanted}"
        return given_once(wanted, self._given)


def identifier(text: str) -> str:
    """A text with a low line for what no name can have; letters of other scripts become their numbers."""
    letters = []
    for letter in text[: 4 * LONGEST]:
        if any(first <= ord(letter) <= last for first, last in NAME):
            letters.append(letter)
        else:
            letters.append(f"u{ord(letter):X}" if letter.isalpha() else "_")
    return "".join(letters) or "_"


def write(root: Node) -> str:
    """The tree as text: no recursion, since chains of bodies may be long."""
    return "".join(_lines(root))


def _lines(root: Node) -> Iterator[str]:
    stack: list[tuple[Node, int, bool]] = [(root, 0, False)]
    while stack:
        at, depth, closing = stack.pop()
        # Deep chains would else be mostly blanks.
        indent = "  " * min(depth, 12)
        if closing:
            yield f"{indent}</{at.tag}>\n"
            continue
        fields = "".join(f" {name}={_quoted(value)}" for name, value in at.fields.items())
        if not at.children:
            yield f"{indent}<{at.tag}{fields}/>\n"
            continue
        yield f"{indent}<{at.tag}{fields}>\n"
        stack.append((at, depth, True))
        stack.extend((child, depth + 1, False) for child in reversed(at.children))


def _quoted(value: str) -> str:
    """An attribute; strings of the scene have double quotes inside, so the outer ones are single then."""
    text = escape(string(value), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
    if '"' in text:
        return "'" + text.replace("'", "&apos;") + "'"
    return f'"{text}"'
