"""The fastest moves from rest to rest under limits of velocity, acceleration and jerk.

The speed rises to a peak, stays, and falls. To rise by w under a jerk J and an acceleration A takes A/J + w/A when the
acceleration is reached, that is from w = A²/J on, else 2 √(w/J); the distance meanwhile is w/2 of that time, because
the rise is symmetrical about its middle. So the distance of rise and fall is a convex growing function of the peak, and
the fastest move has the highest peak that the distance and the limit of velocity allow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from sistel.arrays import Array


class Ramps(NamedTuple):
    """Rise, cruise and fall of the speeds of some axes, each shape (n,)."""

    peak: Array
    """Highest speed [per s]."""
    rise_jerk: Array
    """Time in which the acceleration grows, and again falls, during the rise [s]."""
    rise_steady: Array
    """Time of steady acceleration during the rise [s]."""
    cruise: Array
    """[s]"""
    fall_steady: Array
    """[s]"""
    fall_jerk: Array
    """[s]"""

    @property
    def rise(self) -> Array:
        """Time in which the speed rises [s]."""
        return 2.0 * self.rise_jerk + self.rise_steady

    @property
    def fall(self) -> Array:
        """Time in which the speed falls [s]."""
        return 2.0 * self.fall_jerk + self.fall_steady

    @property
    def total(self) -> Array:
        """Time of the whole move [s]."""
        return self.rise + self.cruise + self.fall


def fastest_ramps(distance: Array, velocity: Array, rising: Array, falling: Array, jerk: Array) -> Ramps:
    """The fastest rise, cruise and fall over distances; all arguments shape (n,), the jerk perhaps infinite."""
    moving = distance > 0.0
    d = np.where(moving, distance, 1.0)
    # Both bounds are of moves that lack the other limit, so they are above the peak: from there Newton's steps on a
    # convex function only go down to it.
    peak = np.minimum(np.sqrt(2.0 * d / (1.0 / rising + 1.0 / falling)), np.cbrt(0.5 * d * np.sqrt(jerk)) ** 2)
    for _ in range(60):
        up, down = _rise(peak, rising, jerk), _rise(peak, falling, jerk)
        slope = _slope(peak, rising, jerk) + _slope(peak, falling, jerk)
        better = np.maximum(peak - (0.5 * peak * (up + down) - d) / slope, 0.5 * peak)
        if (better >= peak).all():
            break
        peak = np.minimum(better, peak)
    peak = np.minimum(peak, velocity)
    rise_jerk, rise_steady = _times(peak, rising, jerk)
    fall_jerk, fall_steady = _times(peak, falling, jerk)
    busy = 2.0 * (rise_jerk + fall_jerk) + rise_steady + fall_steady
    cruise = np.where(peak >= velocity, np.maximum(d / peak - 0.5 * busy, 0.0), 0.0)
    rows = (peak, rise_jerk, rise_steady, cruise, fall_steady, fall_jerk)
    return Ramps(*(np.where(moving, row, 0.0) for row in rows))


def _times(peak: Array, acceleration: Array, jerk: Array) -> tuple[Array, Array]:
    reached = peak >= acceleration * (acceleration / jerk)
    short = np.where(reached, acceleration / jerk, np.sqrt(peak / jerk))
    return short, np.where(reached, np.maximum(peak / acceleration - short, 0.0), 0.0)


def _rise(peak: Array, acceleration: Array, jerk: Array) -> Array:
    short, steady = _times(peak, acceleration, jerk)
    return 2.0 * short + steady


def _slope(peak: Array, acceleration: Array, jerk: Array) -> Array:
    """Derivative of the distance of a rise by its peak."""
    reached = peak >= acceleration * (acceleration / jerk)
    return np.where(reached, peak / acceleration + 0.5 * acceleration / jerk, 1.5 * np.sqrt(peak / jerk))


def pieces_of_ramps(q0: Array, q1: Array, ramps: Ramps, begin: float, total: float) -> tuple[Array, Array, Array]:
    """Seven pieces for every axis, all axes slowed down to one total time.

    In time slower by k all speeds are k, accelerations k² and jerks k³ times smaller. The rise is told from the
    beginning and the fall from the end.

    Returns:
        Knots, origins and coefficients, as a `Trajectory` keeps them.
    """
    n = q0.size
    if not total > 0.0:
        return np.array([begin, begin]), np.full((1, n), begin), q1[None, None]
    moving = ramps.total > 0.0
    own = np.where(moving, ramps.total, 1.0)
    slow = np.where(moving, total / own, 1.0)
    short, steady = ramps.rise_jerk * slow, ramps.rise_steady * slow
    last_short, last_steady = ramps.fall_jerk * slow, ramps.fall_steady * slow
    # What the peak must be for the distance to be exact in these times.
    mean = total - 0.5 * (2.0 * short + steady) - 0.5 * (2.0 * last_short + last_steady)
    w = np.where(moving, (q1 - q0) / mean, 0.0)
    a, j = _heights(w, short, steady)
    b, k = _heights(w, last_short, last_steady)
    end = begin + total
    rise, fall = 2.0 * short + steady, 2.0 * last_short + last_steady
    zero = np.zeros(n)
    cuts = np.array(
        [zero, short, short + steady, rise, total - fall, total - (last_short + last_steady), total - last_short]
    )
    knots = np.vstack([begin + cuts, np.full(n, end)])
    knots = np.maximum.accumulate(np.minimum(knots, end), axis=0)
    left, right = 0.5 * w * rise, 0.5 * w * fall
    states = np.array(
        [
            [q0, zero, zero, j],
            [q0 + j * short**3 / 6.0, 0.5 * j * short**2, a, zero],
            [q0 + left, w, zero, -j],
            [q0 + left, w, zero, zero],
            [q1 - right, w, zero, -k],
            [q1 - k * last_short**3 / 6.0, 0.5 * k * last_short**2, -b, zero],
            [q1, zero, zero, k],
        ]
    )
    states[:, :, ~moving] = 0.0
    states[:, 0, ~moving] = q1[~moving]
    origins = knots[[0, 1, 3, 3, 4, 6, 7]]
    states *= np.array([1.0, 1.0, 0.5, 1.0 / 6.0])[None, :, None]
    return _one_grid(knots, origins, states)


def _heights(w: Array, short: Array, steady: Array) -> tuple[Array, Array]:
    """Acceleration and jerk that rise to a speed in given times; a jump has no jerk."""
    span = short + steady
    a = np.where(span > 0.0, w / np.where(span > 0.0, span, 1.0), 0.0)
    return a, np.where(short > 0.0, a / np.where(short > 0.0, short, 1.0), 0.0)


def _one_grid(knots: Array, origins: Array, states: Array) -> tuple[Array, Array, Array]:
    """Pieces of axes that change at different times, shape (m + 1, n), cut at all of these times."""
    grid = np.unique(knots)
    m, n = origins.shape
    axis = np.arange(n)
    piece = np.empty((len(grid) - 1, n), dtype=int)
    for i in range(n):
        piece[:, i] = np.clip(np.searchsorted(knots[:, i], grid[:-1], side="right") - 1, 0, m - 1)
    return grid, origins[piece, axis], states[piece, :, axis].transpose(0, 2, 1)
