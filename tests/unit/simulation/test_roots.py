"""Zeros of polynomials on a step: none is missed, none is invented, and compiled code does what CPython does."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial import polynomial as poly

from sistel.kernels.subset import compile_functions, reference
from sistel.simulation.taylor import _roots

WORK = 60 * 30


@cache
def code() -> Any:
    return compile_functions(list(_roots.FUNCTIONS), exports=["first_root", "bernstein", "stays_apart"])


def find(power: np.ndarray[Any, Any], direction: int = 0) -> float:
    return float(code().first_root(power, len(power) - 1, direction, np.zeros(WORK)))


def test_a_straight_line() -> None:
    assert find(np.array([-0.25, 1.0])) == 0.25
    assert find(np.array([-0.25, 1.0]), 1) == 0.25
    assert find(np.array([-0.25, 1.0]), -1) == _roots.NONE
    assert find(np.array([0.25, 1.0])) == _roots.NONE


def test_the_end_of_the_step_belongs_to_it() -> None:
    assert find(np.array([-1.0, 1.0])) == 1.0
    assert find(np.array([1.0, -1.0]), -1) == 1.0
    assert find(np.array([1.0, -1.0]), 1) == _roots.NONE


def test_two_zeros_in_one_step() -> None:
    # A parabola that dips below zero for a moment: falling first, then rising.
    power = poly.polyfromroots([0.4, 0.4001])
    assert find(power) == pytest.approx(0.4, abs=1e-12)
    assert find(power, 1) == pytest.approx(0.4001, abs=1e-12)


def test_touching_is_no_crossing() -> None:
    assert find(poly.polyfromroots([0.3, 0.3])) == _roots.NONE
    assert find(poly.polyfromroots([0.3, 0.3]) + 1e-9) == _roots.NONE
    assert find(poly.polyfromroots([0.3, 0.3, 0.3])) == pytest.approx(0.3, abs=1e-5)  # a cube is flat to 1e-16 that far


def test_the_last_digit() -> None:
    power = np.array([-0.3, 1.0, 0.2, -0.1, 0.05])
    root = find(power)
    below, above = np.nextafter(root, 0), np.nextafter(root, 1)
    values = [poly.polyval(x, power) for x in (below, root, above)]
    assert abs(values[1]) <= 4e-17 or values[0] * values[2] <= 0


@settings(max_examples=300, deadline=None)
@given(st.lists(st.floats(-1, 2), min_size=1, max_size=7), st.sampled_from([0, 1, -1]), st.booleans())
def test_zeros_that_are_known(roots: list[float], direction: int, flip: bool) -> None:
    inside = sorted(root for root in roots if 0.001 < root < 0.999)
    near = [root for root in roots if -0.001 <= root <= 0.001 or 0.999 <= root <= 1.001]
    apart = all(b - a > 1e-2 for a, b in pairwise(inside))
    if near or not apart:
        return
    power = poly.polyfromroots(roots) * (-1 if flip else 1)
    rates = poly.polyder(power)
    fitting = [root for root in inside if not direction or np.sign(poly.polyval(root, rates)) == direction]
    found = find(power, direction)
    if fitting:
        assert found == pytest.approx(fitting[0], abs=1e-9)
    else:
        assert found == _roots.NONE


def test_compiled_code_has_the_bits_of_the_reference(rng: np.random.Generator) -> None:
    slow = reference(_roots.first_root)
    for _ in range(60):
        power = poly.polyfromroots(rng.uniform(-1, 2, rng.integers(1, 12)))
        for direction in (0, 1, -1):
            assert find(power, direction) == slow(power, len(power) - 1, direction, np.zeros(WORK))


@given(st.lists(st.floats(-1.0, 1.0), min_size=4, max_size=12))
@settings(max_examples=300, deadline=None)
def test_a_glance_never_misses_a_zero(power: list[float]) -> None:
    """Where a polynomial is said to stay away from zero, it does at a thousand places; and compiled code says the same."""
    coefficients = np.array(power)
    rest = float(np.abs(coefficients[4:]).sum())
    apart = code().stays_apart(coefficients, rest)
    assert apart == reference(_roots.stays_apart)(coefficients, rest)
    if apart:
        values = poly.polyval(np.linspace(0.0, 1.0, 1001), coefficients)
        assert (values > 0.0).all() or (values < 0.0).all()
        assert find(coefficients) == _roots.NONE


def test_a_glance_suffices_for_what_is_far() -> None:
    assert code().stays_apart(np.array([1.0, -1.7, 0.8, 0.0, 0.01]), 0.01)  # the smallest value is 0.097
    assert not code().stays_apart(np.array([1.0, -2.1, 1.0, 0.0]), 0.0)


def test_what_stays_zero_does_not_pass_it() -> None:
    assert find(np.zeros(5)) == _roots.NONE
