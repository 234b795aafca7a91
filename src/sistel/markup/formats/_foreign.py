"""Elements of other formats, read so that nothing can be left out unnoticed.

A reader takes attributes and children out of a `Foreign`; at the end `report` names as losses whatever was not taken.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import field

from sistel.errors import Diagnostics, Fragment, Span, Text, one_of
from sistel.markup._document import Attribute, Node, Value, si
from sistel.markup._losses import Losses
from sistel.markup.xml._reader import Attribute as XmlAttribute
from sistel.markup.xml._reader import Element
from sistel.pose import SNAP
from sistel.records import mutable
from sistel.units import Dimension

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_ENDLESS = re.compile(r"[+-]?(?:inf|infinity)", re.IGNORECASE)
_FORBIDDEN_IN_NAMES = re.compile(r"[,;()'\"«»<>=\x00-\x1f]")
_LABELS = ("name", "class", "reference", "file", "joint", "body", "link", "link1", "joint1", "body1", "site")
_ROOTS = ("robot", "mujoco")
_JUNK = ("xmlns", "xsi:", "xml:")


@mutable
class Reading:
    """What a conversion collects on its way."""

    losses: Losses
    diagnostics: Diagnostics
    snap: float = SNAP
    """Tolerance within which rotations and axes are made exact; 0 leaves every number as it is."""
    used: set[tuple[str, str]] = field(default_factory=set)
    """Names given so far, each with its space."""

    def fresh(self, wanted: str, span: Span, space: str = "geometry") -> str:
        """A name that XsysTel can hold and nothing else in its space has; a change is reported.

        Bodies and frames share a space; joints, links and motors have one each.
        """
        name = " ".join(_FORBIDDEN_IN_NAMES.sub("_", wanted).split())[:180] or "_"
        if (space, name) in self.used or name == "0":
            number = 2
            while (space, f"{name}_{number}") in self.used:
                number += 1
            name = f"{name}_{number}"
        self.used.add((space, name))
        if name != wanted:
            self.losses.changed(span, Text(f'the name "{wanted}" became "{name}"', f"имя «{wanted}» стало «{name}»"))
        return name


class Foreign:
    """An element of another format that remembers what was taken out of it."""

    __slots__ = ("_children", "_taken", "attributes", "element", "reading")

    def __init__(self, element: Element, reading: Reading, attributes: dict[str, XmlAttribute] | None = None) -> None:
        self.element = element
        self.reading = reading
        self.attributes = element.attributes if attributes is None else attributes
        """May hold more than the element's own: MJCF fills in defaults."""
        self._taken: set[str] = set()
        self._children: set[int] = set()

    @property
    def tag(self) -> str:
        """Name of the element."""
        return self.element.name

    @property
    def span(self) -> Span:
        """The start tag."""
        return self.element.span

    @property
    def label(self) -> str:
        """The element as people would tell it from its like."""
        return label_of(self.element)

    def at(self, name: str) -> Span:
        """The place of an attribute's value, or of the element's name when it is absent."""
        attribute = self.attributes.get(name)
        return self.element.name_span if attribute is None else attribute.value.span()

    def name_at(self, name: str) -> Span:
        """The place of an attribute's name, or of the element's name when it is absent."""
        attribute = self.attributes.get(name)
        return self.element.name_span if attribute is None else attribute.name_span

    def ignore(self, *names: str) -> None:
        """Count attributes as taken: they say nothing about the mechanism, or say it for another reader."""
        self._taken.update(names)

    def has(self, name: str) -> bool:
        """Whether an attribute is there; does not take it."""
        return name in self.attributes

    def fragment(self, name: str) -> Fragment | None:
        """The value of an attribute without blanks around it; None when it is absent or empty."""
        self._taken.add(name)
        attribute = self.attributes.get(name)
        if attribute is None:
            return None
        value = attribute.value.strip()
        return value if value.text else None

    def word(self, name: str, *choices: str) -> str | None:
        """The value of an attribute as text; with choices, an error for anything else."""
        value = self.fragment(name)
        if value is None:
            return None
        if choices and value.text not in choices:
            self.reading.diagnostics.error(
                "unknown-word",
                value.span(),
                Text(
                    f'"{value.text}" is not possible for "{name}"', f"«{value.text}» не может быть значением «{name}»"
                ),
                expected=one_of(choices),
            )
            return None
        return value.text

    def required_word(self, name: str) -> str | None:
        """The value of an attribute that has to be there."""
        value = self.word(name)
        if value is None:
            said = Text(f'{self.label} lacks the attribute "{name}"', f"у {self.label} нет атрибута «{name}»")
            self.reading.diagnostics.error("missing-attribute", self.element.name_span, said)
        return value

    def numbers(self, name: str, *counts: int, endless: bool = False) -> tuple[float, ...] | None:
        """Numbers separated by blanks; None when absent, or when an error was noted.

        Args:
            name: The attribute.
            counts: How many there may be; any number when empty.
            endless: Whether ``inf`` is allowed.
        """
        value = self.fragment(name)
        if value is None:
            return None
        numbers = read_numbers(value, self.reading.diagnostics, endless=endless)
        if numbers is None:
            return None
        if counts and len(numbers) not in counts:
            wanted = " / ".join(str(count) for count in counts)
            self.reading.diagnostics.error(
                "wrong-count",
                value.span(),
                Text(
                    f'"{name}" of {self.label} has {len(numbers)} numbers',
                    f"у «{name}» в {self.label} чисел: {len(numbers)}",
                ),
                expected=Text(f"{wanted} numbers", f"чисел: {wanted}"),
            )
            return None
        return numbers

    def number(self, name: str, *, endless: bool = False) -> float | None:
        """One number; None when absent, or when an error was noted."""
        numbers = self.numbers(name, 1, endless=endless)
        return None if numbers is None else numbers[0]

    def vector(self, name: str) -> tuple[float, float, float] | None:
        """Three numbers."""
        numbers = self.numbers(name, 3)
        return None if numbers is None else (numbers[0], numbers[1], numbers[2])

    def positive(self, name: str) -> float | None:
        """One number that has to be there and be greater than 0; None after an error."""
        if self.fragment(name) is None:
            self.required_word(name)
            return None
        value = self.number(name)
        if value is not None and not value > 0:
            self.refuse_size(name, value)
            return None
        return value

    def refuse_size(self, name: str, value: float) -> None:
        """An error for a size that is not positive."""
        self.reading.diagnostics.error(
            "not-positive",
            self.at(name),
            Text(f'"{name}" of {self.label} is {value:g}', f"«{name}» в {self.label} равно {value:g}"),
            expected=Text("a number greater than 0", "число больше 0"),
        )

    def children(self, *tags: str) -> Iterator[Foreign]:
        """Children with one of the names, in order; they count as taken."""
        for index, child in enumerate(self.element.children):
            if child.name in tags:
                self._children.add(index)
                yield Foreign(child, self.reading)

    def ignore_children(self) -> None:
        """Count all children as taken: they are read elsewhere."""
        self._children.update(range(len(self.element.children)))

    def child(self, tag: str) -> Foreign | None:
        """The first child with a name; further ones are left for the report."""
        for index, child in enumerate(self.element.children):
            if child.name == tag:
                self._children.add(index)
                return Foreign(child, self.reading)
        return None

    def report(self) -> None:
        """Name what was not taken as lost."""
        losses = self.reading.losses
        left = [
            attribute
            for name, attribute in self.attributes.items()
            if name not in self._taken and not name.startswith(_JUNK)
        ]
        # Inherited attributes stand elsewhere: they are named there, once, and not at every heir.
        own = [attribute for attribute in left if attribute is self.element.attributes.get(attribute.name)]
        for attribute in left:
            if attribute not in own:
                losses.dropped(attribute.name_span, _no_attributes([attribute.name], "<default>"))
        if own:
            losses.dropped(own[0].name_span, _no_attributes([attribute.name for attribute in own], self.label))
        for index, child in enumerate(self.element.children):
            if index not in self._children:
                drop_element(child, losses, inside=self)
        for text in self.element.text:
            losses.dropped(
                text.strip().span(),
                Text(f"text between the tags of {self.label}", f"текст между тегами {self.label}"),
            )


