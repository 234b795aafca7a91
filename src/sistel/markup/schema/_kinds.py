"""What an attribute of XsysTel can hold: the vocabulary in which the schema table is written."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from sistel.errors import Language, Text
from sistel.records import record
from sistel.units import (
    ACCELERATION,
    ANGLE,
    ANGULAR_ACCELERATION,
    ANGULAR_DAMPING,
    ANGULAR_SPEED,
    ANGULAR_STIFFNESS,
    DAMPING,
    FORCE,
    INERTIA,
    LENGTH,
    MASS,
    MOMENT,
    SPEED,
    STIFFNESS,
    Dimension,
)

Spellings = tuple[str, ...]

THINGS: dict[str, Text] = {
    "body": Text("body", "тело"),
    "point": Text("point", "точка"),
    "frame": Text("frame", "репер"),
    "shape": Text("shape", "фигура"),
    "coordinate": Text("coordinate", "координата"),
    "closure": Text("closure", "замыкание"),
    "contact": Text("contact", "контакт"),
    "blade": Text("blade", "полоз"),
    "lock": Text("lock", "замок"),
    "coupling": Text("coupling", "передача"),
    "structure": Text("structure", "структура"),
    "counter": Text("counter", "счётчик"),
    "motor": Text("motor", "привод"),
    "state": Text("state", "состояние"),
    "event": Text("event", "событие"),
    "datum": Text("datum", "данное"),
    "parameter": Text("parameter", "параметр"),
    "posture": Text("posture", "поза"),
}
"""What references can name."""


@record
class Kind:
    """Abstract: how the text of an attribute is read."""


class FreeText(Kind):
    """Any text, kept as it is."""


class NewName(Kind):
    """The name of the thing that the element declares."""


class Prefix(Kind):
    """The beginning of names; blanks at its ends count: "left " makes "left leg"."""


@record
class Reference(Kind):
    """Names of things declared elsewhere, several separated by commas where `many`."""

    to: tuple[str, ...]
    """Keys of `THINGS`."""
    many: bool = False


@record
class Spelt:
    """Abstract: a word of the language, in both languages."""

    key: str
    en: Spellings
    ru: Spellings
    """The first is written."""
    doc: Text

    def written(self, lang: Language) -> str:
        """The spelling to write."""
        return (self.ru if lang == "ru" else self.en)[0]


@record
class Choice(Spelt):
    """One value of a `Keyword`."""

    both: Spellings = ()
    """Spellings that belong to both languages and stay when a file is translated, such as the digits of КП."""


@record
class Keyword(Kind):
    """One word out of a list."""

    choices: tuple[Choice, ...]
    by_word: dict[str, Choice] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        table = {word.casefold(): choice for choice in self.choices for word in (*choice.en, *choice.ru, *choice.both)}
        object.__setattr__(self, "by_word", table)

    def choice(self, key: str) -> Choice:
        """The choice of a key."""
        return next(choice for choice in self.choices if choice.key == key)


class Whole(Kind):
    """A whole number, not negative."""


class Flag(Kind):
    """Yes or no."""


Size = Literal["one", "place", "turn", "direction", "inertia", "size3", "quaternion", "any", "points"]
"""How many numbers: `place` is 2 in a planar and 3 in a spatial system, and so on."""


@record
class Numbers(Kind):
    """Numbers of one dimension; expressions of parameters are allowed.

    A plain number is in `unit`; anything else must have the dimension.
    """

    dimension: Dimension
    unit: str
    """Key of the unit that a plain number is in; empty for pure numbers."""
    size: Size = "one"


Measure = Literal["position", "rate", "acceleration", "force", "stiffness", "damping", "inertia"]

MEASURES: dict[Measure, tuple[tuple[Dimension, str], tuple[Dimension, str]]] = {
    "position": ((LENGTH, "mm"), (ANGLE, "deg")),
    "rate": ((SPEED, "mm/s"), (ANGULAR_SPEED, "deg/s")),
    "acceleration": ((ACCELERATION, "mm/s^2"), (ANGULAR_ACCELERATION, "deg/s^2")),
    "force": ((FORCE, "N"), (MOMENT, "N*m")),
    "stiffness": ((STIFFNESS, "N/m"), (ANGULAR_STIFFNESS, "N*m/rad")),
    "damping": ((DAMPING, "N*s/m"), (ANGULAR_DAMPING, "N*m*s/rad")),
    "inertia": ((MASS, "kg"), (INERTIA, "kg*m^2")),
}
"""Dimension and unit of what belongs to a joint coordinate: first for a slide, then for a turn."""


@record
class CoordinateNumbers(Kind):
    """Numbers that belong to the coordinates of a joint: mm for slides, degrees for turns, and so on."""

    measure: Measure


@record
class Formula(Kind):
    """Expressions of time, parameters and state; with `dimension`, or the measure of a joint coordinate."""

    dimension: Dimension | None = None
    unit: str = ""
    measure: Measure | None = None
    size: Size = "one"


class Condition(Kind):
    """A comparison, a crossing, or several joined by and/or/not."""


class Surface(Kind):
    """An equation or inequality in x, y (and z)."""


@record
class Friction(Kind):
    """A coefficient, or one of the words of `words`."""

    words: Keyword


class Axis(Kind):
    """A coordinate axis (x, -y …) or a direction vector."""


class SvgPath(Kind):
    """The `d` of an SVG path, in millimetres."""


class FilePath(Kind):
    """A file, relative to the file that names it."""


class Colour(Kind):
    """A CSS colour: a word or #rrggbb."""


class UnitWord(Kind):
    """A unit, such as ``мм`` or ``N*m/rad``."""


@record
class AttributeSpec(Spelt):
    """One attribute of an element."""

    kind: Kind
    required: bool = False
    default: Text | None = None
    """What holds when the attribute is absent, in words."""


@record
class ElementSpec(Spelt):
    """One element."""

    attributes: tuple[AttributeSpec, ...]
    children: tuple[str, ...] = ()
    """Keys of the elements that may stand inside."""
    open: Literal["", "coordinates", "outputs", "ports"] = ""
    """Whether it takes further attributes: coordinates, as `<start crank="60 deg"/>`, outputs of a behaviour, ports."""
    example: Text
    by_word: dict[str, AttributeSpec] = field(init=False, repr=False)
    by_key: dict[str, AttributeSpec] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        words = {word.casefold(): spec for spec in self.attributes for word in (*spec.en, *spec.ru)}
        object.__setattr__(self, "by_word", words)
        object.__setattr__(self, "by_key", {spec.key: spec for spec in self.attributes})
