"""A file of XsysTel as data: nodes with the schema's keys, values parsed but not evaluated, every place remembered.

Readers of other formats (URDF, MJCF) make the same nodes, so everything after this stage is written once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from sistel.errors import Language, Source, Span
from sistel.markup._patterns import Pattern
from sistel.markup.expressions._syntax import Node as Expression
from sistel.markup.expressions._syntax import Number
from sistel.markup.schema._kinds import AttributeSpec, ElementSpec
from sistel.markup.schema._table import ELEMENT_BY_KEY
from sistel.markup.xml._element import walk_tree
from sistel.records import entry, mutable
from sistel.units import PLAIN, Dimension

Value = str | int | bool | Expression | tuple[Expression, ...] | tuple[str, ...] | tuple[str | Expression, ...]
"""What an attribute holds after parsing, by the kind of the attribute:

free text, names, paths, colours, keywords (their key): str; whole numbers: int; flags: bool; references: tuple of str;
numbers and formulas: tuple of expressions; conditions and surfaces: one expression; paths with expressions in them:
tuple of texts and expressions by turns.
"""


@entry
class Attribute:
    """An attribute with its parsed value and its places."""

    spec: AttributeSpec
    value: Value
    span: Span
    """The value, without quotes."""
    name_span: Span
    parts: tuple[Span, ...] = ()
    """Places of the single names of a list of references."""
    patterns: tuple[Pattern | None, ...] = ()
    """In a repeated element, the expressions in braces of each name, or of the text; empty where there are none."""


@entry
class OpenAttribute:
    """An attribute with a name of the user: a coordinate, such as `crank.rate` of `<start>`, or an output."""

    name: str
    rate: bool
    """Whether it gives the velocity."""
    values: tuple[Expression, ...]
    span: Span
    name_span: Span


@mutable
class Node:
    """An element with its attributes and children."""

    spec: ElementSpec
    span: Span
    attributes: dict[str, Attribute] = field(default_factory=dict)
    open: list[OpenAttribute] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    failed: set[str] = field(default_factory=set)
    """Keys of attributes that are there but could not be read; that has been reported."""

    @property
    def key(self) -> str:
        """The schema's word for the element."""
        return self.spec.key

    def get(self, key: str) -> Value | None:
        """The value of an attribute, or None."""
        attribute = self.attributes.get(key)
        return None if attribute is None else attribute.value

    def text(self, key: str) -> str | None:
        """The value of an attribute that holds a text, a name or a keyword."""
        value = self.get(key)
        assert value is None or isinstance(value, str)
        return value

    def names(self, key: str) -> tuple[str, ...]:
        """The names that an attribute refers to."""
        value = self.get(key)
        if value is None:
            return ()
        assert isinstance(value, tuple)
        return tuple(name for name in value if isinstance(name, str))

    def at(self, key: str) -> Span:
        """The place of an attribute's value, or of the element when the attribute is absent."""
        attribute = self.attributes.get(key)
        return self.span if attribute is None else attribute.span

    def of(self, *keys: str) -> Iterator[Node]:
        """Children of the given kinds."""
        return (child for child in self.children if child.key in keys)

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in the order of the file."""
        return walk_tree(self)


@entry
class Document:
    """A whole file."""

    root: Node
    source: Source
    lang: Language
    """The language that most of its words are in."""


def make_node(key: str, span: Span, /, *children: Node, **values: Value | None) -> Node:
    """A node made by a program, for readers of other formats and for the writer of models.

    Keyword names are attribute keys with ``_`` for ``-``; a trailing ``_`` is dropped (``in_``, ``class_``, ``from_``);
    a value of None leaves the attribute out. Numbers are given as expressions, see `si`.
    """
    spec = ELEMENT_BY_KEY[key]
    node = Node(spec, span, children=list(children))
    for name, value in values.items():
        if value is None:
            continue
        attribute = spec.by_key[name.rstrip("_").replace("_", "-")]
        node.attributes[attribute.key] = Attribute(attribute, value, span, span)
    return node


def si(values: float | Iterable[float], dimension: Dimension, span: Span) -> tuple[Expression, ...]:
    """Numbers in SI as the expressions that an attribute holds."""
    numbers: Sequence[float] = [values] if isinstance(values, (int, float)) else list(values)
    # A marker unit keeps SI numbers of dimension 1 apart from plain numbers that wait for the attribute's unit.
    unit = None if dimension == PLAIN else "SI"
    return tuple(Number(span=span, value=float(v), dimension=dimension, unit=unit, literal="") for v in numbers)
