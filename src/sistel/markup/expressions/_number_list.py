"""Lists of plain numbers, the quick way: geometry comes in such lists, and files of ten thousand bodies are full of it.

What is made here is what the parser would have made; a text that is anything else is left to it.
"""

from __future__ import annotations

import math
import re

from sistel.errors import Fragment, Span, Text
from sistel.markup.expressions._syntax import Node, Number, Unary
from sistel.markup.expressions._tokens import MAX_CHARACTERS, Problem
from sistel.units import PLAIN

MAX_ITEMS = 100_000

_DIGITS = r"(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][-+]?+[0-9]++)?+"
_ONE_NUMBER = re.compile(rf"\s*+({_DIGITS})\s*+")
# Possessive throughout, so that a long list which is not all numbers is refused in one pass.
_NUMBERS = re.compile(rf"\s*+(?:[-+−]?+{_DIGITS}(?:\s*+[,;]\s*+(?=[-+−.0-9])|\s++(?=[-+−.0-9])|\s*+\Z))++\Z")
_NUMBER_ITEMS = re.compile(r"[^\s,;]+")
_NUMBERS_START = re.compile(rf"\s*+(?:[-+−]?+{_DIGITS}(?:\s*+[,;]\s*+|\s++|\Z))*+")


def is_number_list(text: str) -> bool:
    """Whether a text holds nothing but numbers, separated by commas, semicolons or blanks."""
    return _NUMBERS.fullmatch(text) is not None


def read_number(fragment: Fragment) -> Number | None:
    """The number, if the text is one plain number without a sign and nothing else."""
    text = fragment.text
    found = _ONE_NUMBER.fullmatch(text) if len(text) <= MAX_CHARACTERS else None
    if found is None or not math.isfinite(value := float(found.group(1))):
        return None
    return _plain_number(value, found.group(1), fragment, *found.span(1))


def read_numbers(fragment: Fragment) -> tuple[Node, ...] | None:
    """The items, if the text is a list of numbers and nothing else."""
    text = fragment.text
    if not _NUMBERS.fullmatch(text):
        if len(text) > MAX_CHARACTERS and (good := _NUMBERS_START.match(text)) and good.end():
            at = min(good.end(), len(text) - 1)
            raise Problem(
                "too-long",
                at,
                at + 1,
                Text(
                    f"a list longer than {MAX_CHARACTERS} characters may only hold plain numbers",
                    f"в списке длиннее {MAX_CHARACTERS} символов могут быть только простые числа",
                ),
            )
        return None
    nodes: list[Node] = []
    for found in _NUMBER_ITEMS.finditer(text):
        start, end = found.span()
        literal = found.group()
        sign = literal[0] if literal[0] in "-+−" else ""
        if sign:
            literal = literal[1:]
        value = float(literal)
        if value == math.inf or len(nodes) == MAX_ITEMS:
            raise _bad_item(value, start, end)
        number = _plain_number(value, literal, fragment, start + len(sign), end)
        nodes.append(number if sign in ("", "+") else _minus(number, fragment, start, end))
    return tuple(nodes)


# The constructor of a frozen dataclass looks up `object.__setattr__` for every field. The next three functions fill the
# slots directly, in half the time.
_SPAN_SETTERS = tuple(Span.__dict__[name].__set__ for name in ("source", "start", "end"))
_NUMBER_SETTERS = tuple(Number.__dict__[name].__set__ for name in ("value", "dimension", "unit", "literal", "span"))
_UNARY_SETTERS = tuple(Unary.__dict__[name].__set__ for name in ("operator", "operand", "span"))


def _span(fragment: Fragment, start: int, end: int) -> Span:
    """The same as ``fragment.span(start, end)``."""
    set_source, set_start, set_end = _SPAN_SETTERS
    offsets = fragment.offsets
    span = object.__new__(Span)
    set_source(span, fragment.source)
    set_start(span, fragment.start + start if offsets is None else offsets[start])
    set_end(span, fragment.start + end if offsets is None else offsets[end])
    return span


def _plain_number(value: float, literal: str, fragment: Fragment, start: int, end: int) -> Number:
    """The same as ``Number(value, PLAIN, None, literal, fragment.span(start, end))``."""
    set_value, set_dimension, set_unit, set_literal, set_span = _NUMBER_SETTERS
    number = object.__new__(Number)
    set_value(number, value)
    set_dimension(number, PLAIN)
    set_unit(number, None)
    set_literal(number, literal)
    set_span(number, _span(fragment, start, end))
    return number


def _minus(operand: Number, fragment: Fragment, start: int, end: int) -> Unary:
    """The same as ``Unary("-", operand, fragment.span(start, end))``."""
    set_operator, set_operand, set_span = _UNARY_SETTERS
    unary = object.__new__(Unary)
    set_operator(unary, "-")
    set_operand(unary, operand)
    set_span(unary, _span(fragment, start, end))
    return unary


def _bad_item(value: float, start: int, end: int) -> Problem:
    if math.isinf(value):
        expected = Text("a number below 1.8e308", "число меньше 1.8e308")
        message = Text("the number is too large", "число слишком велико")
        return Problem("number-too-large", start, end, message, expected=expected)
    message = Text(f"the list has more than {MAX_ITEMS} numbers", f"в списке больше {MAX_ITEMS} чисел")
    return Problem("too-many-items", start, end, message)
