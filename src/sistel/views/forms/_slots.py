"""What a filled form makes of the text of its file: numbers where they stand, and pieces that the file gains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sistel.errors import Language
from sistel.markup.xml import Element
from sistel.records import mutable, record

if TYPE_CHECKING:
    from sistel.views.forms._fields import Field

_START = {"en": "start", "ru": "начало"}
_COORDINATE = {"en": ("coordinate", "of", "value", "rate"), "ru": ("координата", "чего", "значение", "скорость")}


@record
class Slot:
    """A piece of text that is there as soon as one of its fields is filled in.

    Attributes:
        first: Where it stands in the text, or what it replaces from there on [characters].
        last: Where that ends [characters].
        parent: The slot that it is inside, by its number; None where it stands in the text itself.
        before: What comes before its fields and the slots inside.
        after: What comes behind them.
    """

    first: int
    last: int
    parent: int | None
    before: str
    after: str


@mutable
class Slots:
    """Makes the slots of a file."""

    text: str
    lang: Language
    made: list[Slot]
    _start: tuple[int, int] = (0, 0)
    _self_closed: bool = False
    _container: int | None = None
    _attributes: int | None = None

    def begin(self, tree: Element, start: Element | None, plain: bool) -> None:
        """Prepare for what the initial state gains.

        Args:
            tree: The whole file.
            start: Its initial state; None where there is none.
            plain: Whether all that it may gain can be attributes.
        """
        if start is not None:
            self._start = (start.start, start.end)
            self._self_closed = self.text[start.start : start.end].endswith("/>")
            return
        end = self._root_end(tree)
        word, step = _START[self.lang], self._indent(tree)
        head, tail = (f"{step}<{word}", "/>\n") if plain else (f"{step}<{word}>", f"\n{step}</{word}>\n")
        self._attributes = self._add(Slot(first=end, last=end, parent=None, before=head, after=tail))
        self._container = self._attributes

    def attribute(self, name: str) -> int:
        """An attribute of the initial state."""
        at = self._start[1] - (2 if self._self_closed else 1)
        while self._attributes is None and self.text[at - 1].isspace():
            at -= 1
        return self._add(Slot(first=at, last=at, parent=self._attributes, before=f' {name}="', after='"'))

    def coordinate(self, name: str) -> int:
        """An element for a joint whose name cannot be that of an attribute."""
        at = self._start[1]
        if self._container is None and self._self_closed:
            close = f"\n  </{_START[self.lang]}>"
            self._container = self._add(Slot(first=at - 2, last=at, parent=None, before=">", after=close))
        safe = name.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
        word, of = _COORDINATE[self.lang][:2]
        head = f'\n    <{word} {of}="{safe}"'
        return self._add(Slot(first=at, last=at, parent=self._container, before=head, after="/>"))

    def part(self, parent: int, rate: bool) -> int:
        """The value or the rate of such an element."""
        name = _COORDINATE[self.lang][3 if rate else 2]
        at = self.made[parent].first
        return self._add(Slot(first=at, last=at, parent=parent, before=f' {name}="', after='"'))

    def _add(self, slot: Slot) -> int:
        self.made.append(slot)
        return len(self.made) - 1

    def _root_end(self, tree: Element) -> int:
        """Where the end tag of the file begins, or the line that it begins."""
        assert tree.end_name is not None
        at = self.text.rindex("<", 0, tree.end_name[0])
        while at > 0 and self.text[at - 1] in " \t":
            at -= 1
        return at

    def _indent(self, tree: Element) -> str:
        """What the lines of its children begin with."""
        for child in tree.children:
            line = self.text[self.text.rfind("\n", 0, child.start) + 1 : child.start]
            if line.strip() == "":
                return line
        return "  "


def filled(
    text: str, fields: Sequence[Field], slots: Sequence[Slot], values: Mapping[str, str], *, whole: bool = False
) -> str:
    """The text of a file with other numbers; layout, comments and everything else stay.

    Args:
        text: As it is.
        fields: Of its form.
        slots: Of its form.
        values: What the fields hold, by their keys; those that are not named stay as they are.
        whole: Whether slots are there even where all their fields are empty.
    """
    edits: list[tuple[int, int, int, str]] = []
    inside: dict[int, list[str]] = {}
    for field in fields:
        value = values.get(field.key, field.written)
        if field.span is not None:
            edits.append((field.span.start, field.span.end, -1, value))
        elif field.slot is not None and (value or whole):
            inside.setdefault(field.slot, []).append(value)
    # Slots are made before what stands inside them, so the last are the innermost.
    for number in range(len(slots) - 1, -1, -1):
        slot = slots[number]
        if number not in inside:
            continue
        piece = slot.before + "".join(inside[number]) + slot.after
        if slot.parent is None:
            edits.append((slot.first, slot.last, number, piece))
        else:
            inside.setdefault(slot.parent, []).insert(0, piece)
    pieces, at = [], 0
    for first, last, _, piece in sorted(edits):
        pieces += [text[at:first], piece]
        at = last
    return "".join((*pieces, text[at:]))
