"""Polynomials that have given derivatives at both ends, one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sistel.arrays import Array


# For each count of derivatives, the value among them, the upper half of the coefficients over a time of 1: how many of
# the difference of the ends, then of each derivative at the beginning and at the end. From the conditions at the end.
UPPER: dict[int, tuple[tuple[float, ...], ...]] = {
    1: ((1.0,),),
    2: ((3.0, -2.0, -1.0), (-2.0, 1.0, 1.0)),
    3: (
        (10.0, -6.0, -4.0, -3 / 2, 1 / 2),
        (-15.0, 8.0, 7.0, 3 / 2, -1.0),
        (6.0, -3.0, -3.0, -1 / 2, 1 / 2),
    ),
    4: (
        (35.0, -20.0, -15.0, -5.0, 5 / 2, -2 / 3, -1 / 6),
        (-84.0, 45.0, 39.0, 10.0, -7.0, 1.0, 1 / 2),
        (70.0, -36.0, -34.0, -15 / 2, 13 / 2, -2 / 3, -1 / 2),
        (-20.0, 10.0, 10.0, 2.0, -2.0, 1 / 6, 1 / 6),
    ),
}


def hermite(knots: Array, states: Array) -> tuple[Array, Array, Array]:
    """Pieces through states: values and derivatives at the knots, shape (m + 1, k, n).

    Every stretch is told twice, up to its middle from its beginning and from there on from its end, so that the states
    at both ends are met to the bit.

    Returns:
        Knots, origins and coefficients, as a `Trajectory` keeps them.
    """
    steps = np.diff(knots)
    m, k, n = len(steps), states.shape[1], states.shape[2]
    ahead = _from_beginning(steps, states[:-1], states[1:])
    # Told backwards, time runs the other way: odd derivatives change their signs, and odd powers back.
    signs = (-1.0) ** np.arange(2 * k)
    back = _from_beginning(steps, states[1:] * signs[:k, None], states[:-1] * signs[:k, None]) * signs[:, None]
    all_knots = np.empty(2 * m + 1)
    all_knots[0::2], all_knots[1::2] = knots, knots[:-1] + 0.5 * steps
    origins = np.empty((2 * m, n))
    origins[0::2], origins[1::2] = knots[:-1, None], knots[1:, None]
    coefficients = np.empty((2 * m, 2 * k, n))
    coefficients[0::2], coefficients[1::2] = ahead, back
    return all_knots, origins, coefficients


def _from_beginning(steps: Array, first: Array, last: Array) -> Array:
    k = first.shape[1]
    h = steps[:, None, None] ** np.arange(2 * k)[:, None]
    factorial = np.cumprod([1.0, *range(1, k)])[:, None]
    made = np.empty((len(steps), 2 * k, first.shape[2]))
    made[:, :k] = first / factorial
    # Derivatives by the part of the time.
    begin, end = first * h[:, :k], last * h[:, :k]
    given = [last[:, 0] - first[:, 0]]
    for order in range(1, k):
        given += [begin[:, order], end[:, order]]
    # Numbers that are too large are told of where the pieces are put together.
    with np.errstate(all="ignore"):
        for row, weights in enumerate(UPPER[k]):
            total = sum(weight * value for weight, value in zip(weights, given, strict=True))
            made[:, k + row] = total / h[:, k + row]
    return made
