"""The symbols of one system: parameters under their own names, coordinates q₁ …, velocities and accelerations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sistel.errors import Text
from sistel.formulas._formula import Sym
from sistel.formulas._symbols import GREEK, LETTERS, Identifiers, Symbol, printable, split_name
from sistel.model import GRAVITY, Model, Parameter
from sistel.units import Dimension, si_symbol

_WORDS = {
    "turn": (Text("angle", "угол"), Text("rad", "рад")),
    "slide": (Text("slide", "перемещение"), Text("m", "м")),
    "quaternion": (Text("number of the unit quaternion", "число единичного кватерниона"), Text("", "")),
}


def symbol_table(
    model: Model,
    parameters: Sequence[Parameter],
    values: Sequence[float],
    angles: Mapping[Sym, tuple[int, ...]],
    held: Sequence[Symbol] = (),
) -> dict[Sym, Symbol]:
    """All symbols that formulas may use, except for numbered intermediate ones.

    Args:
        model: The system.
        parameters: The parameters, by place.
        values: Their values in SI.
        angles: Sines and cosines that have names, with the coordinates that their arguments add up.
        held: Multipliers and anchors of a structure.
    """
    names = Identifiers()
    table: dict[Sym, Symbol] = {}
    given = {parameter.name for parameter in parameters}
    for place, (parameter, value) in enumerate(zip(parameters, values, strict=True)):
        key = Sym("p", place)
        table[key] = _parameter(key, parameter, value, given)
    taken = {(symbol.base, symbol.subscript) for symbol in table.values()}
    for symbol in _coordinates(model, taken):
        table[symbol.key] = symbol
    time = Sym("t", 0)
    table[time] = Symbol(key=time, base="t", about=Text("time", "время"), unit=Text("s", "с"))
    table |= {symbol.key: symbol for symbol in held}
    for key, places in angles.items():
        label = ("" if max(places) < 9 else ",").join(str(place + 1) for place in places)
        table[key] = Symbol(key=key, base=key.block, subscript=(label,))
    # Coordinates keep their short identifiers; a parameter that is called the same gives way.
    order = {"q": 0, "v": 1, "a": 2, "tau": 3, "p": 4}
    for key in sorted(table, key=lambda key: order.get(key.block, 5)):
        symbol = table[key]
        table[key] = replace(symbol, text=names.take(_wanted(symbol)))
    return table


def _wanted(symbol: Symbol) -> str:
    base = symbol.base + ("_" if len(symbol.base) > 1 and symbol.subscript else "")
    name = base + "_".join(symbol.subscript)
    key = symbol.key
    if key.block in ("v", "a") and symbol.dots:
        # The identifiers of derivatives: q1, v1, a1; x, v_x, a_x.
        prefix = "v" if key.block == "v" else "a"
        return prefix + "".join(symbol.subscript) if symbol.base == "q" else f"{prefix}_{name}"
    return name


def _parameter(key: Sym, parameter: Parameter, value: float, given: set[str]) -> Symbol:
    about = printable(parameter.about)
    words = Text(about, about)
    base, subscript = split_name(printable(parameter.name))
    if parameter.name == GRAVITY:
        base, subscript = split_name("g_0" if "g" in given else "g")
        words = Text("acceleration of free fall", "ускорение свободного падения")
    return Symbol(
        key=key, base=base, subscript=subscript, about=words, unit=unit_text(parameter.dimension), value=value
    )


def unit_text(dimension: Dimension) -> Text:
    """The SI unit as it is printed."""
    if dimension.plain:
        return Text("", "")
    return Text(_pretty(si_symbol(dimension)), _pretty(si_symbol(dimension, "ru")))


def _pretty(unit: str) -> str:
    for power, sign in (("^2", "²"), ("^3", "³"), ("^4", "⁴")):
        unit = unit.replace(power, sign)
    return unit.replace("*", "·")


def _coordinates(model: Model, taken: set[tuple[str, tuple[str, ...]]]) -> list[Symbol]:
    """Coordinates, velocities, accelerations and driving forces, in the order of q and v."""
    made: list[Symbol] = []
    for body in model.bodies:
        kind = body.joint.type
        for index, (part, sort) in enumerate(kind.coordinates):
            place = body.first_q + index
            name = f"{body.name}.{part}" if part else body.name
            base, subscript = _short(name, taken) or ("q", (str(place + 1),))
            word, unit = _WORDS[sort]
            about = _about(word, body.name, part)
            made.append(Symbol(key=Sym("q", place), base=base, subscript=subscript, about=about, unit=unit))
            if not kind.has_quaternion:
                made += _rates(body.first_v + index, base, subscript, unit)
        if kind.has_quaternion:
            for index, (part, sort) in enumerate(kind.rates):
                base, subscript = ("ω" if sort == "turn" else "v"), (f"{body.number}{part[-1]}",)
                unit = Text("rad/s", "рад/с") if sort == "turn" else Text("m/s", "м/с")
                word = (
                    Text("angular velocity along the body's axis", "угловая скорость вдоль оси тела")
                    if sort == "turn"
                    else Text("velocity along the body's axis", "скорость вдоль оси тела")
                )
                place = body.first_v + index
                about = _about(word, body.name, part[-1])
                made.append(Symbol(key=Sym("v", place), base=base, subscript=subscript, about=about, unit=unit))
                made.append(Symbol(key=Sym("a", place), base=base, subscript=subscript, dots=1, unit=_per_second(unit)))
        for index, (_, sort) in enumerate(kind.rates):
            place = body.first_v + index
            unit = Text("N·m", "Н·м") if sort == "turn" else Text("N", "Н")
            about = _about(Text("driving force", "движущая сила"), body.name, "")
            made.append(Symbol(key=Sym("tau", place), base="τ", subscript=(str(place + 1),), about=about, unit=unit))
    return made


def _rates(place: int, base: str, subscript: tuple[str, ...], unit: Text) -> list[Symbol]:
    speed = _per_second(unit)
    gain = Text(f"{unit.en}/s²", f"{unit.ru}/с²")
    return [
        Symbol(key=Sym("v", place), base=base, subscript=subscript, dots=1, unit=speed),
        Symbol(key=Sym("a", place), base=base, subscript=subscript, dots=2, unit=gain),
    ]


def _per_second(unit: Text) -> Text:
    return (
        Text(unit.en.replace("/s", "/s²"), unit.ru.replace("/с", "/с²"))
        if "/" in unit.en
        else Text(f"{unit.en}/s", f"{unit.ru}/с")
    )


def _about(word: Text, body: str, part: str) -> Text:
    name = printable(body)
    tail = f" {part}" if part not in ("", "angle", "slide") else ""
    return Text(f"{name}: {word.en}{tail}", f"{name}: {word.ru}{tail}")


def _short(name: str, taken: set[tuple[str, tuple[str, ...]]]) -> tuple[str, tuple[str, ...]] | None:
    """The name of a coordinate itself, where it reads as a symbol: x, y2, phi."""
    base, subscript = split_name(name)
    letter = base in LETTERS or (len(base) == 1 and base.isalpha()) or name in GREEK
    short = letter and len("".join(subscript)) <= 2 and base not in "tgeτ"
    return (base, subscript) if short and (base, subscript) not in taken else None
