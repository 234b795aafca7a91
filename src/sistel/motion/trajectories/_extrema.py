"""Extreme values of piecewise polynomials, from the roots of their derivatives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.motion.trajectories._limits import ROUNDING, Extremes

if TYPE_CHECKING:
    from sistel.arrays import Array


NEGLIGIBLE = 1e-14
"""Part of the largest coefficient, over the length of a piece, below which a leading one is rounding."""


def derivative(coefficients: Array, order: int) -> Array:
    """Coefficients of a derivative of polynomials, shape (m, d, n), the constant first."""
    made = coefficients
    for _ in range(order):
        if made.shape[1] == 1:
            return np.zeros_like(made)
        made = made[:, 1:] * np.arange(1, made.shape[1])[None, :, None]
    return made


def values(coefficients: Array, tau: Array) -> Array:
    """Values at local times, shape (m, k, n), of polynomials, shape (m, d, n)."""
    made = np.zeros_like(tau)
    for power in range(coefficients.shape[1] - 1, -1, -1):
        made = made * tau + coefficients[:, power, None]
    return made


def roots(coefficients: Array, low: Array, high: Array) -> Array:
    """Local times, shape (m, k, n), where polynomials vanish between two local times, shape (m, n); else `low`."""
    m, size, n = coefficients.shape
    if size == 1:
        return low[:, None]
    found = np.repeat(low[:, None], size - 1, axis=1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        if size == 2:
            found[:, 0] = -coefficients[:, 0] / coefficients[:, 1]
        elif size == 3:
            c, b, a = (coefficients[:, i] for i in range(3))
            # Without a difference of near numbers: one root by division through the half sum, the other through it.
            half = -0.5 * (b + np.copysign(np.sqrt(b * b - 4.0 * a * c), b))
            found[:, 0], found[:, 1] = half / a, c / half
        else:
            for i in range(m):
                for j in range(n):
                    some = _roots_of(coefficients[i, :, j], low[i, j], high[i, j])
                    found[i, : len(some), j] = some
        inside = (found > low[:, None]) & (found < high[:, None])
    return np.where(inside, found, low[:, None])


def _roots_of(c: Array, low: float, high: float) -> Array:
    reach = max(abs(low), abs(high))
    scaled = c * reach ** np.arange(c.size)
    largest = np.abs(scaled).max()
    if not largest > 0.0:
        return np.empty(0)
    scaled = np.where(np.abs(scaled) > NEGLIGIBLE * largest, scaled, 0.0)
    found = np.roots(scaled[::-1])
    # A double root splits by the root of the rounding into two complex ones: its real part is where the extreme is.
    real: Array = found.real[np.abs(found.imag) < 1e-6] * reach
    return real


def extremes(knots: Array, origins: Array, coefficients: Array, order: int) -> Extremes:
    """Extreme values of a derivative of piecewise polynomials; the pieces as a `Trajectory` keeps them."""
    made = derivative(coefficients, order)
    low, high = knots[:-1, None] - origins, knots[1:, None] - origins
    tau = np.concatenate([low[:, None], high[:, None], roots(derivative(made, 1), low, high)], axis=1)
    found = values(made, tau)
    when = tau + origins[:, None]
    # A piece of no length is passed in no time.
    empty = np.repeat((knots[1:] <= knots[:-1])[:, None], tau.shape[1], axis=1)
    if empty.all():
        empty[:] = False
    flat, at, gone = found.reshape(-1, found.shape[2]), when.reshape(-1, found.shape[2]), empty.reshape(-1)[:, None]
    lowest, highest = np.where(gone, np.inf, flat).argmin(axis=0), np.where(gone, -np.inf, flat).argmax(axis=0)
    axis = np.arange(flat.shape[1])
    return Extremes(
        lowest=flat[lowest, axis],
        highest=flat[highest, axis],
        lowest_at=np.clip(at[lowest, axis], knots[0], knots[-1]),
        highest_at=np.clip(at[highest, axis], knots[0], knots[-1]),
    )


def crossing(
    pieces: tuple[Array, Array, Array],
    order: int,
    axis: int,
    found: Extremes,
    bounds: tuple[float, float],
    steepness: float,
) -> list[tuple[float, float, float, float]]:
    """Where an axis goes beyond its least and greatest values: first time, worst value, its time, limit.

    Args:
        pieces: Knots, origins and coefficients, as a `Trajectory` keeps them.
        order: Of the derivative.
        axis: Number of the coordinate.
        found: Its extreme values.
        bounds: The least and the greatest value allowed.
        steepness: Largest rate of the value. Times are rounded, so a value may go on for that long beyond a limit.
    """
    knots, origins, coefficients = pieces
    late = 4.0 * float(np.spacing(np.abs(knots).max())) * steepness
    made = []
    for limit, worst, at, sign in (
        (bounds[1], float(found.highest[axis]), float(found.highest_at[axis]), 1.0),
        (bounds[0], float(found.lowest[axis]), float(found.lowest_at[axis]), -1.0),
    ):
        slack = ROUNDING * max(abs(limit), abs(worst)) + late
        if not np.isfinite(limit) or sign * (worst - limit) <= slack:
            continue
        own = derivative(coefficients[:, :, axis, None], order).copy()
        own[:, 0] -= limit
        start = origins[:, axis, None]
        low, high = knots[:-1, None] - start, knots[1:, None] - start
        tau = np.sort(np.concatenate([low[:, None], roots(own, low, high), high[:, None]], axis=1), axis=1)
        # Between neighbouring places where the limit is met, the value is on one side of it: the middle tells which.
        # A value that stays on the limit is beyond it by rounding only.
        middle = values(own, 0.5 * (tau[:, 1:] + tau[:, :-1]))
        beyond = (sign * middle > 1e-3 * slack) & (tau[:, 1:] > tau[:, :-1])
        times = np.where(beyond, tau[:, :-1] + start[:, None], np.inf)
        made.append((min(float(times.min()), at), worst, at, limit))
    return made
