"""The corners of paths of SVG: where they are, and by which numbers of the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field

from sistel.errors import Span
from sistel.markup import Attribute, Name, walk_expression
from sistel.markup import Number as WrittenNumber
from sistel.records import entry, mutable
from sistel.studio.service._numbers import Literal, items_of
from sistel.studio.service._slots import Slot
from sistel.units import PLAIN, unit_of

_PART = re.compile(r"([A-Za-z])|\{([^{}]*)\}|([+-]?)((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")
_ENDS = {"m": (0, 1), "l": (0, 1), "t": (0, 1), "h": (0, None), "v": (None, 0), "c": (4, 5), "s": (2, 3), "q": (2, 3)}
"""Which of the numbers of a command are x and y of its end."""
_COUNT = {"m": 2, "l": 2, "t": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4}


@entry
class Corner:
    """A point that a path goes through."""

    x: float
    """[m]"""
    y: float
    slots: tuple[Slot, Slot]
    counter: tuple[tuple[Slot, ...], tuple[Slot, ...]]
    """Numbers that go back by what x, and what y, goes forth, so that what follows stays."""


@mutable
class _Axis:
    """What was found along x or y so far."""

    at: float = 0.0
    by: int = -1
    """Which of the slots the last point has it from."""
    first: float = 0.0
    first_by: int = -1
    slots: list[tuple[Slot, int]] = field(default_factory=list)
    """Each with the one from which it goes on; -1 where it is absolute."""

    def go(self, slot: Slot, value: float, relative: bool) -> None:
        self.slots.append((slot, self.by if relative else -1))
        self.at = self.at + value if relative else value
        self.by = len(self.slots) - 1

    def countered(self, number: int) -> tuple[Slot, ...]:
        return tuple(slot for slot, base in self.slots if base == number and slot.literal is not None)


def corners_of_path(attribute: Attribute, gaps: Sequence[float]) -> list[Corner]:
    """The corners of a path; none where it has arcs, or is written in a way that hides its letters.

    Args:
        attribute: The path.
        gaps: What its expressions come to [m].
    """
    text, start = attribute.span.text, attribute.span.start
    if "&" in text:
        return []
    mm = unit_of("mm")
    assert mm is not None
    scale = mm.to_si(1.0)
    expressions = items_of(attribute.value)
    x, y = _Axis(), _Axis()
    made: list[tuple[float, float, int, int]] = []
    waiting: list[tuple[Slot, float]] = []
    command, gap = "", 0
    for found in _PART.finditer(text):
        if found[1]:
            command = found[1]
            if command in "zZ":
                x.at, x.by, y.at, y.by = x.first, x.first_by, y.first, y.first_by
            elif command.lower() not in _COUNT:
                return []
            continue
        if found[2] is not None:
            if gap >= len(expressions) or gap >= len(gaps):
                return []
            names = (part.name for part in walk_expression(expressions[gap]) if isinstance(part, Name))
            slot = Slot(None, scale, tuple(dict.fromkeys(names)), start + found.start(), start + found.end())
            value = float(gaps[gap])
            gap += 1
        else:
            span = Span(attribute.span.source, start + found.start(4), start + found.end(4))
            number = WrittenNumber(float(found[4]), PLAIN, None, found[4], span)
            literal = Literal(number, span.start - (found[3] == "-"), span.end)
            slot = Slot(literal, scale, (), literal.start, literal.end, True)
            value = scale * literal.value
        waiting.append((slot, value))
        kind = command.lower()
        if len(waiting) < _COUNT.get(kind, 1):
            continue
        for axis, place in zip((x, y), _ENDS[kind], strict=True):
            if place is not None:
                axis.go(*waiting[place], command.islower() and bool(made or command != "m"))
        waiting = []
        if kind == "m":
            x.first, x.first_by, y.first, y.first_by = x.at, x.by, y.at, y.by
            command = "l" if command == "m" else "L"
        made.append((x.at, y.at, x.by, y.by))
    return [
        Corner(at_x, at_y, (x.slots[i][0], y.slots[j][0]), (x.countered(i), y.countered(j)))
        for at_x, at_y, i, j in made
    ]
