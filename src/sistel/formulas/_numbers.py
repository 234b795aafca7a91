"""Numbers as they are printed: small fractions stay fractions, what has decimals is decimal."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction


def as_fraction(value: Fraction, *, bare: bool = False) -> tuple[int, int] | None:
    """Numerator and denominator of what is written as a fraction; None for a decimal.

    Args:
        value: Not negative.
        bare: Whether it stands alone; then ½ is 0.5, and only thirds and their like are fractions.
    """
    above, below = value.numerator, value.denominator
    if below == 1:
        return None
    if _ends(below):
        return (above, below) if not bare and below in (2, 4, 8, 16) and above < 100 else None
    return (above, below) if above < 10000 and below <= 5040 else None


def decimal(value: Fraction) -> tuple[str, int]:
    """Digits and an exponent of ten: (“1.25”, −6); the exponent is 0 for numbers of ordinary size."""
    below = value.denominator
    exact = _ends(below)
    number = Decimal(value.numerator) / Decimal(below) if exact else Decimal(repr(float(value)))
    text = f"{number:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    digits = text.replace(".", "").lstrip("0")
    if len(digits) > 17:
        number = Decimal(f"{float(value):.15g}")
        text = f"{number:f}"
    if value != 0 and (number.adjusted() < -4 or number.adjusted() > 8):
        exponent = number.adjusted()
        return f"{number.scaleb(-exponent).normalize():f}", exponent
    return text, 0


def _ends(below: int) -> bool:
    """Whether a fraction with this denominator has a finite decimal."""
    for prime in (2, 5):
        while below % prime == 0:
            below //= prime
    return below == 1
