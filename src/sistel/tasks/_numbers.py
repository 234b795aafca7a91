"""Numbers of answers with the units that people expect, in both languages."""

from __future__ import annotations

import math

from sistel.errors import Language, Text
from sistel.units import (
    ANGLE,
    ANGULAR_ACCELERATION,
    ANGULAR_SPEED,
    LENGTH,
    PLAIN,
    Dimension,
    si_symbol,
    spell_unit,
    unit_of,
)

PEOPLE: dict[Dimension, str] = {
    ANGLE: "deg",
    ANGULAR_SPEED: "deg/s",
    ANGULAR_ACCELERATION: "deg/s^2",
    LENGTH: "mm",
}
"""Units of the files, where they are not SI."""
DIGITS = 8


def unit_word(dimension: Dimension, lang: Language) -> str:
    """The unit that numbers of a dimension are told in; empty for plain ones."""
    if dimension == PLAIN:
        return ""
    key = PEOPLE.get(dimension)
    word = si_symbol(dimension, lang) if key is None else spell_unit(key, lang)
    return word.replace("*", "·").replace("^2", "²").replace("^3", "³").replace("deg", "°").replace("град", "°")


def in_unit(value: float, dimension: Dimension) -> float:
    """A number in SI, in the unit that it is told in."""
    key = PEOPLE.get(dimension)
    if key is None:
        return value
    unit = unit_of(key)
    assert unit is not None
    return unit.from_si(value)


def digits(value: float, places: int = DIGITS) -> str:
    """A number as people read it, without the dust of floating point."""
    if math.isnan(value):
        return "—"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if abs(value) < 5e-13:
        return "0"
    return f"{value:.{places}g}"


def told(value: float, dimension: Dimension, places: int = DIGITS) -> Text:
    """A number with its unit."""
    number = digits(in_unit(value, dimension), places)
    en, ru = (unit_word(dimension, lang) for lang in ("en", "ru"))
    gap = "" if en.startswith("°") else " "
    return Text(f"{number}{gap}{en}".rstrip(), f"{number}{gap}{ru}".rstrip())
