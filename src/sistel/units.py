"""Dimensions and units: the only home of the conversions between what people write and SI.

Inside sistel every number is SI: m, kg, s, rad, N, N·m. Millimetres and degrees exist only in XML, and the unit of a
plain number belongs to the attribute in the schema, never to a switch.

A plane angle has a dimension of its own here, so that ``"30"`` for an angle can mean degrees while ``"0.5 rad"``
means radians; but it is a *soft* dimension: where dimensions are compared, N·m/rad is the same as N·m.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from sistel.records import entry

Exponent = int | Fraction


class Dimension(NamedTuple):
    """Exponents of length, mass, time, angle and electric current."""

    length: Exponent = 0
    mass: Exponent = 0
    time: Exponent = 0
    angle: Exponent = 0
    current: Exponent = 0

    def times(self, other: Dimension) -> Dimension:
        """Dimension of a product."""
        return Dimension(*(a + b for a, b in zip(self, other, strict=True)))

    def over(self, other: Dimension) -> Dimension:
        """Dimension of a quotient."""
        return Dimension(*(a - b for a, b in zip(self, other, strict=True)))

    def power(self, exponent: Exponent) -> Dimension:
        """Dimension of a power."""
        return Dimension(*(_plain(a * exponent) for a in self))

    @property
    def plain(self) -> bool:
        """Whether this is a pure number, not even an angle."""
        return not any(self)

    def fits(self, other: Dimension) -> bool:
        """Whether two quantities may be added or compared; angles count as pure numbers."""
        return (self.length, self.mass, self.time, self.current) == (
            other.length,
            other.mass,
            other.time,
            other.current,
        )

    def __str__(self) -> str:
        return dimension_name(self)


def _plain(value: Exponent) -> Exponent:
    return int(value) if value == int(value) else Fraction(value).limit_denominator(64)


PLAIN = Dimension()
LENGTH = Dimension(length=1)
MASS = Dimension(mass=1)
TIME = Dimension(time=1)
ANGLE = Dimension(angle=1)
CURRENT = Dimension(current=1)
SPEED = LENGTH.over(TIME)
ANGULAR_SPEED = ANGLE.over(TIME)
ACCELERATION = SPEED.over(TIME)
ANGULAR_ACCELERATION = ANGULAR_SPEED.over(TIME)
FORCE = MASS.times(ACCELERATION)
MOMENT = FORCE.times(LENGTH)
INERTIA = MASS.times(LENGTH.power(2))
POWER = MOMENT.over(TIME)
VOLTAGE = POWER.over(CURRENT)
RESISTANCE = VOLTAGE.over(CURRENT)
INDUCTANCE = RESISTANCE.times(TIME)
STIFFNESS = FORCE.over(LENGTH)
ANGULAR_STIFFNESS = MOMENT.over(ANGLE)
DAMPING = FORCE.over(SPEED)
ANGULAR_DAMPING = MOMENT.over(ANGULAR_SPEED)


@entry
class Unit:
    """A unit: one of it is `numerator / denominator` of the SI unit of its dimension.

    Two numbers rather than one factor, because ``333 / 1000`` is correctly rounded and ``333 * 0.001`` is not.
    """

    key: str
    en: tuple[str, ...]
    """Spellings with Latin letters, the first one is written."""
    ru: tuple[str, ...]
    """Spellings with Cyrillic letters, the first one is written."""
    dimension: Dimension
    numerator: float = 1.0
    denominator: float = 1.0

    def to_si(self, value: float) -> float:
        """A value in this unit, in SI."""
        return value * self.numerator / self.denominator

    def from_si(self, value: float) -> float:
        """A value in SI, in this unit."""
        return value * self.denominator / self.numerator


UNITS: tuple[Unit, ...] = (
    Unit("m", ("m",), ("м",), LENGTH),
    Unit("mm", ("mm",), ("мм",), LENGTH, 1, 1000),
    Unit("cm", ("cm",), ("см",), LENGTH, 1, 100),
    Unit("dm", ("dm",), ("дм",), LENGTH, 1, 10),
    Unit("km", ("km",), ("км",), LENGTH, 1000),
    Unit("um", ("um", "µm", "μm"), ("мкм",), LENGTH, 1, 1e6),
    Unit("in", ("inch",), ("дюйм",), LENGTH, 254, 10000),
    Unit("kg", ("kg",), ("кг",), MASS),
    Unit("g", ("g",), ("г",), MASS, 1, 1000),
    Unit("t", ("tonne",), ("т",), MASS, 1000),
    Unit("s", ("s", "sec"), ("с", "сек"), TIME),
    Unit("ms", ("ms",), ("мс",), TIME, 1, 1000),
    Unit("min", ("min",), ("мин",), TIME, 60),
    Unit("h", ("h",), ("ч",), TIME, 3600),
    Unit("rad", ("rad",), ("рад",), ANGLE),
    Unit("deg", ("deg", "°"), ("град", "°"), ANGLE, math.pi, 180),
    Unit("rev", ("rev",), ("об",), ANGLE, 2 * math.pi),
    Unit("Hz", ("Hz",), ("Гц",), TIME.power(-1)),
    Unit("rpm", ("rpm",), ("об/мин",), ANGULAR_SPEED, 2 * math.pi, 60),
    Unit("N", ("N",), ("Н",), FORCE),
    Unit("kN", ("kN",), ("кН",), FORCE, 1000),
    Unit("mN", ("mN",), ("мН",), FORCE, 1, 1000),
    Unit("J", ("J",), ("Дж",), MOMENT),
    Unit("W", ("W",), ("Вт",), POWER),
    Unit("kW", ("kW",), ("кВт",), POWER, 1000),
    Unit("A", ("A",), ("А",), CURRENT),
    Unit("mA", ("mA",), ("мА",), CURRENT, 1, 1000),
    Unit("V", ("V",), ("В",), VOLTAGE),
    Unit("Ohm", ("Ohm", "Ω"), ("Ом",), RESISTANCE),
    Unit("H", ("H",), ("Гн",), INDUCTANCE),
    Unit("mH", ("mH",), ("мГн",), INDUCTANCE, 1, 1000),
    Unit("%", ("%",), ("%",), PLAIN, 1, 100),
)

UNIT_BY_WORD: dict[str, Unit] = {word: unit for unit in UNITS for word in (*unit.en, *unit.ru)}

_NAMES: dict[Dimension, tuple[str, str]] = {
    PLAIN: ("a plain number", "безразмерное число"),
    LENGTH: ("a length", "длина"),
    MASS: ("a mass", "масса"),
    TIME: ("a time", "время"),
    ANGLE: ("an angle", "угол"),
    SPEED: ("a speed", "скорость"),
    ANGULAR_SPEED: ("an angular speed", "угловая скорость"),
    ACCELERATION: ("an acceleration", "ускорение"),
    ANGULAR_ACCELERATION: ("an angular acceleration", "угловое ускорение"),
    FORCE: ("a force", "сила"),
    MOMENT: ("a moment", "момент"),
    INERTIA: ("a moment of inertia", "момент инерции"),
    POWER: ("a power", "мощность"),
    STIFFNESS: ("a stiffness", "жёсткость"),
    ANGULAR_STIFFNESS: ("an angular stiffness", "угловая жёсткость"),
    DAMPING: ("a damping", "вязкость"),
    ANGULAR_DAMPING: ("an angular damping", "угловая вязкость"),
    CURRENT: ("a current", "сила тока"),
    VOLTAGE: ("a voltage", "напряжение"),
    RESISTANCE: ("a resistance", "сопротивление"),
}

_COMPOUND: dict[Dimension, tuple[str, str]] = {
    MOMENT: ("N*m", "Н*м"),
    INERTIA: ("kg*m^2", "кг*м^2"),
    STIFFNESS: ("N/m", "Н/м"),
    ANGULAR_STIFFNESS: ("N*m/rad", "Н*м/рад"),
    DAMPING: ("N*s/m", "Н*с/м"),
    ANGULAR_DAMPING: ("N*m*s/rad", "Н*м*с/рад"),
}

_BASE_SYMBOLS = (("m", "м"), ("kg", "кг"), ("s", "с"), ("rad", "рад"), ("A", "А"))


def si_symbol(dimension: Dimension, lang: str = "en") -> str:
    """The SI unit of a dimension, spelt as the language spells it, such as ``N*m`` or ``кг*м^2``."""
    for unit in UNITS:
        if unit.dimension == dimension and unit.numerator == unit.denominator == 1 and unit.key not in ("J", "Hz", "%"):
            return (unit.ru if lang == "ru" else unit.en)[0]
    column = 1 if lang == "ru" else 0
    if dimension in _COMPOUND:
        return _COMPOUND[dimension][column]
    above: list[str] = []
    below: list[str] = []
    for exponent, symbols in zip(dimension, _BASE_SYMBOLS, strict=True):
        if exponent:
            size = abs(exponent)
            (above if exponent > 0 else below).append(symbols[column] + (f"^{size}" if size != 1 else ""))
    return ("*".join(above) or "1") + "".join(f"/{symbol}" for symbol in below)


def dimension_name(dimension: Dimension, lang: str = "en") -> str:
    """What people call a dimension: a word and its SI unit."""
    column = 1 if lang == "ru" else 0
    name = _NAMES.get(dimension)
    if dimension.plain:
        return _NAMES[PLAIN][column]
    symbol = si_symbol(dimension, lang)
    if name is None:
        return f"величина в {symbol}" if lang == "ru" else f"a quantity in {symbol}"
    return f"{name[column]} ({symbol})"


@lru_cache(maxsize=256)
def unit_of(text: str) -> Unit | None:
    """The unit of a text such as ``мм``, ``kg*m^2`` or ``Н*м*с/рад``; None when a word of it is unknown."""
    text = text.strip()
    if text in UNIT_BY_WORD:
        return UNIT_BY_WORD[text]
    pieces = re.split(r"([*·/])", text.replace("²", "^2").replace("³", "^3"))
    numerator = denominator = 1.0
    dimension = PLAIN
    for index in range(0, len(pieces), 2):
        word, _, exponent = pieces[index].strip().partition("^")
        below = index > 0 and pieces[index - 1] == "/"
        if word == "1" and not exponent:
            continue
        unit = UNIT_BY_WORD.get(word)
        if unit is None or (exponent and not re.fullmatch(r"-?[0-9]{1,2}", exponent)):
            return None
        power = int(exponent or "1") * (-1 if below else 1)
        above, under = (unit.numerator, unit.denominator) if power > 0 else (unit.denominator, unit.numerator)
        numerator *= above ** abs(power)
        denominator *= under ** abs(power)
        dimension = dimension.times(unit.dimension.power(power))
    return Unit(text, (text,), (text,), dimension, numerator, denominator)


def spell_unit(text: str, lang: str) -> str:
    """A unit such as ``N*m/rad`` in the letters of a language; words that are no units stay."""

    def spell(word: str) -> str:
        unit = UNIT_BY_WORD.get(word)
        return word if unit is None else (unit.ru if lang == "ru" else unit.en)[0]

    whole = text.strip()
    return (
        spell(whole) if whole in UNIT_BY_WORD else re.sub(r"[^\W\d_]+|[%°]", lambda found: spell(found.group()), text)
    )
