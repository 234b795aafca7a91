"""Round numbers for axes, and how they are written."""

from __future__ import annotations

import math

from sistel.records import entry

MINUS = "\N{MINUS SIGN}"


@entry
class Axis:
    """An interval with round numbers in it."""

    low: float
    high: float
    ticks: tuple[float, ...]
    step: float

    def words(self) -> tuple[str, ...]:
        """The round numbers as people read them, all with as many digits as their distance needs."""
        return tuple(number(tick, self.step) for tick in self.ticks)


def axis(low: float, high: float, count: int, *, widen: bool = True) -> Axis:
    """An axis that shows an interval.

    Args:
        low: Smallest value.
        high: Largest value.
        count: About how many round numbers are wanted.
        widen: Whether the axis may reach a little beyond the values; time does not.
    """
    if not (math.isfinite(low) and math.isfinite(high)):
        low, high = 0.0, 1.0
    size = max(abs(low), abs(high))
    # What never changes but for its rounding is a straight line, not a storm of dust.
    least = max(1e-9 * size, 1e-12)
    if high - low < least:
        middle, half = 0.5 * (low + high), max(0.1 * size, least)
        low, high = middle - half, middle + half
    elif widen:
        edge = 0.06 * (high - low)
        low, high = low - edge, high + edge
    step = _round_step((high - low) / max(count, 2))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    if first >= last:  # one number alone says nothing of the scale
        step = _round_step(0.4 * step)
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return Axis(low, high, tuple(step * i for i in range(first, last + 1)), step)


def number(value: float, step: float) -> str:
    """A multiple of a step, with the digits that the step has."""
    if value == 0.0 or abs(value) < 1e-9 * step:
        return "0"
    size = math.floor(math.log10(abs(value)))
    if size >= 6 or size < -4:
        digits = max(0, size - math.floor(math.log10(step)))
        mantissa, _, power = f"{value:.{digits}e}".partition("e")
        return _minus(f"{mantissa}·10{_raised(int(power))}")
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    return _minus(f"{value:.{decimals}f}")


def _round_step(rough: float) -> float:
    """The round number next above a rough one: 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(rough))
    return power * next(part for part in (1.0, 2.0, 5.0, 10.0) if rough <= part * power * (1 + 1e-12))


def _minus(text: str) -> str:
    return text.replace("-", MINUS)


def _raised(power: int) -> str:
    return str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
