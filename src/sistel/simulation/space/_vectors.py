"""Products of vectors of space, and values of series, in the compiled subset of Python."""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats


def dot(a: Floats, b: Floats) -> float:
    """The inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Floats, b: Floats, out: Floats) -> None:
    """The vector product; `out` is another place."""
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


def put(a: Floats, out: Floats) -> None:
    """A copy."""
    for side in range(3):
        out[side] = a[side]


def length(a: Floats) -> float:
    """Of a vector."""
    return math.sqrt(dot(a, a))


def times(m: Floats, a: Floats, out: Floats) -> None:
    """A matrix, row by row, times a vector; `out` is another place."""
    for side in range(3):
        out[side] = m[3 * side] * a[0] + m[3 * side + 1] * a[1] + m[3 * side + 2] * a[2]


def tangents(n: Floats, one: Floats, two: Floats) -> None:
    """Two directions across a normal."""
    least = 0
    for side in range(1, 3):
        if abs(n[side]) < abs(n[least]):
            least = side
    two[0] = 0.0
    two[1] = 0.0
    two[2] = 0.0
    two[least] = 1.0
    cross(two, n, one)
    size = 1.0 / length(one)
    for side in range(3):
        one[side] = one[side] * size
    cross(n, one, two)


def horner(row: Floats, degree: int, time: float) -> float:
    """The value of a series."""
    total = 0.0
    for back in range(degree + 1):
        total = total * time + row[degree - back]
    return total


FUNCTIONS: Final = (dot, cross, put, length, times, tangents, horner)
