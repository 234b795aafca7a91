"""Unit quaternions w, x, y, z in batches: the last axis has four numbers, batch axes lead.

All other descriptions of a rotation are converted through them: they have no singular orientation, and their error
stays one rounding whatever is done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]


def multiply(a: ArrayLike, b: ArrayLike) -> Array:
    """The turn a, then b about the axes that a has turned: R(a b) = R(a) R(b).

    Args:
        a: Quaternions, shape (..., 4).
        b: Quaternions, shape (..., 4).
    """
    p, q = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    aw, ax, ay, az = p[..., 0], p[..., 1], p[..., 2], p[..., 3]
    bw, bx, by, bz = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    made: Array = np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )
    return made


def conjugate(q: ArrayLike) -> Array:
    """The opposite turn of unit quaternions, shape (..., 4)."""
    return np.asarray(np.asarray(q, dtype=float) * np.array([1.0, -1.0, -1.0, -1.0]))


def turn(q: ArrayLike, v: ArrayLike) -> Array:
    """Vectors, shape (..., 3), turned by unit quaternions, shape (..., 4)."""
    four, vector = np.asarray(q, dtype=float), np.asarray(v, dtype=float)
    w, axis = four[..., :1], four[..., 1:]
    across = 2.0 * cross(axis, vector)
    turned: Array = vector + w * across + cross(axis, across)
    return turned


def cross(a: Array, b: Array) -> Array:
    """Vector products, shape (..., 3): NumPy's own takes several times as long."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def lengths(v: Array) -> Array:
    """Lengths of vectors, shape (..., n) → (...)."""
    return np.asarray(np.sqrt(np.einsum("...i,...i->...", v, v)))


def normalised(q: ArrayLike) -> Array:
    """Quaternions of length 1 with w ≥ 0; of the two that are half turns, that whose first component is positive."""
    four = np.asarray(q, dtype=float)
    # Scaled first, so that neither huge nor tiny components leave the range of numbers.
    size = np.abs(four).max(axis=-1, keepdims=True)
    unit = four / np.where(size > 0.0, size, 1.0)
    unit = unit / lengths(unit)[..., None]
    return np.asarray(unit * _way(unit))


def _way(q: Array) -> Array:
    """1 or -1: what makes the first component that is not zero positive, shape (..., 1)."""
    sign = np.sign(q[..., 3])
    for k in (2, 1, 0):
        sign = np.where(q[..., k] != 0.0, np.sign(q[..., k]), sign)
    return np.asarray(sign)[..., None]


def to_matrix(q: ArrayLike) -> Array:
    """Rotation matrices, shape (..., 3, 3), of unit quaternions."""
    four = np.asarray(q, dtype=float)
    w, x, y, z = four[..., 0], four[..., 1], four[..., 2], four[..., 3]
    made = np.empty((*four.shape[:-1], 3, 3))
    made[..., 0, 0] = 1.0 - 2.0 * (y * y + z * z)
    made[..., 0, 1] = 2.0 * (x * y - w * z)
    made[..., 0, 2] = 2.0 * (x * z + w * y)
    made[..., 1, 0] = 2.0 * (x * y + w * z)
    made[..., 1, 1] = 1.0 - 2.0 * (x * x + z * z)
    made[..., 1, 2] = 2.0 * (y * z - w * x)
    made[..., 2, 0] = 2.0 * (x * z - w * y)
    made[..., 2, 1] = 2.0 * (y * z + w * x)
    made[..., 2, 2] = 1.0 - 2.0 * (x * x + y * y)
    return made


def from_matrix(R: ArrayLike) -> Array:
    """Unit quaternions of rotation matrices, shape (..., 3, 3).

    Shepperd's way: of the four components the largest comes from the diagonal, the others by division through it.
    """
    rows = np.asarray(R, dtype=float)
    xx, yy, zz = rows[..., 0, 0], rows[..., 1, 1], rows[..., 2, 2]
    # The squares of the components, four times; then four times the products of each with the largest.
    squares = np.stack([1.0 + xx + yy + zz, 1.0 + xx - yy - zz, 1.0 - xx + yy - zz, 1.0 - xx - yy + zz], axis=-1)
    wx, wy, wz = (rows[..., k, j] - rows[..., j, k] for j, k in ((1, 2), (2, 0), (0, 1)))
    yz, zx, xy = (rows[..., k, j] + rows[..., j, k] for j, k in ((1, 2), (2, 0), (0, 1)))
    w2, x2, y2, z2 = (squares[..., k] for k in range(4))
    table = ((w2, wx, wy, wz), (wx, x2, xy, zx), (wy, xy, y2, yz), (wz, zx, yz, z2))
    largest = squares.argmax(axis=-1)
    chosen = np.empty((*largest.shape, 4))
    for column in range(4):
        chosen[..., column] = np.choose(largest, [row[column] for row in table])
    return normalised(chosen)


def angle_between(a: ArrayLike, b: ArrayLike) -> Array:
    """The angle of the turn from one orientation to another, 0 to π [rad], exact for small ones too."""
    four = multiply(conjugate(a), b)
    return np.asarray(2.0 * np.arctan2(lengths(four[..., 1:]), np.abs(four[..., 0])))
