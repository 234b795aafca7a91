"""Methods of collocation as tables of numbers, for any number of stages: Radau's (stiff) and Gauss's (symplectic)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.records import record

if TYPE_CHECKING:
    from sistel.arrays import Array


@record
class Method:
    """A method of stages."""

    stages: int
    order: int
    degree: int
    """Of the polynomials that stand for watched functions, and of those that are written down."""
    table: Array
    """See `sistel.simulation.implicit._collocation`."""


_GRID: Final = 2**200
"""Exact arithmetic is rounded to multiples of one in this: far below the last digit of a number."""


def _rounded(x: Fraction) -> Fraction:
    return Fraction(round(x * _GRID), _GRID)


def _legendre(n: int) -> list[Fraction]:
    """Coefficients of the powers of x on [0, 1] in Legendre's polynomial, the lowest first."""
    return [Fraction((-1) ** (n + k) * math.comb(n, k) * math.comb(n + k, k)) for k in range(n + 1)]


def _value(coefficients: Sequence[Fraction], x: Fraction) -> Fraction:
    total = Fraction(0)
    for coefficient in reversed(coefficients):
        total = _rounded(total * x + coefficient)
    return total


def _zeros(coefficients: Sequence[Fraction]) -> list[Fraction]:
    """Zeros of a polynomial that are all real and simple: guesses as doubles, then Newton's steps in long fractions."""
    rates = [k * coefficient for k, coefficient in enumerate(coefficients)][1:]
    guesses = np.sort(np.roots([float(coefficient) for coefficient in reversed(coefficients)]).real)
    found = []
    for guess in guesses:
        x = Fraction(float(guess))
        for _ in range(8):
            x = _rounded(x - _value(coefficients, x) / _value(rates, x))
        found.append(x)
    return found


def _inverse(matrix: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """By elimination; exact but for the rounding of fractions."""
    n = len(matrix)
    rows = [[*row, *(Fraction(int(i == j)) for j in range(n))] for i, row in enumerate(matrix)]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        rows[k] = [_rounded(x / rows[k][k]) for x in rows[k]]
        for i in range(n):
            if i != k:
                part = rows[i][k]
                rows[i] = [_rounded(x - part * y) for x, y in zip(rows[i], rows[k], strict=True)]
    return [row[n:] for row in rows]


def _product(left: Sequence[Sequence[Fraction]], right: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    return [
        [sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0)) for column in zip(*right, strict=True)]
        for row in left
    ]


def _floats(numbers: Sequence[Sequence[Fraction]]) -> Array:
    return np.array([[float(x) for x in row] for row in numbers])


def _common(c: Sequence[Fraction], degree: int) -> tuple[list[Array], Array]:
    """The part of the table that all methods have, and A. Every number is right to its last digit."""
    s = len(c)
    powers = _inverse([[x**k for k in range(s)] for x in c])
    integrals = [[x ** (k + 1) / (k + 1) for k in range(s)] for x in (*c, Fraction(1))]
    A = _floats(_product(integrals, powers))
    return [np.array([float(x) for x in c]), A[-1], A[:-1].ravel(), watched_nodes(degree)], A[:-1]


def watched_nodes(degree: int) -> Array:
    """Chebyshev's points with both ends, for watched functions; then two between them, where errors are largest."""
    angles = np.array([*range(degree + 1), 0.5, degree // 2 + 0.5]) * np.pi / degree
    nodes = 0.5 * (1.0 - np.cos(angles))
    nodes[[0, degree]] = 0.0, 1.0
    return nodes


def locked(parts: Sequence[Array]) -> Array:
    """The parts of a table one after another, which nothing changes any more."""
    table = np.concatenate(parts)
    table.setflags(write=False)
    return table


@lru_cache(maxsize=8)
def radau(stages: int) -> Method:
    """Radau's method IIA: order 2s - 1, stable for every stiff system, for 3, 5 or 7 stages.

    After the common part its table has: the real eigenvalue of A⁻¹; its pairs (real and imaginary parts); the matrix of
    eigenvectors T; T⁻¹A⁻¹; the weights of the stages in the estimate of the error.
    """
    s = stages
    high, low = _legendre(s), _legendre(s - 1)
    zeros = _zeros([x - y for x, y in zip(high, [*low, Fraction(0)], strict=True)])
    nodes = [*zeros[:-1], Fraction(1)]  # the last one is at the end
    degree = min(8, s + 3)
    parts, A = _common(nodes, degree)
    c = parts[0]
    inverse = np.linalg.inv(A)
    values, vectors = np.linalg.eig(inverse)
    real = int(np.argmin(np.abs(values.imag)))
    above = [i for i in np.argsort(values.imag) if values[i].imag > 1e-9]
    columns = [vectors[:, real].real]
    pairs = []
    for i in above:
        columns += [vectors[:, i].real, vectors[:, i].imag]
        pairs += [values[i].real, values[i].imag]
    T = np.array(columns).T
    gamma = float(values[real].real)
    # A formula of order s with a weight of 1/γ at the start, less the method itself: its weights at the stages.
    start = np.zeros(s)
    start[0] = -1.0 / gamma
    difference = np.linalg.solve(np.vander(c, increasing=True).T, start)
    estimate = difference @ inverse
    own = [np.array([gamma]), np.array(pairs), T.ravel(), (np.linalg.inv(T) @ inverse).ravel(), estimate]
    return Method(stages=s, order=2 * s - 1, degree=degree, table=locked([*parts, *own]))


@lru_cache(maxsize=8)
def gauss(stages: int) -> Method:
    """Gauss's method: order 2s, symplectic and symmetric."""
    degree = min(8, stages + 3)
    parts, _ = _common(_zeros(_legendre(stages)), degree)
    return Method(stages=stages, order=2 * stages, degree=degree, table=locked(parts))


def radau_for(tolerance: float) -> Method:
    """Radau's method for a tolerance: the more digits, the more stages."""
    return radau(3 if tolerance > 1e-5 else 5 if tolerance > 1e-8 else 7)
