"""Numbers as they are written into texts: few digits, no exponents where none are needed, signs where they belong."""

from __future__ import annotations

import math

from sistel.markup import Expression, Number, Unary
from sistel.records import entry
from sistel.studio.service._edits import Edit


@entry
class Literal:
    """A number that stands in a text, with its sign."""

    number: Number
    start: int
    """Where its sign, or its first digit, stands."""
    end: int
    """Behind its last digit, before its unit."""

    @property
    def value(self) -> float:
        """As it is written, without its unit."""
        digits = float(self.number.literal)
        return -digits if self.start < self.number.span.start else digits


def literal_of(item: object) -> Literal | None:
    """The number that an expression is; None for a formula, and where it is written in a way that hides its digits."""
    if isinstance(item, tuple) and len(item) == 1:
        item = item[0]
    number = item.operand if isinstance(item, Unary) else item
    if not isinstance(number, Number) or not isinstance(item, (Number, Unary)):
        return None
    text, start = number.span.source.text, number.span.start
    end = start + len(number.literal)
    if text[start:end] != number.literal or text[item.span.start : start].strip() not in ("", "-", "−", "–"):
        return None
    return Literal(number, item.span.start, end)


def plain(value: float, step: float = 0.0) -> str:
    """A number as people write it.

    Args:
        value: The number.
        step: To what it is rounded, a power of ten; without, it has up to twelve digits.

    Example:
        >>> plain(203.4567, 0.1), plain(0.00001), plain(-0.0004, 0.01), plain(1234.5, 100.0)
        ('203.5', '0.00001', '0', '1200')
    """
    if step > 0.0:
        places = max(0, -math.floor(math.log10(step) + 1e-9))
        text = f"{round(value / step) * step:.{places}f}"
    else:
        text = f"{value:.12g}"
        if "e" in text and 1e-9 < abs(value) < 1e15:
            places = max(0, 11 - math.floor(math.log10(abs(value))))
            text = f"{value:.{places}f}"
    if "." in text and "e" not in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def rewritten(literal: Literal, value: float, step: float = 0.0) -> Edit:
    """The change of a number to another one, in the same unit, which stays.

    Args:
        literal: The number.
        value: The new one, in the unit of the old.
        step: To what it is rounded.
    """
    return Edit(literal.start, literal.end, plain(value, step))


def items_of(value: object) -> tuple[Expression, ...]:
    """The expressions that an attribute holds."""
    found = value if isinstance(value, tuple) else (value,)
    return tuple(each for each in found if not isinstance(each, (str, int)) and each is not None)
