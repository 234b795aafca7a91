"""Document → text: one spelling of everything, in the words of either language."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache

from sistel.errors import Language
from sistel.markup._document import Attribute, Node, OpenAttribute, Value
from sistel.markup.expressions._syntax import Node as Expression
from sistel.markup.expressions._syntax import Number, Unary, print_expression
from sistel.markup.schema._kinds import (
    MEASURES,
    Axis,
    CoordinateNumbers,
    Flag,
    Friction,
    Keyword,
    Kind,
    Numbers,
    SvgPath,
)
from sistel.units import PLAIN, Unit, si_symbol, unit_of

_ESCAPES = {"&": "&amp;", "<": "&lt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"}
_ESCAPED = re.compile('[&<"\n\t\r]')


def write_document(root: Node, lang: Language = "en") -> str:
    """The text of a document, as UTF-8 XML with two blanks per level."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    stack: list[tuple[Node | str, int]] = [(root, 0)]
    while stack:
        node, depth = stack.pop()
        if isinstance(node, str):
            lines.append("  " * depth + node)
            continue
        name = node.spec.written(lang)
        words = [f'{attribute.spec.written(lang)}="{_escape(_text(attribute, lang))}"' for attribute in _in_order(node)]
        words += [f'{item.name}{_ending(item, lang)}="{_escape(_list(item.values, lang))}"' for item in node.open]
        start = " ".join((f"<{name}", *words))
        if not node.children:
            lines.append("  " * depth + start + "/>")
            continue
        lines.append("  " * depth + start + ">")
        stack.append((f"</{name}>", depth))
        stack.extend((child, depth + 1) for child in reversed(node.children))
    return "\n".join(lines) + "\n"


def _in_order(node: Node) -> list[Attribute]:
    return [node.attributes[spec.key] for spec in node.spec.attributes if spec.key in node.attributes]


def _ending(item: OpenAttribute, lang: Language) -> str:
    return "" if not item.rate else (".скорость" if lang == "ru" else ".rate")


def _escape(text: str) -> str:
    return _ESCAPED.sub(lambda found: _ESCAPES[found.group()], text)


def _text(attribute: Attribute, lang: Language) -> str:
    writer = _WRITERS.get(type(attribute.spec.kind), _any)
    return writer(attribute.spec.kind, attribute.value, lang)


def _any(kind: Kind, value: Value, lang: Language) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return _list(value, lang) if value and not isinstance(value[0], str) else ", ".join(str(item) for item in value)
    return str(value) if isinstance(value, int) else print_expression(value, lang)


def _list(value: tuple[Expression | str, ...], lang: Language) -> str:
    return ", ".join(item if isinstance(item, str) else print_expression(item, lang) for item in value)


def _keyword(kind: Kind, value: Value, lang: Language) -> str:
    assert isinstance(kind, Keyword) and isinstance(value, str)
    return kind.choice(value).written(lang)


def _flag(kind: Kind, value: Value, lang: Language) -> str:
    return ("да" if value else "нет") if lang == "ru" else ("yes" if value else "no")


def _friction(kind: Kind, value: Value, lang: Language) -> str:
    assert isinstance(kind, Friction)
    return kind.words.choice(value).written(lang) if isinstance(value, str) else _any(kind, value, lang)


def _numbers(kind: Kind, value: Value, lang: Language) -> str:
    assert isinstance(kind, Numbers) and isinstance(value, tuple)
    units = [kind.unit] * len(value)
    if kind.size == "turn" and len(value) > 3:
        units = ["", "", "", kind.unit] if len(value) == 4 else [""] * 9
    return ", ".join(_number(item, unit, lang) for item, unit in zip(value, units, strict=True))


def _coordinate_numbers(kind: Kind, value: Value, lang: Language) -> str:
    assert isinstance(kind, CoordinateNumbers) and isinstance(value, tuple)
    slide, turn = MEASURES[kind.measure]
    return ", ".join(
        _number(item, turn[1] if isinstance(item, Number) and item.dimension == turn[0] else slide[1], lang)
        for item in value
    )


def _path(kind: Kind, value: Value, lang: Language) -> str:
    pieces = value if isinstance(value, tuple) else (value,)
    return "".join(
        str(item) if isinstance(item, (str, int)) else "{" + print_expression(item, lang) + "}" for item in pieces
    )


def _axis(kind: Kind, value: Value, lang: Language) -> str:
    assert isinstance(value, tuple)
    numbers = [item.value if isinstance(item, Number) else math.nan for item in value]
    if len(numbers) == 3 and sorted(map(abs, numbers)) == [0, 0, 1]:
        index = max(range(3), key=lambda i: abs(numbers[i]))
        return ("-" if numbers[index] < 0 else "") + "xyz"[index]
    return _list(value, lang) if any(map(math.isnan, numbers)) else ", ".join(map(digits, numbers))


def _number(item: Expression | str, unit: str, lang: Language) -> str:
    """A number in the unit of its attribute, such that reading it back gives the same bits."""
    if isinstance(item, Unary) and isinstance(item.operand, Number):
        return "-" + _number(item.operand, unit, lang)
    if not isinstance(item, Number):
        return item if isinstance(item, str) else print_expression(item, lang)
    if item.unit is None or item.dimension == PLAIN:
        return digits(item.value) if not item.literal or item.literal == "axis" else item.literal
    if item.unit != "SI":
        return print_expression(item, lang)
    return quantity(item.value, _unit(unit), si_symbol(item.dimension, lang))


@lru_cache(maxsize=64)
def _unit(key: str) -> Unit | None:
    return unit_of(key) if key else None


def quantity(value: float, unit: Unit | None, si: str) -> str:
    """A number in SI, written in a unit; in SI with its symbol when no number of that unit gives the same bits."""
    if unit is None or value == 0 or not math.isfinite(value):
        return digits(value)
    guess = unit.from_si(value)
    for places in (12, 15):
        rounded = float(f"{guess:.{places}g}")
        if unit.to_si(rounded) == value:
            return digits(rounded)
    for candidate in (guess, math.nextafter(guess, math.inf), math.nextafter(guess, -math.inf)):
        if unit.to_si(candidate) == value:
            return digits(candidate)
    return f"{digits(value)} {si}"


def digits(value: float) -> str:
    """The shortest decimal that reads back as the same number."""
    text = repr(value + 0.0)
    return text[:-2] if text.endswith(".0") else text


_WRITERS: dict[type[Kind], Callable[[Kind, Value, Language], str]] = {
    Keyword: _keyword,
    Flag: _flag,
    Friction: _friction,
    Numbers: _numbers,
    CoordinateNumbers: _coordinate_numbers,
    Axis: _axis,
    SvgPath: _path,
}

__all__ = ["digits", "quantity", "write_document"]
