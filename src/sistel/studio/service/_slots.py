"""What a coordinate of a thing is written by in a text: a number, a formula of parameters, or nothing yet."""

from __future__ import annotations

from collections.abc import Sequence

from sistel.errors import Language
from sistel.markup import Attribute, CoordinateNumbers, Name, Node, Numbers, walk_expression
from sistel.markup.schema import MEASURES, AttributeSpec
from sistel.markup.xml import Element
from sistel.records import entry
from sistel.studio.service._edits import Edit
from sistel.studio.service._numbers import Literal, items_of, literal_of, plain, rewritten
from sistel.units import unit_of


@entry
class Slot:
    """The place of one number."""

    literal: Literal | None
    """The number, where it is one."""
    scale: float
    """What one of its unit is [SI]."""
    parameters: tuple[str, ...] = ()
    """Of a formula, the names in it."""
    start: int = 0
    """Where it stands; where nothing is written yet, where it would."""
    end: int = 0
    tight: bool = False
    """Whether other numbers may touch it, as in a path."""

    @property
    def value(self) -> float | None:
        """The number [SI]."""
        return None if self.literal is None else self.scale * self.literal.value

    def edit(self, value: float, step: float) -> Edit:
        """The change of the number.

        Args:
            value: The new one [SI].
            step: To what it is rounded, a power of ten of its unit; 0 for not at all.
        """
        assert self.literal is not None
        written = value / self.scale
        if abs(written - self.literal.value) <= 1e-12 * abs(written):
            return Edit(self.literal.start, self.literal.start, "")
        edit = rewritten(self.literal, written, step) if step else _exactly(self.literal, written)
        return self._apart(edit) if self.tight else edit

    def _apart(self, edit: Edit) -> Edit:
        """The number, kept apart from the one before and the one behind."""
        assert self.literal is not None
        text = self.literal.number.span.source.text
        before, behind = text[edit.start - 1 : edit.start], text[edit.end : edit.end + 1]
        head = " " if (before.isdigit() or before == ".") and edit.insert[:1] != "-" else ""
        tail = " " if behind.isdigit() or behind == "." else ""
        return Edit(edit.start, edit.end, head + edit.insert + tail)


def _exactly(literal: Literal, value: float) -> Edit:
    text = f"{value:.15g}"
    return Edit(literal.start, literal.end, f"{value:.17f}".rstrip("0") if "e" in text and abs(value) < 1.0 else text)


@entry
class Lacking:
    """An attribute that is not written yet, with all its numbers."""

    element: Element
    word: str
    """Of the language that the text is in."""
    scale: float
    """Of what is written without a unit [SI]."""

    def edit(self, values: Sequence[float], step: float) -> Edit:
        """The change that writes it.

        Args:
            values: [SI]
            step: To what they are rounded [mm or deg].
        """
        numbers = ", ".join(plain(value / self.scale, step) for value in values)
        return added(self.element, self.word, numbers)


def added(element: Element, word: str, value: str) -> Edit:
    """The change that gives an element one more attribute; its value is escaped already."""
    text = element.source.text
    at = element.end - (2 if text[element.end - 2 : element.end] == "/>" else 1)
    while text[at - 1] in " \t\r\n":
        at -= 1
    return Edit(at, at, f' {word}="{value}"')


def unit_scale(spec: AttributeSpec, turn: bool = False) -> float:
    """What a plain number of an attribute means [SI]."""
    kind = spec.kind
    if isinstance(kind, CoordinateNumbers):
        return scale_of(MEASURES[kind.measure][turn][1])
    return scale_of(kind.unit) if isinstance(kind, Numbers) and kind.unit else 1.0


def scale_of(unit: str) -> float:
    """What one of a unit is [SI]."""
    found = unit_of(unit)
    return 1.0 if found is None else found.to_si(1.0)


def slot_of(item: object, scale: float) -> Slot:
    """The place of a number.

    Args:
        item: The expression that stands there.
        scale: What a plain number means there [SI].
    """
    (expression,) = items_of(item)
    literal = literal_of(expression)
    span = expression.span
    if literal is not None:
        unit = literal.number.unit
        return Slot(literal, scale if unit is None else scale_of(unit), (), literal.start, literal.end)
    names = tuple(dict.fromkeys(part.name for part in walk_expression(expression) if isinstance(part, Name)))
    return Slot(None, scale, tuple(name for name in names if name not in ("pi", "t")), span.start, span.end)


def slots_of(attribute: Attribute, count: int, *, turns: Sequence[bool] = ()) -> tuple[Slot, ...]:
    """The places of the numbers of an attribute; none where there are not as many as should be."""
    items = items_of(attribute.value)
    if len(items) != count:
        return ()
    return tuple(
        slot_of(item, unit_scale(attribute.spec, bool(turns) and turns[number])) for number, item in enumerate(items)
    )


def lacking(node: Node, key: str, element: Element | None, lang: Language) -> Lacking | None:
    """The place of an attribute that an element does not have."""
    spec = node.spec.by_key.get(key)
    if spec is None or element is None or key in node.failed:
        return None
    return Lacking(element, spec.written(lang), unit_scale(spec))
