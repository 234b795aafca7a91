"""Accuracy of the inlined sine and cosine, against integers of 1400 bits."""

from __future__ import annotations

import functools
import math
from fractions import Fraction

import numpy as np
import pytest

from sistel import expr
from sistel.expr import Graph
from sistel.kernels import Kernel, compile_program
from sistel.kernels._sincos import FAR

WORST = 1.5
"""Allowed error [ulp]."""
BITS = 1400
ONE = 1 << BITS


@functools.cache
def half_pi() -> int:
    """π/2 · 2^BITS, by Machin's formula."""

    def inverse_tangent(n: int) -> int:
        term = total = (ONE << 32) // n
        k = 1
        while term:
            term //= -n * n
            k += 2
            total += term // k
        return total

    return (8 * inverse_tangent(5) - 2 * inverse_tangent(239)) >> 32


def exact(x: float) -> tuple[Fraction, Fraction]:
    """Sine and cosine of a double, to far more digits than a double has."""
    value = Fraction(x)
    angle = value.numerator * ONE // value.denominator
    quarter, rest = divmod(angle, half_pi())
    # The quotient of a large angle takes the error of π/2 with it: |x| < 2^1000 leaves 400 bits.
    short = 400
    r, one = rest >> (BITS - short), 1 << short
    sine, cosine, term, k = 0, 0, one, 0
    while term:
        if k % 2:
            sine += term if k % 4 == 1 else -term
        else:
            cosine += term if k % 4 == 0 else -term
        k += 1
        term = term * r // (one * k)
    pairs = ((sine, cosine), (cosine, -sine), (-sine, -cosine), (-cosine, sine))
    s, c = pairs[quarter % 4]
    return Fraction(s, one), Fraction(c, one)


def worst(kernel: Kernel, angles: np.ndarray) -> float:
    """Largest error of sine and cosine [ulp of the exact value]."""
    got = kernel(angles[:, None])
    assert isinstance(got, np.ndarray)
    largest = 0.0
    for x, pair in zip(angles.tolist(), got.tolist(), strict=True):
        for value, reference in zip(pair, exact(x), strict=True):
            largest = max(largest, abs(float((Fraction(value) - reference) / Fraction(math.ulp(float(reference))))))
    return largest


@pytest.fixture(scope="module", params=[1, 2, 4, 8])
def kernel(request: pytest.FixtureRequest) -> Kernel:
    graph = Graph()
    (x,) = graph.inputs("x", 1)
    return compile_program(graph.program({"pair": [expr.sin(x), expr.cos(x)]}), width=request.param)


@pytest.mark.parametrize(("low", "high"), [(0.0, math.pi / 4), (0.0, 7.0), (0.0, 1000.0), (9.9e4, 1.01e5), (0.0, 1e7)])
def test_ranges(kernel: Kernel, rng: np.random.Generator, low: float, high: float) -> None:
    angles = rng.uniform(low, high, 400) * rng.choice([-1.0, 1.0], 400)
    assert worst(kernel, angles) < WORST


def test_near_multiples_of_a_quarter_turn(kernel: Kernel, rng: np.random.Generator) -> None:
    multiples = np.concatenate([np.arange(1, 60), rng.integers(60, 63661, 200)])
    nearest = np.array([float(Fraction(int(k) * half_pi(), ONE)) for k in multiples])
    angles = np.concatenate([nearest, np.nextafter(nearest, 0), np.nextafter(nearest, math.inf)])
    assert worst(kernel, angles) < WORST
    assert worst(kernel, -angles[:50]) < WORST


@functools.cache
def hardest() -> tuple[float, ...]:
    """The hundred doubles below the limit of the inlined reduction that come nearest to a multiple of π/2."""
    found = []
    for k in range(1, int(FAR / (math.pi / 2)) + 1):
        multiple = k * half_pi()
        x = multiple / ONE
        above, below = x.as_integer_ratio()
        found.append((abs(above * ONE // below - multiple), x))
    return tuple(x for _, x in sorted(found)[:100])


def test_the_doubles_closest_to_a_multiple(kernel: Kernel) -> None:
    angles = np.array(hardest())
    assert np.abs(np.sin(2 * angles)).min() < 2.0**-51
    assert worst(kernel, np.concatenate([angles, -angles])) < WORST


def test_large_and_tiny_angles(kernel: Kernel, rng: np.random.Generator) -> None:
    assert worst(kernel, 10.0 ** rng.uniform(5, 300, 60)) < WORST
    assert worst(kernel, 10.0 ** rng.uniform(-100, 0, 60)) < WORST
    tiny = np.array([5e-324, -5e-324, 2.2e-308, -1e-310, 1e-200, -3e-20])
    got = kernel(tiny[:, None])
    np.testing.assert_array_equal(got, np.stack([tiny, np.ones_like(tiny)], axis=1))


def test_special_values(kernel: Kernel) -> None:
    got = kernel(np.array([[0.0], [-0.0], [math.inf], [-math.inf], [math.nan], [1.0], [2e5], [-0.0], [-0.0]]))
    assert isinstance(got, np.ndarray)
    assert np.isnan(got[2:5]).all()
    assert np.signbit(got[[0, 1, 7, 8], 0]).tolist() == [False, True, True, True]
    np.testing.assert_array_equal(got[[0, 1, 7, 8]], [[0, 1]] * 4)
    np.testing.assert_allclose(got[5:7], [[math.sin(x), math.cos(x)] for x in (1.0, 2e5)], rtol=3e-16)


def test_a_far_angle_does_not_disturb_its_neighbours(kernel: Kernel) -> None:
    near = np.linspace(-3.0, 3.0, 16)[:, None]
    mixed = np.concatenate([near, near])
    mixed[::3] = 1e9
    alone, together = kernel(near), kernel(mixed)
    assert isinstance(alone, np.ndarray) and isinstance(together, np.ndarray)
    for row, x in enumerate(mixed[:, 0]):
        if x != 1e9:
            np.testing.assert_array_equal(together[row], alone[row % 16])
