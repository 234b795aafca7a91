from __future__ import annotations

import math

import pytest

from sistel.units import ANGLE, INERTIA, LENGTH, MASS, PLAIN
from sistel.views.text._numbers import clean, coordinate, degrees, direction, limits, millimetres, quantity, rate, short


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0"), (-0.0, "0"), (0.1, "0.1"), (1e-5, "1e-05"), (math.inf, "∞"), (-math.inf, "-∞")]
)
def test_short(value: float, text: str):
    assert short(value) == text


def test_dust_is_wiped():
    assert millimetres(0.1 + 0.2) == "300"
    assert millimetres(1e-17) == "0" and millimetres(-1e-17) == "0"
    assert degrees(math.pi / 2 + 1e-15) == "90"
    assert degrees(-1e-18) == "0"


def test_directions():
    assert [direction(axis) for axis in ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0))] == ["x", "-y", "z"]
    assert direction((0.0, 0.6, 0.8)) == "(0, 0.6, 0.8)"


@pytest.mark.parametrize(
    ("low", "high", "kind", "text"),
    [
        (-math.pi, math.pi, "turn", "-180 … 180°"),
        (0.0, math.inf, "slide", "≥ 0 mm"),
        (-math.inf, 0.01, "slide", "≤ 10 mm"),
        (-math.inf, math.inf, "turn", ""),
    ],
)
def test_limits(low: float, high: float, kind, text: str):
    assert limits(low, high, kind, "en") == text


def test_quantities():
    assert quantity(0.5, LENGTH, "ru") == "500 мм"
    assert quantity(math.pi, ANGLE, "en") == "180°"
    assert quantity(2.0, PLAIN, "en") == "2"
    assert quantity(0.1, MASS, "ru") == "0.1 кг"
    assert quantity(0.1, INERTIA, "ru") == "0.1 кг·м²"
    assert coordinate(0.5, "quaternion", "en") == "0.5"
    assert rate(0.001, "slide", "ru") == "1 мм/с"


def test_clean():
    assert clean("тело № 1") == "тело № 1"
    assert clean("a\x9b\u202eb\n") == "a\ufffd\ufffdb\ufffd"
