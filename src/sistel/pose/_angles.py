"""Three angles of turns about axes that turn along, in all twelve orders.

The order "zxz" means: about z, then about the new x, then about the new z. Angles in radians.

Angles are taken from a quaternion without a matrix: its components, permuted by the order, hold the half sum and the
half difference of the outer angles and the middle one (E. Bernardes and S. Viollet, PLoS ONE 17(11), 2022). Near a
singular middle angle the sum or the difference alone is well determined; the other has an error, but what it does to
the rotation is small by the same measure. In the singular orientation itself the third angle is chosen to be 0.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sistel.pose._quaternions import multiply, normalised

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

ORDERS = ("xyx", "xzx", "yxy", "yzy", "zxz", "zyz", "xyz", "xzy", "yxz", "yzx", "zxy", "zyx")
"""All twelve; the first six turn about one axis twice."""

_SINGULAR = 1e-15
"""Half sine of the middle angle below which an orientation is singular."""


def about(axis: str, angle: ArrayLike) -> Array:
    """Quaternions of turns about a coordinate axis [rad]; exact for quarter turns."""
    half = 0.5 * np.asarray(angle, dtype=float)
    made = np.zeros((*half.shape, 4))
    cosine, sine = np.cos(half), np.sin(half)
    made[..., 0], made[..., 1 + "xyz".index(axis)] = cosine, sine
    return made


def from_angles(angles: ArrayLike, order: str) -> Array:
    """Unit quaternions, shape (..., 4), of three angles [rad], shape (..., 3)."""
    given = np.asarray(angles, dtype=float)
    first, second, third = (about(axis, given[..., i]) for i, axis in enumerate(order))
    return normalised(multiply(multiply(first, second), third))


def to_angles(q: ArrayLike, order: str) -> Array:
    """Three angles [rad], shape (..., 3), of unit quaternions.

    The middle angle is in [0, π] where an axis occurs twice, in [-π/2, π/2] otherwise; the others in (-π, π].
    """
    four = np.asarray(q, dtype=float)
    # Turns about axes that turn along are turns about fixed axes in the opposite order.
    k, j, i = ("xyz".index(axis) for axis in order)
    proper = i == k
    if proper:
        k = 3 - i - j
    parity = (i - j) * (j - k) * (k - i) / 2.0
    w, vector = four[..., 0], four[..., 1:]
    a, b, c, d = w, vector[..., i], vector[..., j], parity * vector[..., k]
    if not proper:
        a, b, c, d = a - c, b + d, c + a, d - b
    near, far = np.hypot(a, b), np.hypot(c, d)
    middle = 2.0 * np.arctan2(far, near)
    half_sum, half_difference = np.arctan2(b, a), np.arctan2(d, c)
    # In a singular orientation one of the two is not known; with it equal to the other the third angle is 0.
    size = _SINGULAR * np.hypot(near, far)
    half_difference = np.where(far <= size, half_sum, half_difference)
    half_sum = np.where(near <= size, half_difference, half_sum)
    first, third = half_sum + half_difference, half_sum - half_difference
    if not proper:
        first, middle = parity * first, middle - 0.5 * math.pi
    return np.stack([_wrapped(first), middle, _wrapped(third)], axis=-1)


def _wrapped(angle: Array) -> Array:
    """An angle in (-π, π] [rad]."""
    turns = np.where(angle > math.pi, 1.0, np.where(angle <= -math.pi, -1.0, 0.0))
    return np.asarray(angle - 2.0 * math.pi * turns)