def _no_attributes(names: list[str], label: str) -> Text:
    words = ", ".join(names)
    plural = "s" if len(names) > 1 else ""
    return Text(
        f"attribute{plural} {words} of {label}: no counterpart",
        f"{'атрибуты' if plural else 'атрибут'} {words} в {label}: нет соответствия",
    )


def drop_element(element: Element, losses: Losses, why: Text | None = None, inside: Foreign | None = None) -> None:
    """Name an element, with all that is inside it, as lost; one without a name is named after its owner."""
    label = label_of(element)
    en = ru = ""
    if inside is not None and inside.tag not in _ROOTS and " " not in label and " " in inside.label:
        en, ru = f" of {inside.label}", f" в {inside.label}"
    why = why or Text("no counterpart", "нет соответствия")
    losses.dropped(element.span, Text(f"{label}{en}: {why.en}", f"{label}{ru}: {why.ru}"))


def label_of(element: Element) -> str:
    """The start tag in short, as people would tell it from its like."""
    for name in _LABELS:
        attribute = element.attributes.get(name)
        if attribute is not None and attribute.value.text:
            text = attribute.value.text
            return f'<{element.name} {name}="{text if len(text) <= 40 else text[:39] + "…"}">'
    return f"<{element.name}>"


def read_numbers(value: Fragment, diagnostics: Diagnostics, *, endless: bool = False) -> tuple[float, ...] | None:
    """Numbers separated by blanks, as XML Schema writes them; None after an error at the first bad one."""
    numbers = []
    for found in re.finditer(r"\S+", value.text):
        word = found.group()
        number = float(word) if _NUMBER.fullmatch(word) or (endless and _ENDLESS.fullmatch(word)) else math.nan
        if math.isnan(number) or (math.isinf(number) and not endless):
            comma = "," in word
            diagnostics.error(
                "not-a-number",
                value.span(found.start(), found.end()),
                Text(f'"{word[:40]}" is not a number', f"«{word[:40]}» — не число")
                if not math.isinf(number)
                else Text(f'"{word[:40]}" is too large', f"«{word[:40]}» слишком велико"),
                expected=Text("a number such as 1, -0.5 or 2e-3", "число, например 1, -0.5 или 2e-3"),
                hint=Text(
                    "numbers are separated by blanks here, not by commas",
                    "числа здесь разделяются пробелами, а не запятыми",
                )
                if comma
                else None,
            )
            return None
        numbers.append(number)
    return tuple(numbers)


def put(node: Node, key: str, value: Value | None, span: Span, name_span: Span | None = None) -> None:
    """Give a node an attribute with the place that it came from, so that later errors point there."""
    if value is not None:
        spec = node.spec.by_key[key]
        node.attributes[key] = Attribute(spec, value, span, name_span or span)


def put_numbers(
    node: Node,
    key: str,
    values: float | Iterable[float],
    dimension: Dimension,
    span: Span,
    name_span: Span | None = None,
) -> None:
    """Give a node an attribute that holds numbers in SI."""
    put(node, key, si(values, dimension, span), span, name_span)
