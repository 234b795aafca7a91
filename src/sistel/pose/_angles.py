"""Three angles of turns about axes that turn along, in all twelve orders.

The order "zxz" means: about z, then about the new x, then about the new z. Angles in radians.

Angles are taken from a quaternion without a matrix: its components, permuted by the order, hold the half sum and the
half difference of the outer angles and the middle one (E. Bernardes and S. Viollet, PLoS ONE 17(11), 2022). Near a
singular middle angle the sum or the difference alone is well determined; the other has an error, but what it does to
the rotation is small by the same measure. In the singular orientation itself the third angle is chosen to be 0.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from sistel.pose._columns import ByColumns
from sistel.pose._quaternions import normalised

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array


ORDERS = ("xyx", "xzx", "yxy", "yzy", "zxz", "zyz", "xyz", "xzy", "yxz", "yzx", "zxy", "zyx")
"""All twelve; the first six turn about one axis twice."""

_SINGULAR = 1e-15
"""Half sine of the middle angle below which an orientation is singular."""


def from_angles(angles: ArrayLike, order: str) -> Array:
    """Unit quaternions, shape (..., 4), of three angles [rad], shape (..., 3)."""
    return angles_read(order)(angles)


def angles_read(order: str) -> ByColumns:
    """`from_angles` of one order."""
    return ByColumns(partial(_from_angles, order=order), 4)


def angles_written(order: str) -> ByColumns:
    """Three angles of one order [rad], shape (..., 3), of unit quaternions.

    The middle angle is in [0, π] where an axis occurs twice, in [-π/2, π/2] otherwise; the others in (-π, π].
    """
    return ByColumns(partial(_to_angles, order=order), 3)


def _from_angles(angles: Array, order: str) -> Array:
    """The product of three quaternions, each of a turn about an axis, written out."""
    i, j = ("xyz".index(axis) for axis in order[:2])
    k = 3 - i - j
    angles *= 0.5
    (ca, cb, cc), (sa, sb, sc) = np.cos(angles), np.sin(angles)
    # After two turns: 1, i, j, and k but for its sign.
    a, b, c, d = ca * cb, sa * cb, ca * sb, sa * sb
    made = np.empty((4, angles.shape[1]))
    right = (j - i) % 3 == 1  # i j = k there, i j = -k otherwise
    if order[0] == order[2]:
        _turned(a, b, cc, sc, made[0], made[1 + i])
        _turned(d, c, cc, sc, made[1 + k], made[1 + j])
        if not right:
            np.negative(made[1 + k], out=made[1 + k])
    elif right:
        _turned(a, d, cc, sc, made[0], made[1 + k])
        _turned(c, b, cc, sc, made[1 + j], made[1 + i])
    else:
        np.negative(d, out=d)
        _turned(a, d, cc, sc, made[0], made[1 + k])
        _turned(b, c, cc, sc, made[1 + i], made[1 + j])
    return normalised.step(made)


def _turned(a: Array, b: Array, cosine: Array, sine: Array, one: Array, other: Array) -> None:
    """Real and imaginary part of (a + i b) (cosine + i sine)."""
    np.multiply(a, cosine, out=one)
    np.multiply(b, cosine, out=other)
    one -= b * sine
    other += a * sine


def _to_angles(q: Array, order: str) -> Array:
    # Turns about axes that turn along are turns about fixed axes in the opposite order.
    k, j, i = ("xyz".index(axis) for axis in order)
    proper = i == k
    if proper:
        k = 3 - i - j
    even = (i - j) * (j - k) * (k - i) > 0
    a, b, c, d = q[0], q[1 + i], q[1 + j], q[1 + k]
    if not even:
        np.negative(d, out=d)
    if not proper:
        a, b, c, d = a - c, b + d, c + a, d - b
    near, far = a * a, c * c
    near += b * b
    far += d * d
    first, third = np.arctan2(b, a), np.arctan2(d, c)
    _settle(near, far, first, third)
    made = np.empty((3, q.shape[1]))
    np.add(first, third, out=made[0])
    np.subtract(first, third, out=made[2])
    np.sqrt(near, out=near)
    np.sqrt(far, out=far)
    middle = np.arctan2(far, near, out=made[1])
    middle *= 2.0
    if not proper:
        middle -= 0.5 * math.pi
        if not even:
            np.negative(made[0], out=made[0])
    _wrap(made[0])
    _wrap(made[2])
    return made


def _settle(near: Array, far: Array, half_sum: Array, half_difference: Array) -> None:
    """In a singular orientation one of the two is not known; with it equal to the other the third angle is 0."""
    # Both together are 1 or 2 for unit quaternions.
    if far.min() > 4.0 * _SINGULAR**2 and near.min() > 4.0 * _SINGULAR**2:
        return
    size = _SINGULAR**2 * (near + far)
    np.copyto(half_difference, half_sum, where=far <= size)
    np.copyto(half_sum, half_difference, where=near <= size)


def _wrap(angle: Array) -> None:
    """Angles from -2π to 2π brought to (-π, π] [rad]."""
    angle -= 2.0 * math.pi * np.rint(angle * (0.5 / math.pi))
    if angle.min() <= -math.pi or angle.max() > math.pi:
        # Rounding, or half a turn to the wrong side.
        angle -= 2.0 * math.pi * (angle > math.pi)
        angle += 2.0 * math.pi * (angle <= -math.pi)
