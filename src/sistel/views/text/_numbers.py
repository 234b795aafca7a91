"""Numbers as people read them: short, in the units of the files, without the dust of floating point."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from sistel.errors import Language
from sistel.model.joints import CoordinateKind
from sistel.units import ANGLE, LENGTH, UNIT_BY_WORD, Dimension, si_symbol

_MM, _DEG = UNIT_BY_WORD["mm"], UNIT_BY_WORD["deg"]


def short(value: float, digits: int = 6) -> str:
    """A number with a few significant digits: ``0.1``, ``1200``, ``3.5e-05``."""
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    text = f"{value:.{digits}g}"
    return "0" if text == "-0" else text


def millimetres(value: float) -> str:
    """A length [m] in millimetres; what is below a hundredth of a micrometre is dust."""
    return short(round(_MM.from_si(value), 5) if math.isfinite(value) else value, 7)


def degrees(value: float) -> str:
    """An angle [rad] in degrees."""
    return short(round(_DEG.from_si(value), 5) if math.isfinite(value) else value, 7)


def vector(values: Iterable[float]) -> str:
    """Lengths [m] in millimetres, separated as in the files."""
    return ", ".join(map(millimetres, values))


def direction(values: Sequence[float]) -> str:
    """A unit vector: the letter of an axis where it is one, else its components."""
    for letter, index in (("x", 0), ("y", 1), ("z", 2)):
        if abs(values[index]) == 1.0:
            return letter if values[index] > 0 else f"-{letter}"
    return f"({', '.join(short(round(value, 6), 4) for value in values)})"


def coordinate(value: float, kind: CoordinateKind, lang: Language) -> str:
    """A coordinate [m or rad] with its unit."""
    if kind == "turn":
        return f"{degrees(value)}°"
    return f"{millimetres(value)} {unit('mm', lang)}" if kind == "slide" else short(value)


def rate(value: float, kind: CoordinateKind, lang: Language) -> str:
    """A velocity [m/s or rad/s] with its unit."""
    second = unit("s", lang)
    return f"{degrees(value)}°/{second}" if kind == "turn" else f"{millimetres(value)} {unit('mm', lang)}/{second}"


def limits(minimum: float, maximum: float, kind: CoordinateKind, lang: Language) -> str:
    """The range of a coordinate; empty when it has none."""
    number = degrees if kind == "turn" else millimetres
    end = "°" if kind == "turn" else f" {unit('mm', lang)}"
    if math.isfinite(minimum) and math.isfinite(maximum):
        return f"{number(minimum)} … {number(maximum)}{end}"
    if math.isfinite(minimum):
        return f"≥ {number(minimum)}{end}"
    return f"≤ {number(maximum)}{end}" if math.isfinite(maximum) else ""


def quantity(value: float, dimension: Dimension, lang: Language) -> str:
    """A number [SI] with the unit that people expect of its dimension."""
    if dimension == LENGTH:
        return f"{millimetres(value)} {unit('mm', lang)}"
    if dimension == ANGLE:
        return f"{degrees(value)}°"
    return short(value) if dimension.plain else f"{short(value)} {symbol(dimension, lang)}"


def symbol(dimension: Dimension, lang: Language) -> str:
    """The SI unit of a dimension in print: ``N·m``, ``кг·м²``."""
    return si_symbol(dimension, lang).replace("*", "·").replace("^2", "²").replace("^3", "³")


def unit(word: str, lang: Language) -> str:
    """A unit of the table, spelt as the language spells it."""
    known = UNIT_BY_WORD[word]
    return (known.ru if lang == "ru" else known.en)[0]


def clean(text: str) -> str:
    """A text of strangers, without characters that command terminals or turn the direction of writing."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
