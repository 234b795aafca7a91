"""Student's distribution: how wide an interval is that holds a mean with a probability."""

from __future__ import annotations

import math

TERMS = 400


def student_quantile(probability: float, freedom: int) -> float:
    """The t with which a value of Student's distribution lies within ± t with a probability.

    >>> round(student_quantile(0.95, 10), 6)
    2.228139
    """
    low, high = 0.0, 1.0
    while _within(high, freedom) < probability:
        high *= 2.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (middle, high) if _within(middle, freedom) < probability else (low, middle)
    return 0.5 * (low + high)


def _within(t: float, freedom: int) -> float:
    """The probability of ± t: 1 - I(ν/(ν + t²); ν/2, 1/2), the incomplete beta function by its continued fraction."""
    x = freedom / (freedom + t * t)
    a, b = 0.5 * freedom, 0.5
    if x >= 1.0:
        return 0.0
    scale = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1.0) / (a + b + 2.0):
        return 1.0 - scale * _fraction(x, a, b) / a
    return scale * _fraction(1.0 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz (DLMF 8.17.22)."""
    tiny = 1e-300
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d if abs(d) > tiny else tiny)
    whole = d
    for m in range(1, TERMS):
        for top in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1.0 + top * d
            d = 1.0 / (d if abs(d) > tiny else tiny)
            c = 1.0 + top / c
            c = c if abs(c) > tiny else tiny
            whole *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return whole
